//! Boards by their alternation: a matched filter of 8 x 8 light and dark squares over position, size and tilt.
//!
//! For each square size the page is resampled so that a square is [`UNIT`] pixels; there the sum of 64
//! squares with alternating signs needs three additions along each axis (pairs, pairs of pairs, and so on), and
//! a tilt is only another set of whole-pixel offsets. The sum over the standard deviation of the same window
//! tells how much of the picture there is a chequer, whatever its contrast.

use super::FindParams;
use super::pyramid::Pyramid;
use crate::board::{Point, Quad};

/// Pixels a square in the resampled picture: a quarter of a square is the finest step that the refinement needs.
const UNIT: usize = 4;
const SPAN: usize = 8 * UNIT;
/// The window may reach this far (in squares) beyond the picture: boards cut by the edge.
const OUTSIDE: usize = 2;
/// Tilts tried, as offsets in pixels across [`UNIT`] squares: 16 pixels along by k across, 0 to 10 degrees.
const TILTS: [f32; 7] = [0.0, -0.0625, 0.0625, -0.125, 0.125, -0.18, 0.18];

/// A place where the page alternates.
#[derive(Debug, Clone, Copy)]
pub struct Chequer {
    pub quad: Quad,
    /// Top left square light.
    pub light_first: bool,
    /// Correlation with the ideal chequer, 0 to 1.
    pub correlation: f32,
}

/// All local maxima of the matched filter above the threshold, best first, without near duplicates.
pub fn find_chequers(pyramid: &Pyramid<'_>, params: &FindParams) -> Vec<Chequer> {
    let (width, height) = pyramid.page().dimensions();
    let (short, long) = (width.min(height) as f32, width.max(height) as f32);
    let smallest = params.smallest_square.max(long / params.squares_along_page);
    // A board as large as the picture, and a little larger for one that is cut.
    let largest = short / 8.0 * 1.08;
    let mut found = Vec::new();
    let mut square = largest;
    while square >= smallest * 0.95 {
        scan_size(pyramid, square, params, &mut found);
        square /= params.size_step;
    }
    found.sort_by(|a: &Chequer, b| b.correlation.total_cmp(&a.correlation));
    thin(found, params.chequer_candidates)
}

/// Drops what lies almost on a better one.
fn thin(found: Vec<Chequer>, limit: usize) -> Vec<Chequer> {
    let mut kept: Vec<Chequer> = Vec::new();
    for next in found {
        let (center, size) = (next.quad.center(), next.quad.square_size());
        let near = kept.iter().any(|k| {
            let (c, s) = (k.quad.center(), k.quad.square_size());
            let ratio = size / s;
            // The refinement brings these to the same lattice, whole squares included.
            c.distance(center) < 3.5 * s && (0.75..1.33).contains(&ratio)
        });
        if !near {
            kept.push(next);
            if kept.len() == limit {
                break;
            }
        }
    }
    kept
}

fn scan_size(pyramid: &Pyramid<'_>, square: f32, params: &FindParams, found: &mut Vec<Chequer>) {
    let step = square / UNIT as f32;
    // A level pixel of up to half a square: hatching is averaged away, the chequer is not.
    let level = pyramid.level_within(2.0 * step);
    let (page_w, page_h) = pyramid.page().dimensions();
    let border = OUTSIDE * UNIT;
    let inner_w = (page_w as f32 / step).ceil() as usize;
    let inner_h = (page_h as f32 / step).ceil() as usize;
    let (w, h) = (inner_w + 2 * border, inner_h + 2 * border);
    if w < SPAN || h < SPAN {
        return;
    }
    let inside_x = border..border + inner_w;
    let inside_y = border..border + inner_h;
    let mut dark = vec![0f32; w * h];
    for y in inside_y.clone() {
        let py = (y as f32 - border as f32 + 0.5) * step;
        for x in inside_x.clone() {
            let px = (x as f32 - border as f32 + 0.5) * step;
            dark[y * w + x] = 255.0 - level.at(px.min(page_w as f32), py.min(page_h as f32));
        }
    }
    flatten(&mut dark, w, inside_x, inside_y);

    // A square's value: four points at its quarters, so that a man in the middle weighs less.
    let mut cells = vec![0f32; w * h];
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            let i = y * w + x;
            cells[i] = 0.25 * (dark[i - w - 1] + dark[i - w + 1] + dark[i + w - 1] + dark[i + w + 1]);
        }
    }
    let deviation = window_deviation(&cells, w, h);
    let mut best = vec![0f32; w * h];
    let mut best_tilt = vec![0u8; w * h];
    for (index, &tilt) in TILTS.iter().enumerate() {
        let sums = alternating_sums(&cells, w, h, tilt);
        // Where the window of this tilt is centred, relative to its first square.
        let shift = (14.0 * tilt).round() as isize;
        for y in 0..=h - SPAN {
            for x in 0..=w - SPAN {
                // First square of the tilted lattice whose centre of gravity is that of the upright one at (x, y).
                let (fx, fy) = (x as isize + shift, y as isize - shift);
                if fx < 0 || fy < 0 || fx >= w as isize || fy >= h as isize {
                    continue;
                }
                let sum = sums[fy as usize * w + fx as usize];
                let i = y * w + x;
                if sum.abs() > best[i].abs() {
                    best[i] = sum;
                    best_tilt[i] = index as u8;
                }
            }
        }
    }
    for y in 0..=h - SPAN {
        for x in 0..=w - SPAN {
            let i = y * w + x;
            let contrast = best[i].abs() / 64.0;
            if contrast < params.least_contrast {
                best[i] = 0.0;
                continue;
            }
            best[i] /= 64.0 * deviation[i].max(1.0);
        }
    }
    for y in 0..=h - SPAN {
        for x in 0..=w - SPAN {
            let i = y * w + x;
            let value = best[i].abs();
            if value < params.least_correlation || !is_peak(&best, w, h, x, y) {
                continue;
            }
            let tilt = TILTS[best_tilt[i] as usize];
            // Pixel x stands for the window whose first square is centred on pixel x + 2.
            let middle = |v: usize| (v as f32 + 0.5 + (SPAN / 2) as f32 - border as f32) * step;
            let center = Point::new(middle(x), middle(y));
            found.push(Chequer {
                quad: tilted_quad(center, square * 8.0, tilt),
                light_first: best[i] > 0.0,
                correlation: value,
            });
        }
    }
}

fn is_peak(best: &[f32], w: usize, h: usize, x: usize, y: usize) -> bool {
    let value = best[y * w + x].abs();
    for yy in y.saturating_sub(2)..(y + 3).min(h) {
        for xx in x.saturating_sub(2)..(x + 3).min(w) {
            let other = best[yy * w + xx].abs();
            if other > value || (other == value && (yy, xx) < (y, x)) {
                return false;
            }
        }
    }
    true
}

fn tilted_quad(center: Point, side: f32, tilt: f32) -> Quad {
    let (sin, cos) = tilt.atan().sin_cos();
    let half = side / 2.0;
    Quad(
        [(-half, -half), (half, -half), (half, half), (-half, half)]
            .map(|(x, y)| Point::new(center.x + cos * x - sin * y, center.y + sin * x + cos * y)),
    )
}

/// Takes off the mean of the two-square window around: light falling unevenly goes, the chequer stays.
/// Outside the picture the value is 0.
fn flatten(dark: &mut [f32], w: usize, inside_x: std::ops::Range<usize>, inside_y: std::ops::Range<usize>) {
    let size = 2 * UNIT;
    let (iw, ih) = (inside_x.len(), inside_y.len());
    // Running sums along rows, then down columns.
    let mut column = vec![0f32; iw];
    let row_sum = |dark: &[f32], y: usize, out: &mut [f32]| {
        let line = &dark[y * w + inside_x.start..y * w + inside_x.end];
        let mut sum: f32 = line[..(size / 2).min(iw)].iter().sum();
        for x in 0..iw {
            if x + size / 2 < iw {
                sum += line[x + size / 2];
            }
            if x > size / 2 {
                sum -= line[x - size / 2 - 1];
            }
            out[x] = sum;
        }
    };
    let mut rows = vec![0f32; iw * ih];
    for (y, out) in inside_y.clone().zip(rows.chunks_mut(iw)) {
        row_sum(dark, y, out);
    }
    let count = |v: usize, n: usize| (v + size / 2 + 1).min(n) - v.saturating_sub(size / 2);
    for y in 0..(size / 2).min(ih) {
        for (c, v) in column.iter_mut().zip(&rows[y * iw..(y + 1) * iw]) {
            *c += v;
        }
    }
    for y in 0..ih {
        if y + size / 2 < ih {
            let line = &rows[(y + size / 2) * iw..(y + size / 2 + 1) * iw];
            column.iter_mut().zip(line).for_each(|(c, v)| *c += v);
        }
        if y > size / 2 {
            let line = &rows[(y - size / 2 - 1) * iw..(y - size / 2) * iw];
            column.iter_mut().zip(line).for_each(|(c, v)| *c -= v);
        }
        let cy = count(y, ih);
        let start = (inside_y.start + y) * w + inside_x.start;
        for (x, value) in dark[start..start + iw].iter_mut().enumerate() {
            *value -= column[x] / (cy * count(x, iw)) as f32;
        }
    }
}

/// Root mean square of the window of 8 x 8 squares that begins at each pixel.
fn window_deviation(cells: &[f32], w: usize, h: usize) -> Vec<f32> {
    let mut out = vec![0f32; w * h];
    let mut column = vec![0f32; w];
    for y in 0..SPAN.min(h) {
        column.iter_mut().zip(&cells[y * w..(y + 1) * w]).for_each(|(c, v)| *c += v * v);
    }
    for y in 0..=h - SPAN {
        let mut sum: f32 = column[..SPAN].iter().sum();
        for x in 0..=w - SPAN {
            out[y * w + x] = (sum.max(0.0) / (SPAN * SPAN) as f32).sqrt();
            if x + SPAN < w {
                sum += column[x + SPAN] - column[x];
            }
        }
        if y + SPAN < h {
            let (gone, come) = (&cells[y * w..(y + 1) * w], &cells[(y + SPAN) * w..(y + SPAN + 1) * w]);
            for ((c, g), n) in column.iter_mut().zip(gone).zip(come) {
                *c += n * n - g * g;
            }
        }
    }
    out
}

/// Sum of 64 squares with alternating signs; positive where the first square is light. The value belongs to
/// the pixel of the first square's middle, less two each way so that windows begin at their corner.
fn alternating_sums(cells: &[f32], w: usize, h: usize, tilt: f32) -> Vec<f32> {
    let mut current = cells.to_vec();
    let mut next = vec![0f32; w * h];
    for (along, times) in [(1usize, 1), (2, 2), (4, 4)] {
        let dx = along * UNIT;
        let dy = (tilt * (times * UNIT) as f32).round() as isize;
        combine(&current, &mut next, w, h, dx as isize, dy, along == 1);
        std::mem::swap(&mut current, &mut next);
    }
    for along in [1usize, 2, 4] {
        let dy = along * UNIT;
        let dx = -(tilt * (along * UNIT) as f32).round() as isize;
        combine(&current, &mut next, w, h, dx, dy as isize, along == 1);
        std::mem::swap(&mut current, &mut next);
    }
    // Darkness is positive in `cells`: a dark first square gives a positive sum so far.
    current.iter_mut().for_each(|v| *v = -*v);
    // Shift by half a square.
    let half = UNIT / 2;
    let mut out = vec![0f32; w * h];
    for y in 0..h - half {
        out[y * w..y * w + w - half].copy_from_slice(&current[(y + half) * w + half..(y + half + 1) * w]);
    }
    out
}

/// `next[p] = current[p] ± current[p + (dx, dy)]`, minus for neighbours of unlike colour.
fn combine(current: &[f32], next: &mut [f32], w: usize, h: usize, dx: isize, dy: isize, unlike: bool) {
    let sign = if unlike { -1.0 } else { 1.0 };
    for y in 0..h {
        let out = &mut next[y * w..(y + 1) * w];
        let here = &current[y * w..(y + 1) * w];
        let from = y as isize + dy;
        if from < 0 || from >= h as isize {
            out.copy_from_slice(here);
            continue;
        }
        let there = &current[from as usize * w..(from as usize + 1) * w];
        let (first, last) = ((-dx).max(0) as usize, (w as isize - dx).clamp(0, w as isize) as usize);
        out[..first].copy_from_slice(&here[..first]);
        let offset = (first as isize + dx) as usize;
        for ((o, a), b) in out[first..last].iter_mut().zip(&here[first..last]).zip(&there[offset..]) {
            *o = a + sign * b;
        }
        let last = last.max(first);
        out[last..].copy_from_slice(&here[last..]);
    }
}
