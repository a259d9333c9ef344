//! Counting men: what must have been promoted.

use shakmaty::{Color, Role, Square};

use super::Placement;

/// The men of one side by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Men {
    pub kings: Vec<Square>,
    pub queens: Vec<Square>,
    pub rooks: Vec<Square>,
    pub light_bishops: Vec<Square>,
    pub dark_bishops: Vec<Square>,
    pub knights: Vec<Square>,
    pub pawns: Vec<Square>,
}

impl Men {
    /// The men of `color`.
    pub fn of(placement: &Placement, color: Color) -> Men {
        let mut men = Men::default();
        for (square, man) in placement.men().filter(|(_, man)| man.color == color) {
            match man.role {
                Role::King => men.kings.push(square),
                Role::Queen => men.queens.push(square),
                Role::Rook => men.rooks.push(square),
                Role::Bishop if square.is_light() => men.light_bishops.push(square),
                Role::Bishop => men.dark_bishops.push(square),
                Role::Knight => men.knights.push(square),
                Role::Pawn => men.pawns.push(square),
            }
        }
        men
    }

    /// All men together.
    pub fn total(&self) -> usize {
        self.kings.len() + self.pieces() + self.pawns.len()
    }

    fn pieces(&self) -> usize {
        self.queens.len()
            + self.rooks.len()
            + self.light_bishops.len()
            + self.dark_bishops.len()
            + self.knights.len()
    }

    /// How many of the men must be promoted pawns, counting no more than what a side begins with.
    pub fn promoted(&self) -> usize {
        self.queens.len().saturating_sub(1)
            + self.rooks.len().saturating_sub(2)
            + self.light_bishops.len().saturating_sub(1)
            + self.dark_bishops.len().saturating_sub(1)
            + self.knights.len().saturating_sub(2)
    }
}

/// [`Men::promoted`] of one side.
pub fn promoted_men(placement: &Placement, color: Color) -> usize {
    Men::of(placement, color).promoted()
}
