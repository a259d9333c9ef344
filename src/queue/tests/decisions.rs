use super::*;

fn facts_of(row: &DiagramRow) -> Facts {
    Facts {
        fen: row.fen.clone(),
        sources: row.sources,
        orientation: row.orientation,
        number: row.number.clone(),
        players: row.players.clone(),
        stipulation: row.stipulation.clone(),
        caption: row.caption.clone(),
    }
}

#[tokio::test]
async fn approve_correct_reject_and_back_to_any_depth() {
    let (queue, _) = queue().await;
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![doubt()])]).await[0];
    let read = queue.diagram_row(id).await.unwrap();
    assert_eq!((read.state, read.version), (DiagramState::NeedsReview, 1));
    let version = queue.decide(id, 1, "ada", Decision::approve()).await.unwrap();
    let row = queue.diagram_row(id).await.unwrap();
    assert_eq!((row.state, row.version), (DiagramState::Approved, version));
    assert_eq!(row.acknowledged, [FlagCode::SideAssumed]);
    assert_eq!(row.decided_by.as_deref(), Some("ada"));

    let mut facts = facts_of(&row);
    facts.fen = format!("{MATE} b - - 0 1");
    facts.players = Some("Ады — Боб".into());
    let version = queue.decide(id, version, "bob", Decision::correct(facts.clone())).await.unwrap();
    let row = queue.diagram_row(id).await.unwrap();
    assert_eq!(row.state, DiagramState::Corrected);
    assert_eq!(row.sources.side_to_move, FieldSource::Human);
    assert_eq!(row.sources.placement, FieldSource::Picture);
    assert_eq!(row.fen, facts.fen);

    let version = queue.decide(id, version, "ada", Decision::reject()).await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Rejected);
    sound(&queue).await;

    let version = queue.undo(id, version, "ada").await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().fen, facts.fen);
    let version = queue.undo(id, version, "ada").await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Approved);
    let version = queue.undo(id, version, "ada").await.unwrap();
    let row = queue.diagram_row(id).await.unwrap();
    assert_eq!((row.state, row.fen), (DiagramState::NeedsReview, read.fen.clone()));
    assert!(matches!(queue.undo(id, version, "ada").await, Err(QueueError::Nothing(_))));

    let version = queue.redo(id, version, "ada").await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Approved);
    let version = queue.redo(id, version, "ada").await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Corrected);
    // a new decision ends the way forward
    let version = queue.undo(id, version, "ada").await.unwrap();
    let version = queue.decide(id, version, "ada", Decision::reject()).await.unwrap();
    assert!(matches!(queue.redo(id, version, "ada").await, Err(QueueError::Nothing(_))));
    let version = queue.reset(id, version, "ada").await.unwrap();
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::NeedsReview);
    let _ = version;
    assert_eq!(queue.decisions(id).await.unwrap().len(), 4, "nothing is ever taken out of the history");
    sound(&queue).await;
}

#[tokio::test]
async fn two_tabs_cannot_overwrite_each_other() {
    let (queue, _) = queue().await;
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    queue.decide(id, 1, "tab one", Decision::reject()).await.unwrap();
    let conflict = queue.decide(id, 1, "tab two", Decision::approve()).await.unwrap_err();
    assert!(matches!(conflict, QueueError::Conflict { expected: 1, current: 2, .. }), "{conflict}");
    assert!(matches!(queue.undo(id, 1, "tab two").await, Err(QueueError::Conflict { .. })));
    assert_eq!(queue.diagram_row(id).await.unwrap().state, DiagramState::Rejected);
    let missing = queue.decide(DiagramId(77), 1, "x", Decision::approve()).await;
    assert!(matches!(missing, Err(QueueError::NotFound { .. })));
}

#[tokio::test]
async fn what_is_impossible_must_be_named() {
    let (queue, _) = queue().await;
    let flags = vec![Flag::new(FlagCode::MissingKing, "White has no king").on([Square::E1]), doubt()];
    let id = read_page(&queue, "A/1.png", vec![diagram("4k3/8/8/8/8/8/8/8", 0, flags)]).await[0];
    let row = queue.diagram_row(id).await.unwrap();
    assert!(row.is_refused());
    let refused = queue.decide(id, 1, "ada", Decision::approve()).await.unwrap_err();
    assert_eq!(refused.to_string(), "diagram 1 cannot be approved without acknowledging: missing_king");
    let decision = Decision::Approve {
        reason: Some("a pawn study without kings".into()),
        acknowledged: vec![FlagCode::MissingKing],
    };
    queue.decide(id, 1, "ada", decision).await.unwrap();
    let row = queue.diagram_row(id).await.unwrap();
    assert!(!row.is_refused());
    assert_eq!(row.acknowledged, [FlagCode::MissingKing, FlagCode::SideAssumed]);
    assert_eq!(row.reason.as_deref(), Some("a pawn study without kings"));
}

#[tokio::test]
async fn a_correction_back_to_what_was_read_is_an_approval() {
    let (queue, _) = queue().await;
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![doubt()])]).await[0];
    let row = queue.diagram_row(id).await.unwrap();
    let mut facts = facts_of(&row);
    facts.sources.side_to_move = FieldSource::Human;
    queue.decide(id, 1, "ada", Decision::correct(facts)).await.unwrap();
    let row = queue.diagram_row(id).await.unwrap();
    assert_eq!(row.state, DiagramState::Approved);
    assert_eq!(row.sources.side_to_move, FieldSource::Human, "confirmed by the person");
}

#[tokio::test]
async fn nonsense_is_no_correction() {
    let (queue, _) = queue().await;
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    let row = queue.diagram_row(id).await.unwrap();
    for fen in [
        "",
        "8/8 w - - 0 1",
        &format!("{MATE} x - - 0 1"),
        &format!("{MATE} w KX - 0 1"),
        &format!("{MATE} w - e9 0 1"),
        &format!("{MATE} w - - -1 1"),
        &format!("{MATE} w - - 0"),
        &format!("{MATE} w  - 0 1"),
    ] {
        let facts = Facts { fen: fen.to_owned(), ..facts_of(&row) };
        let result = queue.decide(id, 1, "ada", Decision::correct(facts)).await;
        assert!(matches!(result, Err(QueueError::Invalid(_))), "{fen}");
    }
    assert_eq!(queue.diagram_row(id).await.unwrap().version, 1);
}

#[tokio::test]
async fn the_database_itself_protects_decisions() {
    let (queue, _) = queue().await;
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    queue.decide(id, 1, "ada", Decision::approve()).await.unwrap();
    for sql in ["DELETE FROM decisions", "UPDATE decisions SET verdict = 'rejected'", "DELETE FROM diagrams"]
    {
        assert!(sqlx::query(sql).execute(&queue.inner.write).await.is_err(), "{sql}");
    }
}

#[tokio::test]
async fn all_without_doubt_at_once() {
    let (queue, _) = queue().await;
    read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![]), diagram(KINGS, 1, vec![doubt()])]).await;
    read_page(&queue, "B/1.png", vec![diagram("4k3/8/8/8/8/8/4P3/4K3", 0, vec![])]).await;
    let book = queue.book_by_name("A").await.unwrap();
    assert_eq!(queue.approve_accepted(book, "ada").await.unwrap(), 1);
    let counts = queue.counts().await.unwrap();
    assert_eq!((counts.approved, counts.accepted, counts.needs_review), (1, 1, 1));
}

#[tokio::test]
async fn listeners_hear_after_the_commit_and_can_catch_up() {
    let (queue, _) = queue().await;
    let mut events = queue.subscribe();
    let id = read_page(&queue, "A/1.png", vec![diagram(MATE, 0, vec![])]).await[0];
    queue.decide(id, 1, "ada", Decision::approve()).await.unwrap();
    let mut heard = Vec::new();
    while let Ok(event) = events.try_recv() {
        heard.push(event);
    }
    let kinds: Vec<_> = heard.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Enrolled, EventKind::PageRead, EventKind::Decided]);
    assert_eq!(queue.events_since(0, 100).await.unwrap(), heard);
    assert_eq!(queue.events_since(heard[1].id, 100).await.unwrap(), heard[2..]);
    assert_eq!(queue.events_of(id).await.unwrap().len(), 1);
    assert_eq!(queue.last_event().await.unwrap(), heard[2].id);
    // what fails is not heard of
    let _ = queue.decide(id, 1, "ada", Decision::approve()).await.unwrap_err();
    assert!(events.try_recv().is_err());
}
