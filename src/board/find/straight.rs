//! A board straightened: what the fit and the evidence look at.

use super::pyramid::Pyramid;
use crate::board::Quad;
use crate::board::warp::Homography;

/// Pixels a square of the straightened picture that boards are judged in.
pub const FINE: usize = 16;

/// What a straightened picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Gray values.
    Ink,
    /// Gray values, darker where the picture is restless: squares hatched, dotted or grained in the tone of the
    /// light ones.
    Texture,
}

/// A board straightened, with some squares more on each side; 0 black, 255 white.
pub struct Straight {
    /// Pixels a square.
    fine: usize,
    /// Squares kept around the 8 x 8.
    around: usize,
    side: usize,
    pixels: Vec<u8>,
    /// Pixels that lie inside the page.
    inside: Vec<bool>,
}

impl Straight {
    pub fn new(pyramid: &Pyramid<'_>, quad: &Quad, fine: usize, around: usize) -> Option<Straight> {
        let h = Homography::of_board(quad)?;
        let level = pyramid.level_within(quad.square_size() / fine as f32 * 1.42);
        let side = (8 + 2 * around) * fine;
        let (w, hh) = (pyramid.page().width() as f32, pyramid.page().height() as f32);
        let mut pixels = vec![0u8; side * side];
        let mut inside = vec![true; side * side];
        let within = |p: (f32, f32)| p.0 >= 0.0 && p.1 >= 0.0 && p.0 < w && p.1 < hh;
        // Perspective bends nothing to speak of within half a square: exact there, straight between.
        let piece = fine / 2;
        let step = piece as f32 / fine as f32;
        for (y, row) in pixels.chunks_exact_mut(side).enumerate() {
            let v = (y as f32 + 0.5) / fine as f32 - around as f32;
            let mut walk = h.walk(0.5 / fine as f32 - around as f32, v, step);
            let mut from = walk.next_point();
            for (k, out) in row.chunks_exact_mut(piece).enumerate() {
                let to = walk.next_point();
                level.piece(from, to, out);
                if !within(from) || !within(to) {
                    for (i, flag) in inside[y * side + k * piece..][..piece].iter_mut().enumerate() {
                        let t = i as f32 / piece as f32;
                        *flag = within((from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t));
                    }
                }
                from = to;
            }
        }
        Some(Straight { fine, around, side, pixels, inside })
    }

    /// Pixel index of a board coordinate.
    fn index(&self, v: f32) -> isize {
        ((v + self.around as f32) * self.fine as f32).round() as isize
    }

    #[inline]
    pub fn at(&self, x: usize, y: usize) -> u8 {
        self.pixels[y * self.side + x]
    }

    pub fn fine(&self) -> usize {
        self.fine
    }

    /// Pixels before the 8 x 8.
    pub fn border(&self) -> usize {
        self.around * self.fine
    }

    /// Gray value of a pixel counted from the top left corner of the board; `None` outside the picture or page.
    #[inline]
    pub fn pixel(&self, x: isize, y: isize) -> Option<u8> {
        let border = self.border() as isize;
        let (x, y) = (x + border, y + border);
        let range = 0..self.side as isize;
        if !range.contains(&x) || !range.contains(&y) {
            return None;
        }
        let i = y as usize * self.side + x as usize;
        self.inside[i].then(|| self.pixels[i])
    }

    /// Gray levels between the darkest and the lightest tenth.
    pub fn range(&self) -> f32 {
        let mut histogram = [0usize; 256];
        self.pixels.iter().for_each(|&v| histogram[v as usize] += 1);
        let tenth = self.pixels.len() / 10;
        let rank = |n: usize| {
            let mut sum = 0;
            histogram.iter().position(|c| {
                sum += c;
                sum > n
            })
        };
        let (low, high) = (rank(tenth / 5), rank(self.pixels.len() - tenth));
        high.unwrap_or(255) as f32 - low.unwrap_or(0) as f32
    }

    /// Whether a board coordinate lies within this picture, on the page or not.
    pub fn reaches(&self, at: f32) -> bool {
        let around = self.around as f32;
        (-around..8.0 + around).contains(&at)
    }

    /// Share of a line across the board (upright for `along_u`) at a board coordinate that lies on the page.
    pub fn inside_share(&self, at: f32, along_u: bool) -> f32 {
        let at = (at * self.fine as f32).round() as isize;
        let length = 8 * self.fine as isize;
        let seen = (0..length)
            .filter(|&i| if along_u { self.pixel(at, i).is_some() } else { self.pixel(i, at).is_some() })
            .count();
        seen as f32 / length as f32
    }

    /// Mean of a rectangle in board coordinates; `None` when most of it lies outside the page.
    pub fn mean(&self, x0: f32, y0: f32, x1: f32, y1: f32) -> Option<f32> {
        let clamp = |v: isize| v.clamp(0, self.side as isize) as usize;
        let (x0, x1) = (clamp(self.index(x0)), clamp(self.index(x1)));
        let (y0, y1) = (clamp(self.index(y0)), clamp(self.index(y1)));
        let (mut sum, mut count) = (0u32, 0u32);
        for y in y0..y1 {
            for x in x0..x1 {
                if self.inside[y * self.side + x] {
                    sum += u32::from(self.pixels[y * self.side + x]);
                    count += 1;
                }
            }
        }
        let all = ((x1 - x0) * (y1 - y0)) as u32;
        (count > 0 && 2 * count >= all).then(|| sum as f32 / count as f32)
    }

    /// The picture of a channel, `fine` pixels a square.
    pub fn of(
        channel: Channel,
        pyramid: &Pyramid<'_>,
        quad: &Quad,
        fine: usize,
        around: usize,
    ) -> Option<Straight> {
        match channel {
            Channel::Ink => Straight::new(pyramid, quad, fine, around),
            Channel::Texture => {
                Some(Straight::new(pyramid, quad, TEXTURE_FINE * fine, around)?.texture(fine))
            }
        }
    }

    /// Texture, reduced to `fine` pixels a square: the mean gray value less the mean difference between neighbouring pixels.
    fn texture(&self, fine: usize) -> Straight {
        let by = self.fine / fine;
        let side = self.side / by;
        let mut out = Straight {
            fine,
            around: self.around,
            side,
            pixels: vec![0; side * side],
            inside: vec![true; side * side],
        };
        let at = |x: usize, y: usize| i32::from(self.pixels[y * self.side + x]);
        let last = self.side - 1;
        for y in 0..side {
            for x in 0..side {
                let (mut gray, mut change) = (0, 0);
                let mut inside = true;
                for yy in y * by..(y + 1) * by {
                    for xx in x * by..(x + 1) * by {
                        let here = at(xx, yy);
                        gray += here;
                        change += (here - at((xx + 1).min(last), yy)).abs()
                            + (here - at(xx, (yy + 1).min(last))).abs();
                        inside &= self.inside[yy * self.side + xx];
                    }
                }
                let n = (by * by) as i32;
                out.pixels[y * side + x] =
                    (TEXTURE_BASE + (gray - TEXTURE_GAIN * change) / (2 * n)).clamp(0, 255) as u8;
                out.inside[y * side + x] = inside;
            }
        }
        out
    }
}

/// Texture is measured in pixels finer by this: with [`FINE`], hatching coarser than a twelfth of a square is not averaged away.
const TEXTURE_FINE: usize = 2;
/// Weight of a difference between neighbouring pixels against a gray level; half of the sum is stored, above a base that
/// keeps men's outlines in range.
const TEXTURE_GAIN: i32 = 2;
const TEXTURE_BASE: i32 = 127;
