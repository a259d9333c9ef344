//! Boards by their printed coordinates: eight letters in a row and eight digits in a column, one square apart.
//!
//! What a hard threshold leaves of a board with a thin frame and light hatching are its men and its coordinates. Which glyphs
//! they are does not matter here: signs at equal distances both ways, alone in their places, stand beside nothing else.

use super::frames::Glyph;
use crate::board::{Point, Quad};

/// Signs of a row or column that must be there, of eight: one may be worn, or touch a man.
const LEAST_SIGNS: usize = 7;
/// A sign may be this far from its place, in squares: letters differ in height and width.
const OFF: f32 = 0.13;
/// Sides of a sign, in squares.
const SIGN: std::ops::RangeInclusive<f32> = 0.06..=0.62;
/// Distance of the signs' middles from the outermost squares, in squares.
const BESIDE: std::ops::RangeInclusive<f32> = 0.15..=1.1;
/// Rows may lean by this, in squares a square: ten degrees.
const LEAN: f32 = 0.18;
/// Squares of the two ways differ by this share at most.
const UNEVEN: f32 = 0.12;
/// More glyphs than this that stand alone are noise.
const MOST_GLYPHS: usize = 1500;

/// Signs at equal steps: the places of those seen, by their number 0 to 7.
struct Series {
    signs: Vec<(usize, Point)>,
    step: (f32, f32),
}

/// The 8 x 8 squares between a row and a column of signs, in page pixels.
pub fn find_lettered(glyphs: &[Glyph], smallest_square: f32) -> Vec<Quad> {
    let alone = alone(glyphs);
    if alone.len() < 2 * LEAST_SIGNS || alone.len() > MOST_GLYPHS {
        return Vec::new();
    }
    let mut found: Vec<Quad> = Vec::new();
    for row in rows(&alone, smallest_square) {
        let side = row.step.0.hypot(row.step.1);
        if let Some(quad) = columns(&alone, &row).into_iter().find_map(|column| squares(&row, &column)) {
            let known = found.iter().any(|q| q.center().distance(quad.center()) < side);
            if !known {
                found.push(quad);
            }
        }
    }
    found
}

/// Glyphs without another of their size close beside them: no letters of words.
fn alone(glyphs: &[Glyph]) -> Vec<Glyph> {
    let mut sorted: Vec<Glyph> = glyphs.to_vec();
    sorted.sort_by(|a, b| a.middle.x.total_cmp(&b.middle.x));
    let mut out = Vec::new();
    for (i, g) in sorted.iter().enumerate() {
        let beside = |other: &Glyph| {
            let gap = (other.middle.x - g.middle.x).abs() - (other.width + g.width) / 2.0;
            let level = (other.middle.y - g.middle.y).abs() < (other.height + g.height) / 4.0;
            // Men are larger than signs, specks smaller.
            let alike = (0.4..1.8).contains(&(other.height / g.height.max(1.0)));
            level && alike && gap < 0.7 * g.height
        };
        let reach = 4.0 * g.height + g.width;
        let before = sorted[..i].iter().rev().take_while(|o| g.middle.x - o.middle.x < reach).any(beside);
        let after = sorted[i + 1..].iter().take_while(|o| o.middle.x - g.middle.x < reach).any(beside);
        if !before && !after {
            out.push(*g);
        }
    }
    out
}

/// Rows of signs, from their first two on.
fn rows(glyphs: &[Glyph], smallest_square: f32) -> Vec<Series> {
    let mut out = Vec::new();
    for first in glyphs {
        for second in glyphs {
            let (dx, dy) = (second.middle.x - first.middle.x, second.middle.y - first.middle.y);
            if dx < smallest_square
                || dy.abs() > (LEAN + OFF) * dx
                || !is_sign(first, dx)
                || !is_sign(second, dx)
            {
                continue;
            }
            out.extend(series(glyphs, first.middle, (dx, dy)));
        }
    }
    out
}

fn is_sign(glyph: &Glyph, side: f32) -> bool {
    SIGN.contains(&(glyph.height / side)) && glyph.width / side < *SIGN.end()
}

/// A second sign may be farther from its place: its step comes from a single sign's width.
const SECOND_OFF: f32 = 1.5;

/// Follows equal steps from a sign on, correcting the step by what is seen.
fn series(glyphs: &[Glyph], from: Point, step: (f32, f32)) -> Option<Series> {
    let mut step = step;
    let mut signs = vec![(0, from)];
    for k in 1..8 {
        let far = k as f32;
        let want = Point::new(from.x + step.0 * far, from.y + step.1 * far);
        let side = step.0.hypot(step.1);
        let off = OFF * side * if k == 1 { SECOND_OFF } else { 1.0 };
        let near = glyphs
            .iter()
            .filter(|g| is_sign(g, side))
            .map(|g| (g.middle.distance(want), g.middle))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match near {
            Some((distance, place)) if distance < off => {
                signs.push((k, place));
                step = ((place.x - from.x) / far, (place.y - from.y) / far);
            }
            _ if k + 1 - signs.len() > 8 - LEAST_SIGNS => return None,
            _ => {}
        }
    }
    Some(Series { signs, step })
}

/// Columns of signs, from below upwards, that fit a row of them: beside its left or its right end, above or below it.
fn columns(glyphs: &[Glyph], row: &Series) -> Vec<Series> {
    let (v, first) = (row.step, row.signs[0].1);
    let side = v.0.hypot(v.1);
    let up = (v.1, -v.0);
    // Along the row and upwards from its first letter, in squares.
    let place = |p: Point| {
        let (x, y) = ((p.x - first.x) / side, (p.y - first.y) / side);
        ((x * v.0 + y * v.1) / side, (x * up.0 + y * up.1) / side)
    };
    let beside = |along: f32| BESIDE.contains(&(-0.5 - along)) || BESIDE.contains(&(along - 7.5));
    let mut out = Vec::new();
    for glyph in glyphs.iter().filter(|g| is_sign(g, side)) {
        let (along, above) = place(glyph.middle);
        // The row stands below the lowest sign's square, or above the uppermost one's.
        let below = BESIDE.contains(&(above - 0.5));
        let over = BESIDE.contains(&(-7.5 - above));
        if beside(along) && (below || over) {
            out.extend(series(glyphs, glyph.middle, up));
        }
    }
    out.retain(|c| (c.step.0.hypot(c.step.1) / side - 1.0).abs() < UNEVEN);
    out
}

/// The board between the two: letters say where its files are, digits where its ranks are.
fn squares(row: &Series, column: &Series) -> Option<Quad> {
    let (a, b) = (row.step, (-column.step.0, -column.step.1));
    let det = a.0 * b.1 - a.1 * b.0;
    if det <= 0.0 {
        return None;
    }
    // Along files and ranks, in squares.
    let file = |p: Point| (p.x * b.1 - p.y * b.0) / det;
    let rank = |p: Point| (p.y * a.0 - p.x * a.1) / det;
    let mean = |values: &mut dyn Iterator<Item = f32>| {
        let (sum, count) = values.fold((0.0, 0.0), |(s, n), v| (s + v, n + 1.0));
        sum / f32::max(count, 1.0)
    };
    let left = mean(&mut row.signs.iter().map(|&(k, p)| file(p) - (k as f32 + 0.5)));
    // The column runs upwards.
    let top = mean(&mut column.signs.iter().map(|&(k, p)| rank(p) - (7.5 - k as f32)));
    let corner =
        |x: f32, y: f32| Point::new((left + x) * a.0 + (top + y) * b.0, (left + x) * a.1 + (top + y) * b.1);
    Some(Quad([corner(0.0, 0.0), corner(8.0, 0.0), corner(8.0, 8.0), corner(0.0, 8.0)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(x: f32, y: f32) -> Glyph {
        Glyph { middle: Point::new(x, y), width: 14.0, height: 18.0 }
    }

    /// Coordinates of a board with squares of 60 pixels from (200, 300) on, but for those `gone`.
    fn coordinates(gone: &[usize]) -> Vec<Glyph> {
        let files = (0..8).map(|i| sign(230.0 + 60.0 * i as f32, 808.0));
        let ranks = (0..8).map(|i| sign(178.0, 330.0 + 60.0 * i as f32));
        files.chain(ranks).enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, g)| g).collect()
    }

    #[test]
    fn letters_and_digits_enclose_a_board() {
        for gone in [&[][..], &[3, 12]] {
            let found = find_lettered(&coordinates(gone), 9.0);
            assert_eq!(found.len(), 1, "{gone:?}");
            let want = Quad::from_bounds(200.0, 300.0, 680.0, 780.0);
            assert!(found[0].0.iter().zip(want.0).all(|(p, q)| p.distance(q) < 2.0), "{found:?}");
        }
    }

    #[test]
    fn fewer_signs_or_words_enclose_none() {
        assert!(find_lettered(&coordinates(&[2, 3]), 9.0).is_empty());
        assert!(find_lettered(&coordinates(&[9, 10]), 9.0).is_empty());
        // Lines of text: letters close together.
        let text: Vec<Glyph> = (0..20)
            .flat_map(|line| (0..40).map(move |i| sign(100.0 + 20.0 * i as f32, 100.0 + 40.0 * line as f32)))
            .collect();
        assert!(find_lettered(&text, 9.0).is_empty());
    }
}
