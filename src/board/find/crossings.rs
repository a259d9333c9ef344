//! Chequers of any extent, tilt and proportion by their crossings: the points where two light and two dark squares meet.
//!
//! At a crossing opposite quadrants are alike and neighbouring ones differ; the second harmonic around it tells its tilt,
//! and the next crossing along a line has the opposite sign. From three by three that stand so, neighbours are followed
//! as far as they go. The matched filter needs 64 squares of one size; this needs sixteen.

use std::collections::{HashMap, HashSet};

use super::pyramid::Pyramid;
use super::weave::Weave;
use crate::board::Point;

/// Pixels a square in the resampled picture.
const UNIT: f32 = 6.0;
/// Ratio between the square sizes tried: each finds squares a little smaller and up to twice as large.
const SIZE_STEP: f32 = 1.4;
/// Largest square size tried, as a share of the page's shorter side.
const LARGEST: f32 = 0.12;
/// Least difference between a crossing's light and dark quadrants, in gray levels.
const LEAST_CONTRAST: f32 = 4.0;
/// The darker light quadrant is lighter than the lighter dark one by this share of the mean difference.
const LEAST_CLEAR: f32 = 0.25;
/// Neighbours' second harmonics are opposite: the cosine between them is at most this (tilts within 22 degrees).
const OPPOSITE: f32 = -0.7;
/// Neighbours differ in strength by this ratio at most: the corners of an outermost square have half.
const ALIKE: f32 = 0.35;
/// A neighbour's distance in squares of the size tried: in larger squares quadrants are smaller beside men.
const FIRST_DISTANCE: std::ops::Range<f32> = 0.6..2.2;
/// Sine of the angle between a line of crossings and the tilt they have.
const ASKEW: f32 = 0.34;
/// A crossing may be this far from its expected place, in steps between crossings: a wider gap is one between boards.
const OFF: f32 = 0.15;
/// A line of crossings at the rim belongs to the chequer when it has this share of them.
const LEAST_LINE: f32 = 0.4;
/// Chequers that overlap by this share of the smaller one are one.
const SAME: f32 = 0.5;
/// Least share of crossings that are seen within the extent.
const LEAST_SEEN: f32 = 0.6;

/// All chequers of a page, those with most crossings first; each once.
pub fn find_weaves(pyramid: &Pyramid<'_>, smallest_square: f32) -> Vec<Weave> {
    let (width, height) = pyramid.page().dimensions();
    let mut found: Vec<Weave> = Vec::new();
    let mut square = smallest_square;
    while square <= width.min(height) as f32 * LARGEST {
        let settled = weaves_of_size(pyramid, square).into_iter().filter_map(|w| w.settled(pyramid));
        found.extend(settled);
        square *= SIZE_STEP;
    }
    found.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
    let mut kept: Vec<Weave> = Vec::new();
    for weave in found {
        if kept.iter().all(|k| super::overlap(&k.quad(), &weave.quad()) < SAME) {
            kept.push(weave);
        }
    }
    kept
}

/// A crossing: its place in the resampled picture and its second harmonic (along the axes, along the diagonals).
#[derive(Clone, Copy)]
struct Crossing {
    x: f32,
    y: f32,
    axes: f32,
    diagonals: f32,
}

impl Crossing {
    fn strength(&self) -> f32 {
        self.axes.hypot(self.diagonals)
    }

    fn faces(&self, other: &Crossing) -> bool {
        let (a, b) = (self.strength(), other.strength());
        a.min(b) > ALIKE * a.max(b)
            && self.axes * other.axes + self.diagonals * other.diagonals < OPPOSITE * a * b
    }
}

struct Field {
    crossings: Vec<Crossing>,
    /// Number of the crossing at each pixel, from 1; 0 where there is none.
    at: Vec<u32>,
    width: usize,
    height: usize,
}

fn weaves_of_size(pyramid: &Pyramid<'_>, square: f32) -> Vec<Weave> {
    let step = square / UNIT;
    let Some(field) = Field::new(pyramid, step) else { return Vec::new() };
    let mut taken = vec![false; field.crossings.len()];
    let mut out = Vec::new();
    for seed in 0..field.crossings.len() {
        if taken[seed] {
            continue;
        }
        let Some(nodes) = field.grow(seed) else { continue };
        nodes.iter().for_each(|n| taken[n.2] = true);
        out.extend(field.weave(nodes, step));
    }
    out
}

/// A crossing of a chequer: column, row, number.
type Node = (i32, i32, usize);

/// Where the next crossings are looked for: men stand on some of the nearest.
const STEPS: [(i32, i32); 12] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1), (2, 0), (-2, 0), (0, 2), (0, -2)];
/// Of three by three crossings so many must be seen.
const LEAST_AROUND: usize = 7;
/// More crossings than a page of boards has.
const MOST_NODES: usize = 4000;

impl Field {
    fn new(pyramid: &Pyramid<'_>, step: f32) -> Option<Field> {
        let level = pyramid.level_within(1.42 * step);
        let (page_w, page_h) = pyramid.page().dimensions();
        let (width, height) = ((page_w as f32 / step) as usize, (page_h as f32 / step) as usize);
        if width < 12 || height < 12 {
            return None;
        }
        let mut gray = vec![0f32; width * height];
        for (y, row) in gray.chunks_exact_mut(width).enumerate() {
            level.row((y as f32 + 0.5) * step, step, row);
        }
        // Sums of 2 x 2 pixels: a quadrant of a crossing.
        let mut quadrants = vec![0f32; width * height];
        for y in 0..height - 1 {
            let (upper, lower) = (&gray[y * width..][..width], &gray[(y + 1) * width..][..width]);
            for (x, out) in quadrants[y * width..][..width - 1].iter_mut().enumerate() {
                *out = upper[x] + upper[x + 1] + lower[x] + lower[x + 1];
            }
        }
        let mut strength = vec![0f32; width * height];
        let least = (8.0 * LEAST_CONTRAST).powi(2);
        for y in 3..height - 3 {
            // Rows of quadrants from three above the crossing to one below.
            let row = |dy: usize| &quadrants[(y + dy - 3) * width..][..width];
            let (r0, r1, r2, r3, r4) = (row(0), row(1), row(2), row(3), row(4));
            for (x, out) in strength[y * width..][..width - 3].iter_mut().enumerate().skip(3) {
                let axes = r1[x - 2] + r3[x] - r1[x] - r3[x - 2];
                let diagonals = r0[x - 1] + r4[x - 1] - r2[x - 3] - r2[x + 1];
                let square = axes * axes + diagonals * diagonals;
                *out = if square > least { square } else { 0.0 };
            }
        }
        let mut field = Field { crossings: Vec::new(), at: vec![0; width * height], width, height };
        for y in 4..height - 4 {
            for x in 4..width - 4 {
                let i = y * width + x;
                let here = strength[i];
                if here > 0.0 && is_peak(&strength, width, i) {
                    field.add(&quadrants, &strength, x, y);
                }
            }
        }
        Some(field)
    }

    /// Adds the crossing at a pixel's upper left corner if it is a clear one.
    fn add(&mut self, quadrants: &[f32], strength: &[f32], x: usize, y: usize) {
        let w = self.width;
        let at =
            |dx: isize, dy: isize| quadrants[(y as isize + dy) as usize * w + (x as isize + dx) as usize];
        let (a, b, c, d) = (at(-2, -2), at(0, 0), at(0, -2), at(-2, 0));
        let (e, f, g, h) = (at(-1, -3), at(-1, 1), at(-3, -1), at(1, -1));
        let (axes, diagonals) = (a + b - c - d, e + f - g - h);
        let (p, q) = if axes.abs() > diagonals.abs() { ((a, b), (c, d)) } else { ((e, f), (g, h)) };
        let (light, dark) = if p.0 + p.1 > q.0 + q.1 { (p, q) } else { (q, p) };
        let mean = (light.0 + light.1 - dark.0 - dark.1) / 2.0;
        if light.0.min(light.1) - dark.0.max(dark.1) < LEAST_CLEAR * mean {
            return;
        }
        let peak = |before: f32, here: f32, after: f32| {
            let bend = before - 2.0 * here + after;
            if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 }
        };
        let i = y * w + x;
        let (dx, dy) = (
            peak(strength[i - 1], strength[i], strength[i + 1]),
            peak(strength[i - w], strength[i], strength[i + w]),
        );
        self.crossings.push(Crossing { x: x as f32 + dx, y: y as f32 + dy, axes, diagonals });
        self.at[i] = self.crossings.len() as u32;
    }

    /// The crossing nearest to a place that is like `from`, or faces it.
    fn near(&self, from: usize, x: f32, y: f32, reach: f32, like: bool) -> Option<usize> {
        let from = self.crossings[from];
        let from =
            if like { Crossing { axes: -from.axes, diagonals: -from.diagonals, ..from } } else { from };
        let range = |v: f32, most: usize| {
            let low = (v - reach).floor().max(0.0) as usize;
            low..((v + reach).ceil().max(0.0) as usize + 1).min(most)
        };
        let mut best: Option<(f32, usize)> = None;
        for yy in range(y, self.height) {
            for xx in range(x, self.width) {
                let number = self.at[yy * self.width + xx] as usize;
                if number == 0 {
                    continue;
                }
                let c = &self.crossings[number - 1];
                let far = (c.x - x).hypot(c.y - y);
                if far < reach && best.is_none_or(|b| far < b.0) && from.faces(c) {
                    best = Some((far, number - 1));
                }
            }
        }
        best.map(|b| b.1)
    }

    /// Steps to the next crossings along a line's direction: the nearest that faces the seed.
    fn first_step(&self, seed: usize, direction: (f32, f32)) -> Option<(f32, f32)> {
        let from = self.crossings[seed];
        let middle = (FIRST_DISTANCE.start + FIRST_DISTANCE.end) / 2.0 * UNIT;
        let reach = (FIRST_DISTANCE.end - FIRST_DISTANCE.start) / 2.0 * UNIT;
        let (x, y) = (from.x + middle * direction.0, from.y + middle * direction.1);
        let range = |v: f32, most: usize| {
            ((v - reach).floor().max(0.0) as usize)..((v + reach).ceil().max(0.0) as usize + 1).min(most)
        };
        let mut best: Option<(f32, (f32, f32))> = None;
        for yy in range(y, self.height) {
            for xx in range(x, self.width) {
                let number = self.at[yy * self.width + xx] as usize;
                if number == 0 {
                    continue;
                }
                let c = &self.crossings[number - 1];
                let (dx, dy) = (c.x - from.x, c.y - from.y);
                let far = dx.hypot(dy);
                let along = dx * direction.0 + dy * direction.1;
                let beside = (dx * direction.1 - dy * direction.0).abs();
                if along > 0.0
                    && beside < ASKEW * far
                    && FIRST_DISTANCE.contains(&(far / UNIT))
                    && best.is_none_or(|b| far < b.0)
                    && from.faces(c)
                {
                    best = Some((far, (dx, dy)));
                }
            }
        }
        best.map(|b| b.1)
    }

    /// Follows crossings from one that stands amid eight others.
    fn grow(&self, seed: usize) -> Option<Vec<Node>> {
        let from = self.crossings[seed];
        // The tilt, from -45 to 45 degrees: both signs of the harmonic mean the same lines.
        let mut tilt = 0.5 * from.diagonals.atan2(from.axes);
        let quarter = std::f32::consts::FRAC_PI_2;
        tilt -= (tilt / quarter).round() * quarter;
        let (sin, cos) = tilt.sin_cos();
        let right = self.first_step(seed, (cos, sin))?;
        let down = self.first_step(seed, (-sin, cos))?;
        // Where the seed's own surroundings are missing there is no chequer.
        let reach = reach_of(right, down);
        let around = STEPS.iter().filter(|s| s.0.abs().max(s.1.abs()) == 1).filter(|&&(i, j)| {
            let (x, y) = ahead(from, right, down, (i, j));
            self.near(seed, x, y, reach, (i + j) % 2 == 0).is_some()
        });
        if around.count() + 1 < LEAST_AROUND {
            return None;
        }
        let mut known = HashMap::from([((0, 0), seed)]);
        let mut used = HashSet::from([seed]);
        // Each with the steps to the right and down around it.
        let mut grown = vec![((0, 0, seed), right, down)];
        let mut next = 0;
        while next < grown.len() && grown.len() < MOST_NODES {
            let ((i, j, here), right, down) = grown[next];
            next += 1;
            let c = self.crossings[here];
            let reach = reach_of(right, down);
            for (di, dj) in STEPS {
                if known.contains_key(&(i + di, j + dj)) {
                    continue;
                }
                let (x, y) = ahead(c, right, down, (di, dj));
                let Some(found) = self.near(here, x, y, reach, (di + dj) % 2 == 0) else { continue };
                if !used.insert(found) {
                    continue;
                }
                known.insert((i + di, j + dj), found);
                let d = self.crossings[found];
                let seen = (d.x - c.x, d.y - c.y);
                let mix = |step: (f32, f32), sign: i32| {
                    let sign = sign as f32;
                    ((step.0 + sign * seen.0) / 2.0, (step.1 + sign * seen.1) / 2.0)
                };
                let (right, down) = match (di, dj) {
                    (1 | -1, 0) => (mix(right, di), down),
                    (0, 1 | -1) => (right, mix(down, dj)),
                    _ => (right, down),
                };
                grown.push(((i + di, j + dj, found), right, down));
            }
        }
        let around = (-1..=1).flat_map(|j| (-1..=1).map(move |i| (i, j)));
        let around = around.filter(|n| known.contains_key(n)).count();
        (around >= LEAST_AROUND).then(|| grown.into_iter().map(|g| g.0).collect())
    }

    /// The chequer of these crossings, without stray ones at its rim.
    fn weave(&self, mut nodes: Vec<Node>, step: f32) -> Option<Weave> {
        let extent = |nodes: &[Node]| {
            nodes.iter().fold((i32::MAX, i32::MAX, i32::MIN, i32::MIN), |e, n| {
                (e.0.min(n.0), e.1.min(n.1), e.2.max(n.0), e.3.max(n.1))
            })
        };
        let (i0, j0, i1, j1) = loop {
            if nodes.is_empty() {
                return None;
            }
            let (i0, j0, i1, j1) = extent(&nodes);
            let (wide, high) = ((i1 - i0 + 1) as f32, (j1 - j0 + 1) as f32);
            // The thinnest line at the rim first.
            let share = |n: usize, of: f32| n as f32 / of;
            let thin = [
                (share(nodes.iter().filter(|n| n.0 == i0).count(), high), true, i0),
                (share(nodes.iter().filter(|n| n.0 == i1).count(), high), true, i1),
                (share(nodes.iter().filter(|n| n.1 == j0).count(), wide), false, j0),
                (share(nodes.iter().filter(|n| n.1 == j1).count(), wide), false, j1),
            ]
            .into_iter()
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
            if thin.0 >= LEAST_LINE {
                break (i0, j0, i1, j1);
            }
            nodes.retain(|n| if thin.1 { n.0 != thin.2 } else { n.1 != thin.2 });
        };
        let (wide, high) = ((i1 - i0 + 1) as usize, (j1 - j0 + 1) as usize);
        if wide < 3 || high < 3 || (nodes.len() as f32) < LEAST_SEEN * (wide * high) as f32 {
            return None;
        }
        let pairs: Vec<((f32, f32), Point)> = nodes
            .iter()
            .map(|&(i, j, n)| {
                let c = self.crossings[n];
                (((i - i0 + 1) as f32, (j - j0 + 1) as f32), Point::new(c.x * step, c.y * step))
            })
            .collect();
        Weave::through(&pairs, wide + 1, high + 1)
    }
}

/// Where the crossing so many steps to the right and down is expected.
fn ahead(from: Crossing, right: (f32, f32), down: (f32, f32), (i, j): (i32, i32)) -> (f32, f32) {
    let (a, b) = (i as f32, j as f32);
    (from.x + a * right.0 + b * down.0, from.y + a * right.1 + b * down.1)
}

/// How far from there it may be.
fn reach_of(right: (f32, f32), down: (f32, f32)) -> f32 {
    (OFF * right.0.hypot(right.1).min(down.0.hypot(down.1))).max(1.0)
}

fn is_peak(strength: &[f32], width: usize, i: usize) -> bool {
    let here = strength[i];
    [i - width - 1, i - width, i - width + 1, i - 1].iter().all(|&k| strength[k] < here)
        && [i + 1, i + width - 1, i + width, i + width + 1].iter().all(|&k| strength[k] <= here)
}
