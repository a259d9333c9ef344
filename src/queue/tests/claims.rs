use std::collections::HashMap;

use super::*;

#[tokio::test]
async fn pages_come_in_natural_order_book_by_book() {
    let (queue, _) = queue().await;
    for (path, pages) in [("B/p10.png", 1), ("B/p9.png", 1), ("a 10/x.pdf", 2), ("A 2/x.pdf", 3)] {
        queue.enroll(&file(path, path, pages)).await.unwrap();
    }
    let mut seen = Vec::new();
    while let Some(claim) = queue.claim("w", LEASE).await.unwrap() {
        seen.push(format!("{}#{}", claim.path, claim.index));
    }
    let expected = [
        "A 2/x.pdf#0",
        "A 2/x.pdf#1",
        "A 2/x.pdf#2",
        "a 10/x.pdf#0",
        "a 10/x.pdf#1",
        "B/p9.png#0",
        "B/p10.png#0",
    ];
    assert_eq!(seen, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_pages_go_to_eight_workers_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::open(&folder.path().join("q.db")).await.unwrap();
    for index in 0..100 {
        let path = format!("Book/p{index}.pdf");
        queue.enroll(&file(&path, &path, 10)).await.unwrap();
    }
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..8 {
        let queue = queue.clone();
        workers.spawn(async move {
            let mut mine = Vec::new();
            while let Some(claim) = queue.claim(&format!("w{worker}"), LEASE).await.unwrap() {
                queue.finish(&claim, outcome(vec![diagram(KINGS, 0, vec![])])).await.unwrap();
                mine.push(claim.page);
            }
            mine
        });
    }
    let mut times: HashMap<PageId, u32> = HashMap::new();
    while let Some(pages) = workers.join_next().await {
        for page in pages.unwrap() {
            *times.entry(page).or_default() += 1;
        }
    }
    assert_eq!(times.len(), 1000);
    assert!(times.values().all(|&count| count == 1));
    let counts = queue.counts().await.unwrap();
    assert_eq!((counts.read, counts.diagrams, counts.pending), (1000, 1000, 0));
    sound(&queue).await;
}

#[tokio::test]
async fn finishing_twice_or_after_losing_the_lease_is_refused() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    let first = queue.claim("slow", LEASE).await.unwrap().unwrap();
    assert_eq!(queue.claim("other", LEASE).await.unwrap(), None);
    clock.advance(LEASE);
    let second = queue.claim("other", LEASE).await.unwrap().unwrap();
    assert_eq!((second.page, second.attempt), (first.page, 2));
    let lost = queue.finish(&first, outcome(vec![])).await;
    assert!(matches!(lost, Err(QueueError::LeaseLost(page)) if page == first.page));
    assert!(matches!(queue.release(&first).await, Err(QueueError::LeaseLost(_))));
    assert!(matches!(queue.fail(&first, "no", true).await, Err(QueueError::LeaseLost(_))));
    assert!(matches!(queue.renew(&mut first.clone(), LEASE).await, Err(QueueError::LeaseLost(_))));
    queue.finish(&second, outcome(vec![diagram(MATE, 0, vec![])])).await.unwrap();
    let twice = queue.finish(&second, outcome(vec![diagram(MATE, 0, vec![])])).await;
    assert!(matches!(twice, Err(QueueError::LeaseLost(_))));
    assert_eq!(queue.counts().await.unwrap().diagrams, 1);
    sound(&queue).await;
}

#[tokio::test]
async fn a_late_worker_may_finish_what_nobody_took() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    let claim = queue.claim("slow", LEASE).await.unwrap().unwrap();
    clock.advance(LEASE * 3);
    queue.finish(&claim, outcome(vec![])).await.unwrap();
    let page = queue.page(claim.page).await.unwrap();
    assert_eq!((page.state, page.times_read, page.attempts), (PageState::Read, 1, 0));
}

#[tokio::test]
async fn renewing_keeps_the_page() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    let mut claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    for _ in 0..5 {
        clock.advance(LEASE / 2);
        queue.renew(&mut claim, LEASE).await.unwrap();
    }
    assert_eq!(queue.claim("other", LEASE).await.unwrap(), None);
    queue.finish(&claim, outcome(vec![])).await.unwrap();
}

#[tokio::test]
async fn a_page_that_kills_the_program_fails_after_three_deaths_and_holds_nobody_up() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("B/1.png", "poison", 1)).await.unwrap();
    queue.enroll(&file("B/2.png", "good", 1)).await.unwrap();
    let poison = queue.claim("w", LEASE).await.unwrap().unwrap();
    clock.advance(LEASE);
    let next = queue.claim("w", LEASE).await.unwrap().unwrap();
    assert_eq!(next.path, "B/2.png", "the suspect waits behind the others");
    queue.finish(&next, outcome(vec![])).await.unwrap();
    for attempt in 2..=3 {
        let again = queue.claim("w", LEASE).await.unwrap().unwrap();
        assert_eq!((again.page, again.attempt), (poison.page, attempt));
        clock.advance(LEASE);
    }
    assert_eq!(queue.claim("w", LEASE).await.unwrap(), None);
    let page = queue.page(poison.page).await.unwrap();
    assert_eq!(page.state, PageState::Failed);
    assert_eq!(page.failure.as_deref(), Some("the program died 3 times on this page"));
    assert_eq!(page.failure_kind, Some(FailureKind::Crash));
    queue.retry(poison.page, "me").await.unwrap();
    assert_eq!(queue.claim("w", LEASE).await.unwrap().unwrap().attempt, 1);
}

#[tokio::test]
async fn a_clean_stop_is_no_attempt() {
    let (queue, _) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    for _ in 0..10 {
        let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
        assert_eq!(claim.attempt, 1);
        queue.release(&claim).await.unwrap();
    }
}

#[tokio::test]
async fn transient_failures_wait_longer_each_time_then_fail() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    for (attempt, wait) in [(1, 30), (2, 60)] {
        let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
        assert_eq!(claim.attempt, attempt);
        assert_eq!(queue.fail(&claim, "the disk is full", false).await.unwrap(), PageState::Pending);
        let waiting = queue.waiting().await.unwrap();
        assert_eq!((waiting.ready, waiting.delayed, waiting.reading), (0, 1, 0));
        clock.advance(Duration::from_secs(wait - 1));
        assert_eq!(queue.claim("w", LEASE).await.unwrap(), None);
        clock.advance(Duration::from_secs(1));
    }
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    assert_eq!(queue.fail(&claim, "the disk is full", false).await.unwrap(), PageState::Failed);
    let page = queue.page(claim.page).await.unwrap();
    assert_eq!(page.failure_kind, Some(FailureKind::Transient));
    assert_eq!(queue.retry_failed(None, "me").await.unwrap(), 1);
    assert_eq!(queue.waiting().await.unwrap().ready, 1);
}

#[tokio::test]
async fn a_permanent_failure_is_final_until_somebody_asks() {
    let (queue, _) = queue().await;
    queue.enroll(&file("B/1.png", "1", 1)).await.unwrap();
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    assert_eq!(queue.fail(&claim, "encrypted", true).await.unwrap(), PageState::Failed);
    assert_eq!(queue.waiting().await.unwrap(), Waiting::default());
    queue.retry(claim.page, "me").await.unwrap();
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    assert!(matches!(queue.retry(claim.page, "me").await, Err(QueueError::Nothing(_))));
    queue.finish(&claim, outcome(vec![])).await.unwrap();
    assert!(matches!(queue.retry(claim.page, "me").await, Err(QueueError::Nothing(_))));
    assert!(matches!(queue.retry(PageId(99), "me").await, Err(QueueError::NotFound { .. })));
}

#[tokio::test]
async fn a_new_daemon_takes_the_dead_ones_leases() {
    let (queue, _) = queue().await;
    queue.enroll(&file("B/1.pdf", "1", 3)).await.unwrap();
    queue.claim("run-1/worker-0", LEASE).await.unwrap().unwrap();
    queue.claim("run-2/worker-0", LEASE).await.unwrap().unwrap();
    assert_eq!(queue.void_leases("run-2/").await.unwrap(), 1);
    let waiting = queue.waiting().await.unwrap();
    assert_eq!((waiting.ready, waiting.reading), (2, 1));
}
