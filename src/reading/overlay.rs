//! A flag on squares read as empty that do not look it.

use image::GrayImage;

use super::Orientation;
use crate::board::{OddParams, Oddity, odd_squares};
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Flag, FlagCode, Placement, Square};

/// Doubts the empty squares of `placement` that look unlike the others of their colour on the warped `board`. `outside` are the
/// squares outside the picture, counted from its top left: nothing is seen of them.
pub fn overlay_flag(
    board: &GrayImage,
    placement: &Placement,
    orientation: Orientation,
    outside: &[usize],
    params: &OddParams,
) -> Option<Flag> {
    let mut squares: Vec<Square> = squares_in_fen_order().collect();
    if orientation == Orientation::BlackBottom {
        squares.reverse();
    }
    let empty = std::array::from_fn(|i| placement.get(squares[i]).is_none() && !outside.contains(&i));
    let odd = odd_squares(board, &empty, params);
    if odd.is_empty() {
        return None;
    }
    let list: Vec<String> = odd.iter().map(|&(i, way)| format!("{} {}", squares[i], word(way))).collect();
    let message = format!(
        "read as empty, yet unlike the other empty squares (a man may be hidden): {}",
        list.join(", ")
    );
    Some(Flag::new(FlagCode::Overlay, message).on(odd.iter().map(|&(i, _)| squares[i])))
}

fn word(way: Oddity) -> &'static str {
    match way {
        Oddity::Darker => "is darker",
        Oddity::Lighter => "is lighter",
        Oddity::Marked => "has marks",
        Oddity::Blank => "is blank",
        Oddity::LightSpot => "has a light spot",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::model::{BOARD_SIDE, MARGIN, SQUARE};
    use image::Luma;

    #[test]
    fn squares_are_named_from_the_side_below_and_those_outside_are_not() {
        // flat squares, one of them filled: third from the left in the top row
        let board = GrayImage::from_fn(BOARD_SIDE, BOARD_SIDE, |x, y| {
            let at = |v: u32| v.wrapping_sub(MARGIN) / SQUARE;
            let dark = (at(x) + at(y)) % 2 == 1;
            Luma([if (at(x), at(y)) == (2, 0) {
                10
            } else if dark {
                150
            } else {
                230
            }])
        });
        let placement: Placement = "8/8/8/8/8/8/8/K6k".parse().unwrap();
        let flag = |orientation, outside: &[usize]| {
            overlay_flag(&board, &placement, orientation, outside, &OddParams::default())
        };
        let white = flag(Orientation::WhiteBottom, &[]).unwrap();
        assert_eq!((white.code, white.squares.as_slice()), (FlagCode::Overlay, &[Square::C8][..]));
        assert!(white.message.ends_with("c8 is darker"), "{}", white.message);
        let black = flag(Orientation::BlackBottom, &[]).unwrap();
        assert_eq!(black.squares, [Square::F1]);
        assert_eq!(flag(Orientation::WhiteBottom, &[2]), None);
    }
}
