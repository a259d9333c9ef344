//! `fenwatch check` as people and scripts call it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn check(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("fenwatch").expect("the binary is built").arg("check").args(arguments).assert()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_sound_fen_is_drawn_and_praised() {
    let one = check(&[START])
        .code(0)
        .stdout(contains("8 | r  n  b  q  k  b  n  r |"))
        .stdout(contains("nothing is wrong"));
    let words: Vec<&str> = START.split(' ').collect();
    let several = check(&words).code(0);
    assert_eq!(one.get_output().stdout, several.get_output().stdout);
}

#[test]
fn missing_fields_are_named_and_no_problem() {
    check(&["4k3/8/8/8/8/8/8/4K3", "b"])
        .code(0)
        .stdout(contains("no castling rights given, - is taken"))
        .stdout(contains("normal form: 4k3/8/8/8/8/8/8/4K3 b - - 0 1"));
}

#[test]
fn typical_mistakes_are_told_with_their_place() {
    let cases = [
        (
            "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
            "        ^\nerror: rank 5 (\"7\") adds up to 7 squares instead of 8",
        ),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "^^^^^^^^^^^^^^^^^\nerror: 7 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "error: 9 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3 white? - - 0 1", "side to move is \"white?\" instead of w or b"),
        ("tslkdlst/bbbbbbbb/8/8/8/8/BBBBBBBB/TSLKDLST w - - 0 1", "the letters are German"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "impossible: White has 2 kings: d1 and e1 (extra_king)"),
        (
            "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1",
            "(upside_down)\n  turned: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        ),
        (
            "RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr w - - 0 1",
            "(colours_swapped)\n  exchanged: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K is impossible: White's rook is not on h1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square e6 is impossible: Black has no pawn on e5"),
        ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "possible only if Black is to move (opponent_in_check)"),
    ];
    for (fen, message) in cases {
        check(&[fen]).code(1).stdout(contains(message)).stdout(contains("    +------------------------+"));
    }
}

#[test]
fn unknown_squares_are_drawn_as_such() {
    check(&["4k3/8/8/8/8/8/4K3"])
        .code(1)
        .stdout(contains("1 | ?  ?  ?  ?  ?  ?  ?  ? |"))
        .stdout(contains("missing_king").not());
}

#[test]
fn what_is_no_fen_is_wrong_usage() {
    check(&["hello", "world"]).code(2).stdout(contains("is no FEN"));
    check(&[]).code(2);
    check(&["--no-such-option", START]).code(2);
}

#[test]
fn lines_come_from_standard_input_and_the_worst_decides() {
    let run = |input: &str, arguments: &[&str]| {
        let mut command = Command::cargo_bin("fenwatch").expect("the binary is built");
        command.arg("check").args(arguments).write_stdin(input.to_owned()).assert()
    };
    let sound = format!("# two positions\n{START}\n\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    run(&sound, &["-"]).code(0).stdout(contains("nothing is wrong").count(2));
    run(&sound, &[]).code(0);
    run(&format!("{START}\n8/8/8/8/8/8/8/8\n"), &["-"]).code(1).stdout(contains("White has no king"));
    run(&format!("nonsense\n{START}\n"), &["-"]).code(2);
    run("\n", &["-"]).code(2);
}

#[test]
fn json_is_one_object_a_line() {
    let output = Command::cargo_bin("fenwatch")
        .expect("the binary is built")
        .args(["check", "--json", "-"])
        .write_stdin(format!("{START}\n4k3/8/8/7/8/8/8/4K3 w\nhello\n"))
        .assert()
        .code(2);
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["fen"], START);
    assert_eq!(lines[0]["flags"], serde_json::json!([]));
    assert_eq!(lines[1]["fen"], serde_json::Value::Null);
    assert_eq!(lines[1]["problems"][0]["start"], 8);
    assert_eq!(lines[1]["unknown_squares"], serde_json::json!(["h5"]));
    assert_eq!(lines[2]["placement"], serde_json::Value::Null);
}
