//! `fenwatch scan`: folders, strangers in them, exit codes.

mod common;

use std::fs;

use common::{Home, text};

#[test]
fn strangers_in_a_folder_are_passed_over_and_named_ones_fail() {
    let home = Home::new();
    home.page("book/p2.png", 1, 1);
    home.page("book/p10.png", 0, 2);
    let book = home.scans().join("book");
    fs::write(book.join("notes.txt"), "Bought in Riga.").unwrap();
    fs::write(book.join("empty"), "").unwrap();
    let output = home.run(&["scan", "--json", "scans"]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{err}");
    let sources: Vec<&str> = out
        .lines()
        .map(|line| {
            if line.contains("p2.png") {
                "p2"
            } else if line.contains("p10.png") {
                "p10"
            } else {
                "?"
            }
        })
        .collect();
    assert_eq!(sources, ["p2", "p10"], "{out}");
    assert!(err.contains("passed over: ") && err.contains("notes.txt") && err.contains("empty"), "{err}");

    // named itself, or calling itself a scan: somebody waits for what is in it
    let output = home.run(&["scan", "--json", "scans/book/notes.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("looks like text"), "{}", text(&output.stdout));
    fs::write(book.join("p3.jpg"), "<html>not found</html>").unwrap();
    let output = home.run(&["scan", "scans"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("p3.jpg, page 1: FAILED"), "{}", text(&output.stdout));
    assert_eq!(home.run(&["scan"]).status.code(), Some(2));
}

#[test]
fn help_tells_the_exit_codes() {
    let home = Home::new();
    for command in ["scan", "evaluate", "export"] {
        let output = home.run(&[command, "--help"]);
        assert!(text(&output.stdout).contains("Exit codes: 0"), "{command}");
    }
}
