//! Decoding: a file of scans becomes upright gray pages, one at a time, within limits.

use image::GrayImage;

/// One page, upright as its file says (EXIF turn undone), ready for the finders.
#[derive(Debug, Clone)]
pub struct Page {
    /// 8-bit gray, 0 black to 255 white; origin top left, y down.
    pub gray: GrayImage,
    /// Dots an inch, when the file tells credibly.
    pub dpi: Option<f32>,
    /// What was lost in decoding, as sentences for people (a truncated picture, a missing font); empty is good.
    pub warnings: Vec<String>,
}
