//! Captions: which text belongs to which board, what it says, marks beside the board.

pub mod facts;

pub use facts::{CaptionFacts, PixelRect, SideEvidence, TextLine};
