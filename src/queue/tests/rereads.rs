use super::*;

/// Reads a page again.
async fn again(queue: &Queue, page: PageId, outcome: PageOutcome) -> Finished {
    queue.reread_page(page, "me").await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    assert_eq!(claim.page, page);
    queue.finish(&claim, outcome).await.unwrap()
}

fn finer(mut outcome: PageOutcome) -> PageOutcome {
    outcome.reading.width *= 2;
    outcome.reading.height *= 2;
    for diagram in &mut outcome.reading.diagrams {
        for corner in &mut diagram.quad.0 {
            corner.x = corner.x * 2.0 + 3.0;
            corner.y = corner.y * 2.0 - 3.0;
        }
        diagram.model_version = "test-2".into();
    }
    outcome
}

#[tokio::test]
async fn decisions_survive_and_undecided_diagrams_follow_the_new_model() {
    let (queue, _) = queue().await;
    let flags = || vec![doubt()];
    let first = vec![diagram(MATE, 0, flags()), diagram(KINGS, 1, flags()), diagram(KINGS, 2, flags())];
    let ids = read_page(&queue, "A/1.png", first).await;
    let page = queue.diagram_row(ids[0]).await.unwrap().page_id;
    queue.decide(ids[0], 1, "ada", Decision::approve()).await.unwrap();
    let crowded = "4k3/8/8/8/8/8/4PP2/4K3";
    let second = vec![diagram(crowded, 0, vec![]), diagram(crowded, 1, vec![]), diagram(MATE, 5, vec![])];
    let done = again(&queue, page, finer(outcome(second))).await;
    assert_eq!((done.new, done.matched, done.kept, done.retired), (1, 2, 0, 1));
    assert_eq!(done.diagrams[..2], ids[..2], "the same boards are the same diagrams");

    let decided = queue.diagram(ids[0]).await.unwrap();
    assert_eq!(
        (decided.row.state, decided.row.fen.as_str()),
        (DiagramState::Approved, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    );
    assert_eq!(
        decided.reading.fen,
        format!("{crowded} w - - 0 1"),
        "what the new model says is kept beside it"
    );
    assert_eq!(decided.earlier.len(), 1);
    assert_eq!(decided.earlier[0].model_version, "test-1");
    let kinds: Vec<_> = queue.events_of(ids[0]).await.unwrap().into_iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Decided, EventKind::RereadDiffers]);

    let undecided = queue.diagram_row(ids[1]).await.unwrap();
    assert_eq!((undecided.state, undecided.model_version.as_str()), (DiagramState::Accepted, "test-2"));
    assert_eq!(undecided.fen, format!("{crowded} w - - 0 1"));
    // the version moved: a tab that shows the old reading cannot decide on it
    assert!(matches!(
        queue.decide(ids[1], 1, "ada", Decision::approve()).await,
        Err(QueueError::Conflict { .. })
    ));
    assert_eq!(queue.diagrams(&Filter::default(), 10, 0).await.unwrap().len(), 3);
    sound(&queue).await;
}

#[tokio::test]
async fn a_decided_diagram_that_is_no_longer_seen_stays() {
    let (queue, _) = queue().await;
    let ids = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]).await;
    let page = queue.diagram_row(ids[0]).await.unwrap().page_id;
    queue.decide(ids[0], 1, "ada", Decision::approve()).await.unwrap();
    let done = again(&queue, page, outcome(vec![diagram(KINGS, 1, vec![])])).await;
    assert_eq!((done.matched, done.kept, done.retired), (1, 1, 0));
    let row = queue.diagram_row(ids[0]).await.unwrap();
    assert_eq!((row.state, row.seen, row.ordinal), (DiagramState::Approved, false, 2));
    sound(&queue).await;
    // seen again, it is the same one
    let both = outcome(vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]);
    let done = again(&queue, page, both).await;
    assert_eq!(done.diagrams, ids);
    assert!(queue.diagram_row(ids[0]).await.unwrap().seen);
    assert_eq!(queue.page(page).await.unwrap().times_read, 3);
}

#[tokio::test]
async fn a_retired_diagram_comes_back_as_itself() {
    let (queue, _) = queue().await;
    let ids = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]).await;
    let page = queue.diagram_row(ids[0]).await.unwrap().page_id;
    let done = again(&queue, page, outcome(vec![diagram(KINGS, 1, vec![])])).await;
    assert_eq!((done.matched, done.retired), (1, 1));
    assert_eq!(found_ids(&queue).await, [ids[1]]);
    let both = outcome(vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]);
    let done = again(&queue, page, both).await;
    assert_eq!((done.new, done.matched), (0, 2));
    assert_eq!(found_ids(&queue).await, ids);
    sound(&queue).await;
}

#[tokio::test]
async fn keys_stay_whatever_happens_to_other_diagrams() {
    let (queue, _) = queue().await;
    let ids = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), diagram(KINGS, 2, vec![])]).await;
    let before = [key(&queue, ids[0]).await, key(&queue, ids[1]).await];
    assert!(before[0].ends_with("-1-1") && before[1].ends_with("-1-2"), "{before:?}");
    let page = queue.diagram_row(ids[0]).await.unwrap().page_id;
    let mut missed = diagram("4k3/8/8/8/8/8/4P3/4K3", 1, vec![]);
    missed.ordinal = 2;
    let drawn = queue.add_drawn(page, &missed, (1000, 1500), &Crops::default(), "ada").await.unwrap();
    assert_eq!(queue.diagram_row(ids[1]).await.unwrap().ordinal, 3);
    assert_eq!([key(&queue, ids[0]).await, key(&queue, ids[1]).await], before);
    assert!(key(&queue, drawn).await.ends_with("-1-3"));
    // the first is lost and another one found: no name is given again
    let done = again(&queue, page, outcome(vec![diagram(KINGS, 2, vec![]), diagram(MATE, 4, vec![])])).await;
    assert_eq!((done.new, done.retired), (1, 1));
    assert_eq!(key(&queue, ids[1]).await, before[1]);
    assert!(key(&queue, done.diagrams[1]).await.ends_with("-1-4"));
    // read by another file of the same name, all is different
    let other = read_page(&queue, "A/2.png", vec![diagram(MATE, 0, vec![])]).await;
    assert_ne!(key(&queue, other[0]).await, before[0]);
}

async fn key(queue: &Queue, id: DiagramId) -> String {
    queue.diagram_row(id).await.unwrap().key
}

async fn found_ids(queue: &Queue) -> Vec<DiagramId> {
    queue.diagram_ids(&Filter::default()).await.unwrap()
}

#[tokio::test]
async fn boards_that_a_person_drew_stay() {
    let (queue, _) = queue().await;
    let ids = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), diagram(KINGS, 2, vec![])]).await;
    let page = queue.diagram_row(ids[0]).await.unwrap().page_id;
    let mut missed = diagram("4k3/8/8/8/8/8/4P3/4K3", 1, vec![]);
    missed.ordinal = 2;
    let drawn = queue.add_drawn(page, &missed, (1000, 1500), &Crops::default(), "ada").await.unwrap();
    let order = queue.diagram_ids(&Filter::default()).await.unwrap();
    assert_eq!(order, [ids[0], drawn, ids[1]]);
    let mut moved = diagram(KINGS, 0, vec![]);
    moved.quad = Quad::from_bounds(98.0, 98.0, 502.0, 502.0);
    queue.redraw(ids[0], 1, &moved, (1000, 1500), &Crops::default(), "ada").await.unwrap();
    assert_eq!(queue.diagram_row(ids[0]).await.unwrap().fen, format!("{KINGS} w - - 0 1"));
    let done = again(&queue, page, outcome(vec![diagram(MATE, 0, vec![]), diagram(KINGS, 2, vec![])])).await;
    assert_eq!((done.matched, done.kept), (2, 1));
    assert_eq!(
        queue.diagram_row(ids[0]).await.unwrap().fen,
        format!("{KINGS} w - - 0 1"),
        "the person's corners stand"
    );
    assert_eq!(queue.diagram_count(&Filter::default()).await.unwrap(), 3);
    sound(&queue).await;
}

#[tokio::test]
async fn everything_read_comes_back() {
    let (queue, _) = queue().await;
    let mut read = diagram(MATE, 0, vec![doubt().on([Square::E4, Square::A1])]);
    read.caption.evidence.push(crate::caption::SideEvidence {
        side: crate::chess::Color::Black,
        source: FieldSource::Mark,
        text: "■".into(),
        area: Some(PixelRect { x: 9, y: 8, width: 7, height: 6 }),
        weight: 0.9,
    });
    let id = read_page(&queue, "A/1.png", vec![read.clone()]).await[0];
    let detail = queue.diagram(id).await.unwrap();
    for (kept, given) in detail.reading.squares.0.iter().flatten().zip(read.squares.0.iter().flatten()) {
        assert!((kept - given).abs() < 1e-3 * given);
    }
    assert_eq!(DiagramReading { squares: read.squares.clone(), ..detail.reading }, read);
    assert_eq!(detail.page_size, (1000, 1500));
    assert_eq!(detail.row.flags, read.flags);
    assert_eq!(queue.picture(id, PictureKind::Board).await.unwrap(), Some(picture(0)));
    assert_eq!(queue.picture(id, PictureKind::Caption).await.unwrap(), None);
    assert_eq!(queue.page_picture(detail.row.page_id).await.unwrap(), Some(picture(200)));
}

#[tokio::test]
async fn duplicates_follow_the_collection() {
    let (queue, _) = queue().await;
    let a = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    let b = read_page(&queue, "B/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    let c = read_page(&queue, "C/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    let notes = async |id| {
        let flags = queue.diagram_row(id).await.unwrap().flags;
        flags.into_iter().map(|flag| (flag.code, flag.message)).collect::<Vec<_>>()
    };
    let of_a = "the same position is already in A: A/1.png, page 1, number 1".to_owned();
    assert_eq!(notes(a).await, []);
    assert_eq!(notes(b).await, [(FlagCode::DuplicatePosition, of_a.clone())]);
    assert_eq!(notes(c).await, [(FlagCode::DuplicatePosition, of_a)]);
    assert_eq!(queue.diagram_row(b).await.unwrap().state, DiagramState::Accepted, "a note needs no review");
    queue.decide(a, 1, "ada", Decision::reject()).await.unwrap();
    assert_eq!(notes(b).await, []);
    assert!(notes(c).await[0].1.contains("B/1.png"));
    queue.undo(a, 2, "ada").await.unwrap();
    assert!(notes(b).await[0].1.contains("A/1.png"));
    // another position: no duplicate any more, on neither side
    let row = queue.diagram_row(a).await.unwrap();
    let facts = Facts {
        fen: format!("{KINGS} w - - 0 1"),
        sources: row.sources,
        orientation: row.orientation,
        number: None,
        players: None,
        stipulation: None,
        caption: None,
    };
    queue.decide(a, row.version, "ada", Decision::correct(facts)).await.unwrap();
    assert_eq!(notes(a).await, []);
    assert_eq!(notes(b).await, []);
    assert!(notes(c).await[0].1.contains("B/1.png"));
    sound(&queue).await;
}

#[tokio::test]
async fn a_bad_outcome_changes_nothing() {
    let (queue, _) = queue().await;
    queue.enroll(&file("A/1.png", "1", 1)).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    let mut bad = outcome(vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]);
    bad.reading.diagrams[1].fen = "nonsense".into();
    assert!(queue.finish(&claim, bad).await.is_err());
    let mut bad = outcome(vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![])]);
    bad.crops.pop();
    assert!(queue.finish(&claim, bad).await.is_err());
    assert_eq!(queue.counts().await.unwrap().diagrams, 0);
    queue.finish(&claim, outcome(vec![])).await.unwrap();
    sound(&queue).await;
}
