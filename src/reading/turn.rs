//! Whether the page lies on its side or upside down: what the net says of the boards in their four turns.
//!
//! The upper left square of an upright board is light, whichever side is below; on its side it is dark. Men
//! upside down are read with doubt. Boards that are read well as they are cost nothing here.

use image::{GrayImage, imageops};
use serde::{Deserialize, Serialize};

use super::DiagramReading;
use crate::board::find::order::reading_order;
use crate::board::{
    BoardRegion, BoardScores, Candidate, Finding, Model, ModelError, Point, Quad, QuarterTurn,
};
use crate::caption::PixelRect;
use crate::chess::{PieceClass, legal};

/// When a page is looked at from its other sides, and when it is turned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnParams {
    /// A page whose boards' most likely legal readings have a mean log-probability under this is tried turned.
    /// Well printed boards have -0.5, upside down ones -10 and less.
    pub doubtful: f32,
    /// Boards of a page that are tried, those with most men first.
    pub boards: usize,
    /// A turned reading must be likelier by this, in nats a board.
    pub least_gain: f32,
    /// The same when the corner squares say that the page lies on its side.
    pub least_gain_dark_corner: f32,
}

impl Default for TurnParams {
    fn default() -> Self {
        TurnParams { doubtful: -2.0, boards: 3, least_gain: 3.0, least_gain_dark_corner: 0.0 }
    }
}

/// Finds how far the page is turned. `warped` and `scores` are those of `regions` as they lie.
///
/// # Errors
/// When the net fails.
pub fn find_turn(
    regions: &[BoardRegion],
    warped: &[GrayImage],
    scores: &[BoardScores],
    model: &mut dyn Model,
    params: &TurnParams,
) -> Result<QuarterTurn, ModelError> {
    let mut order: Vec<usize> = (0..scores.len()).filter(|&i| !regions[i].cut_off).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(men(&scores[i])));
    order.truncate(params.boards);
    if order.is_empty() {
        return Ok(QuarterTurn::Upright);
    }
    let corners = regions.iter().filter_map(|r| r.light_first);
    let (light, dark) =
        corners.fold((0, 0), |(l, d), light| (l + usize::from(light), d + usize::from(!light)));
    let here: f64 = order.iter().map(|&i| likelihood(&scores[i])).sum();
    let boards = order.len() as f64;
    if dark <= light && here / boards >= f64::from(params.doubtful) {
        return Ok(QuarterTurn::Upright);
    }
    // Corner squares that are all alike leave two turns.
    let tries: &[QuarterTurn] = match (light, dark) {
        (_, 0) if light > 0 => &[QuarterTurn::Over],
        (0, _) if dark > 0 => &[QuarterTurn::Right, QuarterTurn::Left],
        _ => &QuarterTurn::ALL[1..],
    };
    let mut best = (QuarterTurn::Upright, here);
    for &turn in tries {
        let boards: Vec<GrayImage> = order.iter().map(|&i| turned_back(&warped[i], turn)).collect();
        let sum: f64 = model.read(&boards)?.iter().map(likelihood).sum();
        if sum > best.1 {
            best = (turn, sum);
        }
    }
    let on_side = matches!(best.0, QuarterTurn::Right | QuarterTurn::Left);
    let least = if on_side && dark > light { params.least_gain_dark_corner } else { params.least_gain };
    let gain = best.1 - here;
    tracing::debug!(turn = best.0.degrees(), gain, here, light, dark, "page tried turned");
    Ok(if gain > f64::from(least) * boards { best.0 } else { QuarterTurn::Upright })
}

/// What was found, as it lies on the upright page; `width` x `height` are those of the picture as given.
pub fn turned_finding(finding: Finding, turn: QuarterTurn, width: f32, height: f32) -> Finding {
    let place = |quad: &Quad| turn.quad_to_upright(quad, width, height);
    let regions = finding
        .regions
        .into_iter()
        .map(|r| BoardRegion {
            quad: place(&r.quad),
            light_first: r.light_first.map(|light| match turn {
                QuarterTurn::Upright | QuarterTurn::Over => light,
                QuarterTurn::Right | QuarterTurn::Left => !light,
            }),
            ..r
        })
        .collect();
    let (w, h) = match turn {
        QuarterTurn::Upright | QuarterTurn::Over => (width, height),
        QuarterTurn::Right | QuarterTurn::Left => (height, width),
    };
    let candidates = finding
        .candidates
        .into_iter()
        .map(|c| Candidate { quad: place(&c.quad), verdict: c.verdict })
        .collect();
    Finding {
        regions: reading_order(regions, w, h),
        candidates,
        binarized: finding.binarized.map(|b| turn.undo(&b)),
    }
}

/// Places of a diagram read on the upright page, in the picture as given.
pub fn turn_back(diagram: &mut DiagramReading, turn: QuarterTurn, width: f32, height: f32) {
    diagram.quad = turn.quad_from_upright(&diagram.quad, width, height);
    let place = |area: &mut PixelRect| {
        let (x0, y0) = (area.x as f32, area.y as f32);
        let (x1, y1) = (x0 + area.width as f32, y0 + area.height as f32);
        let corners = [(x0, y0), (x1, y1)].map(|(x, y)| turn.from_upright(Point::new(x, y), width, height));
        let low = |a: f32, b: f32| a.min(b).max(0.0) as u32;
        let size = |a: f32, b: f32| (a - b).abs() as u32;
        *area = PixelRect {
            x: low(corners[0].x, corners[1].x),
            y: low(corners[0].y, corners[1].y),
            width: size(corners[0].x, corners[1].x),
            height: size(corners[0].y, corners[1].y),
        };
    };
    diagram.caption.area.iter_mut().for_each(place);
    diagram.caption.evidence.iter_mut().flat_map(|e| &mut e.area).for_each(place);
}

/// Log-probability of the likeliest placement; one that breaks the rules loses a little: puzzles without kings are printed too.
fn likelihood(scores: &BoardScores) -> f64 {
    let read = legal::most_likely_legal(&scores.squares.0);
    read.raw_log_probability - (read.raw_log_probability - read.log_probability).min(MOST_UNLAWFUL)
}

/// What breaking the rules costs at most, in nats.
const MOST_UNLAWFUL: f64 = 3.0;

fn men(scores: &BoardScores) -> usize {
    (0..64).filter(|&i| scores.squares.best_two(i)[0].0 != PieceClass::EMPTY).count()
}

/// The warped board as it would be warped from the upright page.
fn turned_back(board: &GrayImage, turn: QuarterTurn) -> GrayImage {
    match turn {
        QuarterTurn::Upright => board.clone(),
        QuarterTurn::Right => imageops::rotate270(board),
        QuarterTurn::Over => imageops::rotate180(board),
        QuarterTurn::Left => imageops::rotate90(board),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SquareScores;
    use crate::chess::Placement;
    use crate::chess::placement::squares_in_fen_order;

    const POSITION: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R";

    fn seen(p: f32) -> BoardScores {
        let placement: Placement = POSITION.parse().unwrap();
        let mut rows = Box::new([[(1.0 - p) / 12.0; 13]; 64]);
        for (row, square) in rows.iter_mut().zip(squares_in_fen_order()) {
            row[PieceClass::from(placement.get(square)).index()] = p;
        }
        BoardScores { squares: SquareScores(rows), outlier: 0.0 }
    }

    /// Sure of boards whose pixel (0, 0) is black.
    struct Fake(usize);

    impl Model for Fake {
        fn read(&mut self, boards: &[GrayImage]) -> Result<Vec<BoardScores>, ModelError> {
            self.0 += boards.len();
            Ok(boards.iter().map(|b| seen(if b.get_pixel(0, 0).0[0] == 0 { 0.9999 } else { 0.7 })).collect())
        }

        fn version(&self) -> &str {
            "fake"
        }

        fn accept_threshold(&self) -> f32 {
            0.9
        }
    }

    /// A board whose mark, at the top left when upright, lies at `mark`.
    fn find(mark: (u32, u32), light_first: Option<bool>) -> (QuarterTurn, usize) {
        let mut board = GrayImage::from_pixel(288, 288, image::Luma([255]));
        board.put_pixel(mark.0, mark.1, image::Luma([0]));
        let region = BoardRegion {
            quad: Quad::from_bounds(0.0, 0.0, 80.0, 80.0),
            lattice_residual: 0.0,
            score: 1.0,
            cut_off: false,
            light_first,
        };
        let mut model = Fake(0);
        let scores = model.read(std::slice::from_ref(&board)).unwrap();
        model.0 = 0;
        let turn = find_turn(&[region], &[board], &scores, &mut model, &TurnParams::default()).unwrap();
        (turn, model.0)
    }

    #[test]
    fn an_upright_page_costs_nothing() {
        assert_eq!(find((0, 0), Some(true)), (QuarterTurn::Upright, 0));
    }

    #[test]
    fn turned_pages_are_found_with_and_without_dark_squares() {
        assert_eq!(find((287, 287), Some(true)), (QuarterTurn::Over, 1));
        assert_eq!(find((287, 0), Some(false)), (QuarterTurn::Right, 2));
        assert_eq!(find((0, 287), Some(false)), (QuarterTurn::Left, 2));
        assert_eq!(find((0, 287), None), (QuarterTurn::Left, 3));
    }

    #[test]
    fn a_misprinted_board_that_is_read_well_stays() {
        assert_eq!(find((0, 0), Some(false)), (QuarterTurn::Upright, 2));
    }
}
