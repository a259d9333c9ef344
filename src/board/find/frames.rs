//! Boards by their frame: closed outlines that are nearly square.
//!
//! The page, reduced, becomes ink and paper by a local threshold. A patch of paper that a frame shuts in ends at the
//! frame's inner edge, whatever text touches the frame from outside; a frame's own ink, or a board's squares grown
//! together, ends at the outer edge. Both give a quad by straight lines through the outermost pixels of each side.

use image::{GrayImage, Luma};

use super::FindParams;
use super::patches::{Bounds, Patches, patches};
use super::pyramid::Pyramid;
use crate::board::{Point, Quad};

const INK: Luma<u8> = Luma([0]);
const PAPER: Luma<u8> = Luma([255]);
/// Longer side of the page that frames are looked for in: a frame line of a 300 dpi A5 page is still two pixels.
const LONG_SIDE: f32 = 1300.0;
/// Half width of the window of the local mean, in pixels: wider than any frame line.
const WINDOW: usize = 10;
/// Ink is darker than the local mean by this share of the page's range from black to paper, and by the least gray levels.
const DARKER: f32 = 0.12;
const LEAST_DARKER: f32 = 4.0;
/// Sides may differ by this ratio: perspective and non-square scans.
const ASPECT: f32 = 1.35;

/// The page as ink and paper.
pub struct Binary {
    pub image: GrayImage,
    /// Page pixels a pixel.
    pub factor: f32,
}

/// Thresholds the reduced page.
pub fn binarize(pyramid: &Pyramid<'_>) -> Binary {
    let (w, h) = pyramid.page().dimensions();
    let level = pyramid.level_within((w.max(h) as f32 / LONG_SIDE).max(1.0) * 1.5);
    let gray = level.image;
    let (width, height) = (gray.width() as usize, gray.height() as usize);
    let pixels = gray.as_raw();
    let mut histogram = [0usize; 256];
    pixels.iter().for_each(|&v| histogram[v as usize] += 1);
    let percentile = |share: f32| {
        let want = (pixels.len() as f32 * share) as usize;
        let mut sum = 0;
        histogram.iter().position(|n| {
            sum += n;
            sum > want
        })
    };
    let range = percentile(0.5).unwrap_or(255).saturating_sub(percentile(0.01).unwrap_or(0));
    let darker = (DARKER * range as f32).max(LEAST_DARKER);
    // Window sums: columns kept up to date from row to row.
    let mut columns = vec![0u32; width];
    let mut image = GrayImage::from_pixel(gray.width(), gray.height(), PAPER);
    let add = |columns: &mut [u32], y: usize, plus: bool| {
        for (c, &v) in columns.iter_mut().zip(&pixels[y * width..(y + 1) * width]) {
            *c = if plus { *c + u32::from(v) } else { *c - u32::from(v) };
        }
    };
    (0..WINDOW.min(height)).for_each(|y| add(&mut columns, y, true));
    for y in 0..height {
        if y + WINDOW < height {
            add(&mut columns, y + WINDOW, true);
        }
        if y > WINDOW {
            add(&mut columns, y - WINDOW - 1, false);
        }
        let rows = (y + WINDOW + 1).min(height) - y.saturating_sub(WINDOW);
        let mut sum: u32 = columns[..WINDOW.min(width)].iter().sum();
        let raw: &mut [u8] = image.as_mut();
        let out = &mut raw[y * width..(y + 1) * width];
        for (x, value) in out.iter_mut().enumerate() {
            if x + WINDOW < width {
                sum += columns[x + WINDOW];
            }
            if x > WINDOW {
                sum -= columns[x - WINDOW - 1];
            }
            let wide = (x + WINDOW + 1).min(width) - x.saturating_sub(WINDOW);
            let mean = sum as f32 / (rows * wide) as f32;
            if f32::from(pixels[y * width + x]) < mean - darker {
                *value = INK.0[0];
            }
        }
    }
    Binary { image, factor: level.factor }
}

/// Outlines that may be frames, in page pixels: first those with whole lines, then those whose lines have gaps, last the
/// picture itself when it is nearly square: a tight crop ends with its board.
///
/// Besides them the boxes of all small patches of ink.
pub fn find_frames(binary: &Binary, smallest_square: f32, params: &FindParams) -> (Vec<Quad>, Vec<Glyph>) {
    let mut glyphs = Vec::new();
    let mut found = outlines(binary, smallest_square, params, Some(&mut glyphs));
    let half = halved(binary);
    found.extend(outlines(&half, smallest_square, params, None));
    found.extend(outlines(&halved(&half), smallest_square, params, None));
    let (w, h) = (binary.image.width() as f32 * binary.factor, binary.image.height() as f32 * binary.factor);
    if w.max(h) < ASPECT * w.min(h) {
        found.push(Quad::from_bounds(0.0, 0.0, w, h));
    }
    (found, glyphs)
}

/// A small patch of ink: a letter, or several that touch. Page pixels.
#[derive(Debug, Clone, Copy)]
pub struct Glyph {
    pub middle: Point,
    pub width: f32,
    pub height: f32,
}

/// Largest and smallest side of a glyph in pixels of the reduced page; a pixel was added all around.
const GLYPH_SIDES: std::ops::RangeInclusive<usize> = 4..=48;

/// Half the size; a pixel is ink when one of its four is: gaps of a few pixels close.
fn halved(binary: &Binary) -> Binary {
    let (w, h) = (binary.image.width() as usize, binary.image.height() as usize);
    let pixels = binary.image.as_raw();
    let image = GrayImage::from_fn((w / 2).max(1) as u32, (h / 2).max(1) as u32, |x, y| {
        let (x, y) = (2 * x as usize, 2 * y as usize);
        let (x1, y1) = ((x + 1).min(w - 1), (y + 1).min(h - 1));
        let four = [pixels[y * w + x], pixels[y * w + x1], pixels[y1 * w + x], pixels[y1 * w + x1]];
        Luma([four.into_iter().min().unwrap_or(PAPER.0[0])])
    });
    Binary { image, factor: 2.0 * binary.factor }
}

/// Outlines of connected ink and paper; `glyphs` takes up the small patches of ink.
fn outlines(
    binary: &Binary,
    smallest_square: f32,
    params: &FindParams,
    glyphs: Option<&mut Vec<Glyph>>,
) -> Vec<Quad> {
    // A pixel of ink more closes the gaps of a worn line; labelling by edges then is enough.
    let closed = grow(&binary.image);
    let (width, height) = (closed.width() as usize, closed.height() as usize);
    let Patches { of: labels, boxes } = patches(closed.as_raw(), width);
    let labels = labels.as_slice();
    let least = (8.0 * smallest_square / binary.factor * 0.95) as usize;
    // The first row of a patch holds a pixel of it.
    let is_ink = |label: usize, b: &Bounds| {
        let first = labels[b.y0 * width..(b.y0 + 1) * width].iter().position(|&l| l as usize == label);
        closed.as_raw()[b.y0 * width + first.unwrap_or(0)] == INK.0[0]
    };
    if let Some(glyphs) = glyphs {
        let small = boxes.iter().enumerate().filter(|(label, b)| {
            GLYPH_SIDES.contains(&(b.x1.saturating_sub(b.x0)))
                && GLYPH_SIDES.contains(&(b.y1.saturating_sub(b.y0)))
                && is_ink(*label, b)
        });
        let factor = binary.factor;
        glyphs.extend(small.map(|(_, b)| Glyph {
            middle: Point::new((b.x0 + b.x1) as f32 / 2.0 * factor, (b.y0 + b.y1) as f32 / 2.0 * factor),
            width: (b.x1 - b.x0 - 2) as f32 * factor,
            height: (b.y1 - b.y0 - 2) as f32 * factor,
        }));
    }
    let mut found: Vec<(usize, Quad)> = Vec::new();
    for (label, b) in boxes.iter().enumerate() {
        let (w, h) = (b.x1.saturating_sub(b.x0), b.y1.saturating_sub(b.y0));
        let (long, short) = (w.max(h) as f32, w.min(h) as f32);
        if short < least as f32 || long > ASPECT * 1.2 * short || w * h == width * height {
            continue;
        }
        let ink = is_ink(label, b);
        let straight = if ink { STRAIGHT_INK } else { STRAIGHT };
        let Some(mut quad) = outline(labels, width, label as u32, b, straight) else { continue };
        // Ink was grown by a pixel.
        inset(&mut quad, if ink { 1.0 } else { -1.0 });
        quad.0.iter_mut().for_each(|p| *p = Point::new(p.x * binary.factor, p.y * binary.factor));
        found.push((w * h, quad));
    }
    // Paper inside a frame first: the smaller of nested ones is nearer to the squares.
    found.sort_by_key(|f| f.0);
    found.truncate(params.frame_candidates);
    found.into_iter().map(|f| f.1).collect()
}

/// Each ink pixel grown to 3 x 3.
fn grow(image: &GrayImage) -> GrayImage {
    let (w, h) = (image.width() as usize, image.height() as usize);
    let source = image.as_raw();
    let mut rows = source.clone();
    for (out, line) in rows.chunks_exact_mut(w).zip(source.chunks_exact(w)) {
        for x in 1..w - 1 {
            out[x] = line[x - 1].min(line[x]).min(line[x + 1]);
        }
    }
    let mut out = image.clone();
    let target: &mut [u8] = out.as_mut();
    for y in 1..h - 1 {
        for x in 0..w {
            target[y * w + x] = rows[(y - 1) * w + x].min(rows[y * w + x]).min(rows[(y + 1) * w + x]);
        }
    }
    out
}

/// Share of a side's outermost pixels that must lie on a straight line.
const STRAIGHT: f32 = 0.6;
/// The same where the patch is ink: coordinates grown onto the frame stick out over half of a side.
const STRAIGHT_INK: f32 = 0.4;
/// Share of its patch's box that a quad covers at least: a square tilted by fifteen degrees covers two thirds.
const LEAST_FILLED: f32 = 0.5;

/// The quad through the outermost pixels of a labelled patch; `None` when a side is not straight or the shape not nearly square.
fn outline(labels: &[u32], width: usize, label: u32, b: &Bounds, straight: f32) -> Option<Quad> {
    let (w, h) = (b.x1 - b.x0, b.y1 - b.y0);
    let mut left = vec![None; h];
    let mut right = vec![None; h];
    let mut top = vec![None; w];
    let mut bottom = vec![None; w];
    for y in 0..h {
        let row = &labels[(b.y0 + y) * width + b.x0..(b.y0 + y) * width + b.x1];
        for (x, _) in row.iter().enumerate().filter(|(_, l)| **l == label) {
            left[y].get_or_insert(x as f32);
            right[y] = Some((x + 1) as f32);
            top[x].get_or_insert(y as f32);
            bottom[x] = Some((y + 1) as f32);
        }
    }
    let tolerance = (0.02 * w.max(h) as f32).max(1.0) * 0.5;
    // The middle of each side; the ends belong to the other sides when the board is tilted.
    let side = |points: &[Option<f32>]| -> Option<(f32, f32)> {
        let n = points.len();
        let (from, to) = (n / 6, n - n / 6);
        robust_line(points, from, to, tolerance, straight)
    };
    let (l, r, t, d) = (side(&left)?, side(&right)?, side(&top)?, side(&bottom)?);
    // Sides are x = a + b y, tops are y = a + b x.
    let cross = |v: (f32, f32), u: (f32, f32)| -> Point {
        let y = (u.0 + u.1 * v.0) / (1.0 - u.1 * v.1);
        Point::new(v.0 + v.1 * y + b.x0 as f32, y + b.y0 as f32)
    };
    let quad = Quad([cross(l, t), cross(r, t), cross(r, d), cross(l, d)]);
    let lengths: [f32; 4] = std::array::from_fn(|i| quad.0[i].distance(quad.0[(i + 1) % 4]));
    let (short, long) = lengths.iter().fold((f32::MAX, 0f32), |(s, l), &v| (s.min(v), l.max(v)));
    // Sides that lie elsewhere than the patch's own are strokes within it.
    let fills = quad.area() > LEAST_FILLED * (w * h) as f32;
    (fills && long < ASPECT * short).then_some(quad)
}

/// Line value = a + b (index + 0.5) through most of the points, by votes of pairs, then least squares of those near it.
fn robust_line(
    points: &[Option<f32>],
    from: usize,
    to: usize,
    tolerance: f32,
    straight: f32,
) -> Option<(f32, f32)> {
    let seen: Vec<(f32, f32)> = (from..to).filter_map(|i| points[i].map(|v| (i as f32 + 0.5, v))).collect();
    if seen.len() < 8 || seen.len() * 10 < (to - from) * 8 {
        return None;
    }
    let half = seen.len() / 2;
    let stride = (half / 24).max(1);
    let mut best = (0, 0.0, 0.0);
    for i in (0..half).step_by(stride) {
        for j in (half..seen.len()).step_by(stride) {
            let slope = (seen[j].1 - seen[i].1) / (seen[j].0 - seen[i].0);
            if slope.abs() > 0.35 {
                continue;
            }
            let start = seen[i].1 - slope * seen[i].0;
            let near =
                seen.iter().step_by(stride).filter(|p| (start + slope * p.0 - p.1).abs() < tolerance).count();
            if near > best.0 {
                best = (near, start, slope);
            }
        }
    }
    let near: Vec<(f32, f32)> =
        seen.iter().copied().filter(|p| (best.1 + best.2 * p.0 - p.1).abs() < tolerance).collect();
    if (near.len() as f32) < straight * seen.len() as f32 {
        return None;
    }
    let n = near.len() as f32;
    let (mx, my) = near.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let (sxx, sxy) =
        near.iter().fold((0.0, 0.0), |(a, b), p| (a + (p.0 - mx).powi(2), b + (p.0 - mx) * (p.1 - my)));
    if sxx <= 0.0 {
        return None;
    }
    let slope = sxy / sxx;
    Some((my - slope * mx, slope))
}

/// Moves the corners inwards by `by` pixels along the diagonals of an upright square.
fn inset(quad: &mut Quad, by: f32) {
    for (p, (dx, dy)) in quad.0.iter_mut().zip([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]) {
        *p = Point::new(p.x + dx * by, p.y + dy * by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(tilt: f32) -> GrayImage {
        // A square outline of side 400 and 3 pixels width around (300, 320), tilted.
        let (sin, cos) = tilt.to_radians().sin_cos();
        GrayImage::from_fn(620, 700, |x, y| {
            let (dx, dy) = (x as f32 + 0.5 - 300.0, y as f32 + 0.5 - 320.0);
            let (u, v) = (cos * dx + sin * dy, cos * dy - sin * dx);
            let far = u.abs().max(v.abs());
            Luma([if (200.0..203.0).contains(&far) { 40 } else { 230 }])
        })
    }

    #[test]
    fn an_outline_is_found_at_its_inner_edge_also_tilted_and_touched() {
        for tilt in [0.0, -8.0, 5.0] {
            let mut page = framed(tilt);
            // A caption that touches the frame from below.
            for y in 515..540 {
                for x in 280..330 {
                    page.put_pixel(x, y, Luma([20]));
                }
            }
            let pyramid = Pyramid::new(&page);
            let frames = find_frames(&binarize(&pyramid), 9.0, &FindParams::default()).0;
            let (sin, cos) = f32::to_radians(tilt).sin_cos();
            let corner = |x: f32, y: f32| Point::new(300.0 + cos * x - sin * y, 320.0 + sin * x + cos * y);
            let want =
                Quad([corner(-200., -200.), corner(200., -200.), corner(200., 200.), corner(-200., 200.)]);
            let off = |q: &Quad| (0..4).map(|i| q.0[i].distance(want.0[i])).fold(0.0, f32::max);
            let nearest = frames.iter().map(off).fold(f32::MAX, f32::min);
            assert!(nearest < 3.0, "tilt {tilt}: {nearest}");
        }
    }

    #[test]
    fn text_lines_are_no_frame() {
        let page = GrayImage::from_fn(600, 900, |x, y| {
            Luma([if y % 20 < 8 && (x / 7) % 3 != 0 { 30 } else { 240 }])
        });
        let frames = find_frames(&binarize(&Pyramid::new(&page)), 9.0, &FindParams::default()).0;
        assert!(frames.is_empty(), "{frames:?}");
    }
}
