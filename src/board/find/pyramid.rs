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
    /// Gray values along a straight piece between two page points, `out.len()` of them from `from` on; the last is one step short of `to`.
    #[inline]
    pub fn piece(&self, from: (f32, f32), to: (f32, f32), out: &mut [u8]) {
        let (w, h) = (self.image.width() as usize, self.image.height() as usize);
        let pixels = self.image.as_raw();
        let scale = 1.0 / self.factor;
        let (mut x, mut y) = (from.0 * scale - 0.5, from.1 * scale - 0.5);
        let (end_x, end_y) = (to.0 * scale - 0.5, to.1 * scale - 0.5);
        let n = out.len() as f32;
        let (dx, dy) = ((end_x - x) / n, (end_y - y) / n);
        let (last_x, last_y) = ((w - 1) as f32, (h - 1) as f32);
        let inner = |v: f32, last: f32| v >= 0.0 && v < last;
        if inner(x, last_x) && inner(end_x, last_x) && inner(y, last_y) && inner(end_y, last_y) {
            for value in out {
                let (x0, y0) = (x as i32, y as i32);
                let (fx, fy) = (x - x0 as f32, y - y0 as f32);
                let i = y0 as usize * w + x0 as usize;
                let (a, b) = (f32::from(pixels[i]), f32::from(pixels[i + 1]));
                let (c, d) = (f32::from(pixels[i + w]), f32::from(pixels[i + w + 1]));
                let (top, bottom) = (a + (b - a) * fx, c + (d - c) * fx);
                *value = (top + (bottom - top) * fy) as i32 as u8;
                x += dx;
                y += dy;
            }
        } else {
            for value in out {
                *value = sample(pixels, w, h, x + 0.5, y + 0.5) as u8;
                x += dx;
                y += dy;
            }
        }
    }

    /// Gray value at a page point.
    pub fn at(&self, x: f32, y: f32) -> f32 {
        let (w, h) = (self.image.width() as usize, self.image.height() as usize);
        sample(self.image.as_raw(), w, h, x / self.factor, y / self.factor)
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
