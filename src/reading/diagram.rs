//! What was read of one diagram and of one page. Everything that a reviewer may want to doubt is kept.

use serde::{Deserialize, Serialize};

use super::book::Heading;
use crate::board::{Quad, SquareScores};
use crate::caption::CaptionFacts;
use crate::chess::{FieldSource, Flag, Placement, Severity};

/// Which side of the board is at the bottom of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    WhiteBottom,
    BlackBottom,
}

/// The program's own word on a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No flag above `note`.
    Accepted,
    NeedsReview,
}

/// Where each FEN field after the placement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    pub placement: FieldSource,
    pub side_to_move: FieldSource,
    pub castling: FieldSource,
    pub en_passant: FieldSource,
    pub clocks: FieldSource,
}

/// One diagram as read.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramReading {
    /// 1-based place in the page's reading order.
    pub ordinal: u32,
    /// Outer corners of the squares in pixels of the page as given, clockwise from the one that is top left once the
    /// page is upright.
    pub quad: Quad,
    /// Calibrated probabilities, a8 first, seen from White's side.
    pub squares: SquareScores,
    /// The likeliest class of each square taken alone.
    pub raw: Placement,
    /// The most likely placement that obeys the rules, when one was found.
    pub legal: Option<Placement>,
    /// The placement that the FEN carries.
    pub placement: Placement,
    pub orientation: Orientation,
    /// Why this orientation, as a sentence.
    pub orientation_reason: String,
    /// All six fields.
    pub fen: String,
    pub sources: Sources,
    pub caption: CaptionFacts,
    /// Probability that all 64 squares are right, as far as the net can tell.
    pub confidence: f32,
    pub flags: Vec<Flag>,
    pub model_version: String,
}

impl DiagramReading {
    /// Accepted unless a flag above `note` was raised.
    pub fn status(&self) -> Status {
        if self.flags.iter().any(|flag| flag.severity > Severity::Note) {
            Status::NeedsReview
        } else {
            Status::Accepted
        }
    }
}

/// One page as read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageReading {
    /// Pixels of the page as given; it may lie on its side.
    pub width: u32,
    pub height: u32,
    /// In reading order.
    pub diagrams: Vec<DiagramReading>,
    /// Flags about the page as a whole (`no_diagram`, `number_gap`, `damaged_page`).
    pub flags: Vec<Flag>,
    /// Headings that name a side, from top to bottom: they speak for later pages too.
    pub headings: Vec<Heading>,
}
