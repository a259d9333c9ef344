//! A program that dies at any moment: claims dropped, transactions cut off.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Claim,
    Finish(usize, u32),
    Fail(usize, bool),
    Release(usize),
    /// The program dies: all claims in hand are forgotten, the leases stay.
    Die,
    Wait,
    Void,
    Retry,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => Just(Step::Claim),
        4 => (0usize..4, 0u32..3).prop_map(|(which, boards)| Step::Finish(which, boards)),
        1 => (0usize..4, any::<bool>()).prop_map(|(which, permanent)| Step::Fail(which, permanent)),
        1 => (0usize..4).prop_map(Step::Release),
        1 => Just(Step::Die),
        1 => Just(Step::Wait),
        1 => Just(Step::Void),
        1 => Just(Step::Retry),
    ];
    proptest::collection::vec(step, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever happens, no page is lost, none is in two hands, and each ends once the dying ends.
    #[test]
    fn nothing_is_lost_or_doubled(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (queue, clock) = queue().await;
            queue.enroll(&file("A/1.pdf", "book", 6)).await.unwrap();
            let mut hands: Vec<Claim> = Vec::new();
            for step in steps {
                match step {
                    Step::Claim => {
                        if let Some(claim) = queue.claim("w", LEASE).await.unwrap() {
                            hands.push(claim);
                        }
                    }
                    Step::Finish(which, boards) if which < hands.len() => {
                        let claim = hands.swap_remove(which);
                        let boards = (0..boards).map(|at| diagram(MATE, at, vec![])).collect();
                        let result = queue.finish(&claim, outcome(boards)).await;
                        prop_assert!(matches!(result, Ok(_) | Err(QueueError::LeaseLost(_))));
                    }
                    Step::Fail(which, permanent) if which < hands.len() => {
                        let _ = queue.fail(&hands.swap_remove(which), "no", permanent).await;
                    }
                    Step::Release(which) if which < hands.len() => {
                        let _ = queue.release(&hands.swap_remove(which)).await;
                    }
                    Step::Die => hands.clear(),
                    Step::Wait => clock.advance(LEASE),
                    Step::Void => {
                        queue.void_leases("nobody").await.unwrap();
                    }
                    Step::Retry => {
                        queue.retry_failed(None, "me").await.unwrap();
                    }
                    _ => {}
                }
                let counts = queue.counts().await.unwrap();
                prop_assert_eq!(counts.pending + counts.reading + counts.read + counts.failed, 6);
            }
            // the dying ends: all that is left is read or failed, each page once
            clock.advance(Duration::from_secs(3600));
            queue.void_leases("nobody").await.unwrap();
            while let Some(claim) = queue.claim("w", LEASE).await.unwrap() {
                queue.finish(&claim, outcome(vec![diagram(MATE, 0, vec![])])).await.unwrap();
            }
            let counts = queue.counts().await.unwrap();
            prop_assert_eq!(counts.read + counts.failed, 6);
            let pages = queue.pages(&PageFilter::default(), 10, 0).await.unwrap();
            prop_assert!(pages.iter().all(|page| page.times_read <= 1));
            prop_assert_eq!(queue.verify().await.unwrap(), []);
            Ok(())
        })?;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_cut_off_leaves_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(&folder.path().join("q.db")).await.unwrap();
    queue.enroll(&file("A/1.pdf", "book", 1)).await.unwrap();
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    let many = || outcome((0..6).map(|at| diagram(MATE, at, vec![doubt()])).collect());
    let mut cuts = 0;
    for step in 0.. {
        // ever later; a dropped future rolls its transaction back
        let time = Duration::from_micros(300 * step);
        let finished = tokio::time::timeout(time, queue.finish(&claim, many())).await;
        let counts = queue.counts().await.unwrap();
        match (counts.read, counts.diagrams) {
            (0, 0) => cuts += 1,
            (1, 6) => break,
            half => panic!("half a page after {time:?}: {half:?}"),
        }
        assert!(finished.is_err(), "done and not there");
    }
    assert!(cuts > 0);
    sound(&queue).await;
}
