use super::*;
use crate::chess::testing::{Dice, Taste, fen_of, random_game};

fn read(text: &str, language: &str) -> FirstMove {
    let letters = PieceLetters::of_language(language).unwrap();
    parse_first_move(text, &letters).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn verdict(fen: &str, text: &str, language: &str, side: Color) -> MoveVerdict {
    judge_first_move(&fen.parse().unwrap(), &read(text, language), side)
}

fn san(fen: &str, text: &str, language: &str, side: Color) -> String {
    match verdict(fen, text, language, side) {
        MoveVerdict::Legal { san, .. } => san,
        other => format!("{other:?}"),
    }
}

#[test]
fn numbers_say_who_moves() {
    let cases = [
        ("1.Nf3", Some(1), Some(Color::White)),
        ("1 Nf3", Some(1), Some(Color::White)),
        ("23. Nf3", Some(23), Some(Color::White)),
        ("23...Nf3", Some(23), Some(Color::Black)),
        ("23. ... Nf3", Some(23), Some(Color::Black)),
        ("23\u{2026} Nf3", Some(23), Some(Color::Black)),
        ("1. \u{2013} Nf3", Some(1), Some(Color::Black)),
        ("1..Nf3", Some(1), Some(Color::Black)),
        ("Nf3", None, None),
        ("0-0", None, None),
        ("12.0-0", Some(12), Some(Color::White)),
        ("12...0-0-0", Some(12), Some(Color::Black)),
    ];
    for (text, number, side) in cases {
        let first = read(text, "en");
        assert_eq!((first.number, first.side), (number, side), "{text}");
    }
}

#[test]
fn reads_the_notations_of_books() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let middle = "r3k2r/ppq1bppp/2n2n2/2PpP3/3P4/2N2N2/PP2QPPP/R3K2R w - - 0 1";
    let promotion = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let cases = [
        (start, "1.Nf3", "en", "Nf3"),
        (start, "Sg1-f3", "de", "Nf3"),
        (start, "1. S f3", "de", "Nf3"),
        (start, "♘f3", "en", "Nf3"),
        (start, "Кg1\u{2013}f3", "ru", "Nf3"),
        (start, "Pf3", "nl", "Nf3"),
        (start, "1.Cf3!", "fr", "Nf3"),
        (start, "e2-e4", "en", "e4"),
        (start, "1 e4", "en", "e4"),
        (start, "e2e4 e7e5", "en", "e4"),
        (start, "P e2 - e4", "en", "e4"),
        (middle, "0-0", "en", "O-O"),
        (middle, "O\u{2013}O\u{2013}O", "en", "O-O-O"),
        (middle, "Ke1-g1", "en", "O-O"),
        (middle, "ed6 e.p.", "en", "exd6"),
        (middle, "exf6", "en", "exf6"),
        (middle, "e5:f6", "en", "exf6"),
        (middle, "ef", "en", "exf6"),
        (middle, "ef:", "en", "exf6"),
        (middle, "S:d5", "de", "Nxd5"),
        (middle, "Sd5:", "de", "Nxd5"),
        (middle, "Nc3\u{d7}d5", "en", "Nxd5"),
        (middle, "Nd5", "en", "Nxd5"),
        (promotion, "a8=Q", "en", "a8=Q"),
        (promotion, "a8", "en", "a8=Q"),
        (promotion, "a7-a8D", "de", "a8=Q"),
        (promotion, "a8(S)", "de", "a8=N"),
        (promotion, "a7:b8=T+", "de", "axb8=R+"),
        (promotion, "ab8♕", "en", "axb8=Q+"),
        (promotion, "ab", "en", "axb8=Q+"),
    ];
    for (fen, text, language, expected) in cases {
        assert_eq!(san(fen, text, language, Color::White), expected, "{text}");
    }
}

#[test]
fn both_ways_to_capture_en_passant_are_told_apart() {
    let fen = "4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1";
    assert_eq!(san(fen, "cxd6", "en", Color::White), "cxd6");
    assert_eq!(verdict(fen, "Kd7", "en", Color::White), MoveVerdict::Illegal);
}

#[test]
fn says_who_could_play_it() {
    let fen = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1";
    assert!(verdict(fen, "Kxe2", "en", Color::White).is_possible());
    assert!(matches!(verdict(fen, "Kf7", "en", Color::Black), MoveVerdict::Unplayable(_)));
    let fen = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1";
    assert_eq!(
        verdict(fen, "Rd1", "en", Color::White),
        MoveVerdict::Legal { san: "Rd1".into(), check_missing: false }
    );
    assert!(matches!(
        verdict(fen, "Rb1+", "en", Color::White),
        MoveVerdict::Legal { check_missing: true, .. }
    ));
    assert!(matches!(
        verdict(fen, "Ra8+", "en", Color::White),
        MoveVerdict::Legal { check_missing: false, .. }
    ));
    let fen = "4k3/8/8/8/8/2N1N3/8/4K3 w - - 0 1";
    assert_eq!(
        verdict(fen, "Nd5", "en", Color::White),
        MoveVerdict::Ambiguous(vec!["Ncd5".into(), "Ned5".into()])
    );
    assert!(matches!(
        verdict("8/8/8/8/8/8/8/R7 w - - 0 1", "Ra8", "en", Color::White),
        MoveVerdict::Unplayable(_)
    ));
}

#[test]
fn what_is_no_move_is_refused() {
    for text in [
        "",
        "Kt-B3",
        "White wins",
        "1.",
        "Nf9",
        "Nf33",
        "hello",
        "0-1",
        "1-0",
        "½-½",
        "2023",
        "a",
        "be",
        "ac3",
    ] {
        assert!(
            parse_first_move(text, &PieceLetters::english()).is_err(),
            "{text}: {:?}",
            parse_first_move(text, &PieceLetters::english())
        );
    }
}

#[test]
fn every_move_of_random_games_is_found_again() {
    let mut dice = Dice(5);
    let letters = PieceLetters::english();
    for taste in [Taste::Any, Taste::Pawns, Taste::Wild] {
        for position in random_game(&mut dice, 100, taste) {
            let fen = fen_of(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue;
            }
            let m = moves[dice.below(moves.len())];
            let san = SanPlus::from_move(position.clone(), m).to_string();
            let first = parse_first_move(&san, &letters).unwrap();
            let found = judge_first_move(&fen, &first, position.turn());
            // rights are not known to the judge: it may see more moves, never fewer
            assert!(found.is_possible(), "{fen} {san}: {found:?}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,20}") {
        let _ = parse_first_move(&text, &PieceLetters::of_language("ru").unwrap());
    }
}
