//! From 64 x 13 probabilities to one piece placement, with what is doubtful about it.

use serde::{Deserialize, Serialize};

use crate::board::SquareScores;
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Flag, FlagCode, PieceClass, Placement, Square, legal};

/// When a square is unsure and when the rules outweigh the picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SquaresParams {
    /// A square whose likeliest class is less probable asks for a person's eye; the model's own
    /// threshold (chosen in its calibration) where this is none.
    pub accept_threshold: Option<f32>,
    /// The most likely legal placement is taken when it is at most this many times less likely than
    /// the raw one; otherwise the raw one stays, with what is impossible about it. A misread square
    /// is rarely believed more than a thousandfold; a composed puzzle without kings is, on every square.
    pub max_repair_odds: f32,
}

impl Default for SquaresParams {
    fn default() -> Self {
        SquaresParams { accept_threshold: None, max_repair_odds: 1000.0 }
    }
}

/// The placement that was chosen, and the others that a reviewer may want.
#[derive(Debug, Clone, PartialEq)]
pub struct SquaresVerdict {
    pub raw: Placement,
    pub legal: Option<Placement>,
    pub chosen: Placement,
    /// Probability that every square of `chosen` is right, squares taken as independent.
    pub confidence: f32,
    pub flags: Vec<Flag>,
}

/// The likeliest class of each square taken alone; `scores` a8 first.
pub fn raw_placement(scores: &SquareScores) -> Placement {
    let mut placement = Placement::default();
    for (index, square) in squares_in_fen_order().enumerate() {
        placement.set(square, scores.best_two(index)[0].0.piece());
    }
    placement
}

/// Chooses between the raw and the most likely legal placement, and flags unsure squares.
/// `scores` run a8, b8, ... h1; `model_threshold` is the model's accept threshold.
pub fn decide_squares(scores: &SquareScores, model_threshold: f32, params: &SquaresParams) -> SquaresVerdict {
    let raw = raw_placement(scores);
    let repaired = legal::most_likely_legal(&scores.0);
    let legal = repaired.as_ref().map(|l| l.placement);
    let odds = legal.map(|legal| log_odds(scores, &raw, &legal).exp());
    let chosen = match (legal, odds) {
        (Some(legal), Some(odds)) if odds <= f64::from(params.max_repair_odds) => legal,
        _ => raw,
    };
    let mut flags = Vec::new();
    if let Some(legal) = legal.filter(|l| *l != raw) {
        flags.push(repair_flag(&raw, &legal, chosen == legal));
    }
    let threshold = params.accept_threshold.unwrap_or(model_threshold);
    flags.extend(uncertain_flag(scores, &chosen, threshold));
    SquaresVerdict { confidence: confidence(scores, &chosen), raw, legal, chosen, flags }
}

/// Probability of `placement`, squares taken as independent.
fn confidence(scores: &SquareScores, placement: &Placement) -> f32 {
    squares_in_fen_order()
        .enumerate()
        .map(|(index, square)| scores.0[index][PieceClass::from(placement.get(square)).index()])
        .product()
}

/// log of how many times likelier `a` is than `b`. Probabilities are held off zero, so that one
/// square that the net thinks impossible does not hide all others.
fn log_odds(scores: &SquareScores, a: &Placement, b: &Placement) -> f64 {
    const FLOOR: f32 = 1e-9;
    squares_in_fen_order()
        .enumerate()
        .map(|(index, square)| {
            let p = |placement: &Placement| {
                f64::from(scores.0[index][PieceClass::from(placement.get(square)).index()].max(FLOOR))
            };
            p(a).ln() - p(b).ln()
        })
        .sum()
}

fn repair_flag(raw: &Placement, legal: &Placement, taken: bool) -> Flag {
    let changed: Vec<Square> = squares_in_fen_order().filter(|&s| raw.get(s) != legal.get(s)).collect();
    let list: Vec<String> = changed
        .iter()
        .map(|&s| {
            let (from, to) = (PieceClass::from(raw.get(s)), PieceClass::from(legal.get(s)));
            format!("{s} {} for {}", name(to), name(from))
        })
        .collect();
    let message = if taken {
        format!("read as the most likely legal position: {}", list.join(", "))
    } else {
        format!("left as it looks, though the rules would want: {}", list.join(", "))
    };
    Flag::new(FlagCode::IllegalRepaired, message).on(changed)
}

fn uncertain_flag(scores: &SquareScores, chosen: &Placement, threshold: f32) -> Option<Flag> {
    let mut unsure: Vec<(Square, String, f32)> = squares_in_fen_order()
        .enumerate()
        .filter_map(|(index, square)| {
            let taken = PieceClass::from(chosen.get(square));
            let p = scores.0[index][taken.index()];
            let [first, second] = scores.best_two(index);
            let other = if first.0 == taken { second } else { first };
            let percent = |p: f32| (p * 1000.0).round() / 10.0;
            (p < threshold).then(|| {
                let text =
                    format!("{square} {} {} % or {} {} %", name(taken), percent(p), name(other.0), percent(other.1));
                (square, text, p)
            })
        })
        .collect();
    if unsure.is_empty() {
        return None;
    }
    unsure.sort_by(|a, b| a.2.total_cmp(&b.2));
    let list: Vec<&str> = unsure.iter().map(|u| u.1.as_str()).collect();
    Some(Flag::new(FlagCode::UncertainSquare, list.join("; ")).on(unsure.iter().map(|u| u.0)))
}

fn name(class: PieceClass) -> String {
    if class == PieceClass::EMPTY { "empty".to_owned() } else { class.letter().to_string() }
}
