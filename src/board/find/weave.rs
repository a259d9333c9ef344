//! A chequer of any extent on the page: where its squares are, and what they show.

use super::lattice::gauss;
use super::pyramid::Pyramid;
use crate::board::warp::Homography;
use crate::board::{Point, Quad};

/// Where a square's tone is looked at, in squares from its edges: where men reach least, clear of lines.
const NEAR: f32 = 0.16;
/// Width of a place looked at, in squares.
const PATCH: f32 = 0.19;
/// A line of squares at the rim whose steps come to less of the usual one is none.
const LEAST_RIM: f32 = 0.35;
/// A line of squares beyond the rim whose steps come to this, along it and across, belongs to the chequer.
const LEAST_BEYOND: f32 = 0.65;
/// Fewest squares each way: three crossings.
const LEAST_WAY: i32 = 4;
/// More squares each way are no boards.
const MOST_WAY: i32 = 80;
/// Least share of neighbouring squares that alternate, and least evenness of their differences: type and ornaments reach 0.93
/// and 2.1 with few squares, 1.9 with many; boards have 0.98 and more than 4, half covered ones 2.2.
const LEAST_RIGHT: f32 = 0.94;
const LEAST_EVEN: f32 = 2.0;
const LEAST_EVEN_SMALL: f32 = 2.4;
/// Pairs of neighbours from which a chequer has many squares.
const MANY_PAIRS: usize = 40;

/// Farthest that crossings are from their places, root mean square, in squares.
const MOST_RESIDUAL: f32 = 0.08;
/// Sides of squares differ by this ratio at most, and their corners have this sine at least.
const MOST_UNEQUAL: f32 = 2.2;
const LEAST_SINE: f32 = 0.85;

/// Squares from (`x`, `y`) on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub x: i32,
    pub y: i32,
    pub columns: i32,
    pub rows: i32,
}

impl Part {
    fn squares(self) -> impl Iterator<Item = (i32, i32)> {
        (self.y..self.y + self.rows).flat_map(move |y| (self.x..self.x + self.columns).map(move |x| (x, y)))
    }
}

/// A chequer, counted in its squares.
#[derive(Debug, Clone)]
pub struct Weave {
    /// From eighths of the extent it was fitted to, to the page.
    map: Homography,
    fitted: (f32, f32),
    pub extent: Part,
    shown: Shown,
    /// Root mean square distance of the crossings from their places, in squares.
    pub residual: f32,
}

/// How a chequer's neighbouring squares differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    pub pairs: usize,
    /// Share of the pairs that alternate.
    pub right: f32,
    /// Mean difference, light over dark, in gray levels: negative when the square (0, 0) is dark.
    pub mean: f32,
    /// Mean difference over its standard deviation.
    pub even: f32,
}

impl Shown {
    pub fn is_chequer(&self) -> bool {
        let least = if self.pairs < MANY_PAIRS { LEAST_EVEN_SMALL } else { LEAST_EVEN };
        self.right >= LEAST_RIGHT && self.even >= least
    }
}

impl Weave {
    /// The chequer of `columns` x `rows` squares whose inner crossings (column, row) are seen at these points.
    pub fn through(crossings: &[((f32, f32), Point)], columns: usize, rows: usize) -> Option<Weave> {
        let fitted = (columns as f32, rows as f32);
        let weave = Weave {
            map: homography(crossings, fitted.0, fitted.1)?,
            fitted,
            extent: Part { x: 0, y: 0, columns: columns as i32, rows: rows as i32 },
            shown: Shown { pairs: 0, right: 0.0, mean: 0.0, even: 0.0 },
            residual: 0.0,
        };
        let squares = crossings.iter().map(|&((x, y), p)| weave.point(x, y).distance(p).powi(2)).sum::<f32>();
        let residual = (squares / crossings.len() as f32).sqrt() / weave.side().max(1e-3);
        (residual < MOST_RESIDUAL && weave.is_nearly_square()).then_some(Weave { residual, ..weave })
    }

    /// Mean side of a square, in page pixels.
    pub fn side(&self) -> f32 {
        let squares = (self.extent.columns * self.extent.rows) as f32;
        (self.quad().area() / squares).max(0.0).sqrt()
    }

    /// Whether its squares are as nearly square as photographs and uneven scales leave them.
    fn is_nearly_square(&self) -> bool {
        let q = self.quad().0;
        let sides: [f32; 4] = std::array::from_fn(|i| {
            q[i].distance(q[(i + 1) % 4]) / if i % 2 == 0 { self.fitted.0 } else { self.fitted.1 }
        });
        let (short, long) = sides.iter().fold((f32::MAX, 0f32), |(s, l), &v| (s.min(v), l.max(v)));
        let sines = (0..4).map(|i| {
            let (a, b, c) = (q[(i + 3) % 4], q[i], q[(i + 1) % 4]);
            let cross = (c.x - b.x) * (a.y - b.y) - (c.y - b.y) * (a.x - b.x);
            cross / (a.distance(b) * c.distance(b)).max(1e-3)
        });
        long < MOST_UNEQUAL * short && sines.fold(1.0, f32::min) > LEAST_SINE
    }

    fn point(&self, x: f32, y: f32) -> Point {
        self.map.map(8.0 * x / self.fitted.0, 8.0 * y / self.fitted.1)
    }

    pub fn middle(&self, (x, y): (i32, i32)) -> Point {
        self.point(x as f32 + 0.5, y as f32 + 0.5)
    }

    pub fn quad_of(&self, part: Part) -> Quad {
        let (x, y) = (part.x as f32, part.y as f32);
        let (x1, y1) = (x + part.columns as f32, y + part.rows as f32);
        Quad([self.point(x, y), self.point(x1, y), self.point(x1, y1), self.point(x, y1)])
    }

    pub fn quad(&self) -> Quad {
        self.quad_of(self.extent)
    }

    /// Pairs of squares, weighed by how evenly they alternate.
    pub fn worth(&self) -> f32 {
        self.shown.pairs as f32 * self.shown.even.min(3.0)
    }

    /// What the squares of a part show, but for those that `skip` names.
    pub fn show(&self, pyramid: &Pyramid<'_>, part: Part, skip: impl Fn((i32, i32)) -> bool) -> Shown {
        let mut steps = Vec::new();
        for (x, y) in part.squares().filter(|&s| !skip(s)) {
            let beside = [(x + 1, y), (x, y + 1)].into_iter();
            let inside = |s: &(i32, i32)| s.0 < part.x + part.columns && s.1 < part.y + part.rows;
            steps.extend(
                beside.filter(inside).filter(|&s| !skip(s)).filter_map(|s| self.step(pyramid, (x, y), s)),
            );
        }
        let n = steps.len().max(1) as f32;
        let mean = steps.iter().sum::<f32>() / n;
        let deviation = (steps.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / n).sqrt();
        let right = steps.iter().filter(|&&v| v * mean > 0.0).count() as f32 / n;
        Shown { pairs: steps.len(), right, mean, even: mean.abs() / deviation.max(0.5) }
    }

    /// The chequer with the lines of squares that belong to it: rims that do not alternate are given up, lines beyond
    /// them that do are taken in. `None` when no chequer is left.
    pub fn settled(mut self, pyramid: &Pyramid<'_>) -> Option<Weave> {
        let mut grown = false;
        loop {
            self.shown = self.show(pyramid, self.extent, |_| false);
            let usual = self.shown.mean;
            if usual == 0.0 {
                return None;
            }
            let Part { x, y, columns, rows } = self.extent;
            let before = self.extent;
            let sides = |at: [i32; 4]| -> [f32; 4] {
                std::array::from_fn(|side| self.line(pyramid, side, at[side]) / usual)
            };
            let rims = sides([x, x + columns - 1, y, y + rows - 1]);
            let (side, worst) =
                rims.into_iter().enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 1.0));
            if worst < LEAST_RIM && !grown {
                match side {
                    0 => self.extent = Part { x: x + 1, columns: columns - 1, ..before },
                    1 => self.extent.columns -= 1,
                    2 => self.extent = Part { y: y + 1, rows: rows - 1, ..before },
                    _ => self.extent.rows -= 1,
                }
                if self.extent.columns < LEAST_WAY || self.extent.rows < LEAST_WAY {
                    return None;
                }
                continue;
            }
            let beyond = sides([x - 1, x + columns, y - 1, y + rows]);
            let (side, best) =
                beyond.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
            if best < LEAST_BEYOND || columns.max(rows) >= MOST_WAY {
                break;
            }
            grown = true;
            match side {
                0 => self.extent = Part { x: x - 1, columns: columns + 1, ..before },
                1 => self.extent.columns += 1,
                2 => self.extent = Part { y: y - 1, rows: rows + 1, ..before },
                _ => self.extent.rows += 1,
            }
        }
        self.shown.is_chequer().then_some(self)
    }

    /// The lesser of the mean steps along a line of squares and across it to the chequer, each step clipped at one and a
    /// half usual ones; sides are left, right, top, bottom.
    fn line(&self, pyramid: &Pyramid<'_>, side: usize, at: i32) -> f32 {
        let upright = side < 2;
        let inner = if side.is_multiple_of(2) { at + 1 } else { at - 1 };
        let (from, count) = match upright {
            true => (self.extent.y, self.extent.rows),
            false => (self.extent.x, self.extent.columns),
        };
        let square = |line: i32, i: i32| if upright { (line, i) } else { (i, line) };
        let most = 1.5 * self.shown.mean.abs();
        let mean = |values: Vec<f32>| {
            if values.len() < 3 {
                return 0.0;
            }
            values.iter().map(|v| v.clamp(-most, most)).sum::<f32>() / values.len() as f32
        };
        let ends = from..from + count;
        let along = (from..from + count - 1)
            .filter_map(|i| self.step(pyramid, square(at, i), square(at, i + 1)))
            .collect();
        let across = ends.filter_map(|i| self.step(pyramid, square(at, i), square(inner, i))).collect();
        let (along, across) = (mean(along), mean(across));
        if self.shown.mean < 0.0 { along.max(across) } else { along.min(across) }
    }

    /// How much lighter the one of two neighbouring squares is that is light when (0, 0) is.
    fn step(&self, pyramid: &Pyramid<'_>, a: (i32, i32), b: (i32, i32)) -> Option<f32> {
        let difference = self.tone(pyramid, a)? - self.tone(pyramid, b)?;
        Some(if (a.0 + a.1).rem_euclid(2) == 0 { difference } else { -difference })
    }

    /// A square's tone: the mean of the two middle ones of its four corners.
    fn tone(&self, pyramid: &Pyramid<'_>, (x, y): (i32, i32)) -> Option<f32> {
        let (x, y) = (x as f32, y as f32);
        let side = self.point(x, y).distance(self.point(x + 1.0, y + 1.0)) / 1.42;
        let level = pyramid.level_within(PATCH * side * 1.42);
        let (w, h) = (pyramid.page().width() as f32, pyramid.page().height() as f32);
        let mut tones = [0f32; 4];
        for (tone, (dx, dy)) in tones.iter_mut().zip([
            (NEAR, NEAR),
            (1.0 - NEAR, NEAR),
            (NEAR, 1.0 - NEAR),
            (1.0 - NEAR, 1.0 - NEAR),
        ]) {
            let p = self.point(x + dx, y + dy);
            if p.x < 0.0 || p.y < 0.0 || p.x >= w || p.y >= h {
                return None;
            }
            *tone = level.at(p.x, p.y);
        }
        tones.sort_by(f32::total_cmp);
        Some((tones[1] + tones[2]) / 2.0)
    }
}

/// The homography that takes squares to the page by least squares (the direct linear transform, which small errors do
/// not hurt here).
fn homography(pairs: &[((f32, f32), Point)], columns: f32, rows: f32) -> Option<Homography> {
    let n = pairs.len() as f64;
    let (mx, my) =
        pairs.iter().fold((0.0, 0.0), |m, p| (m.0 + f64::from(p.1.x) / n, m.1 + f64::from(p.1.y) / n));
    let scale =
        pairs.iter().map(|p| (f64::from(p.1.x) - mx).hypot(f64::from(p.1.y) - my)).fold(1.0, f64::max);
    let half = (f64::from(columns) / 2.0, f64::from(rows) / 2.0);
    let normed = |u: f64, v: f64| ((u - half.0) / half.0, (v - half.1) / half.1);
    let mut normal = [[0f64; 9]; 8];
    for ((u, v), p) in pairs {
        let (u, v) = normed(f64::from(*u), f64::from(*v));
        let (x, y) = ((f64::from(p.x) - mx) / scale, (f64::from(p.y) - my) / scale);
        for (row, value) in
            [([u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x], x), ([0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y], y)]
        {
            for i in 0..8 {
                for j in 0..8 {
                    normal[i][j] += row[i] * row[j];
                }
                normal[i][8] += row[i] * value;
            }
        }
    }
    // A touch of ridge on perspective, which few crossings hardly tell.
    normal[6][6] += 1e-2 * n;
    normal[7][7] += 1e-2 * n;
    let p = gauss(&mut normal, 8)?;
    let corner = |u: f32, v: f32| {
        let (u, v) = normed(f64::from(u), f64::from(v));
        let d = p[6] * u + p[7] * v + 1.0;
        (d > 0.2).then(|| {
            let (x, y) = ((p[0] * u + p[1] * v + p[2]) / d, (p[3] * u + p[4] * v + p[5]) / d);
            Point::new((x * scale + mx) as f32, (y * scale + my) as f32)
        })
    };
    let quad = Quad([corner(0.0, 0.0)?, corner(columns, 0.0)?, corner(columns, rows)?, corner(0.0, rows)?]);
    Homography::of_board(&quad)
}
