//! The six fields of a FEN, read with the tolerance that FEN users expect and written in two styles.
//!
//! Read: any white space between fields; missing trailing fields take their usual values and are
//! named in [`ParsedFen::missing`]; EPD operations after the fourth field are kept; Shredder's rook
//! files are understood where they mean the usual rights. Everything else is an error that names
//! its field.

use std::fmt;
use std::str::FromStr;

use shakmaty::{CastlingMode, Chess, Color, PositionError, PositionErrorKinds, Setup, Square};

use super::en_passant;
use super::{Castling, Placement, PlacementError};

/// One of the six fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl FenField {
    /// The fields in their order.
    pub const ALL: [FenField; 6] = [
        FenField::Placement,
        FenField::SideToMove,
        FenField::Castling,
        FenField::EnPassant,
        FenField::HalfmoveClock,
        FenField::FullmoveNumber,
    ];

    /// The field's name in words.
    pub fn as_str(self) -> &'static str {
        match self {
            FenField::Placement => "piece placement",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en passant square",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "move number",
        }
    }

    /// What is taken when the field is missing; `None` for the placement, which cannot be missing.
    pub fn usual_value(self) -> Option<&'static str> {
        match self {
            FenField::Placement => None,
            FenField::SideToMove => Some("w"),
            FenField::Castling | FenField::EnPassant => Some("-"),
            FenField::HalfmoveClock => Some("0"),
            FenField::FullmoveNumber => Some("1"),
        }
    }
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A position as FEN knows it. May hold any placement, right and square, also impossible ones:
/// `check_position` says what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fen {
    pub placement: Placement,
    pub side_to_move: Color,
    pub castling: Castling,
    /// The square that a pawn has just jumped over, whether or not a capture is possible there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u32,
    /// Number of the move to be played, counted from 1.
    pub fullmove: u32,
}

/// When the en passant square is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EnPassantStyle {
    /// Only when a pawn can legally capture there, as most programs do today.
    #[default]
    LegalCapture,
    /// After each double step, as the original standard says.
    DoubleStep,
}

/// Why a text is no FEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    #[error("there is no text")]
    Empty,
    #[error(transparent)]
    Placement(#[from] PlacementError),
    #[error("side to move is {0:?} instead of w or b")]
    SideToMove(String),
    #[error("castling rights {text:?} have {letter:?} instead of K, Q, k, q or -")]
    CastlingLetter { text: String, letter: char },
    #[error("castling rights {text:?} name {letter:?} twice")]
    CastlingTwice { text: String, letter: char },
    #[error("castling rights {text:?} name the rook's file {letter:?}, which only Chess960 knows")]
    CastlingFile { text: String, letter: char },
    #[error("en passant square is {0:?} instead of a square or -")]
    EnPassant(String),
    #[error("halfmove clock is {0:?} instead of a number")]
    HalfmoveClock(String),
    #[error("move number is {0:?} instead of a number")]
    FullmoveNumber(String),
    #[error("{0:?} follows after the sixth field")]
    Trailing(String),
}

impl FenError {
    /// The field that the error is about; `None` for a missing text and for what follows the fields.
    pub fn field(&self) -> Option<FenField> {
        match self {
            FenError::Empty | FenError::Trailing(_) => None,
            FenError::Placement(_) => Some(FenField::Placement),
            FenError::SideToMove(_) => Some(FenField::SideToMove),
            FenError::CastlingLetter { .. }
            | FenError::CastlingTwice { .. }
            | FenError::CastlingFile { .. } => Some(FenField::Castling),
            FenError::EnPassant(_) => Some(FenField::EnPassant),
            FenError::HalfmoveClock(_) => Some(FenField::HalfmoveClock),
            FenError::FullmoveNumber(_) => Some(FenField::FullmoveNumber),
        }
    }
}

/// A FEN as read, with what the text left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedFen {
    pub fen: Fen,
    /// Fields that were not there; they have their usual values.
    pub missing: Vec<FenField>,
    /// EPD operations after the fourth field, as written. `hmvc` and `fmvn` are taken over.
    pub operations: Option<String>,
}

impl Fen {
    /// The placement with this side to move; castling `-`, en passant `-`, clocks `0 1`.
    pub fn new(placement: Placement, side_to_move: Color) -> Fen {
        Fen { placement, side_to_move, castling: Castling::NONE, en_passant: None, halfmove: 0, fullmove: 1 }
    }

    /// Reads a FEN or EPD; see the module's text for what is tolerated.
    pub fn parse(text: &str) -> Result<ParsedFen, FenError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((&placement, rest)) = words.split_first() else {
            return Err(FenError::Empty);
        };
        let mut fen = Fen::new(placement.parse()?, Color::White);
        let mut rest = rest.iter().copied();
        let mut missing = Vec::new();
        match rest.next() {
            Some(word) => fen.side_to_move = parse_side(word)?,
            None => missing.push(FenField::SideToMove),
        }
        match rest.next() {
            Some(word) => fen.castling = Castling::parse(word)?,
            None => missing.push(FenField::Castling),
        }
        match rest.next() {
            Some(word) => fen.en_passant = parse_en_passant(word)?,
            None => missing.push(FenField::EnPassant),
        }
        let clocks: Vec<&str> = rest.collect();
        if clocks.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())) {
            let operations = clocks.join(" ");
            match operation(&operations, "hmvc") {
                Some(number) => fen.halfmove = number,
                None => missing.push(FenField::HalfmoveClock),
            }
            match operation(&operations, "fmvn") {
                Some(number) => fen.fullmove = number,
                None => missing.push(FenField::FullmoveNumber),
            }
            return Ok(ParsedFen { fen, missing, operations: Some(operations) });
        }
        match clocks.first() {
            Some(word) => {
                fen.halfmove = parse_number(word).ok_or_else(|| FenError::HalfmoveClock(word.to_string()))?
            }
            None => missing.push(FenField::HalfmoveClock),
        }
        match clocks.get(1) {
            Some(word) => {
                fen.fullmove = parse_number(word).ok_or_else(|| FenError::FullmoveNumber(word.to_string()))?
            }
            None => missing.push(FenField::FullmoveNumber),
        }
        if clocks.len() > 2 {
            return Err(FenError::Trailing(clocks[2..].join(" ")));
        }
        Ok(ParsedFen { fen, missing, operations: None })
    }

    /// All six fields.
    pub fn text(&self, style: EnPassantStyle) -> String {
        format!("{} {} {}", self.four_fields(style), self.halfmove, self.fullmove)
    }

    /// The first four fields, as EPD begins.
    pub fn four_fields(&self, style: EnPassantStyle) -> String {
        let square = match style {
            EnPassantStyle::DoubleStep => self.en_passant,
            EnPassantStyle::LegalCapture => self.en_passant.filter(|_| self.en_passant_capture()),
        };
        let square = square.map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{} {} {} {square}", self.placement, self.side_to_move.char(), self.castling)
    }

    /// Whether a pawn of the side to move can legally capture on the en passant square.
    pub fn en_passant_capture(&self) -> bool {
        self.en_passant.is_some_and(|square| {
            !en_passant::capturing_pawns(&self.placement, self.side_to_move, square).is_empty()
        })
    }

    /// The same position as `shakmaty` takes it.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        setup.board = self.placement.board();
        setup.turn = self.side_to_move;
        setup.castling_rights = self.castling.rook_squares().collect();
        setup.ep_square = self.en_passant;
        setup.halfmoves = self.halfmove;
        setup.fullmoves = std::num::NonZeroU32::new(self.fullmove).unwrap_or(std::num::NonZeroU32::MIN);
        setup
    }

    /// A position to play on from; the error names what `shakmaty` finds impossible.
    pub fn position(&self) -> Result<Chess, PositionErrorKinds> {
        self.setup().position(CastlingMode::Standard).map_err(|error: PositionError<Chess>| error.kinds())
    }

    /// A position to play on from, also when it can hardly have been reached: too many men and impossible
    /// checks keep nobody from moving on.
    pub fn playable(&self) -> Result<Chess, PositionErrorKinds> {
        playable(self.setup())
    }
}

/// [`Fen::playable`] for a `shakmaty` set-up.
pub(super) fn playable(setup: Setup) -> Result<Chess, PositionErrorKinds> {
    setup
        .position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error: PositionError<Chess>| error.kinds())
}

fn parse_side(word: &str) -> Result<Color, FenError> {
    match word {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ if word.eq_ignore_ascii_case("white") => Ok(Color::White),
        _ if word.eq_ignore_ascii_case("black") => Ok(Color::Black),
        _ => Err(FenError::SideToMove(word.to_owned())),
    }
}

fn parse_en_passant(word: &str) -> Result<Option<Square>, FenError> {
    if is_dash(word) {
        return Ok(None);
    }
    match word.to_ascii_lowercase().parse() {
        Ok(square) => Ok(Some(square)),
        Err(_) => Err(FenError::EnPassant(word.to_owned())),
    }
}

/// Digits only: `u32`'s own parser takes a plus sign.
fn parse_number(word: &str) -> Option<u32> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// A dash as typed, or as word processors replace it.
pub(super) fn is_dash(word: &str) -> bool {
    matches!(word, "-" | "\u{2013}" | "\u{2014}" | "\u{2212}" | "--")
}

/// The number of an EPD operation such as `hmvc 4;`.
fn operation(operations: &str, code: &str) -> Option<u32> {
    operations.split(';').find_map(|operation| {
        let mut words = operation.split_whitespace();
        (words.next() == Some(code)).then(|| words.next().and_then(parse_number)).flatten()
    })
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Fen::parse(text).map(|parsed| parsed.fen)
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(EnPassantStyle::default()))
    }
}

#[cfg(test)]
#[path = "fen_tests.rs"]
mod tests;
