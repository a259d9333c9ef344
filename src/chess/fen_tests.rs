use proptest::prelude::*;
use shakmaty::fen::Fen as ShakmatyFen;
use shakmaty::{EnPassantMode, Position};

use super::*;
use crate::chess::testing::{Dice, Taste, any_fen, fen_of, random_game};

proptest! {
    #[test]
    fn text_and_fields_round_trip(fen in any_fen()) {
        let text = fen.text(EnPassantStyle::DoubleStep);
        let parsed = Fen::parse(&text).unwrap();
        prop_assert_eq!(&parsed.fen, &fen);
        prop_assert!(parsed.missing.is_empty());
        // the other style loses at most the square that nobody can capture on
        let again: Fen = fen.to_string().parse().unwrap();
        prop_assert_eq!(again.to_string(), fen.to_string());
        prop_assert_eq!(Fen { en_passant: fen.en_passant, ..again }, fen);
    }

    #[test]
    fn nothing_makes_the_reader_panic(text in "\\PC{0,60}") {
        let _ = Fen::parse(&text);
    }

    #[test]
    fn almost_fens_never_make_the_reader_panic(text in "[rnbqkpRNBQKP1-9/ w\\-]{0,90}") {
        if let Ok(parsed) = Fen::parse(&text) {
            prop_assert_eq!(Fen::parse(&parsed.fen.to_string()).unwrap().fen.placement, parsed.fen.placement);
        }
    }
}

#[test]
fn both_en_passant_styles_agree_with_shakmaty_along_games() {
    let mut dice = Dice(7);
    for _ in 0..40 {
        for position in random_game(&mut dice, 120, Taste::Pawns) {
            let fen = fen_of(&position);
            let always = ShakmatyFen::from_position(&position, EnPassantMode::Always).to_string();
            let legal = ShakmatyFen::from_position(&position, EnPassantMode::Legal).to_string();
            assert_eq!(fen.text(EnPassantStyle::DoubleStep), always);
            assert_eq!(fen.text(EnPassantStyle::LegalCapture), legal);
            assert_eq!(fen.position().unwrap().legal_moves(), position.legal_moves());
        }
    }
}

#[test]
fn missing_fields_take_usual_values_and_are_named() {
    use FenField::*;
    let placement = "4k3/8/8/8/8/8/8/4K3";
    let cases: [(&str, &[FenField]); 5] = [
        ("", &[SideToMove, Castling, EnPassant, HalfmoveClock, FullmoveNumber]),
        (" b", &[Castling, EnPassant, HalfmoveClock, FullmoveNumber]),
        (" b -", &[EnPassant, HalfmoveClock, FullmoveNumber]),
        (" b - -  ", &[HalfmoveClock, FullmoveNumber]),
        ("\tb - - 3", &[FullmoveNumber]),
    ];
    for (tail, missing) in cases {
        let parsed = Fen::parse(&format!("{placement}{tail}")).unwrap();
        assert_eq!(parsed.missing, missing, "{tail:?}");
        assert_eq!(parsed.fen.fullmove, 1);
    }
    let fen = Fen::new(placement.parse().unwrap(), Color::White);
    assert_eq!(fen.to_string(), format!("{placement} w - - 0 1"));
}

#[test]
fn epd_operations_are_kept() {
    let parsed = Fen::parse("4k3/8/8/8/8/8/8/4K3 b - - bm Ke7; hmvc 4; fmvn 31; id \"a b\";").unwrap();
    assert_eq!((parsed.fen.halfmove, parsed.fen.fullmove), (4, 31));
    assert_eq!(parsed.operations.as_deref(), Some("bm Ke7; hmvc 4; fmvn 31; id \"a b\";"));
    assert_eq!(parsed.missing, []);
}

#[test]
fn errors_name_field_and_text() {
    let board = "4k3/8/8/8/8/8/8/4K3";
    let cases = [
        ("", "there is no text", None),
        ("4k3/8/8/8 w", "piece placement has 4 ranks instead of 8", Some(FenField::Placement)),
        ("4k3/8/8/8/8/8/8/4K3 x", "side to move is \"x\" instead of w or b", Some(FenField::SideToMove)),
        (
            "4k3/8/8/8/8/8/8/4K3 w Kx",
            "castling rights \"Kx\" have 'x' instead of K, Q, k, q or -",
            Some(FenField::Castling),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9",
            "en passant square is \"e9\" instead of a square or -",
            Some(FenField::EnPassant),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - +1",
            "halfmove clock is \"+1\" instead of a number",
            Some(FenField::HalfmoveClock),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1.",
            "move number is \"1.\" instead of a number",
            Some(FenField::FullmoveNumber),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x y", "\"x y\" follows after the sixth field", None),
    ];
    for (text, message, field) in cases {
        let error = Fen::parse(text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.field(), field);
    }
    assert_eq!(Fen::parse(&format!("{board} w - \u{2013} 0 1")).unwrap().fen.en_passant, None);
}
