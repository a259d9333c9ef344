//! The first move of a printed solution: reading it, and asking who could play it.
//!
//! Read: SAN, long algebraic notation, figurines and the piece letters of a language, the short
//! pawn captures of older books ("ed", "e:d5", "ed:"), castling with letters or zeros, move numbers
//! with dots and dashes. English descriptive notation ("Kt-B3") is not read.

use shakmaty::{
    CastlingSide, Chess, Color, File, Move, Position, PositionErrorKinds, Rank, Role, san::SanPlus,
};

use super::piece_letters::PieceLetters;
use super::{Castling, Fen, en_passant, fen::playable};

/// A printed move, as far as it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedMove {
    Castling(CastlingSide),
    Man {
        role: Role,
        from_file: Option<File>,
        from_rank: Option<Rank>,
        to_file: File,
        /// Missing in short pawn captures ("ed").
        to_rank: Option<Rank>,
        /// Printed as a capture.
        capture: bool,
        promotion: Option<Role>,
    },
}

/// The first move of a solution with what is printed around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstMove {
    /// The printed move number.
    pub number: Option<u32>,
    /// Who moves by the number: Black after "23...", White after "23."; `None` without a number.
    pub side: Option<Color>,
    pub printed: PrintedMove,
    /// Printed as a check or mate.
    pub check: bool,
}

/// Why a text does not begin with a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FirstMoveError {
    #[error("no move begins with {0:?}")]
    NoMove(String),
    #[error("{0:?} goes on like no move")]
    Unfinished(String),
}

/// What a position says of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveVerdict {
    /// Exactly one legal move is meant.
    Legal {
        /// The move in SAN.
        san: String,
        /// Printed as a check, and it is none: a square is probably misread.
        check_missing: bool,
    },
    /// Several legal moves fit what is printed.
    Ambiguous(Vec<String>),
    /// No legal move fits.
    Illegal,
    /// Nobody can move in this position with this side to move (no king, the opponent in check).
    Unplayable(String),
}

impl MoveVerdict {
    /// Whether the side could play it.
    pub fn is_possible(&self) -> bool {
        matches!(self, MoveVerdict::Legal { .. } | MoveVerdict::Ambiguous(_))
    }
}

/// Reads the move that `text` begins with; what follows it is not looked at.
pub fn parse_first_move(text: &str, letters: &PieceLetters) -> Result<FirstMove, FirstMoveError> {
    let mut reader = Reader { rest: text.trim_start(), letters };
    let (number, side) = reader.number();
    let no_move = || FirstMoveError::NoMove(reader.rest.chars().take(12).collect());
    let mut after = reader.clone();
    let printed = match after.castling() {
        Some(side) => PrintedMove::Castling(side),
        None => {
            after = reader.clone();
            after.man().ok_or_else(no_move)?
        }
    };
    let check =
        after.suffix().ok_or_else(|| FirstMoveError::Unfinished(reader.rest.chars().take(12).collect()))?;
    Ok(FirstMove { number, side, printed, check })
}

/// Whether `side` could play `first` in the position. Castling is taken as allowed where king and
/// rook stand at home, and en passant where the pawns stand so: a printed diagram does not say otherwise.
pub fn judge_first_move(fen: &Fen, first: &FirstMove, side: Color) -> MoveVerdict {
    let mut fitting: Vec<(Chess, Move)> = Vec::new();
    let squares = en_passant::possible_squares(&fen.placement, side);
    for en_passant in std::iter::once(None).chain(squares.into_iter().map(Some)) {
        let mut setup = fen.setup();
        setup.turn = side;
        setup.castling_rights = Castling::possible(&fen.placement).rook_squares().collect();
        setup.ep_square = en_passant;
        let position = match playable(setup) {
            Ok(position) => position,
            // the double step itself cannot have been
            Err(_) if en_passant.is_some() => continue,
            Err(error) => return MoveVerdict::Unplayable(why_unplayable(error, side)),
        };
        for m in position.legal_moves() {
            if (m.is_en_passant() || en_passant.is_none()) && fits(&m, &first.printed) {
                fitting.push((position.clone(), m));
            }
        }
    }
    let named = |(position, m): &(Chess, Move)| SanPlus::from_move(position.clone(), *m);
    match fitting.as_slice() {
        [] => MoveVerdict::Illegal,
        [one] => {
            let san = named(one);
            MoveVerdict::Legal { san: san.to_string(), check_missing: first.check && san.suffix.is_none() }
        }
        several => MoveVerdict::Ambiguous(several.iter().map(|m| named(m).to_string()).collect()),
    }
}

fn why_unplayable(kinds: PositionErrorKinds, side: Color) -> String {
    let (mover, other) = side.fold_wb(("White", "Black"), ("Black", "White"));
    if kinds.intersects(PositionErrorKinds::MISSING_KING | PositionErrorKinds::TOO_MANY_KINGS) {
        "there is not one king a side".to_owned()
    } else if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        format!("{other} is in check, so {mover} cannot be to move")
    } else {
        "the position is impossible".to_owned()
    }
}

fn fits(m: &Move, printed: &PrintedMove) -> bool {
    match (*m, *printed) {
        (Move::Castle { .. }, PrintedMove::Castling(side)) => m.castling_side() == Some(side),
        // a king's move of two squares, as in long notation
        (
            Move::Castle { king, .. },
            PrintedMove::Man { role: Role::King, from_file, from_rank, to_file, to_rank, .. },
        ) => {
            from_file.is_some()
                && from_file == Some(king.file())
                && from_rank.is_none_or(|rank| rank == king.rank())
                && m.castling_side().is_some_and(|side| side.king_to_file() == to_file)
                && to_rank.is_none_or(|rank| rank == king.rank())
        }
        (_, PrintedMove::Man { role, from_file, from_rank, to_file, to_rank, capture, promotion }) => {
            let Some(from) = m.from() else {
                return false;
            };
            !m.is_castle()
                && m.role() == role
                && from_file.is_none_or(|file| file == from.file())
                && from_rank.is_none_or(|rank| rank == from.rank())
                && to_file == m.to().file()
                && to_rank.is_none_or(|rank| rank == m.to().rank())
                // some books print no sign for a capture, but none prints one without
                && (!capture || m.is_capture())
                // an unnamed promotion is to a queen
                && m.promotion() == promotion.or(m.promotion().map(|_| Role::Queen))
        }
        _ => false,
    }
}

#[derive(Clone)]
struct Reader<'a> {
    rest: &'a str,
    letters: &'a PieceLetters,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|&c| wanted(c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// "23.", "23...", "23 ...", "23. -": the number and whose move it announces.
    fn number(&mut self) -> (Option<u32>, Option<Color>) {
        let start = self.clone();
        let digits: String = std::iter::from_fn(|| self.take_if(|c| c.is_ascii_digit())).collect();
        let Ok(number) = digits.parse::<u32>() else {
            *self = start;
            return (None, None);
        };
        let mut dots = 0;
        let mut dashes = 0;
        loop {
            self.skip_blanks();
            if self.take_if(|c| c == '.').is_some() {
                dots += 1;
            } else if self.take_if(|c| matches!(c, '\u{2026}' | '\u{22ef}')).is_some() {
                dots += 3;
            } else if self.take_if(is_dash).is_some() {
                dashes += 1;
            } else if self.take_if(|c| c == ')').is_none() {
                break;
            }
        }
        // "0-0" is no number with a dash
        if dots == 0 && (dashes > 0 || number == 0) {
            *self = start;
            return (None, None);
        }
        let side = if dots >= 2 || dashes > 0 { Color::Black } else { Color::White };
        (Some(number), Some(side))
    }

    fn castling(&mut self) -> Option<CastlingSide> {
        let is_o = |c: char| matches!(c, 'O' | 'o' | '0' | '\u{41e}' | '\u{43e}');
        self.take_if(is_o)?;
        let mut steps = 0;
        loop {
            let before = self.rest;
            self.skip_blanks();
            if self.take_if(is_dash).is_none() {
                self.rest = before;
                break;
            }
            self.skip_blanks();
            self.take_if(is_o)?;
            steps += 1;
        }
        match steps {
            1 => Some(CastlingSide::KingSide),
            2 => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }

    fn man(&mut self) -> Option<PrintedMove> {
        let role = match self.letters.read(self.rest) {
            Some((role, bytes)) => {
                self.rest = &self.rest[bytes..];
                self.skip_blanks();
                role
            }
            None => Role::Pawn,
        };
        let first_file = self.file();
        let first_rank = self.rank();
        let mut capture = self.separator();
        let second_file = self.file();
        let second_rank = if second_file.is_some() { self.rank() } else { None };
        let (from_file, from_rank, to_file, to_rank) = match (first_file, first_rank, second_file) {
            // Ng1-f3, Nbd2, N1f3, exd5, ed
            (_, _, Some(to)) => (first_file, first_rank, to, second_rank),
            // Nf3, e4
            (Some(to), Some(rank), None) => (None, None, to, Some(rank)),
            _ => return None,
        };
        // only a pawn's capture goes without the rank
        if to_rank.is_none() && (role != Role::Pawn || from_file.is_none()) {
            return None;
        }
        // "ed:" and "Sf3:"
        capture |= self.take_if(|c| c == ':').is_some();
        if role == Role::Pawn {
            match from_file.map_or(0, |from| from.distance(to_file)) {
                0 => {}
                1 => capture = true,
                _ => return None,
            }
        }
        let promotion = self.promotion(role);
        Some(PrintedMove::Man { role, from_file, from_rank, to_file, to_rank, capture, promotion })
    }

    fn file(&mut self) -> Option<File> {
        // look-alikes that recognizers give in Cyrillic text
        let latin = |c: char| match c {
            '\u{430}' => 'a',
            '\u{441}' => 'c',
            '\u{435}' => 'e',
            c => c,
        };
        self.take_if(|c| matches!(latin(c), 'a'..='h')).and_then(|c| File::from_char(latin(c)))
    }

    fn rank(&mut self) -> Option<Rank> {
        self.take_if(|c| matches!(c, '1'..='8')).and_then(Rank::from_char)
    }

    /// A dash or a capture sign with blanks around it; whether it says capture.
    fn separator(&mut self) -> bool {
        let before = self.rest;
        self.skip_blanks();
        let sign = self
            .take_if(|c| is_dash(c) || matches!(c, 'x' | 'X' | ':' | '\u{d7}' | '*' | '\u{445}' | '\u{425}'));
        match sign {
            None => self.rest = before,
            Some(_) => self.skip_blanks(),
        }
        sign.is_some_and(|c| !is_dash(c))
    }

    /// "=Q", "(Q)", "/Q", "Q".
    fn promotion(&mut self, role: Role) -> Option<Role> {
        if role != Role::Pawn {
            return None;
        }
        let before = self.rest;
        self.skip_blanks();
        let sign = self.take_if(|c| matches!(c, '=' | '(' | '/'));
        if sign.is_none() {
            self.rest = before;
        }
        self.skip_blanks();
        match self.letters.read(self.rest) {
            Some((role, bytes)) if !matches!(role, Role::Pawn | Role::King) => {
                self.rest = &self.rest[bytes..];
                if sign == Some('(') {
                    self.take_if(|c| c == ')');
                }
                Some(role)
            }
            _ => {
                self.rest = before;
                None
            }
        }
    }

    /// What may follow a move; whether it says check. `None` when the text goes on like no move.
    fn suffix(&mut self) -> Option<bool> {
        let before = self.rest;
        self.skip_blanks();
        for en_passant in ["e. p.", "e.p.", "e. p", "e.p", "ep", "i.V.", "i. V."] {
            if let Some(rest) = self.rest.strip_prefix(en_passant) {
                self.rest = rest;
                self.skip_blanks();
                break;
            }
        }
        for word in ["ch", "mate", "matt", "mat"] {
            let Some(rest) = self.rest.strip_prefix(word) else {
                continue;
            };
            if !rest.starts_with(char::is_alphabetic) {
                self.rest = rest;
                return Some(true);
            }
        }
        if self.rest.len() == before.len() && self.peek().is_some_and(char::is_alphanumeric) {
            return None;
        }
        while self.take_if(|c| matches!(c, '!' | '?')).is_some() {}
        Some(
            self.peek()
                .is_some_and(|c| matches!(c, '+' | '#' | '\u{2020}' | '\u{2021}' | '\u{2260}' | '\u{271d}')),
        )
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '~')
}

#[cfg(test)]
#[path = "first_move_tests.rs"]
mod tests;
