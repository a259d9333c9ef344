//! Piece placement: the first FEN field.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

/// Which man stands on which square; any arrangement, also an impossible one. `Default` is the empty board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement([Option<Piece>; 64]);

/// Why a text is no piece placement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    #[error("piece placement has {0} ranks instead of 8")]
    RankCount(usize),
    #[error("rank {rank} ({text:?}) adds up to {squares} squares instead of 8")]
    RankLength { rank: u8, text: String, squares: usize },
    #[error("rank {rank} ({text:?}) has {letter:?}, which is no piece letter and no digit from 1 to 8")]
    Letter { rank: u8, text: String, letter: char },
}

impl Default for Placement {
    fn default() -> Self {
        Placement([None; 64])
    }
}

impl Placement {
    /// The man on `square`.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.0[usize::from(square)]
    }

    /// Puts `piece` on `square`, or clears it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[usize::from(square)] = piece;
    }

    /// All men with their squares, a1 first, rank by rank.
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::ALL.into_iter().filter_map(|square| self.get(square).map(|piece| (square, piece)))
    }

    /// The squares of the men of one colour and role.
    pub fn squares_of(&self, color: Color, role: Role) -> Vec<Square> {
        self.men()
            .filter(|(_, man)| man.color == color && man.role == role)
            .map(|(square, _)| square)
            .collect()
    }

    /// How many men of one colour and role there are.
    pub fn count(&self, color: Color, role: Role) -> usize {
        self.men().filter(|(_, man)| man.color == color && man.role == role).count()
    }

    /// The same men on a `shakmaty` board.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        for (square, piece) in self.men() {
            board.set_piece_at(square, piece);
        }
        board
    }

    /// The board turned by 180 degrees: what stood on a8 stands on h1.
    pub fn turned(&self) -> Placement {
        let mut out = Placement::default();
        for (square, piece) in self.men() {
            out.set(square.rotate_180(), Some(piece));
        }
        out
    }

    /// The same board with White's and Black's men exchanged, in place.
    pub fn colours_swapped(&self) -> Placement {
        let mut out = Placement::default();
        for (square, piece) in self.men() {
            out.set(square, Some(Piece { color: !piece.color, role: piece.role }));
        }
        out
    }
}

impl From<&Board> for Placement {
    fn from(board: &Board) -> Self {
        let mut out = Placement::default();
        for (square, piece) in board {
            out.set(square, Some(piece));
        }
        out
    }
}

/// The squares in FEN's order: a8 to h8, a7 to h7, ... h1.
pub fn squares_in_fen_order() -> impl Iterator<Item = Square> {
    (0..8u32)
        .rev()
        .flat_map(|rank| (0..8u32).map(move |file| Square::from_coords(File::new(file), Rank::new(rank))))
}

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(PlacementError::RankCount(ranks.len()));
        }
        let mut out = Placement::default();
        for (row, rank_text) in ranks.iter().enumerate() {
            let rank = 8 - row as u8;
            let mut men: Vec<Option<Piece>> = Vec::with_capacity(8);
            for letter in rank_text.chars() {
                match (letter, Piece::from_char(letter)) {
                    (_, Some(piece)) => men.push(Some(piece)),
                    ('1'..='8', None) => {
                        let empty = letter as usize - '0' as usize;
                        men.extend(std::iter::repeat_n(None, empty));
                    }
                    _ => return Err(PlacementError::Letter { rank, text: rank_text.to_string(), letter }),
                }
            }
            if men.len() != 8 {
                return Err(PlacementError::RankLength {
                    rank,
                    text: rank_text.to_string(),
                    squares: men.len(),
                });
            }
            for (file, man) in men.into_iter().enumerate() {
                let square = Square::from_coords(File::new(file as u32), Rank::new(u32::from(rank) - 1));
                out.set(square, man);
            }
        }
        Ok(out)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut empty = 0;
        for square in squares_in_fen_order() {
            if square.file() == File::A && square.rank() != Rank::Eighth {
                f.write_str("/")?;
            }
            match self.get(square) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{}", piece.char())?;
                }
            }
            if square.file() == File::H && empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        let text = "r1b1k2r/2qp1ppp/ppnbpn2/8/2PNP3/P1N1BP2/1P4PP/2RQKB1R";
        let placement: Placement = text.parse().unwrap();
        assert_eq!(placement.to_string(), text);
        assert_eq!(placement.get(Square::A8), Piece::from_char('r'));
        assert_eq!(placement.turned().turned(), placement);
        assert_eq!(placement.turned().get(Square::H1), Piece::from_char('r'));
        assert_eq!(placement.colours_swapped().get(Square::A8), Piece::from_char('R'));
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!("8/8/8".parse::<Placement>(), Err(PlacementError::RankCount(3)));
        let error = "8/8/8/8/7/8/8/8".parse::<Placement>().unwrap_err();
        assert_eq!(error.to_string(), "rank 4 (\"7\") adds up to 7 squares instead of 8");
        assert!(matches!(
            "8/8/8/8/8/8/8/7x".parse::<Placement>(),
            Err(PlacementError::Letter { letter: 'x', .. })
        ));
        assert!(matches!(
            "8/8/8/8/8/8/8/9".parse::<Placement>(),
            Err(PlacementError::Letter { letter: '9', .. })
        ));
    }
}
