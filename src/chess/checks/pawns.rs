//! Where pawns can stand and how many there can be.

use shakmaty::{Color, Rank, Role, Square};

use super::{list, name};
use crate::chess::{Flag, FlagCode, Placement};

pub(super) fn check_edge_ranks(placement: &Placement, flags: &mut Vec<Flag>) {
    let squares: Vec<Square> = placement
        .men()
        .filter(|(square, man)| man.role == Role::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth))
        .map(|(square, _)| square)
        .collect();
    if !squares.is_empty() {
        let message = match squares.len() {
            1 => format!("a pawn stands on {}: no pawn can be on rank 1 or 8", list(&squares)),
            _ => format!("pawns stand on {}: no pawn can be on rank 1 or 8", list(&squares)),
        };
        flags.push(Flag::new(FlagCode::PawnOnEdgeRank, message).on(squares));
    }
}

pub(super) fn check_count(placement: &Placement, flags: &mut Vec<Flag>) {
    for color in [Color::White, Color::Black] {
        let pawns = placement.squares_of(color, Role::Pawn);
        if pawns.len() > 8 {
            let message = format!("{} has {} pawns, eight at most are possible", name(color), pawns.len());
            flags.push(Flag::new(FlagCode::TooManyPawns, message).on(pawns));
        }
    }
}
