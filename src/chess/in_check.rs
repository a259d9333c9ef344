//! Who stands in check, whoever moves.

use shakmaty::{Board, Color};

use super::Placement;

/// The colour whose king alone stands in check: by the rules its side moves. `None` when no king or
/// both are attacked, or when a side has not exactly one king.
pub fn side_in_check(placement: &Placement) -> Option<Color> {
    let mut board = Board::empty();
    for (square, man) in placement.men() {
        board.set_piece_at(square, man);
    }
    let attacked = |color: Color| {
        let king = board.king_of(color)?;
        Some(board.attacks_to(king, !color, board.occupied()).any())
    };
    match (attacked(Color::White)?, attacked(Color::Black)?) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_king_in_check_tells() {
        for (placement, side) in [
            ("4k3/8/8/8/8/8/8/4RK2", Some(Color::Black)),
            ("4k3/8/8/8/8/5n2/8/4K3", Some(Color::White)),
            ("4k3/8/8/8/8/5n2/4R3/4K3", None),
            ("4k3/8/8/8/8/8/8/4K3", None),
            ("8/8/8/8/8/8/8/4RK2", None),
            ("4k1k1/8/8/8/8/8/8/4RK2", None),
        ] {
            assert_eq!(side_in_check(&placement.parse().unwrap()), side, "{placement}");
        }
    }
}
