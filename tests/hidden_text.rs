//! Text in a PDF that nobody sees, or that says something else than it shows, settles no side without a flag.

mod common;
#[path = "common/pdf.rs"]
mod pdf;

use common::{Home, text};
use serde_json::Value;

/// The one diagram of a page with a board and what `commands` draw besides.
fn diagram(commands: &str) -> Value {
    let home = Home::new();
    let path = home.scans().join("page.pdf");
    std::fs::write(&path, pdf::board_page(commands)).unwrap();
    let output = home
        .fenwatch(&["scan", "--json", "scans/page.pdf"])
        .env("FENWATCH_READING__CAPTIONS", "true")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(page["diagrams"].as_array().map(Vec::len), Some(1), "{page}");
    page["diagrams"][0].clone()
}

fn flagged(diagram: &Value) -> bool {
    let about_side = |flag: &Value| flag["code"] == "side_assumed" || flag["code"] == "side_conflict";
    diagram["flags"].as_array().unwrap().iter().any(about_side)
}

#[test]
fn text_that_is_seen_tells_the_side() {
    let seen = diagram("BT /F1 14 Tf 150 95 Td (Black to move) Tj ET");
    assert_eq!((seen["side_to_move"].as_str(), flagged(&seen)), (Some("b"), false), "{seen}");
}

#[test]
fn text_that_is_not_seen_tells_no_side() {
    for (how, commands) in [
        ("render mode 3", "BT 3 Tr /F1 14 Tf 150 95 Td (Black to move) Tj ET"),
        ("white on white", "1 g BT /F1 14 Tf 150 95 Td (Black to move) Tj ET"),
        ("clipped away", "q 0 0 10 10 re W n BT /F1 14 Tf 150 95 Td (Black to move) Tj ET Q"),
        ("outside of the page", "BT /F1 14 Tf 150 -40 Td (Black to move) Tj ET"),
        ("under a white sheet", "BT /F1 14 Tf 150 95 Td (Black to move) Tj ET 1 g 100 80 220 35 re f"),
    ] {
        let hidden = diagram(commands);
        assert!(flagged(&hidden), "{how}: {hidden}");
    }
}

#[test]
fn a_false_table_of_characters_is_doubted() {
    // "White to move" is drawn, "Black to move" is said
    let drawn = diagram("BT /F2 14 Tf 150 95 Td (White to move) Tj ET");
    assert!(drawn["side_to_move"] == "w" || flagged(&drawn), "{drawn}");
}
