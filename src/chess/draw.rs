//! Text boards.

use shakmaty::{Color, File, Rank, Role, Square};

use super::Placement;

/// How a board is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DrawStyle {
    /// Chess symbols instead of FEN letters; not every terminal shows them at an even width.
    pub figurines: bool,
    /// Rank 8 at the bottom, h-file on the left.
    pub black_below: bool,
}

/// What to point out on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks<'a> {
    /// Drawn in brackets.
    pub squares: &'a [Square],
    /// Drawn as a question mark: nobody knows what stands there.
    pub unknown: &'a [Square],
}

/// The board in a frame with ranks and files, eleven lines, each ended by a line feed.
pub fn draw(placement: &Placement, marks: Marks<'_>, style: DrawStyle) -> String {
    let turn = |index: u32, turned: bool| if turned { 7 - index } else { index };
    let frame = format!("    +{}+\n", "-".repeat(24));
    let mut out = frame.clone();
    for row in 0..8 {
        let rank = Rank::new(turn(row, !style.black_below));
        out.push_str(&format!("  {} |", rank.char()));
        for column in 0..8 {
            let square = Square::from_coords(File::new(turn(column, style.black_below)), rank);
            let man = if marks.unknown.contains(&square) { '?' } else { symbol(placement, square, style) };
            let (left, right) = if marks.squares.contains(&square) { ('[', ']') } else { (' ', ' ') };
            out.extend([left, man, right]);
        }
        out.push_str("|\n");
    }
    out.push_str(&frame);
    out.push_str("     ");
    for column in 0..8 {
        out.push_str(&format!(" {} ", File::new(turn(column, style.black_below)).char()));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn symbol(placement: &Placement, square: Square, style: DrawStyle) -> char {
    match placement.get(square) {
        None => '.',
        Some(man) if !style.figurines => man.char(),
        Some(man) => {
            let (white, black) = match man.role {
                Role::King => ('♔', '♚'),
                Role::Queen => ('♕', '♛'),
                Role::Rook => ('♖', '♜'),
                Role::Bishop => ('♗', '♝'),
                Role::Knight => ('♘', '♞'),
                Role::Pawn => ('♙', '♟'),
            };
            if man.color == Color::White { white } else { black }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_from_both_sides() {
        let placement: Placement = "r3k3/8/8/8/8/8/8/4K2R".parse().unwrap();
        let marks = Marks { squares: &[Square::E8], unknown: &[Square::A1] };
        let text = draw(&placement, marks, DrawStyle::default());
        let expected = "    +------------------------+
  8 | r  .  .  . [k] .  .  . |
  7 | .  .  .  .  .  .  .  . |
  6 | .  .  .  .  .  .  .  . |
  5 | .  .  .  .  .  .  .  . |
  4 | .  .  .  .  .  .  .  . |
  3 | .  .  .  .  .  .  .  . |
  2 | .  .  .  .  .  .  .  . |
  1 | ?  .  .  .  K  .  .  R |
    +------------------------+
      a  b  c  d  e  f  g  h
";
        assert_eq!(text, expected);
        let turned = draw(&placement, marks, DrawStyle { figurines: true, black_below: true });
        assert!(turned.contains("  8 | .  .  . [♚] .  .  .  ♜ |\n"), "{turned}");
        assert!(turned.ends_with("      h  g  f  e  d  c  b  a\n"));
    }
}
