//! Which read diagram is which labelled one, and what is right about it.

use super::Label;
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Color, FlagCode, PieceClass, Placement, Severity};
use crate::reading::{DiagramReading, Orientation, Status};

/// Boxes of the same board share this much of the area that they cover together. A box drawn by hand around a frame
/// instead of the squares shares about 0.85; the board beside it shares nothing.
const SAME_BOARD: f32 = 0.7;

/// What an evaluation needs of a reading: small, so that thousands may be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadDiagram {
    /// Left, top, right and bottom of the corners, in page pixels.
    pub bounds: [f32; 4],
    pub placement: Placement,
    pub side_to_move: Color,
    pub orientation: Orientation,
    /// Probability of the class that the placement carries, square by square, a8 first.
    pub probabilities: [f32; 64],
    pub confidence: f32,
    pub accepted: bool,
    /// Codes of the flags that ask for a look, each once, sorted.
    pub doubts: Vec<FlagCode>,
}

impl ReadDiagram {
    pub fn of(reading: &DiagramReading) -> ReadDiagram {
        let (x0, y0, x1, y1) = reading.quad.bounds();
        let mut probabilities = [0.0; 64];
        for (index, square) in squares_in_fen_order().enumerate() {
            let class = PieceClass::from(reading.placement.get(square));
            probabilities[index] = reading.squares.0[index][class.index()];
        }
        let raised = reading.flags.iter().filter(|flag| flag.severity > Severity::Note);
        let mut doubts: Vec<FlagCode> = raised.map(|flag| flag.code).collect();
        doubts.sort_unstable();
        doubts.dedup();
        ReadDiagram {
            bounds: [x0, y0, x1, y1],
            placement: reading.placement,
            side_to_move: if reading.fen.split(' ').nth(1) == Some("b") {
                Color::Black
            } else {
                Color::White
            },
            orientation: reading.orientation,
            probabilities,
            confidence: reading.confidence,
            accepted: reading.status() == Status::Accepted,
            doubts,
        }
    }
}

/// A labelled diagram that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Index among the labels.
    pub label: usize,
    /// Index among the read diagrams.
    pub read: usize,
}

/// What became of the labelled diagrams of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// Each label and each read diagram at most once, in the order of the labels.
    pub found: Vec<Found>,
    /// Labels that were not found.
    pub missed: Vec<usize>,
    /// Read diagrams that are none of the labelled: false alarms.
    pub extra: Vec<usize>,
}

/// Joins labels and read diagrams of a page: the pair that fits best first. Boards fit by their boxes; where the label has none, by the
/// men on them.
pub fn compare(labels: &[Label], reads: &[ReadDiagram]) -> Compared {
    let mut pairs: Vec<(f32, Found)> = Vec::new();
    for (label, of) in labels.iter().enumerate() {
        for (read, diagram) in reads.iter().enumerate() {
            let fit = match &of.bounds {
                Some(bounds) => Some(overlap(bounds, &diagram.bounds)).filter(|&share| share >= SAME_BOARD),
                None => Some(equal_squares(&of.placement, &diagram.placement) as f32 / 64.0),
            };
            pairs.extend(fit.map(|fit| (fit, Found { label, read })));
        }
    }
    // stable: of equal fits, the earlier label and diagram
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut of_label, mut taken) = (vec![None; labels.len()], vec![false; reads.len()]);
    for (_, pair) in pairs {
        if of_label[pair.label].is_none() && !taken[pair.read] {
            of_label[pair.label] = Some(pair);
            taken[pair.read] = true;
        }
    }
    Compared {
        found: of_label.iter().copied().flatten().collect(),
        missed: (0..labels.len()).filter(|&label| of_label[label].is_none()).collect(),
        extra: (0..reads.len()).filter(|&read| !taken[read]).collect(),
    }
}

/// Shared area over the area that both cover.
fn overlap(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let area = |r: &[f32; 4]| (r[2] - r[0]) * (r[3] - r[1]);
    let shared = width * height;
    shared / (area(a) + area(b) - shared)
}

/// How many of the 64 squares hold the same.
pub fn equal_squares(a: &Placement, b: &Placement) -> u32 {
    squares_in_fen_order().filter(|&square| a.get(square) == b.get(square)).count() as u32
}
