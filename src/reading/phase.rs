//! A lattice that is off by a whole square: found by what the squares then hold.
//!
//! A board read one rank or file off has an edge of nothing and, mostly, pawns on an edge rank or no
//! king. Only such boards are read again, moved by one square each way; one that then obeys the rules
//! and is far likelier takes the place of the first, and says so. The tone of the squares has a say:
//! where the bottom left one is seen dark, as on any board, only a diagonal move keeps it so.

use image::GrayImage;

use crate::board::warp::Homography;
use crate::board::{BoardRegion, BoardScores, Model, ModelError, Quad, warp_board};
use crate::chess::{Flag, FlagCode, legal};

/// A moved board must be likelier by this, in nats. ln 1000: what a misread square rarely reaches.
const MIN_GAIN: f64 = 6.9;

/// How far a moved board may stick out of the picture, in squares: a tight crop's edge is not exact.
const OVERHANG: f32 = 0.25;

/// A board that was moved by one square.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    pub quad: Quad,
    pub scores: BoardScores,
    /// The corner squares changed their tone.
    pub tone_changes: bool,
    pub flag: Flag,
}

/// Tries the board one square up, down, left, right and diagonally when it breaks the rules where it is or its bottom left square is
/// light. Moves that make the bottom left square light are not tried, and where it is dark only a board that lacks a rank or file of
/// squares moves at all: type that the net does not know breaks the rules, too.
///
/// # Errors
/// When the net fails.
pub fn settle_phase(
    gray: &GrayImage,
    region: &BoardRegion,
    scores: &BoardScores,
    model: &mut dyn Model,
) -> Result<Option<Moved>, ModelError> {
    let light_first = region.light_first;
    if light_first == Some(true) && !region.cut_off {
        return Ok(None);
    }
    let here = legal::most_likely_legal(&scores.squares.0);
    if here.raw_is_legal() && light_first != Some(false) {
        return Ok(None);
    }
    let tries: Vec<Move> = moves(&region.quad)
        .into_iter()
        .filter(|m| light_first.is_none_or(|light| light != m.tone_changes) && lies_inside(&m.quad, gray))
        .collect();
    let warped: Vec<GrayImage> = tries.iter().map(|m| warp_board(gray, &m.quad)).collect();
    let read = model.read(&warped)?;
    let best = tries
        .into_iter()
        .zip(read)
        .filter_map(|(tried, scores)| {
            let there = legal::most_likely_legal(&scores.squares.0);
            (there.raw_is_legal() && there.log_probability > here.log_probability + MIN_GAIN).then_some((
                there.log_probability,
                tried,
                scores,
            ))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0));
    Ok(best.map(|(_, Move { way, quad, tone_changes }, scores)| {
        let message =
            format!("the lattice was found one square off and moved {way}: check the board's edges");
        Moved { quad, scores, tone_changes, flag: Flag::new(FlagCode::GridUncertain, message) }
    }))
}

/// A place one square away.
struct Move {
    way: &'static str,
    quad: Quad,
    tone_changes: bool,
}

/// The eight ways to go.
const WAYS: [(&str, f32, f32); 8] = [
    ("up", 0.0, -1.0),
    ("down", 0.0, 1.0),
    ("left", -1.0, 0.0),
    ("right", 1.0, 0.0),
    ("up and left", -1.0, -1.0),
    ("up and right", 1.0, -1.0),
    ("down and left", -1.0, 1.0),
    ("down and right", 1.0, 1.0),
];

fn moves(quad: &Quad) -> Vec<Move> {
    // three corners on a line: no board to move
    let Some(board) = Homography::of_board(quad) else { return Vec::new() };
    WAYS.into_iter()
        .map(|(way, dx, dy)| {
            let corner = |x: f32, y: f32| (x + dx, y + dy);
            let corners = [corner(0.0, 0.0), corner(8.0, 0.0), corner(8.0, 8.0), corner(0.0, 8.0)];
            Move { way, quad: board.map_quad(corners), tone_changes: dx == 0.0 || dy == 0.0 }
        })
        .collect()
}

fn lies_inside(quad: &Quad, gray: &GrayImage) -> bool {
    let slack = quad.square_size() * OVERHANG;
    let (x0, y0, x1, y1) = quad.bounds();
    x0 >= -slack && y0 >= -slack && x1 <= gray.width() as f32 + slack && y1 <= gray.height() as f32 + slack
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SquareScores;
    use crate::chess::placement::squares_in_fen_order;
    use crate::chess::{PieceClass, Placement};

    fn sure(placement: &str) -> BoardScores {
        let placement: Placement = placement.parse().unwrap();
        let mut rows = Box::new([[0.001f32; 13]; 64]);
        for (row, square) in rows.iter_mut().zip(squares_in_fen_order()) {
            row[PieceClass::from(placement.get(square)).index()] = 0.988;
        }
        BoardScores { squares: SquareScores(rows), outlier: 0.0 }
    }

    /// Answers in turn with the given placements.
    struct Fake(Vec<&'static str>);

    impl Model for Fake {
        fn read(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError> {
            assert_eq!(boards.len(), self.0.len());
            Ok(self.0.iter().map(|p| sure(p)).collect())
        }

        fn version(&self) -> &str {
            "fake"
        }

        fn accept_threshold(&self) -> f32 {
            0.9
        }
    }

    const OFF: &str = "4k3/pppppppp/8/8/8/8/8/PPPPPPPP";
    const RIGHT: &str = "8/4k3/pppppppp/8/8/8/PPPPPPPP/4K3";
    const NOISE: &str = "8/8/8/8/8/8/8/8";

    fn region(quad: Quad, light_first: Option<bool>) -> BoardRegion {
        BoardRegion { quad, lattice_residual: 0.01, score: 1.0, cut_off: false, light_first }
    }

    #[test]
    fn a_board_one_rank_off_is_moved_with_a_flag() {
        let gray = GrayImage::new(400, 400);
        let quad = Quad::from_bounds(100.0, 100.0, 260.0, 260.0);
        let mut model = Fake(vec![NOISE, RIGHT, NOISE, NOISE]);
        let moved = settle_phase(&gray, &region(quad, Some(false)), &sure(OFF), &mut model).unwrap().unwrap();
        assert_eq!(moved.quad, Quad::from_bounds(100.0, 120.0, 260.0, 280.0));
        assert_eq!(moved.flag.code, FlagCode::GridUncertain);
        assert!(moved.tone_changes);
    }

    #[test]
    fn a_dark_corner_leaves_diagonal_moves_to_a_board_that_lacks_a_line() {
        let gray = GrayImage::new(400, 400);
        let quad = Quad::from_bounds(100.0, 100.0, 260.0, 260.0);
        let whole = region(quad, Some(true));
        assert_eq!(settle_phase(&gray, &whole, &sure(OFF), &mut Fake(vec![])).unwrap(), None);
        let lacking = BoardRegion { cut_off: true, ..whole };
        let mut model = Fake(vec![NOISE, NOISE, RIGHT, NOISE]);
        let moved = settle_phase(&gray, &lacking, &sure(OFF), &mut model).unwrap().unwrap();
        assert_eq!(moved.quad, Quad::from_bounds(80.0, 120.0, 240.0, 280.0));
        assert!(!moved.tone_changes);
    }

    #[test]
    fn what_obeys_the_rules_or_has_no_better_place_stays() {
        let gray = GrayImage::new(400, 400);
        let quad = Quad::from_bounds(100.0, 100.0, 260.0, 260.0);
        // legal where it is: the net is not even asked
        assert_eq!(settle_phase(&gray, &region(quad, None), &sure(RIGHT), &mut Fake(vec![])).unwrap(), None);
        let mut model = Fake(vec![NOISE, OFF, NOISE, NOISE, NOISE, NOISE, NOISE, NOISE]);
        assert_eq!(settle_phase(&gray, &region(quad, None), &sure(OFF), &mut model).unwrap(), None);
        // no room to move upwards or to the left
        let corner = Quad::from_bounds(0.0, 0.0, 160.0, 160.0);
        let mut model = Fake(vec![RIGHT, NOISE]);
        assert!(settle_phase(&gray, &region(corner, Some(false)), &sure(OFF), &mut model).unwrap().is_some());
    }
}
