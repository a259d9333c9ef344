//! The glyphs that a page draws, with what they mean and where they stand.

use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::kurbo::{Affine, Point, Rect};

use crate::page::text::{PageGlyph, PageText};

/// More text than a page can hold: what is left out is read as a picture.
const MOST_GLYPHS: usize = 50_000;

/// A line that climbs by more than this share of its length is no level text.
const LEVEL: f64 = 0.02;

/// Glyphs in points from the page's top left corner.
#[derive(Debug, Default)]
pub struct Drawn {
    glyphs: Vec<PageGlyph>,
}

impl Drawn {
    /// Takes the glyphs of a run that is to be seen. `transform` goes from text space to points.
    pub fn add(&mut self, run: &GlyphRun<'_, '_>, transform: Affine) {
        for glyph in run.glyphs() {
            if self.glyphs.len() >= MOST_GLYPHS {
                return;
            }
            let to_points = transform * glyph.transform();
            let advance = match &**glyph {
                Glyph::Outline(outline) => outline.advance_width(),
                Glyph::Type3(drawn) => drawn.advance_width(),
            };
            let origin = to_points * Point::ORIGIN;
            let next = to_points * Point::new(advance.unwrap_or(0.0).into(), 0.0);
            let top = to_points * Point::new(0.0, 1000.0);
            let size = (top - origin).hypot();
            let level = (next.y - origin.y).abs() <= LEVEL * (next.x - origin.x) && top.y < origin.y;
            if !(level && origin.x.is_finite() && origin.y.is_finite() && size.is_finite()) {
                continue;
            }
            let text = match glyph.as_unicode() {
                Some(BfString::Char(c)) => c.to_string(),
                Some(BfString::String(text)) => text,
                None => String::new(),
            };
            self.glyphs.push(PageGlyph {
                text,
                x0: origin.x as f32,
                x1: next.x as f32,
                base: origin.y as f32,
                size: size as f32,
            });
        }
    }

    /// Forgets what lies under an opaque picture.
    pub fn cover(&mut self, area: Rect) {
        self.glyphs.retain(|glyph| {
            let (x, y) = glyph.heart();
            !area.contains(Point::new(x.into(), y.into()))
        });
    }

    /// In pixels of the page, `across` and `down` of them a point.
    pub fn on_page(self, across: f32, down: f32) -> Option<PageText> {
        let mut glyphs = self.glyphs;
        for glyph in &mut glyphs {
            glyph.x0 *= across;
            glyph.x1 *= across;
            glyph.base *= down;
            glyph.size *= down;
        }
        (!glyphs.is_empty()).then_some(PageText { glyphs })
    }
}
