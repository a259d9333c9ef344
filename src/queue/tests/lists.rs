use super::*;

async fn shelf() -> (Queue, Vec<DiagramId>) {
    let (queue, _) = queue().await;
    let mut first = diagram(MATE, 0, vec![doubt()]);
    first.caption.text = Some("Белые начинают / 50%_ \"quoted\"".into());
    first.caption.players = Some("Таль — Ботвинник".into());
    let mut ids = read_page(&queue, "A/p2.png", vec![first, diagram(KINGS, 1, vec![])]).await;
    let mut third = diagram("4k3/8/8/8/8/8/4P3/4K3", 0, vec![Flag::new(FlagCode::MissingKing, "none")]);
    third.caption.number = Some("1.16".into());
    third.caption.text = None;
    ids.extend(read_page(&queue, "B/Глава p10.png", vec![third]).await);
    (queue, ids)
}

async fn found(queue: &Queue, filter: Filter) -> Vec<DiagramId> {
    let ids = queue.diagram_ids(&filter).await.unwrap();
    assert_eq!(queue.diagram_count(&filter).await.unwrap(), ids.len() as u64);
    let rows = queue.diagrams(&filter, 100, 0).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), ids);
    ids
}

#[tokio::test]
async fn filters() {
    let (queue, ids) = shelf().await;
    let text = |text: &str| Filter { text: Some(text.into()), ..Filter::default() };
    let number = |text: &str| Filter { number: Some(text.parse().unwrap()), ..Filter::default() };
    assert_eq!(found(&queue, Filter::default()).await, ids);
    assert_eq!(found(&queue, text("ботвинник")).await, ids[..1]);
    assert_eq!(found(&queue, text("50%_ \"QUOTED")).await, ids[..1], "no wildcards");
    assert_eq!(found(&queue, text("ГЛАВА P10")).await, ids[2..], "in the path");
    assert_eq!(found(&queue, text("  ")).await, ids);
    assert_eq!(found(&queue, number("002")).await, ids[1..2]);
    assert_eq!(found(&queue, number("1-2")).await, ids, "1.16 lies between 1 and 2");
    assert_eq!(found(&queue, number("1.9-1.20")).await, ids[2..]);
    let book = Filter { book_name: Some("B".into()), ..Filter::default() };
    assert_eq!(found(&queue, book).await, ids[2..]);
    let flags = vec![FlagCode::SideAssumed, FlagCode::MissingKing];
    assert_eq!(found(&queue, Filter { flags, ..Filter::default() }).await, [ids[0], ids[2]]);
    let severity = Some(crate::chess::Severity::Impossible);
    assert_eq!(found(&queue, Filter { severity, ..Filter::default() }).await, ids[2..]);
    assert_eq!(found(&queue, Filter::needs_review()).await, [ids[0], ids[2]]);
    assert_eq!(found(&queue, Filter::exportable()).await, ids[1..2]);
}

#[tokio::test]
async fn page_flags_find_the_page_and_its_diagrams() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/1.png", "1", 2)).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    let mut damaged = outcome(vec![diagram(MATE, 0, vec![])]);
    damaged.reading.flags.push(Flag::new(FlagCode::DamagedPage, "the picture is cut short"));
    let id = queue.finish(&claim, damaged).await.unwrap().diagrams[0];
    let flags = vec![FlagCode::DamagedPage];
    assert_eq!(found(&queue, Filter { flags: flags.clone(), ..Filter::default() }).await, [id]);
    let pages = queue.pages(&PageFilter { flags, ..PageFilter::default() }, 10, 0).await.unwrap();
    assert_eq!((pages.len(), pages[0].diagrams, pages[0].page), (1, 1, 1));
    assert_eq!(pages[0].flags[0].message, "the picture is cut short");
}

#[tokio::test]
async fn books_count_their_pages_and_diagrams() {
    let (queue, ids) = shelf().await;
    queue.enroll(&file("A/p3.pdf", "more", 4)).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    queue.finish(&claim, outcome(vec![])).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    queue.fail(&claim, "no", true).await.unwrap();
    queue.claim("t", LEASE).await.unwrap().unwrap();
    queue.decide(ids[0], 1, "ada", Decision::reject()).await.unwrap();
    let books = queue.books().await.unwrap();
    assert_eq!(books.iter().map(|book| book.name.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    let expected = Counts {
        pages: 5,
        pending: 1,
        reading: 1,
        read: 2,
        failed: 1,
        empty: 1,
        diagrams: 2,
        accepted: 1,
        rejected: 1,
        ..Counts::default()
    };
    assert_eq!((books[0].files, books[0].counts), (2, expected));
    let all = queue.counts().await.unwrap();
    assert_eq!((all.pages, all.diagrams, all.needs_review), (6, 3, 1));
}

#[tokio::test]
async fn settings_of_a_book_reach_its_claims() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/1.png", "1", 1)).await.unwrap();
    let book = queue.books().await.unwrap().remove(0);
    let settings = BookSettings {
        title: Some("A book".into()),
        default_side: Some(crate::chess::Color::Black),
        language: Some("de".into()),
        marks_black_only: true,
        ..BookSettings::default()
    };
    let version = queue.set_book(book.id, book.version, &settings, "ada").await.unwrap();
    let conflict = queue.set_book(book.id, book.version, &settings, "bob").await;
    assert!(matches!(conflict, Err(QueueError::Conflict { current, .. }) if current == version));
    assert_eq!(queue.book(book.id).await.unwrap().settings, settings);
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    assert_eq!(claim.default_side, Some(crate::chess::Color::Black));
    assert_eq!((claim.language.as_deref(), claim.marks_black_only), (Some("de"), true));
}

#[tokio::test]
async fn visits_see_everything_once_at_one_moment() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/1.pdf", "1", 260)).await.unwrap();
    while let Some(claim) = queue.claim("t", LEASE).await.unwrap() {
        let two = vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![doubt()])];
        queue.finish(&claim, outcome(two)).await.unwrap();
    }
    let mut seen = Vec::new();
    queue
        .visit::<QueueError>(&Filter::default(), |rows| {
            seen.extend(rows.into_iter().map(|row| (row.page, row.ordinal)));
            Ok(())
        })
        .await
        .unwrap();
    let expected: Vec<_> = (1..=260).flat_map(|page| [(page, 1), (page, 2)]).collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn gaps_in_the_numbers_of_a_book() {
    let (queue, _) = queue().await;
    let mut far = diagram(KINGS, 1, vec![]);
    far.caption.number = Some("5".into());
    let ids = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), far]).await;
    let book = queue.book_by_name("A").await.unwrap().unwrap();
    let gaps = queue.number_gaps(book).await.unwrap();
    assert_eq!((gaps.len(), gaps[0].missing, gaps[0].after, gaps[0].before), (1, 3, ids[0], ids[1]));
}
