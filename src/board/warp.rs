//! Warping a board square: the homography between board and page, and the anti-aliased sampling.
//!
//! Board coordinates: (0, 0) is the outer corner of the top left square as seen in the picture,
//! (8, 8) the outer corner of the bottom right one; a square is one unit wide.

use image::GrayImage;

use super::model::{BOARD_SIDE, MARGIN, SQUARE};
use super::quad::{Point, Quad};

/// A squeezing beyond this many page pixels a board pixel needs a low-pass first.
const ALIAS_FREE_RATIO: f32 = 1.125;

/// Standard deviation of the low-pass, in page pixels for each page pixel a board pixel covers. 0.42 keeps
/// strokes of one board pixel and takes what would fold back.
const BLUR_PER_RATIO: f32 = 0.42;

/// A plane homography, row-major 3 x 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography([f64; 9]);

impl Homography {
    /// From board coordinates (0..8 each way) to the page. `None` when three corners lie on a line.
    ///
    /// Closed form for the unit square (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989).
    pub fn of_board(quad: &Quad) -> Option<Homography> {
        let [p0, p1, p2, p3] = quad.0.map(|p| (f64::from(p.x), f64::from(p.y)));
        let (sx, sy) = (p0.0 - p1.0 + p2.0 - p3.0, p0.1 - p1.1 + p2.1 - p3.1);
        let (dx1, dy1) = (p1.0 - p2.0, p1.1 - p2.1);
        let (dx2, dy2) = (p3.0 - p2.0, p3.1 - p2.1);
        let det = dx1 * dy2 - dx2 * dy1;
        if det.abs() < 1e-9 {
            return None;
        }
        let g = (sx * dy2 - dx2 * sy) / det;
        let h = (dx1 * sy - sx * dy1) / det;
        let unit = [
            p1.0 - p0.0 + g * p1.0,
            p3.0 - p0.0 + h * p3.0,
            p0.0,
            p1.1 - p0.1 + g * p1.1,
            p3.1 - p0.1 + h * p3.1,
            p0.1,
            g,
            h,
            1.0,
        ];
        // Board units: divide the two first columns by 8.
        let mut m = unit;
        for row in 0..3 {
            m[3 * row] /= 8.0;
            m[3 * row + 1] /= 8.0;
        }
        Some(Homography(m))
    }

    /// Maps a point; board coordinates to page pixels for [`Homography::of_board`].
    pub fn map(&self, x: f32, y: f32) -> Point {
        let m = &self.0;
        let (x, y) = (f64::from(x), f64::from(y));
        let w = m[6] * x + m[7] * y + m[8];
        Point::new(((m[0] * x + m[1] * y + m[2]) / w) as f32, ((m[3] * x + m[4] * y + m[5]) / w) as f32)
    }

    /// Page points along a row of the board, from (`x`, `y`) on, `step` apart.
    pub(crate) fn walk(&self, x: f32, y: f32, step: f32) -> Walk {
        let m = &self.0;
        let (x, y, step) = (f64::from(x), f64::from(y), f64::from(step));
        let start = |row: usize| m[row] * x + m[row + 1] * y + m[row + 2];
        Walk { at: [start(0), start(3), start(6)], step: [m[0] * step, m[3] * step, m[6] * step] }
    }

    /// The quad whose corners are the images of the given board points.
    pub fn map_quad(&self, corners: [(f32, f32); 4]) -> Quad {
        Quad(corners.map(|(x, y)| self.map(x, y)))
    }
}

/// A homography followed along a row: three additions and a division a point.
pub(crate) struct Walk {
    at: [f64; 3],
    step: [f64; 3],
}

impl Walk {
    #[inline]
    pub(crate) fn next_point(&mut self) -> (f32, f32) {
        let [x, y, w] = self.at;
        for (a, s) in self.at.iter_mut().zip(self.step) {
            *a += s;
        }
        ((x / w) as f32, (y / w) as f32)
    }
}

/// Value at page point (`x`, `y`), bilinear between pixel centres; outside the picture the edge pixel repeats.
#[inline]
pub(crate) fn sample(pixels: &[u8], width: usize, height: usize, x: f32, y: f32) -> f32 {
    let x = (x - 0.5).clamp(0.0, (width - 1) as f32);
    let y = (y - 0.5).clamp(0.0, (height - 1) as f32);
    let (x0, y0) = (x as usize, y as usize);
    let (fx, fy) = (x - x0 as f32, y - y0 as f32);
    let (x1, y1) = ((x0 + 1).min(width - 1), (y0 + 1).min(height - 1));
    let (top, bottom) = (y0 * width, y1 * width);
    let a = f32::from(pixels[top + x0]) * (1.0 - fx) + f32::from(pixels[top + x1]) * fx;
    let b = f32::from(pixels[bottom + x0]) * (1.0 - fx) + f32::from(pixels[bottom + x1]) * fx;
    a * (1.0 - fy) + b * fy
}

/// The board as [`BOARD_SIDE`] x [`BOARD_SIDE`] pixels: the quad's corners land at [`MARGIN`] from the edges,
/// a square is [`SQUARE`] pixels. Squares much larger than that are low-passed first, only over the region
/// needed. Outside the page the edge pixel repeats. A quad without area gives a white picture.
pub fn warp_board(gray: &GrayImage, quad: &Quad) -> GrayImage {
    let white = || GrayImage::from_pixel(BOARD_SIDE, BOARD_SIDE, image::Luma([255]));
    let (width, height) = gray.dimensions();
    let finite = quad.0.iter().all(|p| p.x.is_finite() && p.y.is_finite());
    if width == 0 || height == 0 || !finite || quad.area().abs() < 1.0 {
        return white();
    }
    let ratio = quad.square_size() / SQUARE as f32;
    if ratio <= ALIAS_FREE_RATIO {
        return warp_region(gray, quad);
    }
    // Cut out what the warp will touch and a little for the blur's reach.
    let reach = MARGIN as f32 * ratio * 1.5 + 4.0 * ratio + 2.0;
    let (x0, y0, x1, y1) = quad.bounds();
    let left = (x0 - reach).floor().clamp(0.0, (width - 1) as f32) as u32;
    let top = (y0 - reach).floor().clamp(0.0, (height - 1) as f32) as u32;
    let right = (x1 + reach).ceil().clamp(left as f32 + 1.0, width as f32) as u32;
    let bottom = (y1 + reach).ceil().clamp(top as f32 + 1.0, height as f32) as u32;
    let region = image::imageops::crop_imm(gray, left, top, right - left, bottom - top).to_image();
    // Half of the squeezing by blocks, which is cheap; the blocks' own low-pass counts towards the wanted one.
    let step = ((ratio / 2.0) as u32).max(1);
    let region = if step > 1 { shrink(&region, step) } else { region };
    let wanted = (BLUR_PER_RATIO * ratio).powi(2) - ((step * step - 1) as f32) / 12.0;
    let region = imageproc::filter::gaussian_blur_f32(&region, wanted.sqrt() / step as f32);
    let scale = step as f32;
    let local = Quad(quad.0.map(|p| Point::new((p.x - left as f32) / scale, (p.y - top as f32) / scale)));
    warp_region(&region, &local)
}

/// Bilinear warp without a low-pass.
fn warp_region(gray: &GrayImage, quad: &Quad) -> GrayImage {
    let mut out = GrayImage::from_pixel(BOARD_SIDE, BOARD_SIDE, image::Luma([255]));
    let Some(h) = Homography::of_board(quad) else { return out };
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    let pixels = gray.as_raw();
    let (margin, square) = (MARGIN as f32, SQUARE as f32);
    for (i, value) in out.iter_mut().enumerate() {
        let (px, py) = ((i as u32 % BOARD_SIDE) as f32 + 0.5, (i as u32 / BOARD_SIDE) as f32 + 0.5);
        let p = h.map((px - margin) / square, (py - margin) / square);
        *value = (sample(pixels, width, height, p.x, p.y) + 0.5) as u8;
    }
    out
}

/// Reduction by a whole factor, each pixel the mean of its block. A last incomplete block is averaged over what is there.
pub(crate) fn shrink(gray: &GrayImage, factor: u32) -> GrayImage {
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    let f = factor as usize;
    let (w, h) = (width.div_ceil(f), height.div_ceil(f));
    let pixels = gray.as_raw();
    let mut out = vec![0u8; w * h];
    let mut sums = vec![0u32; w];
    for y in 0..h {
        sums.fill(0);
        let rows = y * f..((y + 1) * f).min(height);
        let count_y = rows.len();
        for row in rows {
            let line = &pixels[row * width..(row + 1) * width];
            for (sum, block) in sums.iter_mut().zip(line.chunks(f)) {
                *sum += block.iter().map(|&v| u32::from(v)).sum::<u32>();
            }
        }
        for (x, (value, &sum)) in out[y * w..(y + 1) * w].iter_mut().zip(&sums).enumerate() {
            let count = (count_y * f.min(width - x * f)) as u32;
            *value = ((sum + count / 2) / count) as u8;
        }
    }
    // The buffer has exactly w x h bytes.
    GrayImage::from_raw(w as u32, h as u32, out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    fn tilted() -> Quad {
        Quad([
            Point::new(50.0, 40.0),
            Point::new(370.0, 60.0),
            Point::new(352.0, 385.0),
            Point::new(35.0, 350.0),
        ])
    }

    #[test]
    fn homography_meets_the_corners() {
        let quad = tilted();
        let h = Homography::of_board(&quad).unwrap();
        let back = h.map_quad([(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)]);
        for (a, b) in quad.0.iter().zip(back.0) {
            assert!(a.distance(b) < 1e-3, "{a:?} {b:?}");
        }
    }

    #[test]
    fn collinear_corners_have_no_homography() {
        let p = |x: f32| Point::new(x, x);
        assert!(Homography::of_board(&Quad([p(0.0), p(1.0), p(2.0), p(3.0)])).is_none());
    }

    /// A page with chequered squares painted through the homography, then warped: each square must come out pure.
    fn chequered(quad: &Quad, side: u32) -> GrayImage {
        // Invert numerically: paint by nearest of a dense sampling of the board.
        let h = Homography::of_board(quad).unwrap();
        let mut page = GrayImage::from_pixel(side, side, Luma([200]));
        let steps = side * 2;
        for i in 0..steps {
            for j in 0..steps {
                let (u, v) = (8.0 * (j as f32 + 0.5) / steps as f32, 8.0 * (i as f32 + 0.5) / steps as f32);
                let p = h.map(u, v);
                let dark = (u as u32 + v as u32) % 2 == 1;
                page.put_pixel(p.x as u32, p.y as u32, Luma([if dark { 40 } else { 240 }]));
            }
        }
        page
    }

    #[test]
    fn squares_land_on_their_place() {
        for scale in [1.0f32, 3.3] {
            let quad = Quad(tilted().0.map(|p| Point::new(p.x * scale, p.y * scale)));
            let board = warp_board(&chequered(&quad, (420.0 * scale) as u32), &quad);
            assert_eq!(board.dimensions(), (BOARD_SIDE, BOARD_SIDE));
            for row in 0..8 {
                for col in 0..8 {
                    let want = if (row + col) % 2 == 1 { 40 } else { 240 };
                    for (dx, dy) in [(3, 3), (28, 3), (16, 16), (3, 28), (28, 28)] {
                        let got =
                            board.get_pixel(MARGIN + SQUARE * col + dx, MARGIN + SQUARE * row + dy).0[0];
                        assert!(got.abs_diff(want) < 12, "{scale} {row} {col}: {got} for {want}");
                    }
                }
            }
        }
    }

    #[test]
    fn fine_hatching_becomes_gray_and_not_moire() {
        // Lines of a period of 6 pixels in squares of 100: unseen at 32 pixels a square.
        let page = GrayImage::from_fn(900, 900, |x, y| Luma([if (x + y) % 6 < 3 { 0 } else { 255 }]));
        let board = warp_board(&page, &Quad::from_bounds(50.0, 50.0, 850.0, 850.0));
        let (low, high) = board.iter().fold((255, 0), |(l, h), &v| (v.min(l), v.max(h)));
        assert!(low > 90 && high < 165, "{low} {high}");
    }

    #[test]
    fn outside_the_page_the_edge_repeats() {
        let page = GrayImage::from_fn(80, 80, |x, _| Luma([if x < 40 { 10 } else { 230 }]));
        let board = warp_board(&page, &Quad::from_bounds(0.0, 0.0, 80.0, 80.0));
        assert_eq!(board.get_pixel(0, 0).0[0], 10);
        assert_eq!(board.get_pixel(BOARD_SIDE - 1, BOARD_SIDE - 1).0[0], 230);
    }

    #[test]
    fn shrinking_averages_blocks_also_at_the_end() {
        let image = GrayImage::from_raw(3, 2, vec![0, 100, 50, 100, 200, 70]).unwrap();
        assert_eq!(shrink(&image, 2), GrayImage::from_raw(2, 1, vec![100, 60]).unwrap());
    }

    #[test]
    fn a_quad_without_area_is_no_panic() {
        let page = GrayImage::from_pixel(10, 10, Luma([7]));
        let board = warp_board(&page, &Quad::from_bounds(5.0, 5.0, 5.0, 5.0));
        assert_eq!(board.get_pixel(0, 0).0[0], 255);
    }
}
