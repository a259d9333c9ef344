//! What a straightened picture says for and against a chess board.

use super::lattice::Straight;

/// Squares looked at beyond the 8 x 8 on each side: enough to see a shifted fit or a larger chequer.
pub const BEYOND: usize = 2;
const LINES: usize = 8 + 2 * BEYOND;

/// Alternation seen in a straightened picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternation {
    /// Share of neighbouring pairs inside the 8 x 8 whose light square is the lighter one.
    pub right: f32,
    /// Mean difference between the facing edges of light and dark neighbours, in gray levels.
    pub contrast: f32,
    /// The same difference over its standard deviation.
    pub evenness: f32,
    /// For each rank of squares from 2 above the board to 2 below: mean difference along it over `contrast`.
    pub rows: [f32; LINES],
    /// The same for files from 2 left of the board to 2 right.
    pub cols: [f32; LINES],
}

/// Compares each pair of neighbouring squares by the strips on both sides of their common edge, where men
/// reach least and light is the same.
pub fn alternation(straight: &Straight, light_first: bool) -> Alternation {
    let beyond = BEYOND as isize;
    // along_rows[r][c]: step between (r, c) and (r, c + 1); positive when it has the expected sign.
    let step = |row: isize, col: isize, across: bool| -> Option<f32> {
        let (r, c) = (row as f32, col as f32);
        // Strips of a fifth of a square, clear of the line between them and of the corners.
        let (first, second) = if across {
            (
                straight.mean(c + 0.72, r + 0.12, c + 0.94, r + 0.88)?,
                straight.mean(c + 1.06, r + 0.12, c + 1.28, r + 0.88)?,
            )
        } else {
            (
                straight.mean(c + 0.12, r + 0.72, c + 0.88, r + 0.94)?,
                straight.mean(c + 0.12, r + 1.06, c + 0.88, r + 1.28)?,
            )
        };
        let first_light = ((row + col).rem_euclid(2) == 0) == light_first;
        Some(if first_light { first - second } else { second - first })
    };
    let mut inside = Vec::with_capacity(112);
    let mut rows = [0f32; LINES];
    let mut cols = [0f32; LINES];
    for line in -beyond..8 + beyond {
        let mut sums = [(0f32, 0u32); 2];
        for k in 0..7 {
            for (which, value) in [step(line, k, true), step(k, line, false)].into_iter().enumerate() {
                if let Some(v) = value {
                    sums[which].0 += v;
                    sums[which].1 += 1;
                    if (0..8).contains(&line) {
                        inside.push(v);
                    }
                }
            }
        }
        let mean = |(sum, n): (f32, u32)| if n >= 4 { sum / n as f32 } else { 0.0 };
        rows[(line + beyond) as usize] = mean(sums[0]);
        cols[(line + beyond) as usize] = mean(sums[1]);
    }
    let n = inside.len().max(1) as f32;
    let mean = inside.iter().sum::<f32>() / n;
    let deviation = (inside.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / n).sqrt();
    let right = inside.iter().filter(|&&v| v > 0.0).count() as f32 / n;
    let unit = mean.max(0.5);
    rows.iter_mut().chain(cols.iter_mut()).for_each(|v| *v /= unit);
    Alternation { right, contrast: mean, evenness: mean / deviation.max(0.5), rows, cols }
}

/// How many lines of squares to move so that the eight that alternate lie inside; 0 when they do.
pub fn shift(lines: &[f32; LINES]) -> isize {
    let window = |k: usize| lines[k..k + 8].iter().map(|v| v.clamp(-0.5, 1.0)).sum::<f32>();
    let here = window(BEYOND);
    let best = (0..=2 * BEYOND).max_by(|&a, &b| window(a).total_cmp(&window(b))).unwrap_or(BEYOND);
    // Half a line of squares more than here: less is chance.
    if window(best) > here + 0.5 { best as isize - BEYOND as isize } else { 0 }
}
