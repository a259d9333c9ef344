//! Captions: which text belongs to which board, what it says, marks beside the board.
//!
//! The way of a caption: [`layout`] finds lines of ink around each board ([`strip`], [`ink`], [`lines`],
//! without [`coordinates`] and [`prose`]; [`cut`] takes their pixels) and [`marks`] by their [`form`]; [`ocr`] reads the lines in the
//! [`language`] that they turn out to be in ([`polyglot`], [`dashes`]; short ones sign by sign, [`signs`]) or takes the file's own text ([`printed`]); [`sense`] understands them ([`lexicon`] of
//! [`phrase`]s, with [`fold`] and [`approx`], [`moves`], [`stipulation`], [`doubt`], [`names`]); [`assign`] gives each to a board;
//! [`sequence`] doubts numbers; [`cue`] compares bare numbers with dotted ones; [`habit`] hears what the page's signs have in common; [`heading`] hears what stands over a row or a page, [`title`] what stands on a page without boards;
//! [`read`] puts the facts of each board together.

pub mod approx;
pub mod assign;
pub mod coordinates;
pub mod cue;
pub mod cut;
pub mod dashes;
pub mod doubt;
pub mod facts;
pub mod fold;
pub mod form;
pub mod habit;
pub mod heading;
pub mod ink;
pub mod language;
pub mod layout;
pub mod lexicon;
pub mod lines;
pub mod marks;
pub mod moves;
pub mod names;
pub mod ocr;
pub mod phrase;
pub mod polyglot;
pub mod printed;
pub mod prose;
pub mod read;
pub mod script;
pub mod sense;
pub mod sequence;
pub mod signs;
pub mod stipulation;
pub mod strip;
mod talk;
pub mod title;
mod words;

pub(crate) use facts::side_letter;
pub use facts::{CaptionFacts, LayerDoubt, Mark, MarkKind, PixelRect, SideEvidence, TextLine, TextSource};
pub use form::Form;
pub use lexicon::{Lexicon, LexiconError};
pub use ocr::{OcrError, TesseractReader, TextReader, TextShape};
pub use polyglot::PolyglotReader;
pub use read::{CaptionError, CaptionParams, Printed, read_captions, read_captions_with};
pub use strip::Place;
