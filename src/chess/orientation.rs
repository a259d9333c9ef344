//! Which side of the board is below, told from the men alone.
//!
//! Two scores, both natural log-odds:
//!
//! - *upright*: pawns, kings, pieces and their ranks say that White plays upwards. A board that is
//!   turned, or whose colours are exchanged, has the opposite score.
//! - *handed*: kings, queens and rooks on their own first rank say that the a-file is on the left:
//!   it tells a turned board from one whose colours are exchanged.
//!
//! Each is a sum of a few features with weights fitted by logistic regression, see [`Weights`].

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
pub const UPRIGHT_FEATURES: usize = 18;
/// Number of features of the handed score.
pub const HANDED_FEATURES: usize = 6;

const UPRIGHT: [f32; UPRIGHT_FEATURES] =
    [1.6, 0.8, 0.2, 1.0, 0.6, 0.3, 0.1, 0.3, 0.3, 0.1, 0.3, 0.1, 0.1, 0.0, 0.4, 0.1, 0.6, 0.1];
const HANDED: [f32; HANDED_FEATURES] = [0.8, 0.7, 0.2, 0.2, 0.5, 0.3];

/// Features of the upright score. Each changes its sign when the board is turned and when the
/// colours are exchanged. Ranks are counted from the man's own side.
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
            Role::King => {
                out[3 + depth] += sign;
                out[16] += shield(placement, square, man.color);
            }
            Role::Rook => out[7 + depth.min(2)] += sign,
            Role::Bishop | Role::Knight => out[10 + depth] += sign,
            Role::Queen => out[14 + depth.min(1)] += sign,
        }
    }
    out[17] = facing(placement);
    out
}

/// Own pawns before the king minus own pawns behind it, on the three files around it.
fn shield(placement: &Placement, king: Square, color: Color) -> f32 {
    let pawns_towards = |up: i32| {
        [-1, 0, 1]
            .into_iter()
            .filter_map(|side| {
                let file = king.file().offset(side)?;
                let rank = king.rank().offset(up)?;
                placement.get(Square::from_coords(file, rank))
            })
            .filter(|man| man.color == color && man.role == Role::Pawn)
            .count() as f32
    };
    let forward = color.fold_wb(1, -1);
    pawns_towards(forward) - pawns_towards(-forward)
}

/// Pairs of a white and a black pawn on one file: +1 where they face each other, -1 where they have passed.
fn facing(placement: &Placement) -> f32 {
    let pawns = [Color::White, Color::Black].map(|color| placement.squares_of(color, Role::Pawn));
    let mut sum = 0.0;
    for white in &pawns[0] {
        for black in pawns[1].iter().filter(|black| black.file() == white.file()) {
            sum += if white.rank() < black.rank() { 1.0 } else { -1.0 };
        }
    }
    sum
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
