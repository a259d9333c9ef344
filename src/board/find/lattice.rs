//! Fitting 9 + 9 lattice lines to a board: steps between neighbouring squares, then a homography.

use super::pyramid::Pyramid;
use super::straight::{Channel, FINE, Straight};
use crate::board::warp::Homography;
use crate::board::{Point, Quad};

/// Pixels a square of the straightened picture in a first fit.
const COARSE: usize = 8;

/// A lattice fitted to a picture.
#[derive(Debug, Clone, Copy)]
pub struct Lattice {
    pub quad: Quad,
    /// Root mean square distance of seen steps from the lines, in squares.
    pub residual: f32,
    /// Share of the steps that were seen within [`CLOSE`] of their line; chance alone gives a third.
    pub seen: f32,
}

/// A step this near its line (in squares) speaks for the lattice.
const CLOSE: f32 = 0.08;

/// One step between two neighbouring squares: where it was looked for and how far off it was found.
struct Step {
    u: f32,
    v: f32,
    /// Measured along u (a vertical line) or v.
    along_u: bool,
    offset: f32,
    weight: f32,
}

/// A round of the fit: pixels a square, search reach in squares, whether the whole homography is free.
struct Round {
    fine: usize,
    reach: f32,
    whole: bool,
}

/// Coarse and affine first, then the whole homography.
const ROUNDS: [Round; 4] = [
    Round { fine: COARSE, reach: 0.6, whole: false },
    Round { fine: COARSE, reach: 0.4, whole: false },
    Round { fine: FINE, reach: 0.35, whole: true },
    Round { fine: FINE, reach: 0.25, whole: true },
];

/// After the second round at least this share of the steps lies near its line, or there is no board: chance gives a fifth, boards
/// give a half.
const EARLY_SEEN: f32 = 0.27;

/// Moves `quad` until the steps between light and dark squares lie on its lines. `light_first`: the top left square is light.
/// A `doubtful` one is given up when the first rounds see no lattice.
pub fn fit(
    pyramid: &Pyramid<'_>,
    channel: Channel,
    quad: &Quad,
    light_first: bool,
    doubtful: bool,
) -> Option<Lattice> {
    let mut lattice = Lattice { quad: *quad, residual: 1.0, seen: 0.0 };
    for (index, round) in ROUNDS.iter().enumerate() {
        let straight = Straight::of(channel, pyramid, &lattice.quad, round.fine, 1)?;
        let steps = measure(&straight, light_first, round.reach);
        lattice = solve(&lattice.quad, &steps, round.reach, round.whole, STEPS)?;
        if doubtful && index == 1 && lattice.seen < EARLY_SEEN {
            return None;
        }
    }
    Some(lattice)
}

/// Share of the steps between squares that lie on the lines of `quad` as it is.
pub fn support(pyramid: &Pyramid<'_>, quad: &Quad, light_first: bool) -> f32 {
    let Some(straight) = Straight::new(pyramid, quad, FINE, 1) else { return 0.0 };
    let steps = measure(&straight, light_first, 0.25);
    steps.iter().filter(|s| s.offset.abs() < CLOSE).count() as f32 / STEPS as f32
}

/// Moves `quad` onto the inner edge of the frame around it: the residual tells how straight that is.
pub fn fit_frame(pyramid: &Pyramid<'_>, quad: &Quad) -> Option<Lattice> {
    let mut lattice = Lattice { quad: *quad, residual: 1.0, seen: 0.0 };
    for reach in [0.25, 0.15] {
        let straight = Straight::new(pyramid, &lattice.quad, FINE, 1)?;
        let mut steps = Vec::with_capacity(FRAME_STEPS);
        for cell in 0..8usize {
            for (line, along_u) in [(0, true), (8, true), (0, false), (8, false)] {
                let across = cell * FINE + 2..(cell + 1) * FINE - 2;
                // The frame is the dark side.
                let step = find_step(&straight, line, across, along_u, line == 0, reach, 2);
                let Some((offset, weight)) = step else { continue };
                let (a, b) = (line as f32, cell as f32 + 0.5);
                let (u, v) = if along_u { (a, b) } else { (b, a) };
                steps.push(Step { u, v, along_u, offset, weight });
            }
        }
        lattice = solve(&lattice.quad, &steps, reach, true, FRAME_STEPS)?;
    }
    Some(lattice)
}

/// Moves `quad` onto drawn lines between the squares: boards whose squares are told apart by lines alone.
pub fn fit_lines(pyramid: &Pyramid<'_>, quad: &Quad) -> Option<Lattice> {
    let mut lattice = Lattice { quad: *quad, residual: 1.0, seen: 0.0 };
    for (reach, whole) in [(0.45, false), (0.3, true), (0.2, true)] {
        let straight = Straight::new(pyramid, &lattice.quad, FINE, 1)?;
        let mut steps = Vec::with_capacity(LINE_STEPS);
        for line in 1..8usize {
            for cell in 0..8usize {
                for along_u in [true, false] {
                    let Some((offset, weight)) = find_ridge(&straight, line, cell, along_u, reach) else {
                        continue;
                    };
                    let (a, b) = (line as f32, cell as f32 + 0.5);
                    let (u, v) = if along_u { (a, b) } else { (b, a) };
                    steps.push(Step { u, v, along_u, offset, weight });
                }
            }
        }
        lattice = solve(&lattice.quad, &steps, reach, whole, LINE_STEPS)?;
    }
    Some(lattice)
}

/// Pieces of inner lines looked for: one a square, both ways.
const LINE_STEPS: usize = 7 * 8 * 2;
/// A drawn line is darker than both its sides by this many gray levels at least.
const LEAST_RIDGE: f32 = 6.0;

/// Offset (in squares) of the dark line nearest in strength to the best beside a square, and its depth in gray levels. It
/// must run beside the square's whole middle half: men keep off it.
fn find_ridge(s: &Straight, line: usize, cell: usize, along_u: bool, reach: f32) -> Option<(f32, f32)> {
    let reach_px = (reach * s.fine() as f32).round() as usize;
    let border = s.border();
    let beside = 3;
    let first = border + line * s.fine() - reach_px - beside;
    let count = 2 * (reach_px + beside) + 1;
    let (from, to) = (border + cell * s.fine() + s.fine() / 8, border + (cell + 1) * s.fine() - s.fine() / 8);
    let value = |i: usize, a: usize| f32::from(if along_u { s.at(first + i, a) } else { s.at(a, first + i) });
    let mut profile = [0f32; 3 * FINE];
    for (i, out) in profile[..count].iter_mut().enumerate() {
        *out = (from..to).map(|a| value(i, a)).sum::<f32>() / (to - from) as f32;
    }
    let depth = |i: usize| profile[i - beside].min(profile[i + beside]) - profile[i];
    let best = (beside..count - beside).max_by(|&a, &b| depth(a).total_cmp(&depth(b)))?;
    let top = depth(best);
    // Drawn over its length: most of its pixels are darker than beside.
    let along = (from..to)
        .filter(|&a| value(best - beside, a).min(value(best + beside, a)) - value(best, a) > top * 0.4);
    if top < LEAST_RIDGE || 4 * along.count() < 3 * (to - from) {
        return None;
    }
    let (a, b, c) = (profile[best - 1], profile[best], profile[best + 1]);
    let bend = a - 2.0 * b + c;
    let sub = if bend > 1e-6 { (0.5 * (a - c) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    // Pixel `i` lies half a pixel beyond its edge.
    Some(((best as f32 + 0.5 + sub - (reach_px + beside) as f32) / s.fine() as f32, top))
}

/// Steps looked for along a frame: one a square on four sides.
const FRAME_STEPS: usize = 32;

fn measure(straight: &Straight, light_first: bool, reach: f32) -> Vec<Step> {
    let mut steps = Vec::with_capacity(STEPS);
    // A quarter of a square: more than a period of coarse hatching.
    let half = straight.fine() / 4;
    for line in 1..8usize {
        for cell in 0..8usize {
            // Left (or upper) square of the step: dark when the sum of its indices is odd and the first is light.
            let left_dark = ((line - 1 + cell) % 2 == 1) == light_first;
            for along_u in [true, false] {
                for (from, to) in BANDS {
                    let pixel = |v: f32| ((cell as f32 + v) * straight.fine() as f32).round() as usize;
                    let (start, end) = (pixel(from), pixel(to));
                    let Some((offset, weight)) =
                        find_step(straight, line, start..end, along_u, left_dark, reach, half)
                    else {
                        continue;
                    };
                    let (a, b) = (line as f32, cell as f32 + (from + to) / 2.0);
                    let (u, v) = if along_u { (a, b) } else { (b, a) };
                    steps.push(Step { u, v, along_u, offset, weight });
                }
            }
        }
    }
    steps
}

/// Steps looked for: 7 lines of 8 squares each way, near both ends of each square's side.
const STEPS: usize = 7 * 8 * 2 * 2;

/// Where along a square's side a step is measured: beside the corners, since a man's base would pull the line
/// towards it.
const BANDS: [(f32, f32); 2] = [(0.0625, 0.3125), (0.6875, 0.9375)];

/// Offset (in squares) of the strongest step of the right sign near a line, and its height in gray levels. `half`: half
/// width in pixels of the two means whose difference is the step.
#[allow(clippy::too_many_arguments)]
fn find_step(
    s: &Straight,
    line: usize,
    across: std::ops::Range<usize>,
    along_u: bool,
    left_dark: bool,
    reach: f32,
    half: usize,
) -> Option<(f32, f32)> {
    let fine = s.fine() as f32;
    let reach_px = (reach * fine).round() as usize;
    let border = s.border();
    let first = border + line * s.fine() - reach_px - half;
    let count = 2 * (reach_px + half);
    let across = border + across.start..border + across.end;
    let mut profile = [0f32; 3 * FINE];
    for (i, value) in profile[..count].iter_mut().enumerate() {
        let sum: u32 = across
            .clone()
            .map(|a| u32::from(if along_u { s.at(first + i, a) } else { s.at(a, first + i) }))
            .sum();
        *value = sum as f32 / across.len() as f32;
    }
    let sign = if left_dark { 1.0 } else { -1.0 };
    let mut scores = [0f32; 2 * FINE + 1];
    let n = 2 * reach_px + 1;
    for (k, score) in scores[..n].iter_mut().enumerate() {
        let left: f32 = profile[k..k + half].iter().sum();
        let right: f32 = profile[k + half..k + 2 * half].iter().sum();
        *score = sign * (right - left) / half as f32;
    }
    let (best, &top) = scores[..n].iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    if top <= 1.0 || best == 0 || best == n - 1 {
        return None;
    }
    let (a, c) = (scores[best - 1], scores[best + 1]);
    let bend = a - 2.0 * top + c;
    let sub = if bend < -1e-6 { (0.5 * (a - c) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    Some(((best as f32 + sub - reach_px as f32) / fine, top))
}

/// Robust least squares for the small homography that takes the old lattice to the measured one.
/// `wanted`: how many steps were looked for.
fn solve(quad: &Quad, steps: &[Step], reach: f32, whole: bool, wanted: usize) -> Option<Lattice> {
    if steps.len() < wanted / 5 {
        return None;
    }
    let mut heights: Vec<f32> = steps.iter().map(|s| s.weight).collect();
    heights.sort_by(f32::total_cmp);
    let usual = heights[heights.len() / 2].max(1.0);
    let unknowns = if whole { 8 } else { 6 };
    let mut p = [0f64; 8];
    let mut scale = reach;
    let mut residual = 0.0;
    let mut seen = 0;
    for _ in 0..6 {
        let mut normal = [[0f64; 9]; 8];
        for s in steps {
            let row = design(s);
            let r = f64::from(s.offset) - (0..8).map(|i| row[i] * p[i]).sum::<f64>();
            // Tukey's biweight at the present scale.
            let t = r / f64::from(scale);
            if t.abs() >= 1.0 {
                continue;
            }
            let w = f64::from((s.weight / usual).min(1.5)) * (1.0 - t * t).powi(2);
            for i in 0..unknowns {
                for j in 0..unknowns {
                    normal[i][j] += w * row[i] * row[j];
                }
                normal[i][8] += w * row[i] * r;
            }
        }
        // A touch of ridge keeps the unseen directions still.
        for (i, line) in normal.iter_mut().enumerate().take(unknowns) {
            line[i] += if i < 6 { 1e-3 } else { 1.0 };
        }
        let delta = gauss(&mut normal, unknowns)?;
        (0..unknowns).for_each(|i| p[i] += delta[i]);
        let mut rest: Vec<f32> = steps
            .iter()
            .map(|s| {
                let row = design(s);
                (f64::from(s.offset) - (0..8).map(|i| row[i] * p[i]).sum::<f64>()).abs() as f32
            })
            .collect();
        rest.sort_by(f32::total_cmp);
        let median = rest[rest.len() / 2];
        scale = (4.5 * median).clamp(0.08, reach);
        let near: Vec<f32> = rest.iter().copied().filter(|&r| r < 0.2).collect();
        seen = near.iter().filter(|&&r| r < CLOSE).count();
        residual = (near.iter().map(|r| r * r).sum::<f32>() / near.len().max(1) as f32).sqrt();
    }
    let h = Homography::of_board(quad)?;
    let moved = |u: f32, v: f32| {
        let (x, y) = (f64::from(u) - 4.0, f64::from(v) - 4.0);
        let du = p[0] + p[1] * x + p[2] * y + p[6] * x * x + p[7] * x * y;
        let dv = p[3] + p[4] * x + p[5] * y + p[6] * x * y + p[7] * y * y;
        h.map(u + du as f32, v + dv as f32)
    };
    let quad = Quad([moved(0.0, 0.0), moved(8.0, 0.0), moved(8.0, 8.0), moved(0.0, 8.0)]);
    let sane = quad.0.iter().all(|p: &Point| p.x.is_finite() && p.y.is_finite()) && quad.area() > 0.0;
    sane.then_some(Lattice { quad, residual, seen: seen as f32 / wanted as f32 })
}

/// Derivatives of a step's offset by the eight parameters of a homography near the identity, origin at the board's middle.
fn design(s: &Step) -> [f64; 8] {
    let (x, y) = (f64::from(s.u) - 4.0, f64::from(s.v) - 4.0);
    if s.along_u {
        [1.0, x, y, 0.0, 0.0, 0.0, x * x, x * y]
    } else {
        [0.0, 0.0, 0.0, 1.0, x, y, x * y, y * y]
    }
}

/// Gaussian elimination with pivoting of the first `n` rows; the right side is column 8.
pub(super) fn gauss(m: &mut [[f64; 9]; 8], n: usize) -> Option<[f64; 8]> {
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs()))?;
        if m[pivot][i].abs() < 1e-12 {
            return None;
        }
        m.swap(i, pivot);
        let head = m[i];
        for row in m.iter_mut().take(n).skip(i + 1) {
            let f = row[i] / head[i];
            for k in i..9 {
                row[k] -= f * head[k];
            }
        }
    }
    let mut out = [0f64; 8];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|k| m[i][k] * out[k]).sum();
        out[i] = (m[i][8] - rest) / m[i][i];
    }
    Some(out)
}
