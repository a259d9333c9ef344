//! For the room's tests: random boards, random FENs, random games.

use proptest::prelude::*;
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position, Square};

use super::{Castling, Fen, PieceClass, Placement};

/// Any arrangement of men; about a third of the squares taken, now and then all of them.
pub fn any_placement() -> impl Strategy<Value = Placement> {
    let sparse = prop::collection::vec(prop_oneof![2 => Just(0usize), 1 => 0usize..13], 64);
    let full = prop::collection::vec(0usize..13, 64);
    prop_oneof![4 => sparse, 1 => full].prop_map(|classes| {
        let mut out = Placement::default();
        for (square, class) in Square::ALL.into_iter().zip(classes) {
            out.set(square, PieceClass::from_index(class).and_then(PieceClass::piece));
        }
        out
    })
}

/// Any six fields, also those that contradict each other.
pub fn any_fen() -> impl Strategy<Value = Fen> {
    (any_placement(), any::<bool>(), 0u32..16, prop::option::of(0u32..64), 0u32..200, 0u32..500).prop_map(
        |(placement, white, rights, en_passant, halfmove, fullmove)| {
            let mut castling = Castling::NONE;
            for (bit, (color, side)) in super::castling::RIGHTS.into_iter().enumerate() {
                castling.set(color, side, rights >> bit & 1 == 1);
            }
            Fen {
                placement,
                side_to_move: Color::from_white(white),
                castling,
                en_passant: en_passant.map(Square::new),
                halfmove,
                fullmove,
            }
        },
    )
}

/// Small deterministic random numbers (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to `below` - 1.
    pub fn below(&mut self, below: usize) -> usize {
        (self.roll() % below as u64) as usize
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Rounds of a random test: `FENWATCH_TEST_ROUNDS` when a person asks for a long run.
pub fn rounds(usual: usize) -> usize {
    std::env::var("FENWATCH_TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// How the sides of a random game choose their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taste {
    /// Any legal move.
    Any,
    /// Captures and checks first: quickly thinned boards, many checks.
    Wild,
    /// Promotions and pawn moves first: many promoted men.
    Pawns,
    /// Neither captures nor pawn moves where it can be helped.
    Quiet,
}

/// The positions of a random legal game, the starting position first.
pub fn random_game(dice: &mut Dice, plies: usize, taste: Taste) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut out = vec![position.clone()];
    while out.len() <= plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let wanted: Vec<_> = moves
            .iter()
            .filter(|&&m| match taste {
                Taste::Any => true,
                Taste::Wild => {
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    after.is_check() || m.is_capture() && dice.below(4) == 0
                }
                Taste::Pawns => m.is_promotion() || m.role() == shakmaty::Role::Pawn || m.is_en_passant(),
                Taste::Quiet => !m.is_capture() && m.role() != shakmaty::Role::Pawn,
            })
            .collect();
        let m = if wanted.is_empty() || dice.below(8) == 0 {
            moves[dice.below(moves.len())]
        } else {
            *wanted[dice.below(wanted.len())]
        };
        position.play_unchecked(m);
        out.push(position.clone());
    }
    out
}

/// The six fields of a played position, en passant as the original standard writes it.
pub fn fen_of(position: &Chess) -> Fen {
    let setup = position.to_setup(EnPassantMode::Always);
    let mut castling = Castling::NONE;
    for color in Color::ALL {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            castling.set(color, side, position.castles().has(color, side));
        }
    }
    Fen {
        placement: Placement::from(&setup.board),
        side_to_move: setup.turn,
        castling,
        en_passant: setup.ep_square,
        halfmove: setup.halfmoves,
        fullmove: setup.fullmoves.get(),
    }
}
