//! From 64 x 13 probabilities to one piece placement, with what is doubtful about it.

use serde::{Deserialize, Serialize};

use crate::board::SquareScores;
use crate::chess::legal::{self, LegalPlacement, MaterialPrior};
use crate::chess::material::promoted_men;
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Color, Flag, FlagCode, PieceClass, Placement, Role, Square};

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
    /// The same bound where the repair sets a king on a board on which fewer than two are seen. Books of instruction print about one
    /// diagram in thirty without a king, so less than thirtyfold evidence against it is needed to believe that it was misread.
    ///
    /// Measured: on 2,000 worn boards, repairs at odds of 3 to 30 were right 54 times against 94 boards without a king (a
    /// quarter of that at a book's share of such boards), at 30 to 1,000 10 times against 223. On the real scans all five
    /// repairs between 30 and 1,000 that set a king were wrong, and none was needed.
    pub max_king_odds: f32,
    /// A board on which more men than this must be promoted is a puzzle: no king is set on it and its men stay as they
    /// are seen. One or two are what misread men make of a game's position.
    pub most_promoted: usize,
    /// How rare promoted men are. A second queen that hardly looks like one is taken for what is usual.
    pub material: MaterialPrior,
}

impl Default for SquaresParams {
    fn default() -> Self {
        SquaresParams {
            accept_threshold: None,
            max_repair_odds: 1000.0,
            max_king_odds: 30.0,
            most_promoted: 2,
            material: MaterialPrior::default(),
        }
    }
}

/// The placement that was chosen, and the others that a reviewer may want.
#[derive(Debug, Clone, PartialEq)]
pub struct SquaresVerdict {
    pub raw: Placement,
    pub legal: Placement,
    pub chosen: Placement,
    /// Probability that every square of `chosen` is right, squares taken as independent.
    pub confidence: f32,
    pub flags: Vec<Flag>,
}

/// Chooses between the raw and the most likely legal placement, and flags unsure squares.
/// `scores` run a8, b8, ... h1; `model_threshold` is the model's accept threshold.
pub fn decide_squares(scores: &SquareScores, model_threshold: f32, params: &SquaresParams) -> SquaresVerdict {
    let found = legal::most_likely_legal(&scores.0);
    let odds = (found.raw_log_probability - found.log_probability).exp();
    let promoted: usize = Color::ALL.into_iter().map(|color| promoted_men(&found.raw, color)).sum();
    // Eight queens, a board of knights: no game's position, and what games have says nothing of it.
    let puzzle = promoted > params.most_promoted;
    let bound = match lacks_a_king(&found.raw) {
        true if puzzle => 1.0,
        true => params.max_king_odds,
        false => params.max_repair_odds,
    };
    let repaired = odds <= f64::from(bound);
    let (mut chosen, mut confidence) =
        if repaired { (found.placement, found.confidence()) } else { (found.raw, found.raw_confidence()) };
    let mut flags = Vec::new();
    if !found.raw_is_legal() {
        flags.push(repair_flag(&found, repaired));
    }
    // A position that breaks the rules as it stands is a puzzle: what is usual says nothing of it.
    if repaired && !puzzle && Color::ALL.into_iter().any(|color| promoted_men(&chosen, color) > 0) {
        let usual = legal::most_plausible(&scores.0, &params.material);
        flags.extend(material_flag(&chosen, &usual));
        chosen = usual;
        confidence = legal::log_probability_of(&scores.0, &chosen).exp() as f32;
    }
    let threshold = params.accept_threshold.unwrap_or(model_threshold);
    flags.extend(uncertain_flag(scores, &chosen, threshold));
    SquaresVerdict { raw: found.raw, legal: found.placement, chosen, confidence, flags }
}

/// A side without a king, and not one that was taken for the other side's.
fn lacks_a_king(placement: &Placement) -> bool {
    Color::ALL.iter().map(|&color| placement.count(color, Role::King)).sum::<usize>() < 2
}

/// What stands on `squares` in `to` in place of what stood there in `from`.
fn exchanges(squares: &[Square], from: &Placement, to: &Placement) -> String {
    let one = |&s: &Square| {
        format!("{s} {} for {}", name(PieceClass::from(to.get(s))), name(PieceClass::from(from.get(s))))
    };
    squares.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn material_flag(seen: &Placement, usual: &Placement) -> Option<Flag> {
    let changed: Vec<Square> = squares_in_fen_order().filter(|&s| seen.get(s) != usual.get(s)).collect();
    if changed.is_empty() {
        return None;
    }
    let message = format!("read with the usual men on the board: {}", exchanges(&changed, seen, usual));
    Some(Flag::new(FlagCode::IllegalRepaired, message).on(changed))
}

fn repair_flag(found: &LegalPlacement, taken: bool) -> Flag {
    let list = exchanges(&found.changed, &found.raw, &found.placement);
    let message = if taken {
        format!("read as the most likely legal position: {list}")
    } else {
        format!("left as it looks, though the rules would want: {list}")
    };
    Flag::new(FlagCode::IllegalRepaired, message).on(found.changed.iter().copied())
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
                let text = format!(
                    "{square} {} {} % or {} {} %",
                    name(taken),
                    percent(p),
                    name(other.0),
                    percent(other.1)
                );
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores that see `placement` with probability `p` a square, the rest on the empty class, or on a
    /// white pawn where the square is empty.
    fn seen(placement: &str, p: f32) -> SquareScores {
        let placement: Placement = placement.parse().unwrap();
        let mut rows = Box::new([[0.0f32; 13]; 64]);
        for (row, square) in rows.iter_mut().zip(squares_in_fen_order()) {
            let class = PieceClass::from(placement.get(square));
            row[class.index()] = p;
            row[usize::from(class == PieceClass::EMPTY)] += 1.0 - p;
        }
        SquareScores(rows)
    }

    fn decide(scores: &SquareScores) -> SquaresVerdict {
        decide_squares(scores, 0.95, &SquaresParams::default())
    }

    #[test]
    fn a_sure_legal_board_carries_no_flag() {
        let text = "4k3/8/8/8/8/8/4P3/4K3";
        let verdict = decide(&seen(text, 0.999));
        assert_eq!(verdict.chosen.to_string(), text);
        assert_eq!(verdict.flags, []);
        assert!((verdict.confidence - 0.999f32.powi(64)).abs() < 1e-3);
    }

    #[test]
    fn an_unsure_square_is_flagged_with_its_runner_up() {
        let mut scores = seen("4k3/8/8/8/8/8/4P3/4K3", 0.999);
        // e2: white pawn 60 %, white bishop 40 %
        scores.0[52] = [0.0; 13];
        scores.0[52][1] = 0.6;
        scores.0[52][3] = 0.4;
        let verdict = decide(&scores);
        assert_eq!(verdict.flags.len(), 1);
        assert_eq!(verdict.flags[0].code, FlagCode::UncertainSquare);
        assert_eq!(verdict.flags[0].squares, [Square::E2]);
        assert_eq!(verdict.flags[0].message, "e2 P 60 % or B 40 %");
    }

    #[test]
    fn a_doubtful_second_king_gives_way_with_a_trace() {
        let mut scores = seen("4k3/8/8/8/8/8/4P3/4K3", 0.9999);
        // d1: white king 60 %, white queen 40 %
        scores.0[59] = [0.0; 13];
        scores.0[59][6] = 0.6;
        scores.0[59][5] = 0.4;
        let verdict = decide(&scores);
        assert_eq!(verdict.chosen.to_string(), "4k3/8/8/8/8/8/4P3/3QK3");
        assert_eq!(verdict.raw.to_string(), "4k3/8/8/8/8/8/4P3/3KK3");
        let codes: Vec<_> = verdict.flags.iter().map(|f| f.code).collect();
        assert_eq!(codes, [FlagCode::IllegalRepaired, FlagCode::UncertainSquare]);
        assert_eq!(verdict.flags[0].squares, [Square::D1]);
    }

    #[test]
    fn a_king_is_set_only_where_it_is_nearly_seen() {
        let king_seen = |p: f32| {
            let mut scores = seen("8/8/8/8/8/4k3/4P3/4K3", 0.9999);
            // a8: empty, or the black king whose place e3 a rook has
            scores.0[44] = [0.0; 13];
            scores.0[44][10] = 1.0;
            scores.0[0] = [0.0; 13];
            (scores.0[0][0], scores.0[0][12]) = (1.0 - p, p);
            decide(&scores).chosen.to_string()
        };
        assert_eq!(king_seen(0.1), "k7/8/8/8/8/4r3/4P3/4K3");
        assert_eq!(king_seen(0.01), "8/8/8/8/8/4r3/4P3/4K3", "a hundred to one against it");
        // two kings of one colour: one of them is the other side's
        let mut scores = seen("4K3/8/8/8/8/8/4P3/4K3", 0.9999);
        scores.0[4] = [0.0; 13];
        (scores.0[4][6], scores.0[4][12]) = (0.99, 0.01);
        assert_eq!(decide(&scores).chosen.to_string(), "4k3/8/8/8/8/8/4P3/4K3");
    }

    #[test]
    fn a_second_queen_that_hardly_looks_like_one_is_the_other_side_s() {
        let mut scores = seen("3qk3/8/8/8/8/8/4P3/3qK3", 0.9999);
        // d1: black queen 90 %, white queen 10 %
        scores.0[59] = [0.0; 13];
        scores.0[59][11] = 0.9;
        scores.0[59][5] = 0.1;
        let verdict = decide(&scores);
        assert_eq!(verdict.chosen.to_string(), "3qk3/8/8/8/8/8/4P3/3QK3");
        let codes: Vec<_> = verdict.flags.iter().map(|f| f.code).collect();
        assert_eq!(codes, [FlagCode::IllegalRepaired, FlagCode::UncertainSquare]);
        assert_eq!(verdict.flags[0].message, "read with the usual men on the board: d1 Q for q");
        // seen clearly, she stays
        let text = "3qk3/8/8/8/8/8/4P3/3qK3";
        let verdict = decide(&seen(text, 0.9999));
        assert_eq!((verdict.chosen.to_string().as_str(), verdict.flags.len()), (text, 0));
    }

    #[test]
    fn queens_of_a_puzzle_stay_queens() {
        let text = "1Q6/3Q4/5Q2/8/2Q5/Q7/6Q1/4Q3";
        let mut scores = seen(text, 0.9999);
        // b8 and d7: perhaps the kings, perhaps a rook
        for (index, class) in [(1, 6), (11, 12)] {
            scores.0[index] = [0.0; 13];
            (scores.0[index][5], scores.0[index][class]) = (0.8, 0.2);
        }
        (scores.0[21][5], scores.0[21][4]) = (0.9, 0.1);
        assert_eq!(decide(&scores).chosen.to_string(), text);
    }

    #[test]
    fn strong_sight_stays_against_the_rules() {
        let text = "1Q6/3Q4/5Q2/7Q/2Q5/Q7/6Q1/4Q3";
        let verdict = decide(&seen(text, 0.9999));
        assert_eq!(verdict.chosen.to_string(), text);
        assert_eq!(verdict.flags[0].code, FlagCode::IllegalRepaired);
        assert!(verdict.flags[0].message.starts_with("left as it looks"));
    }
}
