//! Squares taken for empty that look unlike the other empty squares of their colour: a man may be hidden there.
//!
//! A net that sees a white streak, a pen line or a filled square and no man says "empty", and is sure of it. The board
//! itself tells better: its empty squares of one colour are printed alike.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::model::{MARGIN, SQUARE};

/// When an empty square is odd. Deviations are counted in spreads: how much the empty squares of that colour on that board
/// differ among themselves (1.4826 times the median absolute deviation), and `least_spread` at least.
///
/// Measured on the 370 boards of the real scans and the 46 of the upright test pages; the limits lie above what sound squares have
/// there, with specks of a tenth of a square.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OddParams {
    /// With fewer empty squares of a colour nothing is said of it: the median of five is moved by two.
    pub least_empty: usize,
    /// Smallest spread, as a share of the board's contrast. Clean prints differ by nothing at all, and what nobody sees
    /// must not count.
    pub least_spread: f32,
    /// Smallest contrast counted with, in gray levels: on a blank board everything would stand out.
    pub least_contrast: f32,
    /// Brightness against the empty squares of the same colour nearby, either way. Sound squares: up to 8.7, where light falls
    /// unevenly. A dark square that was covered with paper: 10 and more.
    pub brightness: f32,
    /// Standard deviation of the gray values over the usual. Specks: up to 10; a stroke right across: 11 to 27.
    pub busy: f32,
    /// The same under the usual: hatching that is gone. Sound squares: up to 5; covered ones 8 to 11.
    pub blank: f32,
    /// Lightest spot over the mean against the usual. Sound squares: up to 8, ink worn off a corner; white streaks on dark
    /// squares 9 to 25.
    pub light_spot: f32,
    /// Once a square is odd, those are named too that reach this share of a limit: the same damage rarely ends there.
    pub named: f32,
}

impl Default for OddParams {
    fn default() -> Self {
        OddParams {
            least_empty: 6,
            least_spread: 0.02,
            least_contrast: 40.0,
            brightness: 9.0,
            busy: 10.5,
            blank: 7.0,
            light_spot: 9.0,
            named: 0.6,
        }
    }
}

/// In which way a square differs most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    Darker,
    Lighter,
    /// More on it than on the others.
    Marked,
    /// The print of the others is missing.
    Blank,
    LightSpot,
}

/// Left out along a square's edges, in pixels: rules, men that reach over, and a lattice a little off.
const INSET: u32 = 4;
/// Squares nearer than this count as near, in squares along each axis: light changes little so far.
const NEAR: usize = 2;
/// With fewer near squares all of the colour are compared.
const LEAST_NEAR: usize = 3;
/// The lightest spot: this share of the square is lighter. Single pixels are grain.
const SPOT: f32 = 0.03;
/// Shares of the board's pixels darker and lighter than the two ends of its contrast.
const TAIL: f32 = 0.05;

/// What is compared of a square.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    mean: f32,
    deviation: f32,
    /// Lightest spot over the mean, after smoothing over 5 pixels: hatching has none.
    light_spot: f32,
}

/// The odd ones of the squares taken for empty, in order. `board` is a warped board (288 x 288); squares run row by row from the
/// picture's top left.
pub fn odd_squares(board: &GrayImage, empty: &[bool; 64], params: &OddParams) -> Vec<(usize, Oddity)> {
    let smooth = imageproc::filter::box_filter(board, 2, 2);
    let looks: Vec<Look> =
        (0..64).map(|i| if empty[i] { look(board, &smooth, i) } else { Look::default() }).collect();
    let least_spread = params.least_spread * contrast(board).max(params.least_contrast);
    let mut found: Vec<(usize, f32, Oddity)> = Vec::new();
    for colour in 0..2 {
        let squares: Vec<usize> = (0..64).filter(|&i| empty[i] && (i / 8 + i % 8) % 2 == colour).collect();
        if squares.len() < params.least_empty.max(1) {
            continue;
        }
        let against = |feature: &dyn Fn(usize) -> f32| {
            in_spreads(squares.iter().map(|&i| feature(i)).collect(), least_spread)
        };
        let brightness = against(&|i| looks[i].mean - mean_nearby(&looks, &squares, i));
        let deviation = against(&|i| looks[i].deviation);
        let spot = against(&|i| looks[i].light_spot);
        for (k, &square) in squares.iter().enumerate() {
            let ways = [
                (-brightness[k] / params.brightness, Oddity::Darker),
                (brightness[k] / params.brightness, Oddity::Lighter),
                (deviation[k] / params.busy, Oddity::Marked),
                (-deviation[k] / params.blank, Oddity::Blank),
                (spot[k] / params.light_spot, Oddity::LightSpot),
            ];
            found.extend(
                ways.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(by, way)| (square, by, way)),
            );
        }
    }
    if found.iter().all(|&(_, by, _)| by <= 1.0) {
        return Vec::new();
    }
    found.retain(|&(_, by, _)| by > params.named);
    found.sort_by_key(|&(square, ..)| square);
    found.into_iter().map(|(square, _, way)| (square, way)).collect()
}

fn look(board: &GrayImage, smooth: &GrayImage, square: usize) -> Look {
    let (row, col) = (square as u32 / 8, square as u32 % 8);
    let range = |at: u32| MARGIN + at * SQUARE + INSET..MARGIN + (at + 1) * SQUARE - INSET;
    let places = range(row).flat_map(|y| range(col).map(move |x| (x, y)));
    let count = ((SQUARE - 2 * INSET) * (SQUARE - 2 * INSET)) as f32;
    let (mut sum, mut squares) = (0f32, 0f32);
    let mut smoothed = Vec::with_capacity(count as usize);
    for (x, y) in places {
        let v = f32::from(board.get_pixel(x, y).0[0]);
        sum += v;
        squares += v * v;
        smoothed.push(smooth.get_pixel(x, y).0[0]);
    }
    smoothed.sort_unstable();
    let lightest = smoothed[((1.0 - SPOT) * (count - 1.0)) as usize];
    let mean = sum / count;
    Look {
        mean,
        deviation: (squares / count - mean * mean).max(0.0).sqrt(),
        light_spot: f32::from(lightest) - mean,
    }
}

/// The usual brightness where `square` is, without itself.
fn mean_nearby(looks: &[Look], squares: &[usize], square: usize) -> f32 {
    let others = || squares.iter().copied().filter(|&i| i != square);
    let is_near = |i: &usize| (i / 8).abs_diff(square / 8) <= NEAR && (i % 8).abs_diff(square % 8) <= NEAR;
    let means = |of: Vec<usize>| median(of.into_iter().map(|i| looks[i].mean).collect());
    let near: Vec<usize> = others().filter(is_near).collect();
    if near.len() < LEAST_NEAR { means(others().collect()) } else { means(near) }
}

/// Deviations from the median in spreads.
fn in_spreads(values: Vec<f32>, least_spread: f32) -> Vec<f32> {
    let middle = median(values.clone());
    // 1.4826 makes the median absolute deviation the standard deviation of normal values
    let spread = 1.4826 * median(values.iter().map(|v| (v - middle).abs()).collect());
    let spread = spread.max(least_spread).max(f32::EPSILON);
    values.into_iter().map(|v| (v - middle) / spread).collect()
}

/// 0 of nothing.
fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

/// From the board's dark to its light, in gray levels.
fn contrast(board: &GrayImage) -> f32 {
    let mut values = board.as_raw().clone();
    values.sort_unstable();
    let at = |share: f32| f32::from(values[(share * (values.len() - 1) as f32) as usize]);
    at(1.0 - TAIL) - at(TAIL)
}

#[cfg(test)]
mod tests {
    use super::super::model::BOARD_SIDE;
    use super::*;
    use image::Luma;

    /// Hatched dark squares, light from the left falling off by a third, grain, and "men" as rings on the two lowest rows.
    fn hatched() -> GrayImage {
        GrayImage::from_fn(BOARD_SIDE, BOARD_SIDE, |x, y| {
            let inside = |v: u32| (MARGIN..BOARD_SIDE - MARGIN).contains(&v);
            let (col, row) = (x.wrapping_sub(MARGIN) / SQUARE, y.wrapping_sub(MARGIN) / SQUARE);
            let dark = inside(x) && inside(y) && (col + row) % 2 == 1;
            let mut v = if dark && (x + y) % 6 < 3 { 60.0 } else { 235.0 };
            let (dx, dy) = (
                (x.wrapping_sub(MARGIN) % SQUARE) as f32 - 15.5,
                (y.wrapping_sub(MARGIN) % SQUARE) as f32 - 15.5,
            );
            if inside(x) && inside(y) && row >= 6 && (7.0..10.0).contains(&dx.hypot(dy)) {
                v = 20.0;
            }
            let grain = ((x * 7919 + y * 104_729 + x * y * 31) % 11) as f32 - 5.0;
            Luma([(v * (1.0 - x as f32 / BOARD_SIDE as f32 / 3.0) + grain) as u8])
        })
    }

    fn odd(board: &GrayImage) -> Vec<(usize, Oddity)> {
        odd_squares(board, &std::array::from_fn(|i| i < 48), &OddParams::default())
    }

    /// Paints part of a square, from and to in pixels of it.
    fn paint(board: &mut GrayImage, square: u32, x: std::ops::Range<u32>, y: std::ops::Range<u32>, v: u8) {
        let (left, top) = (MARGIN + square % 8 * SQUARE, MARGIN + square / 8 * SQUARE);
        for (x, y) in y.flat_map(|y| x.clone().map(move |x| (left + x, top + y))) {
            board.put_pixel(x, y, Luma([v]));
        }
    }

    #[test]
    fn a_clean_board_in_uneven_light_has_none() {
        assert_eq!(odd(&hatched()), []);
        assert_eq!(odd(&image::imageops::blur(&hatched(), 1.5)), []);
    }

    #[test]
    fn a_white_streak_over_dark_squares_is_seen() {
        let mut board = hatched();
        for square in [12, 28, 44] {
            paint(&mut board, square, 10..20, 0..32, 255);
        }
        let found: Vec<usize> = odd(&board).into_iter().map(|(square, _)| square).collect();
        assert_eq!(found, [12, 28, 44]);
    }

    #[test]
    fn filled_and_covered_squares_are_seen() {
        for (square, value, want) in [
            (18, 0, Oddity::Darker),
            (18, 128, Oddity::Darker),
            (19, 0, Oddity::Darker),
            (19, 235, Oddity::Lighter),
        ] {
            let mut board = hatched();
            paint(&mut board, square, 0..32, 0..32, value);
            assert_eq!(odd(&board), [(square as usize, want)], "{square} {value}");
        }
        // a gray label hides the hatching and keeps its brightness
        let mut board = hatched();
        paint(&mut board, 19, 0..32, 0..32, 125);
        assert_eq!(odd(&board), [(19, Oddity::Blank)]);
    }

    #[test]
    fn a_pen_line_is_seen_and_a_speck_is_not() {
        let mut board = hatched();
        paint(&mut board, 20, 14..18, 0..32, 20);
        assert_eq!(odd(&board), [(20, Oddity::Marked)]);
        let mut board = hatched();
        paint(&mut board, 20, 14..17, 14..17, 20);
        assert_eq!(odd(&board), []);
    }

    #[test]
    fn too_few_empty_squares_say_nothing() {
        let mut board = hatched();
        paint(&mut board, 1, 0..32, 0..32, 255);
        let few = |n: usize| odd_squares(&board, &std::array::from_fn(|i| i < n), &OddParams::default());
        assert_eq!(few(10), []);
        assert_eq!(few(24), [(1, Oddity::Lighter)]);
    }
}
