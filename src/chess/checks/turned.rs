//! Boards that are upside down or whose colours are exchanged.

use shakmaty::{Color, Role};

use crate::chess::orientation::{Priors, explanations};
use crate::chess::{Flag, FlagCode, Placement};

/// A placement that is right with less than this probability is doubted.
const DOUBT_BELOW: f32 = 0.2;

pub(super) fn check(placement: &Placement, flags: &mut Vec<Flag>) {
    let explanations = explanations(placement, Priors::default());
    if explanations.right >= DOUBT_BELOW {
        return;
    }
    let why = reason(placement);
    let flag = if explanations.turned >= explanations.swapped {
        Flag::new(FlagCode::UpsideDown, format!("the board looks turned upside down: {why}"))
    } else {
        Flag::new(FlagCode::ColoursSwapped, format!("White's and Black's men look exchanged: {why}"))
    };
    flags.push(flag);
}

/// What a person can see of it.
fn reason(placement: &Placement) -> String {
    let mean = |color: Color| {
        let pawns = placement.squares_of(color, Role::Pawn);
        let ranks: f32 = pawns.iter().map(|pawn| pawn.rank().to_usize() as f32 + 1.0).sum();
        (pawns.len(), ranks / pawns.len().max(1) as f32)
    };
    let ((white, white_rank), (black, black_rank)) = (mean(Color::White), mean(Color::Black));
    match (white, black) {
        (0, 0) => "the men stand on the other side's half".to_owned(),
        (_, 0) => format!("White's pawns stand on rank {white_rank:.0} on average"),
        (0, _) => format!("Black's pawns stand on rank {black_rank:.0} on average"),
        _ => {
            format!("White's pawns stand on rank {white_rank:.0} on average, Black's on rank {black_rank:.0}")
        }
    }
}
