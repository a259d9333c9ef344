//! Lines drawn along the lattice: a frame tells where the outermost squares end.

use super::evidence::BEYOND;
use super::straight::Straight;

/// Lattice lines looked at: those of the board and [`BEYOND`] more on each side.
pub const BORDERS: usize = 9 + 2 * BEYOND;
/// A drawn line is darker than both its sides by this share of the picture's range.
const DARKER: f32 = 0.08;
/// Distance of the sides looked at, in pixels of the straightened picture.
const BESIDE: isize = 3;
/// Where a frame line may lie, from inside to outside the lattice line, in pixels.
const INWARD: isize = 3;
const OUTWARD: isize = 5;
/// A picture whose edge lies this near (in squares) to a lattice line ends with the board.
const PICTURE_EDGE: f32 = 0.35;

/// For each lattice line, upright ones for `along_u`: how much of its length is drawn, 0 to 1. A line at the picture's edge counts as drawn.
/// Which side is outside goes by the middle of the board.
pub fn drawn_lines(straight: &Straight, along_u: bool) -> [f32; BORDERS] {
    let dark = (straight.range() * DARKER).max(3.0);
    std::array::from_fn(|k| {
        let line = k as isize - BEYOND as isize;
        let outward = if line < 4 { -1 } else { 1 };
        if ends_here(straight, line, outward, along_u) {
            1.0
        } else {
            drawn(straight, line, outward, along_u, dark)
        }
    })
}

fn ends_here(s: &Straight, line: isize, outward: isize, along_u: bool) -> bool {
    let at = line as f32 + outward as f32 * PICTURE_EDGE;
    let within = line as f32 - outward as f32 * PICTURE_EDGE;
    // Where the straightened picture itself ends nothing is known of the page's edge.
    s.reaches(at) && s.inside_share(at, along_u) < 0.2 && s.inside_share(within, along_u) > 0.8
}

fn drawn(s: &Straight, line: isize, outward: isize, along_u: bool, dark: f32) -> f32 {
    let sum: f32 = (0..8).map(|cell| drawn_beside(s, line, outward, along_u, cell, dark)).sum();
    // Hatching and text reach a half by chance.
    ((sum / 8.0 - 0.5) / 0.4).clamp(0.0, 1.0)
}

/// Share of a lattice line's length beside one square that is drawn.
fn drawn_beside(s: &Straight, line: isize, outward: isize, along_u: bool, cell: isize, dark: f32) -> f32 {
    let fine = s.fine() as isize;
    let value = |across: isize, along: isize| {
        let (x, y) = if along_u { (across, along) } else { (along, across) };
        s.pixel(x, y).map(f32::from)
    };
    let mut best = 0;
    for offset in -INWARD..=OUTWARD {
        let at = line * fine + outward * offset;
        let hits = (cell * fine..(cell + 1) * fine)
            .filter(|&along| {
                let Some(here) = value(at, along) else { return false };
                let lighter = |d: isize| value(at + outward * d, along).is_some_and(|v| v > here + dark);
                // Outwards up to three widths: thick frames.
                lighter(-BESIDE) && (lighter(BESIDE) || lighter(2 * BESIDE) || lighter(3 * BESIDE))
            })
            .count();
        best = best.max(hits);
    }
    best as f32 / fine as f32
}

/// Share of a line's length beside a square from which it is drawn there: strokes of type reach a half.
const DRAWN_BESIDE: f32 = 0.8;

/// Whether the lines between the squares go on beyond the 8 x 8 at one of its sides, with squares of their own.
pub fn lines_go_on(s: &Straight) -> bool {
    let dark = (s.range() * DARKER).max(3.0);
    [true, false].into_iter().any(|along_u| {
        [-1, 8].into_iter().any(|cell| {
            let lines = (1..8).filter(|&line| drawn_beside(s, line, 1, along_u, cell, dark) > DRAWN_BESIDE);
            2 * lines.count() > 7
        })
    })
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::*;
    use crate::board::Quad;
    use crate::board::find::pyramid::Pyramid;
    use crate::board::find::straight::FINE;

    #[test]
    fn only_the_pages_edge_counts_as_drawn() {
        let page = GrayImage::from_pixel(500, 400, Luma([230]));
        let pyramid = Pyramid::new(&page);
        let lines = |quad: Quad, along_u| {
            drawn_lines(&Straight::new(&pyramid, &quad, FINE, BEYOND).unwrap(), along_u)
        };
        // The straightened picture ends two squares beyond the board, the page does not.
        let inner = Quad::from_bounds(130.0, 120.0, 290.0, 280.0);
        assert_eq!(lines(inner, true), [0.0; BORDERS]);
        assert_eq!(lines(inner, false), [0.0; BORDERS]);
        let mut left = [0.0; BORDERS];
        left[BEYOND] = 1.0;
        assert_eq!(lines(Quad::from_bounds(2.0, 120.0, 162.0, 280.0), true), left);
    }

    /// A page with `cells` x `cells` squares of 20 pixels between lines from (100, 100) on.
    fn grid(cells: u32) -> GrayImage {
        let inside = |v: u32| (100..=100 + 20 * cells + 1).contains(&v);
        let on_line = |v: u32| (v - 100) % 20 < 2;
        GrayImage::from_fn(500, 400, |x, y| {
            let line = inside(x) && inside(y) && (on_line(x) || on_line(y));
            // Type above the board.
            let type_ = (76..88).contains(&y) && (100..261).contains(&x) && x % 5 < 3;
            Luma([if line || type_ { 30 } else { 230 }])
        })
    }

    #[test]
    fn a_larger_grid_goes_on_and_type_beside_the_board_does_not() {
        let goes_on = |page: &GrayImage| {
            let quad = Quad::from_bounds(101.0, 101.0, 261.0, 261.0);
            lines_go_on(&Straight::new(&Pyramid::new(page), &quad, FINE, BEYOND).unwrap())
        };
        assert!(!goes_on(&grid(8)));
        assert!(goes_on(&grid(10)));
    }
}
