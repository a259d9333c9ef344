//! What was read around a board.

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::strip::Place;
use crate::chess::{Color, FieldSource, FlagCode};

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
    /// Its words with the recognizer's confidence in each, in order. `text` is these joined by spaces.
    #[serde(default)]
    pub words: Vec<(String, f32)>,
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

/// What kind of sign a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// A form of its own.
    Form(Form),
    /// A ring, a box or a filled disc around the diagram's number.
    Bubble,
}

/// A sign beside a board, told by its shape. What it means is decided over the whole page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub kind: MarkKind,
    pub filled: bool,
    pub place: Place,
    /// Beside a board: whether it stands at the picture's upper (`true`) or lower end; `None` in the middle,
    /// above and below.
    pub upper_end: Option<bool>,
    /// It leads or ends a line of text.
    pub in_line: bool,
    /// No neighbour might claim it with as much right.
    pub sure: bool,
    /// Distance from the board's edge in pixels.
    pub gap: f32,
    pub area: PixelRect,
}

/// Where a caption's text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSource {
    /// Recognized in the picture.
    Ocr,
    /// The text that the file draws, where the picture says the same.
    TextLayer,
    /// Some lines the one way, some the other.
    Mixed,
}

/// A difference in meaning between the ink of a line and the text that the file draws there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerDoubt {
    /// The flag that it is for the diagram.
    pub code: FlagCode,
    /// Both texts, as a sentence.
    pub why: String,
}

/// Everything read around one board.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CaptionFacts {
    /// The caption as read, lines joined by " / ".
    pub text: Option<String>,
    /// Where `text` comes from; `None` without text, and in readings of older versions.
    #[serde(default)]
    pub text_source: Option<TextSource>,
    /// Where the caption stands, for showing it to a person.
    pub area: Option<PixelRect>,
    /// The diagram's printed number, as printed ("45", "1.16").
    pub number: Option<String>,
    /// Why the number may be wrong, as a sentence: it falls out of the page's row of numbers.
    #[serde(default)]
    pub number_doubt: Option<String>,
    /// Where the file's own text means something else than the ink, besides the side.
    #[serde(default)]
    pub layer_doubts: Vec<LayerDoubt>,
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
    /// Marks told by their shapes.
    #[serde(default)]
    pub marks: Vec<Mark>,
    /// Beside the board stands ink of a mark's size that nothing explains: a mark may have been missed.
    #[serde(default)]
    pub unexplained: bool,
    /// Language of the phrase that was understood, by the lexicon's name.
    #[serde(default)]
    pub language: Option<String>,
    /// The first printed move, where one stands in the caption.
    #[serde(default)]
    pub first_move: Option<String>,
    /// A word before that move says that it is the solution.
    #[serde(default)]
    pub solution: bool,
}

impl CaptionFacts {
    /// Players (or composer), place and year in one line, as collections keep them: "Tal – Fischer, Bled, 1959". `None`
    /// without players: a lone place or year is not about anybody.
    pub fn players_line(&self) -> Option<String> {
        let mut line = self.players.clone()?;
        let year = self.year.map(|year| year.to_string());
        for part in [&self.place, &year].into_iter().flatten() {
            if !line.contains(part.as_str()) {
                line = format!("{line}, {part}");
            }
        }
        Some(line)
    }
}

/// A side as its letter, for serde.
pub(crate) mod side_letter {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_and_year_follow_the_players_once() {
        let facts = |players: Option<&str>, place: Option<&str>, year| CaptionFacts {
            players: players.map(str::to_owned),
            place: place.map(str::to_owned),
            year,
            ..CaptionFacts::default()
        };
        let line = facts(Some("Tal – Fischer"), Some("Bled"), Some(1959)).players_line();
        assert_eq!(line.as_deref(), Some("Tal – Fischer, Bled, 1959"));
        let line = facts(Some("Réti, 1921"), None, Some(1921)).players_line();
        assert_eq!(line.as_deref(), Some("Réti, 1921"));
        assert_eq!(facts(None, Some("Bled"), Some(1959)).players_line(), None);
    }
}
