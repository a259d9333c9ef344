//! Checks against `shakmaty` and against played moves.

use proptest::prelude::*;
use shakmaty::{Chess, Color, Piece, Position, PositionErrorKinds, Square};

use crate::chess::testing::{Dice, Taste, any_fen, fen_of, random_game, rounds};
use crate::chess::{Castling, Fen, FlagCode, PieceClass, Placement, check_position};

fn has(flags: &[crate::chess::Flag], codes: &[FlagCode]) -> bool {
    flags.iter().any(|flag| codes.contains(&flag.code))
}

/// Each error that `shakmaty` names has its flag, and each flag that it has a name for is an error there.
fn agrees_with_shakmaty(fen: &Fen) {
    use FlagCode as F;
    use PositionErrorKinds as K;
    let kinds = fen.position().err().unwrap_or(K::empty());
    let flags = check_position(fen);
    let same = [
        (K::MISSING_KING, &[F::MissingKing][..]),
        (K::TOO_MANY_KINGS, &[F::ExtraKing]),
        (K::PAWNS_ON_BACKRANK, &[F::PawnOnEdgeRank]),
    ];
    for (kind, codes) in same {
        assert_eq!(kinds.contains(kind), has(&flags, codes), "{fen} {kinds:?} {flags:?}");
    }
    // our own checks know more, never less
    let more = [
        (K::OPPOSITE_CHECK, &[F::OpponentInCheck][..]),
        (K::INVALID_CASTLING_RIGHTS, &[F::CastlingImpossible]),
        (K::INVALID_EP_SQUARE, &[F::EnPassantImpossible]),
        (K::TOO_MUCH_MATERIAL, &[F::TooManyPieces, F::TooManyPawns]),
        (K::IMPOSSIBLE_CHECK, &[F::ImpossibleCheck, F::EnPassantImpossible, F::OpponentInCheck]),
    ];
    // with several kings there is no check and no castling to speak of
    let one_king_each = !kinds.intersects(K::MISSING_KING | K::TOO_MANY_KINGS);
    for (kind, codes) in more {
        let of_kings = K::OPPOSITE_CHECK | K::IMPOSSIBLE_CHECK | K::INVALID_CASTLING_RIGHTS;
        if one_king_each || !of_kings.contains(kind) {
            assert!(!kinds.contains(kind) || has(&flags, codes), "{fen} {kinds:?} {flags:?}");
        }
    }
}

/// A played position with one to three squares overwritten, as a misread diagram.
fn misread(dice: &mut Dice, position: &Chess) -> Fen {
    let mut fen = fen_of(position);
    for _ in 0..1 + dice.below(3) {
        let man = PieceClass::from_index(dice.below(13)).and_then(PieceClass::piece);
        fen.placement.set(Square::new(dice.below(64) as u32), man);
    }
    fen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_fen_is_judged_as_shakmaty_does(fen in any_fen()) {
        agrees_with_shakmaty(&fen);
    }
}

#[test]
fn misread_positions_are_judged_as_shakmaty_does() {
    let mut dice = Dice(31);
    for taste in [Taste::Any, Taste::Wild, Taste::Pawns] {
        for position in random_game(&mut dice, 150, taste) {
            agrees_with_shakmaty(&misread(&mut dice, &position));
        }
    }
}

/// A random position in which somebody can move, men taken from two full sets.
fn composed(dice: &mut Dice) -> Option<Chess> {
    let mut placement = Placement::default();
    let mut sets: Vec<char> = "QRRBBNNPPPPPPPPqrrbbnnpppppppp".chars().collect();
    let mut put = |dice: &mut Dice, letter: char| {
        let square = Square::new(dice.below(64) as u32);
        if placement.get(square).is_none() {
            placement.set(square, Piece::from_char(letter));
        }
    };
    put(dice, 'K');
    put(dice, 'k');
    for _ in 0..4 + dice.below(22) {
        let letter = sets.swap_remove(dice.below(sets.len()));
        put(dice, letter);
    }
    let mut fen = Fen::new(placement, Color::from_white(dice.below(2) == 0));
    fen.castling = Castling::possible(&placement);
    let sound = check_position(&fen).iter().all(|flag| {
        flag.severity < crate::chess::Severity::Impossible && flag.code != FlagCode::ImpossibleCheck
    });
    sound.then(|| fen.position().ok()).flatten()
}

/// Whatever can be played leads to a position that nothing impossible is said of, wherever one began.
#[test]
fn moves_from_composed_positions_lead_to_possible_ones() {
    let mut dice = Dice(77);
    let (mut moves, mut checks, mut double_checks) = (0, 0, 0);
    for _ in 0..rounds(4000) {
        let Some(position) = composed(&mut dice) else {
            continue;
        };
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            moves += 1;
            if !after.is_check() && !m.is_en_passant() {
                continue;
            }
            checks += 1;
            double_checks += usize::from(after.checkers().count() > 1);
            let fen = fen_of(&after);
            for flag in check_position(&fen) {
                let claims = [
                    FlagCode::ImpossibleCheck,
                    FlagCode::OpponentInCheck,
                    FlagCode::CastlingImpossible,
                    FlagCode::EnPassantImpossible,
                ];
                assert!(!claims.contains(&flag.code), "{} {m:?} {fen}: {flag:?}", fen_of(&position));
            }
        }
    }
    eprintln!("{moves} moves, {checks} checks, {double_checks} double checks");
    assert!(moves > 5000 && checks > 400 && double_checks > 0, "{moves} {checks} {double_checks}");
}
