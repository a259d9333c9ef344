//! The 13 classes of a square: empty or one of twelve men.

use shakmaty::{Color, Piece, Role};

/// Letters of the classes in the order of the net's outputs: empty, then White's men, then Black's.
pub const CLASSES: [char; 13] = ['.', 'P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k'];

/// One of the 13 classes, by its index in [`CLASSES`]. `Default` is the empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PieceClass(u8);

impl PieceClass {
    pub const EMPTY: PieceClass = PieceClass(0);
    pub const COUNT: usize = 13;

    /// The class at `index` of [`CLASSES`]; `None` from 13 on.
    pub fn from_index(index: usize) -> Option<PieceClass> {
        (index < Self::COUNT).then_some(PieceClass(index as u8))
    }

    /// All classes in order.
    pub fn all() -> impl Iterator<Item = PieceClass> {
        (0..Self::COUNT as u8).map(PieceClass)
    }

    /// Index in [`CLASSES`] and in the net's outputs, 0 to 12.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The FEN letter, `.` for empty.
    pub fn letter(self) -> char {
        CLASSES[self.index()]
    }

    /// The man of this class, `None` for empty.
    pub fn piece(self) -> Option<Piece> {
        let role = match (self.0 + 5) % 6 {
            _ if self.0 == 0 => return None,
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        };
        let color = if self.0 <= 6 { Color::White } else { Color::Black };
        Some(Piece { color, role })
    }
}

impl From<Option<Piece>> for PieceClass {
    fn from(piece: Option<Piece>) -> Self {
        let Some(piece) = piece else {
            return PieceClass::EMPTY;
        };
        let role = match piece.role {
            Role::Pawn => 1,
            Role::Knight => 2,
            Role::Bishop => 3,
            Role::Rook => 4,
            Role::Queen => 5,
            Role::King => 6,
        };
        PieceClass(role + if piece.color == Color::Black { 6 } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_pieces_and_letters_agree() {
        for class in PieceClass::all() {
            assert_eq!(PieceClass::from(class.piece()), class);
            assert_eq!(class.piece().map_or('.', |p| p.char()), class.letter());
        }
        assert_eq!(PieceClass::from_index(13), None);
    }
}
