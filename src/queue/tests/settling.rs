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
    queue.settle_books(None).await.unwrap();
    assert_eq!(sides(&queue).await, [BLACK; 3]);
    let detail = queue.diagram(open).await.unwrap();
    assert_eq!(detail.earlier.len(), 1, "the reading before stays");
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
    assert_eq!(outcomes[0], [OPEN, BLACK, BLACK]);
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
    assert_eq!(sides(&queue).await, [BY_DEFAULT; 2]);
    sound(&queue).await;
}

/// Enrolls a file of the book `b`, read at once: `headings` on its first page, a silent diagram on each of `pages`.
async fn put(queue: &Queue, path: &str, content: &str, headings: &[Color], pages: &[&str]) {
    queue.enroll(&file(path, content, pages.len() as u32)).await.unwrap();
    for (at, placement) in pages.iter().enumerate() {
        let said = if at == 0 { headings } else { &[] };
        // nothing at all on a page of headings only
        let diagrams: &[&str] = if placement.is_empty() { &[] } else { &[placement] };
        read_next(queue, said, diagrams).await;
    }
}

/// The diagrams in the order of the book, after it was settled again.
async fn settled(queue: &Queue) -> Vec<String> {
    queue.settle_books(None).await.unwrap();
    sound(queue).await;
    sides(queue).await
}

/// Proposed by a heading of an earlier page, not trusted.
const BLACK: &str = "b book_default needs_review";
/// A default that a person set.
const BY_DEFAULT: &str = "b book_default accepted";
const OPEN: &str = "w assumed needs_review";

#[tokio::test]
async fn a_file_of_several_pages_is_a_book_of_its_own() {
    let (queue, _) = queue().await;
    put(&queue, "b/1.pdf", "one", &[Color::Black], &["", KINGS]).await;
    put(&queue, "b/2.pdf", "two", &[], &[PAWNS, QUEENS]).await;
    assert_eq!(settled(&queue).await, [BLACK, OPEN, OPEN]);
    // Single pages are of the folder, past what lies between them.
    put(&queue, "b/0.png", "nought", &[Color::Black], &[""]).await;
    put(&queue, "b/3.png", "three", &[], &[MATE]).await;
    assert_eq!(settled(&queue).await, [BLACK, OPEN, OPEN, BLACK]);
}

#[tokio::test]
async fn a_loose_file_that_could_hold_a_book_is_one() {
    for (format, told) in [("PDF", OPEN), ("TIFF", OPEN), ("DjVu", OPEN), ("PNG", BLACK)] {
        let (queue, _) = queue().await;
        for (path, headings, placement) in [("1.x", &[Color::Black][..], ""), ("2.x", &[], KINGS)] {
            queue.enroll(&NewSource { format: format.to_owned(), ..file(path, path, 1) }).await.unwrap();
            let placements = [placement];
            read_next(&queue, headings, if placement.is_empty() { &[] } else { &placements }).await;
        }
        assert_eq!(settled(&queue).await, [told], "{format}");
    }
    // In a folder they are its pages, in the folders below it too.
    let (queue, _) = queue().await;
    for (path, headings) in [("b/1.pdf", &[Color::Black][..]), ("b/part 2/1.pdf", &[])] {
        queue.enroll(&NewSource { format: "PDF".to_owned(), ..file(path, path, 1) }).await.unwrap();
        read_next(&queue, headings, if headings.is_empty() { &[KINGS] } else { &[] }).await;
    }
    assert_eq!(settled(&queue).await, [BLACK]);
}

#[tokio::test]
async fn only_what_is_there_speaks_and_in_its_place() {
    let (queue, _) = queue().await;
    put(&queue, "b/1.png", "heading", &[Color::Black], &[""]).await;
    put(&queue, "b/2.png", "two", &[], &[KINGS]).await;
    put(&queue, "b/3.png", "three", &[], &[PAWNS]).await;
    assert_eq!(settled(&queue).await, [BLACK, BLACK]);

    // Renamed behind one, and behind all.
    assert!(queue.rename("/scans", "b/1.png", "b/2a.png", "b").await.unwrap());
    assert_eq!(settled(&queue).await, [OPEN, BLACK]);
    assert!(queue.rename("/scans", "b/2a.png", "b/4.png", "b").await.unwrap());
    assert_eq!(settled(&queue).await, [OPEN, OPEN]);
    // Back, with the two steps of a move that was not seen as one.
    queue.mark_gone("/scans", "b/4.png").await.unwrap();
    queue.enroll(&file("b/1.png", "heading", 1)).await.unwrap();
    assert_eq!(settled(&queue).await, [BLACK, BLACK]);
    // To another book, and home again.
    assert!(queue.rename("/scans", "b/1.png", "c/1.png", "c").await.unwrap());
    assert_eq!(settled(&queue).await, [OPEN, OPEN]);
    assert!(queue.rename("/scans", "c/1.png", "b/1.png", "b").await.unwrap());
    assert_eq!(settled(&queue).await, [BLACK, BLACK]);
    // Deleted, and put back.
    queue.mark_gone("/scans", "b/1.png").await.unwrap();
    assert_eq!(settled(&queue).await, [OPEN, OPEN]);
    queue.enroll(&file("b/1.png", "heading", 1)).await.unwrap();
    assert_eq!(settled(&queue).await, [BLACK, BLACK]);
    // Decided diagrams stay as they are, and are heard.
    let rows = queue.diagrams(&Filter::default(), 100, 0).await.unwrap();
    queue.decide(rows[0].id, rows[0].version, "ada", Decision::approve()).await.unwrap();
    // Replaced by a page without the heading.
    put(&queue, "b/1.png", "another", &[], &[""]).await;
    assert_eq!(settled(&queue).await, ["b book_default approved", OPEN]);
    let events = queue.events_since(0, 1000).await.unwrap();
    assert!(
        events.iter().any(|event| event.kind == EventKind::SideByBook && event.detail["evidence"].is_null())
    );
}

#[tokio::test]
async fn a_stray_page_leaves_nothing_behind() {
    let (queue, _) = queue().await;
    put(&queue, "b/2.png", "two", &[], &[KINGS]).await;
    put(&queue, "b/1.png", "stray", &[Color::Black], &[PAWNS]).await;
    assert_eq!(settled(&queue).await, [OPEN, BLACK]);
    queue.mark_gone("/scans", "b/1.png").await.unwrap();
    assert_eq!(settled(&queue).await, [OPEN, OPEN]);
}

#[tokio::test]
async fn a_book_taken_away_keeps_what_it_said() {
    let (queue, _) = queue().await;
    put(&queue, "b/1.pdf", "one", &[Color::Black], &["", KINGS]).await;
    assert_eq!(settled(&queue).await, [BLACK]);
    queue.mark_gone("/scans", "b/1.pdf").await.unwrap();
    assert_eq!(settled(&queue).await, [BLACK]);
}

#[tokio::test]
async fn a_page_that_moves_while_it_is_read_unsettles_the_book_it_came_to() {
    let (queue, _) = queue().await;
    put(&queue, "c/2.png", "two", &[], &[KINGS]).await;
    queue.enroll(&file("b/1.png", "one", 1)).await.unwrap();
    let claim = queue.claim("t", LEASE).await.unwrap().unwrap();
    assert!(queue.rename("/scans", "b/1.png", "c/1.png", "c").await.unwrap());
    assert_eq!(queue.settle_books(None).await.unwrap().len(), 1, "b is empty; c waits for the page");
    let mut read = outcome(vec![]);
    read.reading.headings.push(Heading { side: Color::Black, text: "Black to move".to_owned() });
    queue.finish(&claim, read).await.unwrap();
    assert_eq!(settled(&queue).await, [BLACK]);
}

#[tokio::test]
async fn what_was_undone_or_drawn_follows_the_book() {
    let (queue, _) = queue().await;
    let ids = read_page(
        &queue,
        "b/1.png",
        vec![diagram(KINGS, 0, vec![unsaid()]), diagram(PAWNS, 1, vec![unsaid()])],
    )
    .await;
    let book = queue.book_by_name("b").await.unwrap().unwrap();
    let default = |side| BookSettings { default_side: Some(side), ..BookSettings::default() };
    queue.set_book(book, 1, &default(Color::Black), "ada").await.unwrap();
    assert_eq!(settled(&queue).await, [BY_DEFAULT, BY_DEFAULT]);
    let version = async |id| queue.diagram_row(id).await.unwrap().version;
    queue.decide(ids[0], version(ids[0]).await, "ada", Decision::approve()).await.unwrap();
    // its corners were moved; the side is still nobody's word
    let moved = DiagramReading { fen: format!("{PAWNS} b - - 0 1"), ..diagram(PAWNS, 1, vec![unsaid()]) };
    let size = (1000, 1500);
    queue.redraw(ids[1], version(ids[1]).await, &moved, size, &Crops::default(), "ada").await.unwrap();
    let added = diagram(QUEENS, 2, vec![unsaid()]);
    queue
        .add_drawn(queue.diagram_row(ids[0]).await.unwrap().page_id, &added, size, &Crops::default(), "ada")
        .await
        .unwrap();
    assert_eq!(settled(&queue).await, ["b book_default approved", BY_DEFAULT, BY_DEFAULT]);

    queue.set_book(book, 2, &default(Color::White), "ada").await.unwrap();
    let white = "w book_default accepted";
    assert_eq!(settled(&queue).await, ["b book_default approved", white, white]);
    queue.undo(ids[0], version(ids[0]).await, "ada").await.unwrap();
    assert_eq!(settled(&queue).await, [white; 3]);
    // the decision itself is what it was
    queue.redo(ids[0], version(ids[0]).await, "ada").await.unwrap();
    assert_eq!(settled(&queue).await, ["b book_default approved", white, white]);
    queue.reset(ids[0], version(ids[0]).await, "ada").await.unwrap();
    assert_eq!(settled(&queue).await, [white; 3]);
}
