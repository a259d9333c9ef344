//! What the collection says of a diagram: the position with its sources, and the words around it.

use serde::{Deserialize, Serialize};

use super::{QueueError, Result};
use crate::chess::{EnPassantStyle, Fen, FieldSource};
use crate::reading::{DiagramReading, Orientation, Sources};

/// The facts that a reading claims and that a person may correct. Kept as JSON in decisions (before and after).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// All six fields.
    pub fen: String,
    pub sources: Sources,
    pub orientation: Orientation,
    pub number: Option<String>,
    pub players: Option<String>,
    pub stipulation: Option<String>,
    pub caption: Option<String>,
}

impl Facts {
    /// The facts as read.
    pub fn of(reading: &DiagramReading) -> Facts {
        Facts {
            fen: reading.fen.clone(),
            sources: reading.sources,
            orientation: reading.orientation,
            number: reading.caption.number.clone(),
            players: reading.caption.players.clone(),
            stipulation: reading.caption.stipulation.clone(),
            caption: reading.caption.text.clone(),
        }
    }

    /// The piece placement field.
    pub fn placement(&self) -> &str {
        self.field(0)
    }

    /// The side to move field, `w` or `b`.
    pub fn side(&self) -> &str {
        self.field(1)
    }

    fn field(&self, index: usize) -> &str {
        self.fen.split(' ').nth(index).unwrap_or_default()
    }

    /// The position, when the text has all six fields. Any position may be kept, also an impossible one, since books print
    /// them; whether it is sound is said by flags.
    pub(super) fn position(&self) -> Result<Fen> {
        let invalid = |why: String| QueueError::Invalid(format!("{:?} is no FEN: {why}", self.fen));
        let parsed = Fen::parse(&self.fen).map_err(|error| invalid(error.to_string()))?;
        if let Some(field) = parsed.missing.first() {
            return Err(invalid(format!("its {field} is missing")));
        }
        if parsed.operations.is_some() {
            return Err(invalid("it goes on with EPD operations".to_owned()));
        }
        Ok(parsed.fen)
    }

    /// The same facts with the FEN as this program writes it (single spaces, rights in their order). The en passant square stays
    /// where it was given, whatever style an export has.
    pub(super) fn normalized(mut self) -> Result<Facts> {
        self.fen = self.position()?.text(EnPassantStyle::DoubleStep);
        Ok(self)
    }

    /// These facts with `Human` as the source of every FEN field in which they differ from `before` or that is marked so already,
    /// and the sources of `before` elsewhere.
    pub(super) fn with_sources_from(mut self, before: &Facts) -> Facts {
        let source = |fields: &[usize], given: FieldSource, kept: FieldSource| {
            let changed = fields.iter().any(|&index| self.field(index) != before.field(index));
            if changed || given == FieldSource::Human { FieldSource::Human } else { kept }
        };
        let (given, kept) = (self.sources, before.sources);
        let sources = Sources {
            placement: source(&[0], given.placement, kept.placement),
            side_to_move: source(&[1], given.side_to_move, kept.side_to_move),
            castling: source(&[2], given.castling, kept.castling),
            en_passant: source(&[3], given.en_passant, kept.en_passant),
            clocks: source(&[4, 5], given.clocks, kept.clocks),
        };
        self.sources = sources;
        self
    }

    /// Same position and words, whatever the sources.
    pub(super) fn says_the_same(&self, other: &Facts) -> bool {
        self.fen == other.fen
            && self.orientation == other.orientation
            && self.number == other.number
            && self.players == other.players
            && self.stipulation == other.stipulation
            && self.caption == other.caption
    }

    pub(super) fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| QueueError::Invalid(error.to_string()))
    }

    pub(super) fn from_json(text: &str) -> Result<Facts> {
        serde_json::from_str(text).map_err(|error| QueueError::Corrupt(format!("facts {text:?}: {error}")))
    }
}
