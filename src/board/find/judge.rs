//! One candidate: fitted, shifted to its eight lines of squares, and judged.

use super::evidence::{self, Alternation};
use super::lattice::{self, Lattice, Straight};
use super::pyramid::Pyramid;
use super::{FindParams, Verdict};
use crate::board::warp::Homography;
use crate::board::{BoardRegion, Quad};

/// A candidate that passed, with what later comparisons between boards of a page need.
#[derive(Debug, Clone)]
pub struct Judged {
    pub region: BoardRegion,
    /// Median difference between light and dark squares, in gray levels.
    pub contrast: f32,
    /// Mean difference over its standard deviation.
    pub evenness: f32,
}

/// Whole-square shifts a candidate may need: each can change the fit enough for one more.
const TRIES: usize = 4;

/// Fits and judges a candidate whose top left square is light or not. A dropped one comes back where it was
/// last, with the reason. A `doubtful` candidate is given up early.
pub fn judge_chequer(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    light_first: bool,
    doubtful: bool,
    params: &FindParams,
) -> Result<Judged, (Quad, String)> {
    let (mut quad, mut light_first) = (*quad, light_first);
    for _ in 0..TRIES {
        let Some(fitted) = lattice::fit(pyramid, &quad, light_first, doubtful) else {
            return Err((quad, "no lattice".into()));
        };
        quad = fitted.quad;
        let Some(straight) = Straight::new(pyramid, &quad, lattice::FINE, evidence::BEYOND) else {
            return Err((quad, "no area".into()));
        };
        let seen = evidence::alternation(&straight, light_first);
        let (dx, dy) = (evidence::shift(&seen.cols), evidence::shift(&seen.rows));
        if dx == 0 && dy == 0 {
            return decide(pyramid, fitted, &seen, params).map_err(|reason| (quad, reason));
        }
        let Some(h) = Homography::of_board(&quad) else { return Err((quad, "no area".into())) };
        let (x, y) = (dx as f32, dy as f32);
        quad = h.map_quad([(x, y), (x + 8.0, y), (x + 8.0, y + 8.0), (x, y + 8.0)]);
        light_first ^= (dx + dy).rem_euclid(2) == 1;
    }
    Err((quad, "whole-square shifts do not settle".into()))
}

fn decide(
    pyramid: &Pyramid<'_>,
    fitted: Lattice,
    seen: &Alternation,
    params: &FindParams,
) -> Result<Judged, String> {
    if seen.right < params.least_right {
        return Err(format!("light and dark alternate in {:.2} of neighbours only", seen.right));
    }
    if seen.goes_on() {
        return Err("the chequer goes on beyond 8 x 8".into());
    }
    // Chance gives a half of the neighbours and a quarter of the steps.
    let score = ((seen.right - 0.5) * 2.0).clamp(0.0, 1.0) * ((fitted.seen - 0.25) / 0.45).clamp(0.0, 1.0);
    if score < params.least_score {
        return Err(format!("score {score:.2}: neighbours {:.2}, steps {:.2}", seen.right, fitted.seen));
    }
    let region = BoardRegion {
        quad: fitted.quad,
        lattice_residual: fitted.residual,
        score,
        cut_off: leaves_page(pyramid, &fitted.quad) || seen.lacks_line(),
    };
    Ok(Judged { region, contrast: seen.contrast, evenness: seen.evenness })
}

/// Whether more than a fifth of a square lies beyond the picture.
fn leaves_page(pyramid: &Pyramid<'_>, quad: &Quad) -> bool {
    let (w, h) = (pyramid.page().width() as f32, pyramid.page().height() as f32);
    let slack = 0.2 * quad.square_size();
    quad.0.iter().any(|p| p.x < -slack || p.y < -slack || p.x > w + slack || p.y > h + slack)
}

/// Show-through is at most this much as strong as the print on the page, and uneven.
const THROUGH_CONTRAST: f32 = 0.3;
const THROUGH_EVENNESS: f32 = 1.6;

/// Why a board that passed alone falls beside the others of its page.
pub fn beside_others(judged: &Judged, strongest: f32) -> Verdict {
    if judged.contrast < THROUGH_CONTRAST * strongest && judged.evenness < THROUGH_EVENNESS {
        let share = judged.contrast / strongest;
        return Verdict::Dropped(format!(
            "{share:.2} of the contrast of the page's boards: shows through the paper"
        ));
    }
    Verdict::Kept
}
