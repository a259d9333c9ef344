//! Castling rights: the third FEN field.

use std::fmt;

use shakmaty::{CastlingSide, Color, File, Piece, Rank, Role, Square};

use super::Placement;
use super::fen::{FenError, is_dash};

/// The four rights. `Default` is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Castling {
    pub white_king_side: bool,
    pub white_queen_side: bool,
    pub black_king_side: bool,
    pub black_queen_side: bool,
}

/// The rights in FEN's order.
pub const RIGHTS: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

impl Castling {
    pub const NONE: Castling = Castling {
        white_king_side: false,
        white_queen_side: false,
        black_king_side: false,
        black_queen_side: false,
    };

    pub const ALL: Castling = Castling {
        white_king_side: true,
        white_queen_side: true,
        black_king_side: true,
        black_queen_side: true,
    };

    /// Reads `-` or letters of `KQkq` in any order. Rook files (`HAha`) stand for the usual rights.
    pub fn parse(text: &str) -> Result<Castling, FenError> {
        let mut out = Castling::NONE;
        if is_dash(text) {
            return Ok(out);
        }
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let side = match letter.to_ascii_lowercase() {
                'k' | 'h' => CastlingSide::KingSide,
                'q' | 'a' => CastlingSide::QueenSide,
                'b'..='g' => return Err(FenError::CastlingFile { text: text.to_owned(), letter }),
                _ => return Err(FenError::CastlingLetter { text: text.to_owned(), letter }),
            };
            let right = out.get_mut(color, side);
            if *right {
                return Err(FenError::CastlingTwice { text: text.to_owned(), letter });
            }
            *right = true;
        }
        Ok(out)
    }

    /// Whether this side has this right.
    pub fn has(&self, color: Color, side: CastlingSide) -> bool {
        let mut copy = *self;
        *copy.get_mut(color, side)
    }

    /// Gives or takes a right.
    pub fn set(&mut self, color: Color, side: CastlingSide, right: bool) {
        *self.get_mut(color, side) = right;
    }

    fn get_mut(&mut self, color: Color, side: CastlingSide) -> &mut bool {
        match (color, side) {
            (Color::White, CastlingSide::KingSide) => &mut self.white_king_side,
            (Color::White, CastlingSide::QueenSide) => &mut self.white_queen_side,
            (Color::Black, CastlingSide::KingSide) => &mut self.black_king_side,
            (Color::Black, CastlingSide::QueenSide) => &mut self.black_queen_side,
        }
    }

    /// The rights held, in FEN's order.
    pub fn held(self) -> impl Iterator<Item = (Color, CastlingSide)> {
        RIGHTS.into_iter().filter(move |&(color, side)| self.has(color, side))
    }

    /// Home squares of the rooks that may castle.
    pub fn rook_squares(self) -> impl Iterator<Item = Square> {
        self.held().map(|(color, side)| rook_home(color, side))
    }

    /// The rights that king and rook at home would allow: what a person may be offered, never given silently.
    pub fn possible(placement: &Placement) -> Castling {
        let mut out = Castling::NONE;
        for (color, side) in RIGHTS {
            let king = placement.get(king_home(color)) == Some(Piece { color, role: Role::King });
            let rook = placement.get(rook_home(color, side)) == Some(Piece { color, role: Role::Rook });
            out.set(color, side, king && rook);
        }
        out
    }

    /// The FEN letter of a right.
    pub fn letter(color: Color, side: CastlingSide) -> char {
        match (color, side) {
            (Color::White, CastlingSide::KingSide) => 'K',
            (Color::White, CastlingSide::QueenSide) => 'Q',
            (Color::Black, CastlingSide::KingSide) => 'k',
            (Color::Black, CastlingSide::QueenSide) => 'q',
        }
    }
}

/// e1 or e8.
pub fn king_home(color: Color) -> Square {
    Square::from_coords(File::E, color.fold_wb(Rank::First, Rank::Eighth))
}

/// a1, h1, a8 or h8.
pub fn rook_home(color: Color, side: CastlingSide) -> Square {
    let file = if side.is_king_side() { File::H } else { File::A };
    Square::from_coords(file, color.fold_wb(Rank::First, Rank::Eighth))
}

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Castling::NONE {
            return f.write_str("-");
        }
        self.held().try_for_each(|(color, side)| write!(f, "{}", Castling::letter(color, side)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_round_trip() {
        for bits in 0..16 {
            let mut castling = Castling::NONE;
            for (i, (color, side)) in RIGHTS.into_iter().enumerate() {
                castling.set(color, side, bits >> i & 1 == 1);
            }
            assert_eq!(Castling::parse(&castling.to_string()), Ok(castling));
        }
    }

    #[test]
    fn tolerates_order_and_rook_files() {
        assert_eq!(Castling::parse("qkQK"), Ok(Castling::ALL));
        assert_eq!(Castling::parse("HAha"), Ok(Castling::ALL));
        assert_eq!(Castling::parse("\u{2013}"), Ok(Castling::NONE));
        assert!(matches!(Castling::parse("KQkx"), Err(FenError::CastlingLetter { letter: 'x', .. })));
        assert!(matches!(Castling::parse("KK"), Err(FenError::CastlingTwice { letter: 'K', .. })));
        assert!(matches!(Castling::parse("Gg"), Err(FenError::CastlingFile { letter: 'G', .. })));
    }

    #[test]
    fn offers_what_stands_at_home() {
        let placement: Placement = "r3k3/8/8/8/8/8/8/4K2R".parse().unwrap();
        assert_eq!(Castling::possible(&placement).to_string(), "Kq");
    }
}
