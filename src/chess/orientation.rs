//! Which side of the board is below, told from the men alone.
//!
//! Two scores, both natural log-odds:
//!
//! - *upright*: pawns, kings, pieces and their ranks say that White plays upwards. A board that is
//!   turned, or whose colours are exchanged, has the opposite score.
//! - *handed*: kings, queens and rooks on their own first rank say that the a-file is on the left:
//!   it tells a turned board from one whose colours are exchanged.
//!
//! Each is a sum of a few features with weights fitted by logistic regression.

use shakmaty::{Color, File, Role, Square};

use super::Placement;

/// What the men say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Log-odds that White plays upwards.
    pub upright: f32,
    /// Log-odds that the a-file is on the left if White plays upwards.
    pub handed: f32,
    /// Log-odds that the a-file is on the left if White plays downwards.
    pub handed_downwards: f32,
}

impl Evidence {
    /// Log-odds of the placement as it is against the turned one.
    pub fn against_turned(&self) -> f32 {
        self.upright + (self.handed + self.handed_downwards) / 2.0
    }

    /// Log-odds of the placement as it is against the one with exchanged colours.
    pub fn against_swapped(&self) -> f32 {
        self.upright + (self.handed - self.handed_downwards) / 2.0
    }
}

/// Probabilities of three ways to have come to a placement, a priori as likely as [`Priors`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explanations {
    /// The placement is right as it is.
    pub right: f32,
    /// The board was turned by 180 degrees.
    pub turned: f32,
    /// White's and Black's men were exchanged in place.
    pub swapped: f32,
}

/// How likely each way is before the men are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Priors {
    pub turned: f32,
    pub swapped: f32,
}

impl Default for Priors {
    /// Of FENs and diagrams that come from elsewhere, about one in fifty is turned (books that print
    /// Black's side below, scans put in upside down); exchanged colours are rarer still.
    fn default() -> Self {
        Priors { turned: 0.02, swapped: 0.005 }
    }
}

/// Probability that a board whose men stand in the picture as in `placement` (the picture's upper left
/// square taken as a8) has White below, turned and not being equally likely a priori. The turned
/// placement has the complementary probability.
pub fn white_bottom_probability(placement: &Placement) -> f32 {
    logistic(evidence(placement).against_turned())
}

/// The evidence behind [`white_bottom_probability`].
pub fn evidence(placement: &Placement) -> Evidence {
    let dot = |weights: &[f32], features: &[f32]| -> f32 {
        weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    };
    Evidence {
        upright: dot(&UPRIGHT, &upright_features(placement)),
        handed: dot(&HANDED, &handed_features(placement)),
        handed_downwards: dot(&HANDED, &handed_features(&placement.colours_swapped())),
    }
}

/// How a placement came to be, by Bayes' rule.
pub fn explanations(placement: &Placement, priors: Priors) -> Explanations {
    let evidence = evidence(placement);
    let right = 1.0 - priors.turned - priors.swapped;
    let turned = priors.turned * (-evidence.against_turned()).exp();
    let swapped = priors.swapped * (-evidence.against_swapped()).exp();
    let sum = right + turned + swapped;
    Explanations { right: right / sum, turned: turned / sum, swapped: swapped / sum }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Number of features of the upright score.
pub const UPRIGHT_FEATURES: usize = 14;
/// Number of features of the handed score.
pub const HANDED_FEATURES: usize = 6;

/// Weights of [`upright_features`] and [`handed_features`], fitted by logistic regression (penalty 3 on
/// the squares) on 6,061 composed problems and studies, 1,314 puzzles from games and 4,822 positions
/// of 162 games of an engine against itself, counted 3 to 1 to 1: composed positions tell least, and a
/// probability that is right for them is on the safe side for games.
///
/// On composers and games left out of the fit (probability said, share right): composed 0.94, 0.88 and
/// 0.98, 0.92; games 0.94, 0.99 and 0.98, 1.00. Turned or not is guessed right for 69 % of composed
/// positions and 98 % of positions of games.
const UPRIGHT: [f32; UPRIGHT_FEATURES] =
    [0.47, 0.09, 0.09, 0.43, 0.36, 0.23, 0.07, 0.11, -0.15, 0.04, 0.01, 0.10, 1.07, 0.20];
const HANDED: [f32; HANDED_FEATURES] = [0.92, 0.11, 1.49, 0.86, 0.86, 0.34];

/// Features of the upright score. Each changes its sign when the board is turned and when the
/// colours are exchanged. Ranks are counted from the man's own side; "deep" means near an edge rank.
///
/// 0 to 2: pawns on ranks 2, 3, 4 less those on 7, 6, 5. 3 to 6: kings on ranks 1 to 4 less those on 8
/// to 5. 7, 8: rooks on ranks 1, 2 less those on 8, 7 (rooks love the seventh: its weight is negative).
/// 9 to 11: bishops and knights on ranks 1 to 3 less those on 8 to 6. 12: pawns that block each other
/// head on less those back to back. 13: pawns with an enemy pawn before them on their own or a
/// neighbouring file less those with one behind.
pub fn upright_features(placement: &Placement) -> [f32; UPRIGHT_FEATURES] {
    let mut out = [0.0; UPRIGHT_FEATURES];
    for (square, man) in placement.men() {
        let rank = own_rank(square, man.color);
        // +1 on the own half, -1 on the other; 0 to 3: distance from the nearer edge
        let (sign, depth) = if rank < 4 { (1.0, rank) } else { (-1.0, 7 - rank) };
        match man.role {
            // a pawn on an edge rank is as impossible turned as not
            Role::Pawn if depth == 0 => {}
            Role::Pawn => out[depth - 1] += sign,
            Role::King => out[3 + depth] += sign,
            Role::Rook if depth < 2 => out[7 + depth] += sign,
            Role::Bishop | Role::Knight if depth < 3 => out[9 + depth] += sign,
            _ => {}
        }
    }
    let [white, black] = [Color::White, Color::Black].map(|color| placement.squares_of(color, Role::Pawn));
    out[12] = head_on(&white, &black);
    out[13] = opposed(&white, &black) - opposed(&black, &white);
    out
}

/// White pawns right below a black one, less those right above one.
fn head_on(white: &[Square], black: &[Square]) -> f32 {
    let count = |up: i32| {
        white.iter().filter(|pawn| pawn.offset(up).is_some_and(|next| black.contains(&next))).count() as f32
    };
    count(8) - count(-8)
}

/// Pawns with one of `others` above them on their own or a neighbouring file, less those with one below.
fn opposed(pawns: &[Square], others: &[Square]) -> f32 {
    let near = |a: Square, b: Square| a.file().distance(b.file()) <= 1;
    let sum: i32 = pawns
        .iter()
        .map(|&pawn| {
            let above = others.iter().any(|&other| near(pawn, other) && other.rank() > pawn.rank());
            let below = others.iter().any(|&other| near(pawn, other) && other.rank() < pawn.rank());
            i32::from(above) - i32::from(below)
        })
        .sum();
    sum as f32
}

/// Features of the handed score. Each changes its sign when left and right are exchanged, and stays
/// when the colours are exchanged from top to bottom.
pub fn handed_features(placement: &Placement) -> [f32; HANDED_FEATURES] {
    let mut out = [0.0; HANDED_FEATURES];
    for (square, man) in placement.men() {
        if own_rank(square, man.color) > 0 {
            continue;
        }
        let file = square.file();
        // 0 to 3: distance from the h-file or a-file
        let (sign, depth) =
            if file >= File::E { (1.0, 7 - file.to_usize()) } else { (-1.0, file.to_usize()) };
        match man.role {
            // e1 is the king's, d1 the queen's; g1 is its shelter more often than b1, h1 than a1, and c1 than f1
            Role::King => out[3 - depth] += sign,
            Role::Queen if depth == 3 => out[4] -= sign,
            Role::Rook if depth == 2 => out[5] += sign,
            _ => {}
        }
    }
    out
}

/// 0 to 7 from the own side.
fn own_rank(square: Square, color: Color) -> usize {
    let rank = square.rank().to_usize();
    color.fold_wb(rank, 7 - rank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::testing::{Dice, Taste, any_placement, fen_of, random_game};

    /// The same with left and right exchanged.
    fn mirrored(placement: &Placement) -> Placement {
        let mut out = Placement::default();
        placement.men().for_each(|(square, man)| out.set(square.flip_horizontal(), Some(man)));
        out
    }

    proptest! {
        #[test]
        fn features_change_sign_as_they_say(placement in any_placement()) {
            let upright = upright_features(&placement);
            prop_assert_eq!(upright_features(&placement.turned()), upright.map(|f| -f));
            prop_assert_eq!(upright_features(&placement.colours_swapped()), upright.map(|f| -f));
            prop_assert_eq!(upright_features(&mirrored(&placement)), upright);
            let handed = handed_features(&placement);
            prop_assert_eq!(handed_features(&mirrored(&placement)), handed.map(|f| -f));
            let sum = white_bottom_probability(&placement) + white_bottom_probability(&placement.turned());
            prop_assert!((sum - 1.0).abs() < 1e-5);
        }

        #[test]
        fn explanations_of_a_turned_board_are_those_of_the_board(placement in any_placement()) {
            let priors = Priors { turned: 0.4, swapped: 0.2 };
            let [here, there] = [placement, placement.turned()].map(|p| explanations(&p, priors));
            prop_assert!((here.right + here.turned + here.swapped - 1.0).abs() < 1e-5);
            // 0.4 to 0.4 before the men are looked at: the two change places
            prop_assert!((here.right / here.turned * (there.right / there.turned) - 1.0).abs() < 1e-2);
        }
    }

    #[test]
    fn the_start_and_a_bare_board() {
        let start: Placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
        assert!(white_bottom_probability(&start) > 0.9999);
        assert_eq!(white_bottom_probability(&Placement::default()), 0.5);
    }

    #[test]
    fn early_positions_of_games_are_told_from_turned_ones() {
        let mut dice = Dice(9);
        let (mut right, mut all) = (0, 0);
        for _ in 0..40 {
            for position in random_game(&mut dice, 40, Taste::Any) {
                let placement = fen_of(&position).placement;
                right += usize::from(white_bottom_probability(&placement) > 0.97);
                all += 1;
            }
        }
        assert!(100 * right >= 97 * all, "{right} of {all}");
    }

    /// Positions of known games and studies, with what may be said of them.
    #[test]
    fn endgames_and_problems_are_judged_with_care() {
        let cases = [
            // rook and pawn: each side's pawns before its own king
            ("8/5pk1/6p1/8/8/6P1/5PK1/3r4", 0.7, 1.0),
            // pawns about to promote on both sides say little against the board
            ("8/PP4k1/8/8/8/8/1K4pp/8", 0.0, 0.9),
            // kings only
            ("4k3/8/8/8/8/8/8/4K3", 0.5, 0.95),
            ("8/8/3k4/8/4K3/8/8/8", 0.3, 0.7),
        ];
        for (text, low, high) in cases {
            let p = white_bottom_probability(&text.parse().unwrap());
            assert!((low..=high).contains(&p), "{text}: {p}");
        }
    }
}
