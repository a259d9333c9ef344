//! What a straightened picture says for and against a chess board.

use super::border::BORDERS;
use super::straight::Straight;

/// Squares looked at beyond the 8 x 8 on each side: enough to see a shifted fit or a larger chequer.
pub const BEYOND: usize = 2;
const LINES: usize = 8 + 2 * BEYOND;

/// Alternation seen in a straightened picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternation {
    /// Share of neighbouring pairs inside the 8 x 8 whose light square is the lighter one.
    pub right: f32,
    /// Median difference between light and dark neighbours, in gray levels.
    pub contrast: f32,
    /// Mean difference over its standard deviation.
    pub evenness: f32,
    /// For each rank of squares from 2 above the board to 2 below: mean difference along it, and to the next one inwards, over `contrast`.
    pub rows: [f32; LINES],
    /// The same for files from 2 left of the board to 2 right.
    pub cols: [f32; LINES],
    /// For each rank of squares as in `rows`: how much darker its dark squares are than the light ones they touch, or its light ones
    /// lighter than the dark ones, whichever is less. Blank paper beside a board has 0, for no square of it is dark.
    pub row_squares: [f32; LINES],
    /// The same for files.
    pub col_squares: [f32; LINES],
    /// Alternation along the lines of squares just outside (above, below, left, right), over `contrast`.
    pub outside: [f32; 4],
    /// Of the seven pairs along the outermost lines of squares (top, bottom, left, right): those that alternate at all; `None` where
    /// too few lie on the page.
    pub edges: [Option<usize>; 4],
}

/// A square's brightness: the mean of the two middle ones of its four corner patches, where men reach least.
fn brightness(straight: &Straight, row: isize, col: isize) -> Option<f32> {
    let (r, c) = (row as f32, col as f32);
    let mut patches = [0f32; 4];
    let mut n = 0;
    for (dy, dx) in [(NEAR, NEAR), (NEAR, FAR), (FAR, NEAR), (FAR, FAR)] {
        if let Some(v) = straight.mean(c + dx, r + dy, c + dx + PATCH, r + dy + PATCH) {
            patches[n] = v;
            n += 1;
        }
    }
    if n < 3 {
        return None;
    }
    let seen = &mut patches[..n];
    seen.sort_by(f32::total_cmp);
    Some(if n == 4 { (seen[1] + seen[2]) / 2.0 } else { seen[1] })
}

/// Share of neighbouring squares whose light one is lighter by the mean of a ring between the men and the lines: for
/// squares of few scattered specks, which small patches miss.
pub fn ring_alternation(straight: &Straight, light_first: bool) -> f32 {
    let mut cells = [[None; 8]; 8];
    for (r, line) in cells.iter_mut().enumerate() {
        for (c, cell) in line.iter_mut().enumerate() {
            *cell = ring(straight, r as f32, c as f32);
        }
    }
    let (mut right, mut all) = (0, 0);
    for a in 0..8 {
        for b in 0..7 {
            for (p, q) in [((a, b), (a, b + 1)), ((b, a), (b + 1, a))] {
                let (Some(x), Some(y)) = (cells[p.0][p.1], cells[q.0][q.1]) else { continue };
                let first_light = (p.0 + p.1).is_multiple_of(2) == light_first;
                right += usize::from((x > y) == first_light && x != y);
                all += 1;
            }
        }
    }
    right as f32 / all.max(1) as f32
}

/// Mean of a square's ring, top to bottom: four strips clear of the lines; the lightest three count, for men reach one.
fn ring(straight: &Straight, r: f32, c: f32) -> Option<f32> {
    let (near, far, width) = (0.125, 0.875, 0.1875);
    let mut strips = [
        straight.mean(c + near, r + near, c + far, r + near + width)?,
        straight.mean(c + near, r + far - width, c + far, r + far)?,
        straight.mean(c + near, r + near, c + near + width, r + far)?,
        straight.mean(c + far - width, r + near, c + far, r + far)?,
    ];
    strips.sort_by(f32::total_cmp);
    Some((strips[1] + strips[2] + strips[3]) / 3.0)
}

/// Side of a corner patch and its distance from the near and the far edge of the square, in squares: clear of
/// lines between squares.
const PATCH: f32 = 0.1875;
const NEAR: f32 = 0.0625;
const FAR: f32 = 1.0 - NEAR - PATCH;

/// Compares each pair of neighbouring squares: light falling unevenly does not matter to neighbours.
pub fn alternation(straight: &Straight, light_first: bool) -> Alternation {
    let mut cells = [[None; LINES]; LINES];
    for (r, line) in cells.iter_mut().enumerate() {
        for (c, cell) in line.iter_mut().enumerate() {
            *cell = brightness(straight, r as isize - BEYOND as isize, c as isize - BEYOND as isize);
        }
    }
    let step = |r: usize, c: usize, r2: usize, c2: usize| -> Option<f32> {
        let difference: f32 = cells[r][c]? - cells[r2][c2]?;
        let first_light = (r + c).is_multiple_of(2) == light_first;
        Some(if first_light { difference } else { -difference })
    };
    let board = BEYOND..BEYOND + 8;
    let mut inside = Vec::with_capacity(112);
    for a in board.clone() {
        for b in BEYOND..BEYOND + 7 {
            inside.extend(step(a, b, a, b + 1));
            inside.extend(step(b, a, b + 1, a));
        }
    }
    let n = inside.len().max(1) as f32;
    let mean = inside.iter().sum::<f32>() / n;
    let deviation = (inside.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / n).sqrt();
    let right = inside.iter().filter(|&&v| v > 0.0).count() as f32 / n;
    inside.sort_by(f32::total_cmp);
    let usual = inside.get(inside.len() / 2).copied().unwrap_or(0.0).max(0.5);
    // A line of squares belongs to the board when it alternates along itself and against its neighbour nearer the middle.
    let line = |k: usize, along_row: bool| -> f32 {
        let inner = if k < BEYOND + 4 { k + 1 } else { k - 1 };
        let at = |k: usize, i: usize, k2: usize, i2: usize| {
            if along_row { step(k, i, k2, i2) } else { step(i, k, i2, k2) }
        };
        let own = (BEYOND..BEYOND + 7).filter_map(|i| at(k, i, k, i + 1));
        let other = board.clone().filter_map(|i| at(k, i, inner, i));
        let values: Vec<f32> = own.chain(other).map(|v| (v / usual).clamp(-1.5, 1.5)).collect();
        if values.len() < 8 { 0.0 } else { values.iter().sum::<f32>() / values.len() as f32 }
    };
    // Each pair counts for the square of the line that it judges; pairs within the line judge both.
    let squares = |k: usize, along_row: bool| -> f32 {
        let inner = if k < BEYOND + 4 { k + 1 } else { k - 1 };
        let at = |k: usize, i: usize, k2: usize, i2: usize| {
            let value = if along_row { step(k, i, k2, i2) } else { step(i, k, i2, k2) };
            value.map(|v| (v / usual).clamp(-1.5, 1.5))
        };
        let mut sums = [(0.0, 0); 2];
        for i in board.clone() {
            let (sum, count) = &mut sums[(k + i) % 2];
            let beside = [
                at(k, i, inner, i),
                (i > BEYOND).then(|| at(k, i - 1, k, i)).flatten(),
                (i < BEYOND + 7).then(|| at(k, i, k, i + 1)).flatten(),
            ];
            for value in beside.into_iter().flatten() {
                *sum += value;
                *count += 1;
            }
        }
        sums.iter()
            .map(|&(sum, count)| if count < 4 { 0.0 } else { sum / count as f32 })
            .fold(f32::INFINITY, f32::min)
    };
    // The seven pairs along a line of squares, as far as they lie on the page.
    let along = |k: usize, along_row: bool| -> Vec<f32> {
        let at = |i: usize| if along_row { step(k, i, k, i + 1) } else { step(i, k, i + 1, k) };
        (BEYOND..BEYOND + 7).filter_map(at).collect()
    };
    let own = |k: usize, along_row: bool| -> f32 {
        let values = along(k, along_row);
        let sum: f32 = values.iter().map(|v| (v / usual).clamp(-1.5, 1.5)).sum();
        if values.len() < 5 { 0.0 } else { sum / values.len() as f32 }
    };
    let (before, after) = (BEYOND - 1, BEYOND + 8);
    let outside = [own(before, true), own(after, true), own(before, false), own(after, false)];
    let pairs = |k: usize, along_row: bool| -> Option<usize> {
        let values = along(k, along_row);
        (values.len() >= 5).then(|| values.iter().filter(|v| **v > ALTERNATES * usual).count())
    };
    let edges =
        [pairs(BEYOND, true), pairs(BEYOND + 7, true), pairs(BEYOND, false), pairs(BEYOND + 7, false)];
    let rows = std::array::from_fn(|k| line(k, true));
    let cols = std::array::from_fn(|k| line(k, false));
    let row_squares = std::array::from_fn(|k| squares(k, true));
    let col_squares = std::array::from_fn(|k| squares(k, false));
    Alternation {
        right,
        contrast: usual,
        evenness: mean / deviation.max(0.5),
        rows,
        cols,
        row_squares,
        col_squares,
        outside,
        edges,
    }
}

/// A pair alternates from this share of the usual difference.
const ALTERNATES: f32 = 0.3;
/// An outermost line with no more alternating pairs than this, and less than this of a line's alternation in all, is a strip
/// of something else: its contrast to the squares beside it alone gives a quarter to two fifths.
const STRIP_PAIRS: usize = 1;
const STRIP: f32 = 0.5;

impl Alternation {
    /// Whether an outermost line of squares does not alternate at all: fewer than 64 squares are there.
    pub fn lacks_line(&self) -> bool {
        let (first, last) = (BEYOND, BEYOND + 7);
        let total = [self.rows[first], self.rows[last], self.cols[first], self.cols[last]];
        total.iter().zip(self.edges).any(|(total, pairs)| {
            *total < 0.2 || (*total < STRIP && pairs.is_some_and(|pairs| pairs <= STRIP_PAIRS))
        })
    }

    /// Whether the chequer goes on beyond the 8 x 8 at one side at least: an ornament, or another board game.
    pub fn goes_on(&self) -> bool {
        let total =
            [self.rows[BEYOND - 1], self.rows[BEYOND + 8], self.cols[BEYOND - 1], self.cols[BEYOND + 8]];
        total.iter().zip(self.outside).any(|(total, own)| *total > GOES_ON && own > GOES_ON_ALONE)
    }
}

impl Alternation {
    /// How much of the sixteen lines of squares alternates.
    pub fn worth(&self) -> f32 {
        let inside = |lines: &[f32; LINES]| -> f32 {
            lines[BEYOND..BEYOND + 8].iter().map(|v| v.clamp(-0.5, 1.0)).sum()
        };
        inside(&self.rows) + inside(&self.cols)
    }

    /// Whole squares to move where the chequer goes on at one side and alternates better there than in the line of
    /// squares that would be given up for it.
    pub fn towards(&self) -> (isize, isize) {
        let step = |lines: &[f32; LINES], own: [f32; 2]| {
            let (before, first, last, after) =
                (lines[BEYOND - 1], lines[BEYOND], lines[BEYOND + 7], lines[BEYOND + 8]);
            if after > GOES_ON && own[1] > GOES_ON_ALONE && after > first {
                1
            } else if before > GOES_ON && own[0] > GOES_ON_ALONE && before > last {
                -1
            } else {
                0
            }
        };
        let [above, below, left, right] = self.outside;
        (step(&self.cols, [left, right]), step(&self.rows, [above, below]))
    }
}

/// A line of squares outside the 8 x 8 belongs to a chequer when it alternates by this against its neighbour and along
/// itself: chance gives 0 and a quarter, a line of squares gives 1.
const GOES_ON: f32 = 0.72;
const GOES_ON_ALONE: f32 = 0.6;

/// What a drawn line at both ends of the eight is worth, in lines of squares.
const DRAWN: f32 = 1.0;
/// What a line at one end only is worth: a line of type beside the board looks drawn, too.
const DRAWN_ALONE: f32 = 0.25;

/// How many lines of squares to move so that the eight that alternate lie inside, between drawn lines if there are any; 0 when they do.
pub fn shift(lines: &[f32; LINES], drawn: &[f32; BORDERS]) -> isize {
    let window = |k: usize| {
        let squares: f32 = lines[k..k + 8].iter().map(|v| v.clamp(-0.5, 1.0)).sum();
        let (less, more) = (drawn[k].min(drawn[k + 8]), drawn[k].max(drawn[k + 8]));
        squares + DRAWN * 2.0 * less + DRAWN_ALONE * (more - less)
    };
    let here = window(BEYOND);
    let best = (0..=2 * BEYOND).max_by(|&a, &b| window(a).total_cmp(&window(b))).unwrap_or(BEYOND);
    // A third of a line of squares more than here: less is chance.
    if window(best) > here + 0.3 { best as isize - BEYOND as isize } else { 0 }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::*;
    use crate::board::Quad;
    use crate::board::find::pyramid::Pyramid;
    use crate::board::find::straight::FINE;

    /// Whether a drawn board lacks a line when squares with `gone` (column, row) have one tone.
    fn lacks(gone: impl Fn(i32, i32) -> bool, tone: u8) -> bool {
        let page = GrayImage::from_fn(480, 480, |x, y| {
            let (col, row) = ((x as i32 - 80).div_euclid(40), (y as i32 - 80).div_euclid(40));
            let on_board = (0..8).contains(&col) && (0..8).contains(&row);
            let dark = on_board && (col + row) % 2 == 1;
            Luma([if gone(col, row) {
                tone
            } else if dark {
                150
            } else {
                245
            }])
        });
        let quad = Quad::from_bounds(80.0, 80.0, 400.0, 400.0);
        let straight = Straight::new(&Pyramid::new(&page), &quad, FINE, BEYOND).unwrap();
        alternation(&straight, true).lacks_line()
    }

    #[test]
    fn a_strip_in_place_of_a_file_or_rank_is_no_line() {
        assert!(!lacks(|_, _| false, 0));
        for tone in [0, 60, 130, 200, 245] {
            assert!(lacks(|col, _| col == 0, tone), "left, {tone}");
            assert!(lacks(|col, _| col >= 7, tone), "right, {tone}");
            assert!(lacks(|_, row| row <= 0, tone), "top, {tone}");
            assert!(lacks(|_, row| row == 7, tone), "bottom, {tone}");
        }
    }

    #[test]
    fn some_squares_of_another_tone_are_men_or_stains() {
        assert!(!lacks(|col, row| row == 0 && (2..5).contains(&col), 60));
    }
}
