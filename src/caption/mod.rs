//! Captions: which text belongs to which board, what it says, marks beside the board.
//!
//! The way of a caption: [`layout`] finds lines of ink around each board ([`strip`], [`ink`], [`lines`]),
//! [`ocr`] reads them, [`sense`] understands them ([`lexicon`] with [`fold`] and [`approx`], [`moves`],
//! [`stipulation`], [`names`]), [`read`] puts the facts of each board together.

pub mod approx;
pub mod facts;
pub mod fold;
pub mod ink;
pub mod layout;
pub mod lexicon;
pub mod lines;
pub mod moves;
pub mod names;
pub mod ocr;
pub mod read;
pub mod sense;
pub mod stipulation;
pub mod strip;

pub use facts::{CaptionFacts, PixelRect, SideEvidence, TextLine};
pub use lexicon::{Lexicon, LexiconError};
pub use ocr::{OcrError, TesseractReader, TextReader, TextShape};
pub use read::{CaptionError, CaptionParams, read_captions, read_captions_with};
