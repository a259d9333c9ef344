//! Boards whose dark squares the scan has lost: a frame, and men that keep to the squares' middles.

use super::straight::{FINE, Straight};

/// What the inside of a frame holds, by squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Content {
    /// Squares with ink in their middle.
    pub occupied: usize,
    /// Ink along the inner lattice lines over ink in the middles of occupied squares: men keep off the lines, text does not.
    pub crossing: f32,
    /// Share of occupied squares whose ink is centred from left to right.
    pub centred: f32,
    /// How far inside the 8 x 8 looked at the men's own squares begin, in squares, as their distances tell; 0 when they are few.
    pub gap: f32,
}

/// Ink is darker than paper by this share of the way to the darkest.
const INK: f32 = 0.45;
/// Half of the middle part of a square, and half width of the band along a line, in squares.
const MIDDLE: f32 = 0.3;
const BAND: f32 = 0.07;
/// A square with this share of ink in its middle holds a man: an outlined pawn has 0.15.
const OCCUPIED: f32 = 0.08;
/// Farthest that the ink's centre may be from the middle of the square.
const OFF_CENTRE: f32 = 0.14;

/// Looks at the ink inside the 8 x 8.
pub fn content(s: &Straight) -> Content {
    let side = 8 * FINE as isize;
    let mut values: Vec<u8> = Vec::with_capacity((side * side) as usize);
    for y in 0..side {
        values.extend((0..side).filter_map(|x| s.pixel(x, y)));
    }
    if values.is_empty() {
        return Content { occupied: 0, crossing: 1.0, centred: 0.0, gap: 0.0 };
    }
    let mut order = values.clone();
    order.sort_unstable();
    let (dark, paper) = (f32::from(order[order.len() / 200]), f32::from(order[order.len() * 7 / 10]));
    let threshold = paper - INK * (paper - dark);
    let ink = |x: isize, y: isize| s.pixel(x, y).is_some_and(|v| f32::from(v) < threshold);
    let fine = FINE as f32;
    let (mut occupied, mut centred, mut middle_ink) = (0, 0, 0.0);
    let (mut files, mut ranks) = (Vec::new(), Vec::new());
    for row in 0..8 {
        for col in 0..8 {
            let (mut hits, mut all, mut sum, mut down, mut total) = (0, 0, 0.0, 0.0, 0.0);
            for y in 0..FINE as isize {
                for x in 0..FINE as isize {
                    let (u, v) = ((x as f32 + 0.5) / fine - 0.5, (y as f32 + 0.5) / fine - 0.5);
                    let here = ink(col * FINE as isize + x, row * FINE as isize + y);
                    // Clear of the frame and of what stands on the lines.
                    if here && u.abs() < 0.44 && v.abs() < 0.44 {
                        sum += u;
                        down += v;
                        total += 1.0;
                    }
                    if u.abs() < MIDDLE && v.abs() < MIDDLE {
                        all += 1;
                        hits += i32::from(here);
                    }
                }
            }
            let share = hits as f32 / all as f32;
            if share > OCCUPIED {
                occupied += 1;
                middle_ink += share;
                centred += usize::from((sum / f32::max(total, 1.0)).abs() < OFF_CENTRE);
                files.push((col as f32, sum / f32::max(total, 1.0)));
                ranks.push((row as f32, down / f32::max(total, 1.0)));
            }
        }
    }
    let band = (BAND * fine).round() as isize;
    let (mut on_lines, mut line_pixels) = (0, 0);
    for line in 1..8 {
        for d in -band..band {
            for along in FINE as isize / 4..side - FINE as isize / 4 {
                let at = line * FINE as isize + d;
                on_lines += i32::from(ink(at, along)) + i32::from(ink(along, at));
                line_pixels += 2;
            }
        }
    }
    let on_lines = on_lines as f32 / line_pixels as f32;
    let middle = middle_ink / occupied.max(1) as f32;
    // Lines run past empty squares too: set against the same share of squares.
    let share = occupied.max(1) as f32 / 64.0;
    Content {
        occupied,
        crossing: on_lines / (middle * share).max(1e-3),
        centred: centred as f32 / occupied.max(1) as f32,
        gap: gap(&files, &ranks),
    }
}

/// Fewest men whose distances tell the squares' size: each is off its middle by a twentieth of a square.
const LEAST_TELLING: usize = 8;
/// Frames stand at most so far from the squares.
const MOST_GAP: f32 = 0.25;

/// How far inside the frame squares begin, from the men's offsets (in squares) by file and by rank: men too near the middle are
/// men on smaller squares.
fn gap(files: &[(f32, f32)], ranks: &[(f32, f32)]) -> f32 {
    if files.len() < LEAST_TELLING {
        return 0.0;
    }
    let (mut joint, mut spread) = (0.0, 0.0);
    for points in [files, ranks] {
        let n = points.len() as f32;
        let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
        joint += points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f32>();
        spread += points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f32>();
    }
    // A gap on both sides of eight squares shrinks each by a quarter of it.
    (-4.0 * joint / spread.max(1.0)).clamp(0.0, MOST_GAP)
}
