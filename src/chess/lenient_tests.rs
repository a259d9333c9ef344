use proptest::prelude::*;

use super::*;
use crate::chess::testing::any_fen;

/// Text, where and what, drawn placement.
#[allow(clippy::type_complexity, reason = "a plain table")]
const CASES: &[(&str, &[(&str, &str)], &str)] = &[
    (
        "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
        &[("7", "rank 5 (\"7\") adds up to 7 squares instead of 8")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1",
        &[("ppppppppp", "rank 5 (\"ppppppppp\") adds up to 9 squares instead of 8")],
        "4k3/8/8/pppppppp/8/8/8/4K3",
    ),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", &[("4k3/8/8/8/8/8/4K3", "7 ranks instead of 8")], "4k3/8/8/8/8/8/4K3/8"),
    (
        "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
        &[("4k3/8/8/8/8/8/8/8/4K3", "9 ranks instead of 8"), ("4K3", "\"4K3\" comes after rank 1")],
        "4k3/8/8/8/8/8/8/8",
    ),
    ("4k3/8/8/8/8/8/8/4K3/ w - - 0 1", &[("/", "a '/' too many after rank 1")], "4k3/8/8/8/8/8/8/4K3"),
    (
        "4k3/8/8//8/8/8/4K3 w - - 0 1",
        &[("//", "rank 5 is empty: an empty rank is written as 8")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/8/8/3x4/8/8/8/4K3 w - - 0 1",
        &[("x", "rank 5 has 'x', which is no piece letter and no digit from 1 to 8")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
        &[
            ("9", "rank 7 has '9': a rank has 1 to 8 empty squares in a row"),
            ("9", "rank 7 (\"9\") adds up to 0 squares instead of 8"),
        ],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "tslkdlst/bbbbbbbb/8/8/8/8/BBBBBBBB/TSLKDLST w - - 0 1",
        &[("t", "'t' is no FEN letter: the letters are German, FEN takes the English K Q R B N P")],
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
    ),
    (
        "r3k3/8/8/8/8/8/8/♖3♔3 w - - 0 1",
        &[("♖", "'♖' is a chess symbol: FEN takes the letters K Q R B N P")],
        "r3k3/8/8/8/8/8/8/R3K3",
    ),
    (
        "4k3\\8\\8\\8\\8\\8\\8\\4K3 w - - 0 1",
        &[("\\", "ranks are parted by '\\\\' instead of '/'")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "r3k2r/8/8/8/8/8/8/4K3 kq - 0 1",
        &[("kq", "side to move is missing before the castling rights \"kq\"")],
        "r3k2r/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        &[("x", "side to move is \"x\" instead of w or b")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - 0 1",
        &[("0", "en passant square (or -) is missing before the number \"0\"")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w d6 0 1",
        &[("d6", "castling rights are missing before the en passant square \"d6\"")],
        "4k3/8/8/3pP3/8/8/8/4K3",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2 3", &[("2 3", "more than six fields")], "4k3/8/8/8/8/8/8/4K3"),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 -",
        &[("-", "move number is \"-\" instead of a number (a dash too many?)")],
        "4k3/8/8/8/8/8/8/4K3",
    ),
];

#[test]
fn says_where_it_goes_wrong_and_reads_the_rest() {
    for &(text, problems, placement) in CASES {
        let reading = read_leniently(text);
        let characters: Vec<char> = text.chars().collect();
        let found: Vec<(String, &str)> = reading
            .problems
            .iter()
            .map(|problem| (characters[problem.span.clone()].iter().collect(), problem.message.as_str()))
            .collect();
        let expected: Vec<(String, &str)> =
            problems.iter().map(|&(at, what)| (at.to_owned(), what)).collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(reading.fen.placement.to_string(), placement, "{text}");
        assert!(reading.looks_like_fen);
    }
}

#[test]
fn squares_that_are_not_told_are_unknown() {
    let reading = read_leniently("4k3/8/8/3p/8/8/8/4K3");
    assert_eq!(reading.unknown, [Square::E5, Square::F5, Square::G5, Square::H5]);
    assert_eq!(read_leniently("4k3/8/8").unknown.len(), 40);
}

#[test]
fn other_texts_are_no_fen() {
    for text in [
        "",
        "hello",
        "1.e4 e5",
        "https://example.org/some/page.html",
        "/usr/share/fonts/truetype",
        "w KQkq - 0 1",
        "//",
        "a/b/c/d/e/f/g/h",
    ] {
        assert!(!read_leniently(text).looks_like_fen, "{text}");
    }
}

proptest! {
    #[test]
    fn a_sound_fen_has_no_problem(fen in any_fen()) {
        let reading = read_leniently(&fen.to_string());
        prop_assert_eq!(reading.problems, []);
        prop_assert_eq!(reading.fen.placement, fen.placement);
    }

    #[test]
    fn what_is_not_parsed_has_a_problem_inside_the_text(text in "[rnbqkpRNBKP1-9/ w.é\\-]{0,60}") {
        let reading = read_leniently(&text);
        prop_assert_eq!(reading.problems.is_empty(), Fen::parse(&text).is_ok());
        let length = text.chars().count();
        for problem in reading.problems {
            prop_assert!(problem.span.start <= problem.span.end && problem.span.end <= length, "{:?}", problem);
        }
    }
}
