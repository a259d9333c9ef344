//! A phrase of the lexicon: what it says, of what kind it is, how many errors it bears.

use std::ops::Range;

use crate::chess::Color;

use super::approx::{self, EDIT, Glyph};

/// What a phrase says of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    Side(Color),
    /// Either side may be to move: two tasks.
    Both,
    Nothing,
}

impl Says {
    pub(super) fn parse(text: &str) -> Option<Says> {
        Some(match text {
            "w" => Says::Side(Color::White),
            "b" => Says::Side(Color::Black),
            "both" => Says::Both,
            "none" => Says::Nothing,
            _ => return None,
        })
    }

    pub(super) fn mirrored(self) -> Says {
        match self {
            Says::Side(side) => Says::Side(!side),
            other => other,
        }
    }
}

/// The kinds of phrases that are sought in text. Other kinds of the table (marks, letters, stipulation
/// signs, numbers) are read in other ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    SideToMove,
    Win,
    Draw,
    Mate,
    Helpmate,
    Selfmate,
    Reflexmate,
    Series,
    AfterMove,
    Either,
    /// Looks like a phrase and says nothing.
    Trap,
    /// A question to the reader, which says nothing.
    Question,
}

impl Kind {
    /// A task without a colour: what is to be done in so many moves.
    pub(super) fn is_task(self) -> bool {
        matches!(self, Kind::Mate | Kind::Helpmate | Kind::Selfmate | Kind::Reflexmate | Kind::Series)
    }

    pub(super) fn parse(text: &str) -> Option<Kind> {
        Some(match text {
            "side_to_move" => Kind::SideToMove,
            "win" => Kind::Win,
            "draw" => Kind::Draw,
            "mate" => Kind::Mate,
            "helpmate" => Kind::Helpmate,
            "selfmate" => Kind::Selfmate,
            "reflexmate" => Kind::Reflexmate,
            "series" => Kind::Series,
            "after_move" => Kind::AfterMove,
            "either" => Kind::Either,
            "trap" => Kind::Trap,
            "question" => Kind::Question,
            _ => return None,
        })
    }
}

/// A row of the table, folded.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub language: String,
    /// As in the table (mirror images: with the colour words exchanged).
    pub text: String,
    pub letters: Vec<char>,
    pub glyphs: Vec<Glyph>,
    /// Bits of the letters in it.
    pub present: u64,
    pub says: Says,
    pub kind: Kind,
    pub names_colour: bool,
    /// Greatest cost at which it still counts as found.
    pub bound: u32,
    /// The same where no phrase that says something else comes near that place.
    pub loose: u32,
}

impl Phrase {
    /// "Mate in 2", without a colour.
    pub(super) fn is_bare_mate(&self) -> bool {
        self.kind == Kind::Mate && !self.names_colour
    }
}

/// A phrase found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct PhraseMatch {
    pub language: String,
    /// The lexicon's wording.
    pub phrase: String,
    pub says: Says,
    pub kind: Kind,
    /// It names a colour ("White mates"), rather than only a task ("mate in two").
    pub names_colour: bool,
    /// Bytes of the text.
    pub span: Range<usize>,
    /// Letters wrong, as a share of the phrase's letters.
    pub error: f32,
    /// The first number in it: moves to mate.
    pub number: Option<u32>,
}

/// Tenths of errors allowed in a phrase: none under four letters, a confusion up to five, a letter from six,
/// two from twelve, three from eighteen, four from twenty-four. Characters of Chinese and Japanese carry a
/// word each: there a whole error is too much for phrases under seven.
pub(super) fn allowed(phrase: &[char]) -> u32 {
    let ideographs = phrase.iter().any(|&c| matches!(c as u32, 0x3040..=0x30ff | 0x3400..=0x9fff));
    match phrase.len() {
        0..=3 => 0,
        4..=6 if ideographs => 0,
        4..=5 => 4,
        n => (n as u32 / 6).min(4) * EDIT,
    }
}

/// How well a phrase explains a place: longer is better, an error weighs as much as two letters.
pub(super) fn merit(phrase: &Phrase, found: &approx::Found) -> f32 {
    phrase.letters.len() as f32 - found.cost as f32 / EDIT as f32 * LETTER
}

/// What one wrong letter takes from the merit.
pub(super) const LETTER: f32 = 2.0;
