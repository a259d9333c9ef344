//! What one page of a book says for the diagrams of another.

use super::*;
use crate::chess::Color;
use crate::reading::Heading;

/// What a reading says of a diagram without evidence.
fn unsaid() -> Flag {
    Flag::new(FlagCode::SideAssumed, "nothing says who moves: White was assumed")
}

/// Reads the next page that waits: headings, and a silent diagram at each place.
async fn read_next(queue: &Queue, headings: &[Color], placements: &[&str]) -> Vec<DiagramId> {
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    let diagrams =
        (0..).zip(placements).map(|(at, placement)| diagram(placement, at, vec![unsaid()])).collect();
    let mut read = outcome(diagrams);
    read.reading.headings =
        headings.iter().map(|&side| Heading { side, text: format!("{side} to move") }).collect();
    queue.finish(&claim, read).await.unwrap().diagrams
}

async fn sides(queue: &Queue) -> Vec<String> {
    let rows = queue.diagrams(&Filter::default(), 100, 0).await.unwrap();
    rows.iter()
        .map(|row| format!("{} {} {}", row.side().char(), row.sources.side_to_move, row.state))
        .collect()
}

const QUEENS: &str = "4k3/8/8/8/8/8/8/Q3K3";
const PAWNS: &str = "4k3/4p3/8/8/8/8/4P3/4K3";

#[tokio::test]
async fn a_heading_speaks_for_later_pages_when_the_book_is_read() {
    let (queue, _) = queue().await;
    queue.enroll(&file("b/p.pdf", "p", 3)).await.unwrap();
    read_next(&queue, &[Color::Black], &[]).await;
    let [decided, open] = read_next(&queue, &[], &[KINGS, PAWNS]).await[..] else { panic!() };
    queue.decide(decided, 1, "ada", Decision::Approve { reason: None, acknowledged: vec![] }).await.unwrap();
    // A page still waits.
    assert_eq!(queue.settle_books(None).await.unwrap(), []);
    read_next(&queue, &[], &[QUEENS]).await;
    let settled = queue.settle_books(None).await.unwrap();
    // White was approved on page 2: the heading ends there, and speaks with doubt for that page only.
    assert_eq!(settled.iter().map(|book| book.changed).collect::<Vec<_>>(), [1]);
    assert_eq!(
        sides(&queue).await,
        ["w assumed approved", "b book_default needs_review", "w assumed needs_review"]
    );
    assert_eq!(queue.settle_books(None).await.unwrap(), []);

    // Without that decision it speaks for all.
    queue.undo(decided, queue.diagram_row(decided).await.unwrap().version, "ada").await.unwrap();
    let book = queue.book_by_name("b").await.unwrap().unwrap();
    queue.set_book(book, 1, &BookSettings::default(), "ada").await.unwrap();
    queue.settle_books(None).await.unwrap();
    assert_eq!(sides(&queue).await, ["b book_default accepted"; 3]);
    let detail = queue.diagram(open).await.unwrap();
    assert_eq!(detail.earlier.len(), 2, "the readings before stay");
    let events = queue.events_since(0, 1000).await.unwrap();
    let told =
        events.iter().filter(|event| event.kind == EventKind::SideByBook && event.diagram == Some(open));
    assert!(told.clone().count() >= 1 && told.clone().all(|event| event.detail["fen"].is_string()));
    sound(&queue).await;
}

#[tokio::test]
async fn the_order_of_reading_does_not_count() {
    let mut outcomes = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let (queue, _) = queue().await;
        queue.enroll(&file("b/p.pdf", "p", 3)).await.unwrap();
        let mut claims = Vec::new();
        for _ in 0..3 {
            claims.push(queue.claim("t", LEASE).await.unwrap().unwrap());
        }
        for at in order {
            let placement = [KINGS, PAWNS, QUEENS][at];
            let mut read = outcome(vec![diagram(placement, 0, vec![unsaid()])]);
            if at == 0 {
                read.reading.headings.push(Heading { side: Color::Black, text: "Black to move".to_owned() });
            }
            queue.finish(&claims[at], read).await.unwrap();
            queue.settle_books(None).await.unwrap();
        }
        outcomes.push(sides(&queue).await);
        sound(&queue).await;
    }
    assert_eq!(outcomes[0], ["w assumed needs_review", "b book_default accepted", "b book_default accepted"]);
    assert!(outcomes.iter().all(|other| *other == outcomes[0]));
}

#[tokio::test]
async fn a_books_new_default_reaches_what_nobody_decided() {
    let (queue, _) = queue().await;
    read_page(&queue, "b/1.png", vec![diagram(KINGS, 0, vec![unsaid()]), diagram(PAWNS, 1, vec![unsaid()])])
        .await;
    queue.settle_books(None).await.unwrap();
    assert_eq!(sides(&queue).await, ["w assumed needs_review"; 2]);
    let book = queue.book_by_name("b").await.unwrap().unwrap();
    let settings = BookSettings { default_side: Some(Color::Black), ..BookSettings::default() };
    queue.set_book(book, 1, &settings, "ada").await.unwrap();
    queue.settle_books(Some(Color::White)).await.unwrap();
    assert_eq!(sides(&queue).await, ["b book_default accepted"; 2]);
    sound(&queue).await;
}
