//! En passant: the squares that belong to a double step, and who can capture.

use shakmaty::{Board, Color, Piece, Rank, Role, Square, attacks};

use super::Placement;

/// The squares of a double step just played by the side that is not to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoubleStep {
    /// Where the pawn came from.
    pub from: Square,
    /// The square it jumped over: the en passant square.
    pub over: Square,
    /// Where it stands.
    pub to: Square,
}

impl DoubleStep {
    /// The double step over `over` when `side_to_move` moves now; `None` when `over` is on the wrong rank.
    pub fn over(side_to_move: Color, over: Square) -> Option<DoubleStep> {
        // White to move captures on rank 6; the black pawn came from rank 7 and stands on rank 5.
        let (rank, up) = side_to_move.fold_wb((Rank::Sixth, 8), (Rank::Third, -8));
        if over.rank() != rank {
            return None;
        }
        Some(DoubleStep { from: over.offset(up)?, over, to: over.offset(-up)? })
    }

    /// Whether the board agrees: the pawn is there, and the squares behind it are empty.
    pub fn fits(&self, placement: &Placement, side_to_move: Color) -> bool {
        placement.get(self.to) == Some(Piece { color: !side_to_move, role: Role::Pawn })
            && placement.get(self.over).is_none()
            && placement.get(self.from).is_none()
    }
}

/// Pawns of `side_to_move` that can legally capture on `over`. A side without a king, or with
/// several, has nothing to keep out of check.
pub fn capturing_pawns(placement: &Placement, side_to_move: Color, over: Square) -> Vec<Square> {
    let Some(step) = DoubleStep::over(side_to_move, over) else {
        return Vec::new();
    };
    if !step.fits(placement, side_to_move) {
        return Vec::new();
    }
    let board = placement.board();
    let pawns = board.pawns() & board.by_color(side_to_move);
    (attacks::pawn_attacks(!side_to_move, over) & pawns)
        .into_iter()
        .filter(|&pawn| {
            let mut after = board.clone();
            after.discard_piece_at(pawn);
            after.discard_piece_at(step.to);
            after.set_piece_at(over, Piece { color: side_to_move, role: Role::Pawn });
            !in_check(&after, side_to_move)
        })
        .collect()
}

/// All squares where the side to move could capture en passant if the last move had been a double
/// step: what a person may be offered.
pub fn possible_squares(placement: &Placement, side_to_move: Color) -> Vec<Square> {
    let rank = side_to_move.fold_wb(Rank::Sixth, Rank::Third);
    Square::ALL
        .into_iter()
        .filter(|square| square.rank() == rank)
        .filter(|&square| !capturing_pawns(placement, side_to_move, square).is_empty())
        .collect()
}

/// Whether the only king of `color` is attacked.
pub(super) fn in_check(board: &Board, color: Color) -> bool {
    only_king(board, color).is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
}

/// The king of `color` when there is exactly one.
pub(super) fn only_king(board: &Board, color: Color) -> Option<Square> {
    (board.kings() & board.by_color(color)).single_square()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captures(placement: &str, side: Color, over: Square) -> Vec<Square> {
        capturing_pawns(&placement.parse().unwrap(), side, over)
    }

    #[test]
    fn finds_the_capturing_pawns() {
        let cases: [(&str, Color, Square, &[Square]); 7] = [
            ("4k3/8/8/3pP3/8/8/8/4K3", Color::White, Square::D6, &[Square::E5]),
            ("4k3/8/8/2PpP3/8/8/8/4K3", Color::White, Square::D6, &[Square::C5, Square::E5]),
            ("4k3/8/8/8/3Pp3/8/8/4K3", Color::Black, Square::D3, &[Square::E4]),
            // nobody beside it
            ("4k3/8/8/3p4/8/8/8/4K3", Color::White, Square::D6, &[]),
            // the square behind is taken
            ("4k3/3p4/8/3pP3/8/8/8/4K3", Color::White, Square::D6, &[]),
            // both pawns leave the rank and uncover the rook
            ("4k3/8/8/K2pP2r/8/8/8/8", Color::White, Square::D6, &[]),
            // pinned along the file
            ("4k3/4r3/8/3pP3/8/8/8/4K3", Color::White, Square::D6, &[]),
        ];
        for (placement, side, over, pawns) in cases {
            assert_eq!(captures(placement, side, over), pawns, "{placement} {over}");
        }
    }

    #[test]
    fn offers_every_square_that_could_be() {
        let placement: Placement = "4k3/8/8/2pPp3/8/8/8/4K3".parse().unwrap();
        assert_eq!(possible_squares(&placement, Color::White), [Square::C6, Square::E6]);
        assert_eq!(possible_squares(&placement, Color::Black), []);
    }
}
