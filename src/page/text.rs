//! The text that a file itself carries with a page: what a typeset PDF draws with its fonts.

use serde::{Deserialize, Serialize};

/// A character as it is drawn, or a few that are drawn as one (a ligature).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageGlyph {
    /// What the font says it means; empty when it does not say.
    pub text: String,
    /// In page pixels: from its origin to where the next one begins, ...
    pub x0: f32,
    pub x1: f32,
    /// ... and the line that it stands on.
    pub base: f32,
    /// Size of the type in pixels: the side of its em square.
    pub size: f32,
}

impl PageGlyph {
    /// A point inside of most letters: the middle of their width, half as high as a small letter.
    pub fn heart(&self) -> (f32, f32) {
        ((self.x0 + self.x1) / 2.0, self.base - 0.22 * self.size)
    }
}

/// All level text that is drawn on a page, in the order of drawing. Invisible text, which scanners lay under a scan, is
/// another program's reading and no part of it; nor is what a picture covers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageText {
    pub glyphs: Vec<PageGlyph>,
}
