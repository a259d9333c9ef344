use super::*;
use crate::chess::{Color, FlagCode};
use crate::reading::Orientation;

const A: &str = "4k3/8/8/8/8/8/4P3/4K3";
const B: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1";

fn label(x: f32, placement: &str, side: Option<Color>) -> Label {
    Label {
        bounds: Some([x, 0.0, x + 100.0, 100.0]),
        placement: placement.parse().unwrap(),
        side_to_move: side,
        orientation: Some(Orientation::WhiteBottom),
    }
}

fn read(x: f32, placement: &str, doubts: &[FlagCode]) -> ReadDiagram {
    ReadDiagram {
        bounds: [x, 0.0, x + 100.0, 100.0],
        placement: placement.parse().unwrap(),
        side_to_move: Color::White,
        orientation: Orientation::WhiteBottom,
        probabilities: [0.9995; 64],
        confidence: 0.96,
        accepted: doubts.is_empty(),
        doubts: doubts.to_vec(),
    }
}

fn page(book: &str, diagrams: Vec<Label>) -> LabelledPage {
    LabelledPage { path: "a.png".into(), name: "a.png".into(), book: book.into(), page: None, diagrams }
}

#[test]
fn boards_are_joined_by_place_not_by_content() {
    let labels = [label(0.0, A, None), label(200.0, B, None), label(400.0, A, None)];
    let reads = [read(203.0, A, &[]), read(4.0, B, &[]), read(600.0, A, &[])];
    let compared = compare(&labels, &reads);
    assert_eq!(compared.found, [Found { label: 0, read: 1 }, Found { label: 1, read: 0 }]);
    assert_eq!((compared.missed, compared.extra), (vec![2], vec![2]));
}

#[test]
fn without_boxes_the_men_tell() {
    let mut labels = [label(0.0, A, None), label(200.0, B, None)];
    labels.iter_mut().for_each(|label| label.bounds = None);
    let compared = compare(&labels, &[read(0.0, B, &[]), read(0.0, A, &[])]);
    assert_eq!(compared.found, [Found { label: 0, read: 1 }, Found { label: 1, read: 0 }]);
}

#[test]
fn figures_are_counted_by_book() {
    let mut evaluation = Evaluation::default();
    // a silent wrong square, a flagged wrong side, a missed board, an accepted false alarm
    let labels =
        vec![label(0.0, A, None), label(200.0, B, Some(Color::Black)), label(400.0, A, Some(Color::White))];
    let reads = [
        read(0.0, "4k3/8/8/8/8/8/4B3/4K3", &[]),
        read(200.0, B, &[FlagCode::SideAssumed]),
        read(700.0, A, &[]),
    ];
    evaluation.add(&page("one", labels), &reads);
    evaluation.add(
        &page("two", vec![label(0.0, B, Some(Color::White))]),
        &[read(1.0, B, &[FlagCode::PoorPrint, FlagCode::SideAssumed])],
    );
    evaluation.add_unread(&page("two", vec![label(0.0, B, Some(Color::White))]), "gone".into());

    let one = evaluation.books()["one"];
    assert_eq!((one.labelled, one.found, one.extra, one.exact, one.silent), (3, 2, 1, 1, 2));
    assert_eq!((one.sides, one.sides_right, one.review, one.review_of_squares), (2, 0, 1, 0));
    assert_eq!((one.squares, one.squares_right), (128, 127));
    let two = evaluation.books()["two"];
    assert_eq!((two.pages, two.unread, two.labelled, two.found, two.exact), (2, 1, 2, 1, 1));
    assert_eq!((two.sides, two.sides_right, two.review, two.review_of_squares), (2, 1, 1, 1));
    let total = evaluation.total();
    assert_eq!((total.pages, total.labelled, total.read, total.silent), (3, 5, 4, 2));
    assert_eq!(total.shares().exact, Some(0.4));

    assert_eq!(evaluation.confusions(), [Confusion { truth: 'P', read: 'B', count: 1 }]);
    assert_eq!(evaluation.flags()["side_assumed"], 2);
    let squares = evaluation.squares();
    assert_eq!((squares.bins.len(), squares.bins[0].count), (1, 192));
    assert_eq!(evaluation.boards().bins[0].count, 3);
    let wrong: Vec<(bool, bool, bool)> = evaluation
        .wrong()
        .iter()
        .map(|wrong| (wrong.truth.is_some(), wrong.read.is_some(), wrong.silent))
        .collect();
    let expected = [
        (true, true, true),
        (true, true, false),
        (true, false, false),
        (false, true, true),
        (true, false, false),
    ];
    assert_eq!(wrong, expected);
}

#[test]
fn a_board_taken_for_a_turned_one_blames_no_square() {
    let mut evaluation = Evaluation::default();
    let mut turned = read(0.0, A, &[FlagCode::OrientationAssumed]);
    turned.placement = turned.placement.turned();
    turned.orientation = Orientation::BlackBottom;
    evaluation.add(&page("one", vec![label(0.0, A, None)]), &[turned]);
    let total = evaluation.total();
    assert_eq!((total.exact, total.orientations, total.orientations_right), (0, 1, 0));
    assert_eq!(evaluation.confusions(), []);
    assert_eq!(evaluation.boards().bins[0].share_right, 1.0);
}

#[test]
fn the_tables_and_the_json_say_the_same() {
    let mut evaluation = Evaluation::default();
    evaluation.add(
        &page("one", vec![label(0.0, A, Some(Color::White))]),
        &[read(0.0, "4k3/8/8/8/8/8/4B3/4K3", &[])],
    );
    let json: serde_json::Value = serde_json::from_str(&evaluation.json("net-1")).unwrap();
    assert_eq!(json["schema"], "fenwatch-evaluation-1");
    assert_eq!(json["total"]["counts"]["silent"], 1);
    assert_eq!(json["books"][0]["book"], "one");
    assert_eq!(json["books"][0]["shares"]["sides_right"], 1.0);
    assert_eq!(json["wrong"][0]["read"], "4k3/8/8/8/8/8/4B3/4K3");
    let text = text(&evaluation, "net-1", true);
    assert!(text.contains("98.44 %") && text.contains("SILENT wrong: a.png"), "{text}");
    // of nothing there are no shares
    let empty = Evaluation::default();
    assert!(empty.json("net-1").contains("\"exact\": null"));
    assert!(!super::text(&empty, "net-1", true).contains("NaN"));
}
