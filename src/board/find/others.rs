//! What becomes of a chequer seen by its crossings: a board, several side by side, or a place to look at.

use super::judge::{self, Judged};
use super::pyramid::Pyramid;
use super::weave::{Part, Weave};
use super::{Candidate, FindParams, Verdict, overlap};
use crate::board::{BoardRegion, Point, Quad};

/// A board may lack so many lines of squares, or have one too many.
const LACKING: i32 = 2;
const TOO_MANY: i32 = 1;
/// Fewest squares that no board covers, in all and each way, that are worth a look: a quarter of a board has sixteen.
const LEAST_SQUARES: i32 = 12;
const LEAST_WAY: i32 = 3;
/// In a board whose squares are larger by this, a chequer is the hatching of its dark squares.
const COARSER: f32 = 1.6;
/// Boards of draughts.
const DRAUGHTS: [i32; 2] = [10, 12];

/// Judges the boards that a chequer may be, where none was found yet.
pub fn propose(
    pyramid: &Pyramid<'_>,
    weave: &Weave,
    passed: &mut Vec<Judged>,
    candidates: &mut Vec<Candidate>,
    params: &FindParams,
) {
    let Part { x, y, columns, rows } = weave.extent;
    let several = columns % 8 == 0 && rows % 8 == 0 && columns * rows > 64;
    let quads: Vec<Quad> = passed.iter().map(|j| j.region.quad).collect();
    let (within, side) = (weave.quad(), weave.side());
    if quads.iter().any(|q| q.square_size() > COARSER * side && overlap(q, &within) > 0.2) {
        return;
    }
    // Boards side by side may have been found at wrong places.
    if !several && uncovered(weave, &quads).is_none() {
        return;
    }
    let one = 8 - LACKING..=8 + TOO_MANY;
    let mut judged = Vec::new();
    if one.contains(&columns) && one.contains(&rows) {
        // Where its eight lines of squares are is found by the fit.
        let quad = weave.quad_of(Part { x, y, columns: 8, rows: 8 });
        judged.push(judge::judge_found(pyramid, &quad, params));
    } else if several {
        let tiles = (0..rows / 8).flat_map(|r| (0..columns / 8).map(move |c| (r, c)));
        judged.extend(tiles.map(|(row, column)| {
            let tile = Part { x: x + 8 * column, y: y + 8 * row, columns: 8, rows: 8 };
            judge::judge_tile(pyramid, &weave.quad_of(tile), params)
        }));
    }
    for result in judged {
        match result {
            Ok(judged) => passed.push(judged),
            Err((quad, reason)) => {
                let reason = format!("{reason} (by crossings)");
                candidates.push(Candidate { quad, verdict: Verdict::Dropped(reason) });
            }
        }
    }
}

/// The part of a chequer that no board covers, as a place to look at.
///
/// `strongest`: the largest contrast of the page's boards, beside which show-through is faint.
pub fn left_over(
    pyramid: &Pyramid<'_>,
    weave: &Weave,
    boards: &[BoardRegion],
    strongest: f32,
) -> Option<Candidate> {
    let quads: Vec<Quad> = boards.iter().map(|r| r.quad).collect();
    let part = uncovered(weave, &quads)?;
    let shown = weave.show(pyramid, part, |square| covered(weave, &quads, square));
    let Part { columns, rows, .. } = weave.extent;
    let said = format!("a chequer of {columns} x {rows} squares: {shown:.2?}, off {:.3}", weave.residual);
    let draughts = columns == rows && DRAUGHTS.contains(&columns);
    let dropped = draughts || !shown.is_chequer() || judge::is_faint(shown.mean.abs(), strongest);
    let verdict = if dropped { Verdict::Dropped(said) } else { Verdict::Doubted(said) };
    Some(Candidate { quad: weave.quad_of(part), verdict })
}

/// The part of a chequer whose squares no board covers; `None` when they are few.
fn uncovered(weave: &Weave, boards: &[Quad]) -> Option<Part> {
    let Part { x, y, columns, rows } = weave.extent;
    let (mut x0, mut y0, mut x1, mut y1, mut count) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN, 0);
    for (row, column) in (y..y + rows).flat_map(|row| (x..x + columns).map(move |column| (row, column))) {
        if !covered(weave, boards, (column, row)) {
            (x0, y0, x1, y1) = (x0.min(column), y0.min(row), x1.max(column + 1), y1.max(row + 1));
            count += 1;
        }
    }
    (count >= LEAST_SQUARES && x1 - x0 >= LEAST_WAY && y1 - y0 >= LEAST_WAY).then(|| Part {
        x: x0,
        y: y0,
        columns: x1 - x0,
        rows: y1 - y0,
    })
}

fn covered(weave: &Weave, boards: &[Quad], square: (i32, i32)) -> bool {
    let middle = weave.middle(square);
    boards.iter().any(|quad| holds(quad, middle))
}

/// Whether a point lies within a quad whose corners run clockwise.
fn holds(quad: &Quad, p: Point) -> bool {
    (0..4).all(|i| {
        let (a, b) = (quad.0[i], quad.0[(i + 1) % 4]);
        (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0.0
    })
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use crate::board::find::{Finding, find_boards};
    use crate::board::{FindParams, Quad};

    /// A page with a chequer of `columns` x `rows` squares of 40 x `high` pixels around its middle, turned by `degrees`.
    fn page(columns: i32, rows: i32, high: f32, degrees: f32) -> Finding {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let gray = GrayImage::from_fn(1200, 800, |x, y| {
            let (dx, dy) = (x as f32 + 0.5 - 600.0, y as f32 + 0.5 - 400.0);
            let (u, v) = ((cos * dx + sin * dy) / 40.0, (cos * dy - sin * dx) / high);
            let (column, row) = (u + columns as f32 / 2.0, v + rows as f32 / 2.0);
            let (column, row) = (column.floor() as i32, row.floor() as i32);
            let dark = (0..columns).contains(&column) && (0..rows).contains(&row) && (column + row) % 2 != 0;
            Luma([if dark { 140 } else { 240 }])
        });
        find_boards(&gray, &FindParams::default())
    }

    fn is_at(quad: &Quad, want: (f32, f32, f32, f32)) -> bool {
        let b = quad.bounds();
        [b.0 - want.0, b.1 - want.1, b.2 - want.2, b.3 - want.3].iter().all(|d| d.abs() < 6.0)
    }

    #[test]
    fn boards_that_touch_are_found_each() {
        let side_by_side = page(16, 8, 40.0, 0.0);
        let quads: Vec<Quad> = side_by_side.regions.iter().map(|r| r.quad).collect();
        assert_eq!(quads.len(), 2, "{quads:?}");
        assert!(is_at(&quads[0], (280.0, 240.0, 600.0, 560.0)), "{quads:?}");
        assert!(is_at(&quads[1], (600.0, 240.0, 920.0, 560.0)), "{quads:?}");
        assert_eq!(page(16, 16, 40.0, 0.0).regions.len(), 4);
    }

    #[test]
    fn turned_and_squeezed_boards_are_found() {
        for (degrees, high) in [(23.0, 40.0), (-31.0, 40.0), (44.0, 40.0), (0.0, 26.0), (0.0, 55.0)] {
            let found = page(8, 8, high, degrees).regions;
            assert_eq!(found.len(), 1, "{degrees} degrees, {high} high");
            let area = found[0].quad.area() / (64.0 * 40.0 * high);
            assert!((0.97..1.03).contains(&area), "{degrees} degrees, {high} high: {area}");
        }
    }

    #[test]
    fn parts_of_boards_are_doubted_where_they_are() {
        for (columns, rows) in [(8, 4), (8, 5), (4, 8), (4, 4)] {
            let finding = page(columns, rows, 40.0, 0.0);
            assert!(finding.regions.is_empty());
            let (w, h) = (20.0 * columns as f32, 20.0 * rows as f32);
            let doubted = finding.doubted();
            assert_eq!(doubted.len(), 1, "{columns} x {rows}");
            assert!(is_at(&doubted[0], (600.0 - w, 400.0 - h, 600.0 + w, 400.0 + h)), "{doubted:?}");
        }
    }

    #[test]
    fn draughts_are_left_alone() {
        let finding = page(10, 10, 40.0, 0.0);
        assert!(finding.regions.is_empty());
        assert!(finding.doubted().is_empty());
    }
}
