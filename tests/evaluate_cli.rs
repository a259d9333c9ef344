//! `fenwatch evaluate` on the committed test pages: figures, errors, exit codes.

mod common;

use std::fs;
use std::path::Path;

use common::{Home, text};
use serde_json::{Value, json};

/// The labels of some of the test pages, with absolute paths.
fn labels(files: &[&str]) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let all: Value = serde_json::from_str(&fs::read_to_string(folder.join("labels.json")).unwrap()).unwrap();
    let wanted = |page: &&Value| files.contains(&page["file"].as_str().unwrap());
    let pages: Vec<Value> = all["pages"].as_array().unwrap().iter().filter(wanted).cloned().collect();
    assert_eq!(pages.len(), files.len());
    json!({"root": folder, "pages": pages})
}

fn evaluate(home: &Home, labels: &Value, more: &[&str]) -> (i32, String, String) {
    fs::write(home.path().join("labels.json"), labels.to_string()).unwrap();
    let output = home.run(&[&["evaluate", "labels.json", "--no-captions"], more].concat());
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn figures_of_the_test_pages_and_of_a_planted_error() {
    let home = Home::new();
    let mut labels = labels(&["0000_clean_grid2x3.png", "0015_clean_negative.png"]);
    labels["pages"][0]["book"] = "Tal".into();
    let (code, out, err) = evaluate(&home, &labels, &["--json"]);
    assert_eq!(code, 0, "{err}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let counts = &report["total"]["counts"];
    assert_eq!((&counts["pages"], &counts["labelled"], &counts["found"]), (&json!(2), &json!(6), &json!(6)));
    assert_eq!((&counts["exact"], &counts["silent"], &counts["extra"]), (&json!(6), &json!(0), &json!(0)));
    assert_eq!(report["wrong"].as_array().map(Vec::len), Some(0), "{out}");
    let books: Vec<&Value> = report["books"].as_array().unwrap().iter().map(|book| &book["book"]).collect();
    assert_eq!(books, ["Tal", "clean"]);
    let squares = report["calibration_of_squares"]["bins"].as_array().unwrap();
    assert_eq!(squares.iter().map(|bin| bin["count"].as_u64().unwrap()).sum::<u64>(), 6 * 64);

    // a label that says a queen where an empty square is printed
    let truth = labels["pages"][0]["diagrams"][0]["placement"].as_str().unwrap().to_owned();
    assert!(truth.ends_with("/RNBQK2R"), "{truth}");
    labels["pages"][0]["diagrams"][0]["placement"] = truth.replace("/RNBQK2R", "/RNBQKQ1R").into();
    let (code, out, _) = evaluate(&home, &labels, &["--errors"]);
    assert_eq!(code, 0, "an evaluation says how good it is and does not fail");
    assert!(out.contains("63 of 64 squares right") && out.contains("\n  Q .      1\n"), "{out}");
    assert!(out.contains("83.3 %"), "{out}");
}

#[test]
fn what_cannot_be_read_counts_as_missed() {
    let home = Home::new();
    let mut labels = labels(&["0013_low_one.jpg"]);
    labels["pages"][0]["file"] = "there_is_none.jpg".into();
    let (code, out, _) = evaluate(&home, &labels, &["--json"]);
    assert_eq!(code, 1);
    let report: Value = serde_json::from_str(&out).unwrap();
    let counts = &report["total"]["counts"];
    assert_eq!((&counts["unread"], &counts["labelled"], &counts["found"]), (&json!(1), &json!(1), &json!(0)));
    assert!(report["unread"][0]["reason"].as_str().unwrap().contains("there_is_none.jpg"), "{out}");
    assert_eq!(report["wrong"][0]["read"], Value::Null);
}

#[test]
fn wrong_labels_are_named() {
    let home = Home::new();
    let labels = json!({"pages": [{"file": "a.png", "diagrams": [{"placement": "8/8/8"}]}]});
    let (code, out, err) = evaluate(&home, &labels, &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("labels.json: a.png, diagram 1: piece placement has 3 ranks"), "{err}");
    assert_eq!(home.run(&["evaluate"]).status.code(), Some(2));
}
