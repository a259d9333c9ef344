//! Decoding: a file of scans becomes upright gray pages, one at a time, within limits.
//!
//! ```no_run
//! # fn main() -> Result<(), fenwatch::page::PageError> {
//! use fenwatch::page::{self, PageLimits};
//!
//! let mut document = page::open("book.pdf".as_ref(), &PageLimits::default())?;
//! for index in 0..document.page_count() {
//!     let page = document.read(index)?;
//!     println!("{} x {}", page.gray.width(), page.gray.height());
//! }
//! # Ok(())
//! # }
//! ```

use image::GrayImage;

mod deadline;
mod decode;
mod density;
mod djvu;
mod document;
mod error;
mod exif;
mod fax;
mod format;
mod gif_blocks;
mod gray;
mod jp2;
mod jpeg;
mod jpeg_codes;
mod jpeg_marks;
mod limits;
mod pdf;
mod picture;
mod png;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod tiff;

pub use document::{Document, Probe, hush_decoder_panics, open, probe};
pub use error::{PageError, Trouble};
pub use format::{Format, holds_books};
pub use limits::PageLimits;
pub use text::{PageGlyph, PageText};

/// One page, upright as its file says (EXIF turn undone), ready for the finders.
#[derive(Debug, Clone)]
pub struct Page {
    /// 8-bit gray, 0 black to 255 white; origin top left, y down.
    pub gray: GrayImage,
    /// Dots an inch, when the file tells credibly.
    pub dpi: Option<f32>,
    /// What was lost in decoding, as sentences for people (a truncated picture, a missing font); empty is good.
    pub warnings: Vec<String>,
    /// The text that the file itself draws on the page; `None` for pictures.
    pub text: Option<PageText>,
}
