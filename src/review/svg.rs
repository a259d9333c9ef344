//! A drawn board as SVG.

use std::fmt::Write as _;

use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Color, Placement, Role, Square};

/// Units of one square.
const SIDE: u32 = 45;

/// A board from White's side, or turned; `marked` squares are outlined. Colours come from the style sheet.
pub(super) fn board(placement: &Placement, turned: bool, marked: &[Square]) -> String {
    let mut out = format!(
        "<svg class=\"board\" viewBox=\"0 0 {0} {0}\" role=\"img\" aria-label=\"{placement}\">",
        8 * SIDE
    );
    for square in squares_in_fen_order() {
        let seen = if turned { square.rotate_180() } else { square };
        let (x, y) = (u32::from(seen.file()) * SIDE, (7 - u32::from(seen.rank())) * SIDE);
        let dark = (u32::from(square.file()) + u32::from(square.rank())) % 2 == 0;
        let shade = if dark { "dark" } else { "light" };
        // writing to a String cannot fail
        let _ =
            write!(out, "<rect class=\"{shade}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"/>");
        if let Some(piece) = placement.get(square) {
            let glyph = match piece.role {
                Role::Pawn => '\u{265f}',
                Role::Knight => '\u{265e}',
                Role::Bishop => '\u{265d}',
                Role::Rook => '\u{265c}',
                Role::Queen => '\u{265b}',
                Role::King => '\u{265a}',
            };
            let class = if piece.color == Color::White { "white" } else { "black" };
            // U+FE0E: as text, not as a coloured picture
            let _ = write!(
                out,
                "<text class=\"{class}\" x=\"{}\" y=\"{}\">{glyph}\u{fe0e}</text>",
                x + SIDE / 2,
                y + SIDE * 5 / 6
            );
        }
        if marked.contains(&square) {
            let _ = write!(
                out,
                "<rect class=\"marked\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                x + 1,
                y + 1,
                SIDE - 2,
                SIDE - 2
            );
        }
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_stand_where_they_should() {
        let placement: Placement = "k7/8/8/8/8/8/8/7Q".parse().unwrap();
        let drawn = board(&placement, false, &[Square::H1]);
        assert!(drawn.contains("<text class=\"black\" x=\"22\" y=\"37\">\u{265a}"), "{drawn}");
        assert!(drawn.contains("<text class=\"white\" x=\"337\" y=\"352\">\u{265b}"), "{drawn}");
        assert_eq!(drawn.matches("class=\"dark\"").count(), 32);
        assert_eq!(drawn.matches("class=\"marked\"").count(), 1);
        // a1 is dark, bottom left
        assert!(drawn.contains("<rect class=\"dark\" x=\"0\" y=\"315\""), "{drawn}");
        assert!(board(&placement, true, &[]).contains("<text class=\"black\" x=\"337\" y=\"352\">"));
    }
}
