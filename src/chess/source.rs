//! Where a FEN field's value comes from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The source of a field's value, strongest evidence first for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldSource {
    /// A person said so.
    Human,
    /// Read from the picture (piece placement).
    Picture,
    /// A phrase in the caption that names a colour.
    Caption,
    /// A mark beside the board.
    Mark,
    /// The number of the first move printed with it.
    MoveNumber,
    /// The stipulation ("mate in 2").
    Stipulation,
    /// The first move of the printed solution.
    Solution,
    /// The rules: a king in check means that its side moves.
    Check,
    /// The book's default.
    BookDefault,
    /// Nothing: the usual value was taken.
    Assumed,
}

impl FieldSource {
    pub const ALL: [FieldSource; 10] = [
        FieldSource::Human,
        FieldSource::Picture,
        FieldSource::Caption,
        FieldSource::Mark,
        FieldSource::MoveNumber,
        FieldSource::Stipulation,
        FieldSource::Solution,
        FieldSource::Check,
        FieldSource::BookDefault,
        FieldSource::Assumed,
    ];

    /// The stable name, snake_case.
    pub fn as_str(self) -> &'static str {
        match self {
            FieldSource::Human => "human",
            FieldSource::Picture => "picture",
            FieldSource::Caption => "caption",
            FieldSource::Mark => "mark",
            FieldSource::MoveNumber => "move_number",
            FieldSource::Stipulation => "stipulation",
            FieldSource::Solution => "solution",
            FieldSource::Check => "check",
            FieldSource::BookDefault => "book_default",
            FieldSource::Assumed => "assumed",
        }
    }
}

impl fmt::Display for FieldSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that names no source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown source {0:?}")]
pub struct UnknownSource(pub String);

impl FromStr for FieldSource {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        FieldSource::ALL
            .into_iter()
            .find(|source| source.as_str() == text)
            .ok_or_else(|| UnknownSource(text.to_owned()))
    }
}
