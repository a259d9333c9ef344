//! Boards by their alternation: a matched filter of 8 x 8 light and dark squares over position, size and tilt.
//!
//! For each square size the page is resampled so that a square is [`UNIT`] pixels. There the alternating sum of
//! 4 x 4 squares takes two additions along each axis (pairs, pairs of pairs), and it hardly feels a tilt of ten
//! degrees; where four such blocks side by side alternate strongly, the 64 squares are summed exactly, at several
//! tilts. The sum over the standard deviation of the same window tells how much of the picture there is a chequer,
//! whatever its contrast.

use super::FindParams;
use super::pyramid::Pyramid;
use crate::board::{Point, Quad};

/// Pixels a square in the resampled picture: a quarter of a square is the finest step that the refinement needs.
const UNIT: usize = 4;
const SPAN: usize = 8 * UNIT;
/// The window may reach this far (in squares) beyond the picture: of a board cut by the edge half is left.
const OUTSIDE: usize = 4;
/// Tilts tried, in degrees: between two of them a corner square is off by less than a fifth.
const TILTS: [f32; 9] = [-10.0, -7.5, -5.0, -2.5, 0.0, 2.5, 5.0, 7.5, 10.0];
/// Contrast in gray levels at which a chequer is as believable as not: paper grain stays below it.
const GRAIN: f32 = 3.0;

/// A place where the page alternates.
#[derive(Debug, Clone, Copy)]
pub struct Chequer {
    pub quad: Quad,
    /// Top left square light.
    pub light_first: bool,
    /// Correlation with the ideal chequer, 0 to 1.
    pub correlation: f32,
    /// Correlation weighed by contrast: what candidates are ranked by.
    rank: f32,
}

/// All local maxima of the matched filter above the threshold, best first, without near duplicates.
/// Windows centred on one of the boards that are `known` are left out.
pub fn find_chequers(pyramid: &Pyramid<'_>, known: &[Quad], params: &FindParams) -> Vec<Chequer> {
    let (width, height) = pyramid.page().dimensions();
    let short = width.min(height) as f32;
    let smallest = super::smallest_square(pyramid.page(), params);
    // A board as large as the picture, and a little larger for one that is cut.
    let largest = short / 8.0 * 1.08;
    let patterns = TILTS.map(Pattern::new);
    let known: Vec<_> = known.iter().map(Quad::bounds).collect();
    let mut found = Vec::new();
    let mut square = largest;
    while square >= smallest * 0.95 {
        scan_size(pyramid, square, &patterns, &known, params, &mut found);
        square /= params.size_step;
    }
    found.sort_by(|a: &Chequer, b| b.rank.total_cmp(&a.rank));
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

/// The page resampled to [`UNIT`] pixels a square, as darkness without its local mean; 0 outside the page.
struct Cells {
    values: Vec<f32>,
    w: usize,
    h: usize,
}

fn scan_size(
    pyramid: &Pyramid<'_>,
    square: f32,
    patterns: &[Pattern],
    known: &[(f32, f32, f32, f32)],
    params: &FindParams,
    found: &mut Vec<Chequer>,
) {
    let step = square / UNIT as f32;
    let border = OUTSIDE * UNIT;
    let Some(cells) = resample(pyramid, step, border) else { return };
    let (w, h) = (cells.w, cells.h);
    let deviation = window_deviation(&cells.values, w, h);
    let blocks = alternating_blocks(&cells.values, w, h);
    let half = SPAN / 2;
    let mut energy = vec![0f32; w * h];
    for y in 0..=h - SPAN {
        for x in 0..=w - SPAN {
            let i = y * w + x;
            let sum = blocks[i].abs()
                + blocks[i + half].abs()
                + blocks[i + half * w].abs()
                + blocks[i + half * w + half].abs();
            if sum >= 64.0 * params.least_contrast {
                energy[i] = sum / (64.0 * deviation[i].max(1.0));
            }
        }
    }
    for y in 0..=h - SPAN {
        for x in 0..=w - SPAN {
            let value = energy[y * w + x];
            // Tilt takes a third of the blocks' sums at most.
            if value < params.least_correlation || !is_peak(&energy, w, h, x, y) {
                continue;
            }
            let at = |v: usize| (v as f32 + (SPAN / 2) as f32 - border as f32) * step;
            let (px, py) = (at(x), at(y));
            if known.iter().any(|b| px > b.0 && px < b.2 && py > b.1 && py < b.3) {
                continue;
            }
            let spread = 64.0 * deviation[y * w + x].max(1.0);
            let enough = (spread * params.least_correlation).max(64.0 * params.least_contrast);
            let Some(best) = cells.best_fit(patterns, x, y, enough) else { continue };
            let (contrast, correlation) = (best.sum.abs() / 64.0, best.sum.abs() / spread);
            let place = |v: isize| (v as f32 + 0.5 - border as f32) * step;
            found.push(Chequer {
                quad: tilted_quad(Point::new(place(best.x), place(best.y)), square * 8.0, best.tilt),
                light_first: best.sum < 0.0,
                correlation,
                rank: correlation * contrast / (contrast + GRAIN),
            });
        }
    }
}

/// Resamples and flattens; `None` when the page is smaller than a board of this size.
fn resample(pyramid: &Pyramid<'_>, step: f32, border: usize) -> Option<Cells> {
    // A level pixel of up to half a square: hatching is averaged away, the chequer is not.
    let level = pyramid.level_within(2.0 * step);
    let (page_w, page_h) = pyramid.page().dimensions();
    let inner_w = (page_w as f32 / step).ceil() as usize;
    let inner_h = (page_h as f32 / step).ceil() as usize;
    let (w, h) = (inner_w + 2 * border, inner_h + 2 * border);
    if w < SPAN || h < SPAN {
        return None;
    }
    let mut dark = vec![0f32; w * h];
    for y in 0..inner_h {
        let py = ((y as f32 + 0.5) * step).min(page_h as f32);
        let start = (y + border) * w + border;
        level.row(py, step, &mut dark[start..start + inner_w]);
    }
    dark.iter_mut().for_each(|v| *v = -*v);
    flatten(&mut dark, w, border..border + inner_w, border..border + inner_h);
    // A square's value: four points at its quarters, so that a man in the middle weighs less.
    let mut values = vec![0f32; w * h];
    for y in 1..h - 1 {
        let (above, below) = (&dark[(y - 1) * w..y * w], &dark[(y + 1) * w..(y + 2) * w]);
        let out = &mut values[y * w + 1..(y + 1) * w - 1];
        for (x, value) in out.iter_mut().enumerate() {
            *value = 0.25 * (above[x] + above[x + 2] + below[x] + below[x + 2]);
        }
    }
    Some(Cells { values, w, h })
}

/// A placement of the 64 squares: the pixel at its centre, tilt in degrees, alternating sum (positive: dark first).
#[derive(Clone, Copy)]
struct Fit {
    x: isize,
    y: isize,
    tilt: f32,
    sum: f32,
}

/// Pixels of the 64 squares' middles relative to the board's middle pixel, with their signs, at one tilt.
struct Pattern {
    tilt: f32,
    offsets: [(isize, isize); 64],
}

impl Pattern {
    fn new(tilt: f32) -> Pattern {
        let (sin, cos) = tilt.to_radians().sin_cos();
        let offsets = std::array::from_fn(|i| {
            let (u, v) = ((i % 8) as f32 - 3.5, (i / 8) as f32 - 3.5);
            let unit = UNIT as f32;
            ((unit * (cos * u - sin * v)).round() as isize, (unit * (sin * u + cos * v)).round() as isize)
        });
        Pattern { tilt, offsets }
    }
}

impl Cells {
    /// The best tilt and shift near the window that begins at (`x`, `y`).
    fn best_fit(&self, patterns: &[Pattern], x: usize, y: usize, enough: f32) -> Option<Fit> {
        // Blocks belong to the pixel two before their first square's middle: the window's centre is 16 on.
        let (cx, cy) = ((x + SPAN / 2) as isize, (y + SPAN / 2) as isize);
        let attempt = |x: isize, y: isize, pattern: &Pattern, best: &mut (Fit, usize), index: usize| {
            let sum = self.alternating_sum(x, y, pattern);
            if sum.abs() > best.0.sum.abs() {
                *best = (Fit { x, y, tilt: pattern.tilt, sum }, index);
            }
        };
        let mut best = (Fit { x: cx, y: cy, tilt: 0.0, sum: 0.0 }, 0);
        for (index, pattern) in patterns.iter().enumerate() {
            attempt(cx, cy, pattern, &mut best, index);
        }
        // A quarter of a square off either way, a half is left; what is under that will not get there.
        let (first, at) = best;
        if first.sum.abs() < enough / 2.0 {
            return None;
        }
        for (dx, dy) in AROUND {
            attempt(first.x + dx, first.y + dy, &patterns[at], &mut best, at);
        }
        if best.0.sum.abs() < enough * 0.8 {
            return None;
        }
        let (from, at) = best;
        for (index, pattern) in patterns.iter().enumerate().take(at + 2).skip(at.saturating_sub(1)) {
            for (dx, dy) in AROUND {
                attempt(from.x + dx, from.y + dy, pattern, &mut best, index);
            }
        }
        (best.0.sum.abs() >= enough).then_some(best.0)
    }

    fn alternating_sum(&self, cx: isize, cy: isize, pattern: &Pattern) -> f32 {
        let reach = (SPAN * 3 / 4) as isize;
        let (w, h) = (self.w as isize, self.h as isize);
        let value = |i: usize| {
            let (dx, dy) = pattern.offsets[i];
            let (x, y) = (cx + dx, cy + dy);
            self.values[(y * w + x) as usize]
        };
        let mut sum = 0.0;
        if cx >= reach && cy >= reach && cx + reach < w && cy + reach < h {
            for i in 0..64 {
                sum += if (i + i / 8) % 2 == 0 { value(i) } else { -value(i) };
            }
        } else {
            for (i, (dx, dy)) in pattern.offsets.iter().enumerate() {
                let inside = (0..w).contains(&(cx + dx)) && (0..h).contains(&(cy + dy));
                if inside {
                    sum += if (i + i / 8) % 2 == 0 { value(i) } else { -value(i) };
                }
            }
        }
        sum
    }
}

/// The eight pixels around one.
const AROUND: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

fn is_peak(energy: &[f32], w: usize, h: usize, x: usize, y: usize) -> bool {
    let value = energy[y * w + x];
    for yy in y.saturating_sub(2)..(y + 3).min(h) {
        for xx in x.saturating_sub(2)..(x + 3).min(w) {
            let other = energy[yy * w + xx];
            if other > value || (other == value && (yy, xx) < (y, x)) {
                return false;
            }
        }
    }
    true
}

fn tilted_quad(center: Point, side: f32, tilt: f32) -> Quad {
    let (sin, cos) = tilt.to_radians().sin_cos();
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

/// Sums of 4 x 4 squares with alternating signs. The value belongs to the pixel two before the first square's middle,
/// each way, so that a window begins at its corner.
fn alternating_blocks(cells: &[f32], w: usize, h: usize) -> Vec<f32> {
    let mut a = cells.to_vec();
    // Along rows, in place from left to right: what is read lies ahead.
    for row in a.chunks_exact_mut(w) {
        for x in 0..w - UNIT {
            row[x] -= row[x + UNIT];
        }
        for x in 0..w - 2 * UNIT {
            row[x] += row[x + 2 * UNIT];
        }
    }
    for (ahead, sign) in [(UNIT, -1.0), (2 * UNIT, 1.0)] {
        for y in 0..h - ahead {
            let (above, below) = a.split_at_mut((y + ahead) * w);
            for (v, other) in above[y * w..(y + 1) * w].iter_mut().zip(&below[..w]) {
                *v += sign * other;
            }
        }
    }
    let half = UNIT / 2;
    a.drain(..half * w + half);
    a.resize(w * h, 0.0);
    a
}
