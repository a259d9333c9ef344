//! Boards that hold no chess position: draughts boards, whose men are discs.
//!
//! They are boards to the finder. They are left out, with a word on the page and a reason among the candidates, only when
//! it is certain. Empty boards stay and carry `not_chess`: men may have faded, and a missed exercise is the worst loss.

use image::GrayImage;

use crate::board::BoardScores;
use crate::board::model::{MARGIN, SQUARE};
use crate::chess::{PieceClass, legal};

/// A man is a disc when the rings around its middle explain this share of its gray values: discs have 0.8 to 0.97, the
/// roundest chess men of old prints 0.66, men in general 0.2 to 0.6.
const DISC: f32 = 0.75;
/// Share of the men that must be discs.
const SHARE: f32 = 0.9;
/// Discs that make a draughts board.
const LEAST: usize = 2;
/// Radius of the part of a square looked at, in pixels of the warped board.
const RADIUS: f32 = 13.0;
/// A man may stand this far from the middle of its square, in pixels.
const OFF: i32 = 2;
/// A square under this probability of being empty may hold a man: the net takes some discs for nothing.
const EMPTY: f32 = 0.95;
/// A board that is read as a legal position with this probability is chess, however round its men are.
const READ: f64 = 0.2;

/// Why a warped board holds no chess position, if that is certain.
pub fn why_not_chess(board: &GrayImage, scores: &BoardScores) -> Option<String> {
    let men: Vec<usize> =
        (0..64).filter(|&i| scores.squares.0[i][PieceClass::EMPTY.index()] < EMPTY).collect();
    if men.len() < LEAST {
        return None;
    }
    let read = legal::most_likely_legal(&scores.squares.0);
    if read.raw_is_legal() && read.raw_log_probability > READ.ln() {
        return None;
    }
    let smooth = imageproc::filter::box_filter(board, 1, 1);
    let discs = men.iter().filter(|&&i| roundness(&smooth, i) > DISC).count();
    (discs >= LEAST && discs as f32 >= SHARE * men.len() as f32)
        .then(|| format!("{discs} of {} men are discs: draughts", men.len()))
}

/// Share of the variance of a square's gray values that rings around a point near its middle explain.
fn roundness(board: &GrayImage, square: usize) -> f32 {
    let (row, col) = (square as u32 / 8, square as u32 % 8);
    let corner = |at: u32| (MARGIN + at * SQUARE) as i32;
    let middle = SQUARE as f32 / 2.0 - 0.5;
    let mut best = 0f32;
    for (dx, dy) in (-OFF..=OFF).flat_map(|dy| (-OFF..=OFF).map(move |dx| (dx, dy))) {
        let (cx, cy) = (middle + dx as f32, middle + dy as f32);
        let mut rings = [(0f32, 0f32); RADIUS as usize + 1];
        let (mut sum, mut squares, mut count) = (0f32, 0f32, 0f32);
        for y in 0..SQUARE as i32 {
            for x in 0..SQUARE as i32 {
                let radius = (x as f32 - cx).hypot(y as f32 - cy);
                if radius >= RADIUS {
                    continue;
                }
                let pixel = board.get_pixel((corner(col) + x) as u32, (corner(row) + y) as u32);
                let value = f32::from(pixel.0[0]);
                let ring = &mut rings[radius as usize];
                *ring = (ring.0 + value, ring.1 + 1.0);
                sum += value;
                squares += value * value;
                count += 1.0;
            }
        }
        let mean = sum / count;
        let total = squares - count * mean * mean;
        let between: f32 = rings.iter().filter(|r| r.1 > 0.0).map(|r| r.1 * (r.0 / r.1 - mean).powi(2)).sum();
        best = best.max(between / total.max(count));
    }
    best
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;
    use crate::board::SquareScores;
    use crate::board::model::BOARD_SIDE;

    /// A board with men, drawn by `ink` from the square's middle, on a few squares that the net calls bishops.
    fn board(ink: impl Fn(f32, f32) -> bool, men: &[usize]) -> (GrayImage, BoardScores) {
        let picture = GrayImage::from_fn(BOARD_SIDE, BOARD_SIDE, |x, y| {
            let at = |v: u32| (v as i32 - MARGIN as i32).div_euclid(SQUARE as i32);
            let (col, row) = (at(x), at(y));
            let middle =
                |v: u32, at: i32| v as f32 + 0.5 - (MARGIN as f32 + (at as f32 + 0.5) * SQUARE as f32);
            let light = if (row + col) % 2 == 0 { 235 } else { 150 };
            let here =
                men.contains(&((row * 8 + col) as usize)) && (0..8).contains(&row) && (0..8).contains(&col);
            Luma([if here && ink(middle(x, col), middle(y, row)) { 20 } else { light }])
        });
        let mut rows = Box::new([[0f32; 13]; 64]);
        for (i, row) in rows.iter_mut().enumerate() {
            row[if men.contains(&i) { 3 } else { 0 }] = 1.0;
        }
        (picture, BoardScores { squares: SquareScores(rows), outlier: 0.0 })
    }

    #[test]
    fn discs_and_rings_are_draughts() {
        let (picture, scores) = board(|x, y| x.hypot(y) < 11.0, &[1, 12, 40]);
        assert!(why_not_chess(&picture, &scores).unwrap().contains("draughts"));
        let (picture, scores) = board(|x, y| (9.0..11.5).contains(&x.hypot(y - 1.0)), &[1, 12, 40]);
        assert!(why_not_chess(&picture, &scores).unwrap().contains("draughts"));
    }

    #[test]
    fn men_with_a_base_are_not() {
        // a pawn: a head on a base
        let pawn = |x: f32, y: f32| x.hypot(y + 4.0) < 5.0 || (y > 4.0 && y < 11.0 && x.abs() < 8.0);
        let (picture, scores) = board(pawn, &[1, 12, 40]);
        assert_eq!(why_not_chess(&picture, &scores), None);
    }

    #[test]
    fn round_men_that_are_read_well_are_chess() {
        let (picture, mut scores) = board(|x, y| x.hypot(y) < 11.0, &[1, 12, 40]);
        for (square, class) in [(1, 12), (12, 6), (40, 5)] {
            scores.squares.0[square] = [0.0; 13];
            scores.squares.0[square][class] = 1.0;
        }
        assert_eq!(why_not_chess(&picture, &scores), None);
    }

    #[test]
    fn an_empty_board_stays_to_be_looked_at() {
        let (picture, scores) = board(|_, _| true, &[]);
        assert_eq!(why_not_chess(&picture, &scores), None);
    }
}
