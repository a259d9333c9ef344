//! What was read around a board.

use serde::{Deserialize, Serialize};

use crate::chess::{Color, FieldSource};

/// A rectangle in page pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PixelRect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

/// One line of recognized text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextLine {
    pub text: String,
    /// In page pixels (or in pixels of the crop, where a [`super`] function says so).
    pub area: PixelRect,
    /// The recognizer's mean confidence, 0 to 1.
    pub confidence: f32,
}

/// One piece of evidence about the side to move; all are kept for the reviewer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SideEvidence {
    #[serde(with = "side_letter")]
    pub side: Color,
    pub source: FieldSource,
    /// The words or the mark as read.
    pub text: String,
    /// Where on the page, if it is on the page.
    pub area: Option<PixelRect>,
    /// Probability that this evidence, taken alone, is right.
    pub weight: f32,
}

/// Everything read around one board.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CaptionFacts {
    /// The caption as read, lines joined by " / ".
    pub text: Option<String>,
    /// Where the caption stands, for showing it to a person.
    pub area: Option<PixelRect>,
    /// The diagram's printed number, as printed ("45", "1.16").
    pub number: Option<String>,
    /// "White's player – Black's player", or the composer.
    pub players: Option<String>,
    /// Tournament, town or journal, as printed.
    #[serde(default)]
    pub place: Option<String>,
    #[serde(default)]
    pub year: Option<u16>,
    /// As printed or in canonical form ("#2", "h#3", "+", "=").
    pub stipulation: Option<String>,
    pub evidence: Vec<SideEvidence>,
    /// The caption sets the task for either side ("White or Black to move"): no side follows.
    #[serde(default)]
    pub either_side: bool,
    /// White's and Black's men as printed: "(6+7)".
    #[serde(default)]
    pub piece_count: Option<(u8, u8)>,
    /// From labels of the sides ("BLACK" above the board, "WHITE" below it); `None` without one.
    #[serde(default)]
    pub white_below: Option<bool>,
}

mod side_letter {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::chess::Color;

    pub fn serialize<S: Serializer>(side: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(side.char())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let letter = char::deserialize(deserializer)?;
        Color::from_char(letter).ok_or_else(|| D::Error::custom(format!("no side: {letter:?}")))
    }
}
