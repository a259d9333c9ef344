use super::*;

#[tokio::test]
async fn the_same_content_is_read_once() {
    let (queue, _) = queue().await;
    let first = queue.enroll(&file("A/1.png", "scan", 1)).await.unwrap();
    let source = first.source();
    assert_eq!(first, Enrolled::New { source, replaced: None });
    assert_eq!(queue.enroll(&file("A/1.png", "scan", 1)).await.unwrap(), Enrolled::Known { source });
    let alias = Enrolled::Alias { source, first: "A/1.png".into() };
    assert_eq!(queue.enroll(&file("B/copy.png", "scan", 1)).await.unwrap(), alias);
    assert_eq!(queue.enroll(&file("B/copy.png", "scan", 1)).await.unwrap(), Enrolled::Known { source });
    let of = async |name| queue.shared_files(queue.book_by_name(name).await.unwrap().unwrap()).await.unwrap();
    assert_eq!(of("A").await, []);
    assert_eq!(of("B").await, [SharedFiles { with: "A".into(), files: 1 }]);
    assert!(queue.claim("w", LEASE).await.unwrap().is_some());
    assert!(queue.claim("w", LEASE).await.unwrap().is_none());
    let known = queue.known_paths("/scans").await.unwrap();
    assert_eq!(known.iter().map(|path| path.path.as_str()).collect::<Vec<_>>(), ["A/1.png", "B/copy.png"]);
    assert_eq!(queue.known_path("/scans", "B/copy.png").await.unwrap().unwrap().source, source);
    assert!(queue.known_path("/other", "B/copy.png").await.unwrap().is_none());
}

#[tokio::test]
async fn a_move_is_seen_in_any_order_of_events() {
    for gone_first in [true, false] {
        let (queue, _) = queue().await;
        let source = queue.enroll(&file("A/1.png", "scan", 1)).await.unwrap().source();
        if gone_first {
            assert!(queue.mark_gone("/scans", "A/1.png").await.unwrap());
            assert_eq!(queue.claim("w", LEASE).await.unwrap(), None);
            let moved = queue.enroll(&file("B/1.png", "scan", 1)).await.unwrap();
            assert_eq!(moved, Enrolled::Moved { source, from: "A/1.png".into() });
        } else {
            queue.enroll(&file("B/1.png", "scan", 1)).await.unwrap();
            assert!(queue.mark_gone("/scans", "A/1.png").await.unwrap());
        }
        let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
        assert_eq!((claim.path.as_str(), claim.book_name.as_str()), ("B/1.png", "B"));
        assert!(!queue.mark_gone("/scans", "A/1.png").await.unwrap(), "gone already");
    }
}

#[tokio::test]
async fn a_rename_moves_the_file_and_its_place() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/2.png", "two", 1)).await.unwrap();
    queue.enroll(&file("A/3.png", "three", 1)).await.unwrap();
    assert!(queue.rename("/scans", "A/3.png", "A/1.png", "A").await.unwrap());
    assert_eq!(queue.claim("w", LEASE).await.unwrap().unwrap().path, "A/1.png");
    assert!(!queue.rename("/scans", "A/3.png", "A/4.png", "A").await.unwrap());
    // over another file: that one has no path any more
    assert!(queue.rename("/scans", "A/1.png", "A/2.png", "A").await.unwrap());
    assert_eq!(queue.claim("w", LEASE).await.unwrap(), None);
    let failed = PageFilter { states: vec![PageState::Failed], ..PageFilter::default() };
    assert_eq!(queue.pages(&failed, 10, 0).await.unwrap()[0].failure_kind, Some(FailureKind::Gone));
}

#[tokio::test]
async fn deletion_keeps_what_was_read_and_fails_what_was_not() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/1.pdf", "book", 2)).await.unwrap();
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    queue.finish(&claim, outcome(vec![diagram(MATE, 0, vec![])])).await.unwrap();
    queue.mark_gone("/scans", "A/1.pdf").await.unwrap();
    let counts = queue.counts().await.unwrap();
    assert_eq!((counts.read, counts.failed, counts.diagrams), (1, 1, 1));
    assert_eq!(queue.retry_failed(None, "me").await.unwrap(), 0);
    let page = queue.pages(&PageFilter::default(), 10, 0).await.unwrap().pop().unwrap();
    assert!(page.gone && page.failure.unwrap().contains("A/1.pdf"));
    assert!(matches!(queue.retry(page.id, "me").await, Err(QueueError::Invalid(_))));
    let back = queue.enroll(&file("A/1.pdf", "book", 2)).await.unwrap();
    assert!(matches!(back, Enrolled::Returned { .. }));
    assert_eq!(queue.claim("w", LEASE).await.unwrap().unwrap().index, 1);
}

#[tokio::test]
async fn a_file_that_goes_while_it_is_read() {
    let (queue, clock) = queue().await;
    queue.enroll(&file("A/1.pdf", "book", 3)).await.unwrap();
    let mut claims = Vec::new();
    for _ in 0..3 {
        claims.push(queue.claim("w", LEASE).await.unwrap().unwrap());
    }
    queue.mark_gone("/scans", "A/1.pdf").await.unwrap();
    queue.finish(&claims[0], outcome(vec![])).await.unwrap();
    queue.release(&claims[1]).await.unwrap();
    clock.advance(LEASE);
    queue.expire_leases().await.unwrap();
    let counts = queue.counts().await.unwrap();
    assert_eq!((counts.read, counts.failed, counts.pending, counts.reading), (1, 2, 0, 0));
}

#[tokio::test]
async fn other_content_under_a_known_name_is_another_source() {
    let (queue, _) = queue().await;
    let old = queue.enroll(&file("A/1.png", "half a copy", 1)).await.unwrap().source();
    let new = queue.enroll(&file("A/1.png", "the whole copy", 1)).await.unwrap();
    assert!(matches!(new, Enrolled::New { replaced: Some(replaced), .. } if replaced == old));
    let claim = queue.claim("w", LEASE).await.unwrap().unwrap();
    assert_eq!(claim.source, new.source());
    assert_eq!(queue.claim("w", LEASE).await.unwrap(), None, "the old content can no longer be read");
}

#[tokio::test]
async fn an_unreadable_file_is_a_failed_page_until_it_can_be_opened() {
    let (queue, _) = queue().await;
    let mut new = file("A/1.pdf", "locked", 0);
    new.pages = Pages::Unreadable { reason: "the file is encrypted".into() };
    let source = queue.enroll(&new).await.unwrap().source();
    queue.enroll(&new).await.unwrap();
    let pages = queue.pages(&PageFilter::default(), 10, 0).await.unwrap();
    assert_eq!(pages.len(), 1);
    assert_eq!(pages[0].failure.as_deref(), Some("the file is encrypted"));
    queue.set_page_count(source, 3, "me").await.unwrap();
    assert_eq!(queue.waiting().await.unwrap().ready, 3);
}

#[tokio::test]
async fn a_hash_that_is_none_is_refused() {
    let (queue, _) = queue().await;
    let mut new = file("A/1.png", "x", 1);
    new.hash = "ABC".into();
    assert!(matches!(queue.enroll(&new).await, Err(QueueError::Invalid(_))));
}
