//! The page at halved sizes. Every stage reads the level that suits its sampling step.

use image::GrayImage;

use crate::board::warp::{sample, shrink};

/// Halved pictures stop at this side.
const SMALLEST_SIDE: u32 = 48;

/// The page and its reductions by 2, 4, 8, ... each pixel the mean of its block.
pub struct Pyramid<'a> {
    page: &'a GrayImage,
    reduced: Vec<GrayImage>,
}

impl<'a> Pyramid<'a> {
    pub fn new(page: &'a GrayImage) -> Pyramid<'a> {
        let mut reduced: Vec<GrayImage> = Vec::new();
        loop {
            let last = reduced.last().unwrap_or(page);
            if last.width().min(last.height()) < 2 * SMALLEST_SIDE {
                break;
            }
            let next = shrink(last, 2);
            reduced.push(next);
        }
        Pyramid { page, reduced }
    }

    pub fn page(&self) -> &GrayImage {
        self.page
    }

    /// The level whose pixel covers at most `step` page pixels.
    pub fn level_within(&self, step: f32) -> Level<'_> {
        let index = (step.max(1.0).log2() + 1e-3).floor() as usize;
        let index = index.min(self.reduced.len());
        let image = if index == 0 { self.page } else { &self.reduced[index - 1] };
        Level { image, factor: (1u32 << index) as f32 }
    }
}

/// One size of the page.
#[derive(Clone, Copy)]
pub struct Level<'a> {
    pub image: &'a GrayImage,
    /// Page pixels a pixel of this level.
    pub factor: f32,
}

impl Level<'_> {
    /// Gray value at a point in page pixels.
    #[inline]
    pub fn at(&self, x: f32, y: f32) -> f32 {
        sample(
            self.image.as_raw(),
            self.image.width() as usize,
            self.image.height() as usize,
            x / self.factor,
            y / self.factor,
        )
    }

    /// A row of gray values at page height `y`, each `step` page pixels wide, from the left edge of the page.
    pub fn row(&self, y: f32, step: f32, out: &mut [f32]) {
        let (w, h) = (self.image.width() as usize, self.image.height() as usize);
        let pixels = self.image.as_raw();
        let y = (y / self.factor - 0.5).clamp(0.0, (h - 1) as f32);
        let (y0, fy) = (y as usize, y.fract());
        let above = &pixels[y0 * w..(y0 + 1) * w];
        let y1 = (y0 + 1).min(h - 1);
        let below = &pixels[y1 * w..(y1 + 1) * w];
        let step = step / self.factor;
        let last = w - 1;
        let mut x = 0.5 * step - 0.5;
        for value in out {
            let at = x.clamp(0.0, last as f32);
            let (x0, fx) = (at as usize, at.fract());
            let x1 = (x0 + 1).min(last);
            let mix = |row: &[u8]| f32::from(row[x0]) * (1.0 - fx) + f32::from(row[x1]) * fx;
            *value = mix(above) * (1.0 - fy) + mix(below) * fy;
            x += step;
        }
    }
}
