use super::*;
use crate::chess::testing::{Dice, Taste, fen_of, random_game};

/// Probabilities that read `placement` with `certainty` on each square, the rest spread evenly.
fn reading(placement: &Placement, certainty: f32) -> Box<Probabilities> {
    let mut out = Box::new([[(1.0 - certainty) / 12.0; 13]; 64]);
    for (row, square) in out.iter_mut().zip(squares_in_fen_order()) {
        row[PieceClass::from(placement.get(square)).index()] = certainty;
    }
    out
}

fn index_of(square: Square) -> usize {
    squares_in_fen_order().position(|s| s == square).unwrap()
}

fn doubt(probabilities: &mut Probabilities, square: &str, classes: &[(char, f32)]) {
    let row = &mut probabilities[index_of(square.parse().unwrap())];
    let rest: f32 = 1.0 - classes.iter().map(|(_, p)| p).sum::<f32>();
    *row = [rest / 13.0; 13];
    for &(letter, p) in classes {
        row[crate::chess::CLASSES.iter().position(|&c| c == letter).unwrap()] = p;
    }
}

#[test]
fn a_legal_reading_is_left_alone() {
    let mut dice = Dice(1);
    for position in random_game(&mut dice, 200, Taste::Pawns) {
        let placement = fen_of(&position).placement;
        let found = most_likely_legal(&reading(&placement, 0.9));
        assert_eq!(found.placement, placement);
        assert!(found.raw_is_legal());
        assert!((f64::from(found.confidence()) - 0.9f64.powi(64)).abs() < 1e-4);
    }
}

#[test]
fn repairs_what_rules_forbid() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    // (the reading, doubtful squares, the legal placement)
    type Doubts<'a> = &'a [(&'a str, &'a [(char, f32)])];
    let cases: [(&str, Doubts, &str); 7] = [
        // a king read as a queen
        (
            "rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            &[("d8", &[('q', 0.9), ('k', 0.05)]), ("e8", &[('q', 0.8), ('k', 0.15)])],
            start,
        ),
        // two kings: the less sure one is something else
        (
            "4k3/8/8/8/8/3K4/8/4K3",
            &[("e1", &[('K', 0.6), ('Q', 0.35)]), ("d3", &[('K', 0.9), ('Q', 0.01)])],
            "4k3/8/8/8/8/3K4/8/4Q3",
        ),
        // a pawn on the first rank
        ("4k3/8/8/8/8/8/8/P3K3", &[("a1", &[('P', 0.7), ('B', 0.2)])], "4k3/8/8/8/8/8/8/B3K3"),
        // nine pawns: the least sure goes
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3", &[("c2", &[('P', 0.5), ('.', 0.45)])], "4k3/8/8/8/8/P7/PP1PPPPP/4K3"),
        // eight pawns and two queens: a knight
        (
            "4k3/8/8/8/3Q4/8/PPPPPPPP/3QK3",
            &[("d4", &[('Q', 0.55), ('N', 0.4)])],
            "4k3/8/8/8/3N4/8/PPPPPPPP/3QK3",
        ),
        // eight pawns and two bishops of one colour
        (
            "4k3/8/8/8/8/8/PPPPPPPP/2B1K1B1",
            &[("g1", &[('B', 0.55), ('N', 0.4)])],
            "4k3/8/8/8/8/8/PPPPPPPP/2B1K1N1",
        ),
        // seven pawns and two queens stay
        ("4k3/8/8/8/3Q4/8/PPPPPPP1/3QK3", &[], "4k3/8/8/8/3Q4/8/PPPPPPP1/3QK3"),
    ];
    for (read, doubts, legal) in cases {
        let mut probabilities = reading(&read.parse().unwrap(), 0.999);
        for &(square, classes) in doubts {
            doubt(&mut probabilities, square, classes);
        }
        let found = most_likely_legal(&probabilities);
        assert_eq!(found.placement.to_string(), legal, "{read}");
        assert_eq!(found.raw.to_string(), read);
        assert_eq!(found.raw_is_legal(), read == legal);
        assert!(found.log_probability <= found.raw_log_probability);
    }
}

#[test]
fn zeros_and_nans_are_survived() {
    let empty = Box::new([[0.0f32; 13]; 64]);
    assert!(is_legal_placement(&most_likely_legal(&empty).placement));
    let mut nan = Box::new([[f32::NAN; 13]; 64]);
    assert!(is_legal_placement(&most_likely_legal(&nan).placement));
    // an empty board, sure to the last bit
    for row in nan.iter_mut() {
        *row = [0.0; 13];
        row[0] = 1.0;
    }
    let found = most_likely_legal(&nan);
    assert!(is_legal_placement(&found.placement));
    assert_eq!(found.changed.len(), 2);
    assert_eq!(found.raw, Placement::default());
}

/// All combinations of the doubtful squares, the others as read.
fn brute_force(probabilities: &Probabilities, raw: &Placement, doubtful: &[Square]) -> Option<f64> {
    let mut best = None;
    for mut code in 0..13usize.pow(doubtful.len() as u32) {
        let mut placement = *raw;
        for &square in doubtful {
            placement.set(square, PieceClass::from_index(code % 13).and_then(PieceClass::piece));
            code /= 13;
        }
        if is_legal_placement(&placement) {
            let log = log_probability_of(probabilities, &placement);
            best = Some(best.map_or(log, |best: f64| best.max(log)));
        }
    }
    best
}

fn random_row(dice: &mut Dice) -> [f32; 13] {
    // cubes make some classes much likelier than others
    let row: [f64; 13] = std::array::from_fn(|_| dice.unit().powi(3) + 1e-4);
    let sum: f64 = row.iter().sum();
    row.map(|p| (p / sum) as f32)
}

#[test]
fn equals_brute_force_over_four_doubtful_squares() {
    let bases = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r1bq1b1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "4k3/pppppppp/8/8/8/2BBB3/PPPPP3/4K3",
        "rrrrk3/pppppp2/8/8/8/8/PPPPPPPQ/NNNK4",
        "k7/8/8/8/8/8/8/8",
    ];
    let mut dice = Dice(3);
    let mut repaired = 0;
    for round in 0..60 {
        let base: Placement = bases[round % bases.len()].parse().unwrap();
        let mut probabilities = reading(&base, 1.0 - 1e-9);
        let mut doubtful: Vec<Square> = Vec::new();
        while doubtful.len() < 4 {
            let square = Square::new(dice.below(64) as u32);
            if !doubtful.contains(&square) {
                doubtful.push(square);
                probabilities[index_of(square)] = random_row(&mut dice);
            }
        }
        let found = most_likely_legal(&probabilities);
        assert!(is_legal_placement(&found.placement));
        repaired += usize::from(!found.raw_is_legal());
        if let Some(best) = brute_force(&probabilities, &base, &doubtful) {
            assert!((found.log_probability - best).abs() < 1e-6, "{base} {doubtful:?}: {found:?} {best}");
        }
    }
    assert!(repaired > 20, "the cases are too easy: {repaired}");
}

/// Exact dynamic programming over how full White's slots are, Black holding a king only: another
/// method for boards where all 64 squares are in doubt.
fn by_counting(probabilities: &Probabilities) -> f64 {
    use std::collections::HashMap;
    // white king, queen, rooks, knights, light and dark bishops, pawn slots, black king
    const LIMITS: [u8; 8] = [1, 1, 2, 2, 1, 1, 8, 1];
    let mut states: HashMap<[u8; 8], f64> = HashMap::from([([0; 8], 0.0)]);
    for (row, square) in probabilities.iter().zip(squares_in_fen_order()) {
        let mut next: HashMap<[u8; 8], f64> = HashMap::new();
        let log =
            |letter: char| log_of(row[crate::chess::CLASSES.iter().position(|&c| c == letter).unwrap()]);
        let bishop = if square.is_light() { 4 } else { 5 };
        let mut choices = vec![(None, log('.')), (Some(0), log('K')), (Some(7), log('k'))];
        for (letter, slot) in [('Q', 1), ('R', 2), ('N', 3), ('B', bishop)] {
            choices.push((Some(slot), log(letter)));
            choices.push((Some(6), log(letter)));
        }
        if !matches!(square.rank(), Rank::First | Rank::Eighth) {
            choices.push((Some(6), log('P')));
        }
        for (state, value) in states {
            for &(slot, log) in &choices {
                let mut state = state;
                if let Some(slot) = slot {
                    state[slot] += 1;
                    if state[slot] > LIMITS[slot] {
                        continue;
                    }
                }
                let best = next.entry(state).or_insert(f64::NEG_INFINITY);
                *best = best.max(value + log);
            }
        }
        states = next;
    }
    states
        .into_iter()
        .filter(|(state, _)| state[0] == 1 && state[7] == 1)
        .map(|(_, value)| value)
        .fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn equals_counting_over_boards_where_every_square_is_in_doubt() {
    let mut dice = Dice(11);
    for _ in 0..3 {
        let mut probabilities = Box::new([[0.0f32; 13]; 64]);
        for row in probabilities.iter_mut() {
            *row = random_row(&mut dice);
            // Black has a king only
            row[7..12].fill(0.0);
        }
        let found = most_likely_legal(&probabilities);
        let best = by_counting(&probabilities);
        assert!((found.log_probability - best).abs() < 1e-6, "{found:?} {best}");
    }
}

#[test]
fn promoted_men_need_strong_sight() {
    let start = "rnb1k2r/pppppppp/8/8/4q3/8/PPPPPPP1/RNBqKBNR";
    let usual = "rnb1k2r/pppppppp/8/8/4q3/8/PPPPPPP1/RNBQKBNR";
    let prior = MaterialPrior::default();
    let mut seen = reading(&start.parse().unwrap(), 0.9999);
    // a white queen shaded so darkly that she looks black
    doubt(&mut seen, "d1", &[('q', 0.93), ('Q', 0.06)]);
    assert_eq!(most_plausible(&seen, &prior).to_string(), usual);
    doubt(&mut seen, "d1", &[('q', 0.999), ('Q', 0.0005)]);
    // h2 is missing for White only: Black's second queen is not legal beside eight pawns, whatever the odds
    assert_eq!(most_plausible(&seen, &prior).to_string(), usual);
    let ending = "4k3/8/8/3q4/8/8/8/q3K3";
    let mut seen = reading(&ending.parse().unwrap(), 0.9999);
    doubt(&mut seen, "a1", &[('q', 0.9995), ('Q', 0.0004)]);
    assert_eq!(most_plausible(&seen, &prior).to_string(), ending);
    doubt(&mut seen, "a1", &[('q', 0.95), ('Q', 0.04)]);
    assert_eq!(most_plausible(&seen, &prior).to_string(), "4k3/8/8/3q4/8/8/8/Q3K3");
}
