//! Finding every board on a page.
//!
//! Candidates come from a matched filter over position, size and tilt ([`checker`]); each is fitted to the
//! lines between its squares ([`lattice`]) and judged by what the straightened picture shows ([`evidence`]).

mod checker;
mod evidence;
mod lattice;
mod order;
mod pyramid;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::warp::Homography;
use super::{BoardRegion, Quad};
use lattice::Straight;
use pyramid::Pyramid;

/// Settings of the finder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindParams {
    /// Smallest square side looked for, in page pixels: under it men cannot be told apart.
    pub smallest_square: f32,
    /// The longer side of a page holds at most this many squares of the smallest board looked for (2 mm squares on A4).
    pub squares_along_page: f32,
    /// Ratio between the square sizes tried; half of it is the largest error of size, 0.2 squares at the rim.
    pub size_step: f32,
    /// Least correlation with the ideal chequer that makes a candidate.
    pub least_correlation: f32,
    /// Least difference between the squares' mean and the overall mean, in gray levels: under it is grain.
    pub least_contrast: f32,
    /// Candidates of the matched filter that are looked at closely, best first.
    pub chequer_candidates: usize,
    /// Least share of neighbouring squares whose light one is lighter.
    pub least_right: f32,
    /// Least share of the steps between squares that lie on the fitted lines.
    pub least_seen: f32,
    /// A board with this score needs no other candidates in its place.
    pub sure_score: f32,
}

impl Default for FindParams {
    fn default() -> Self {
        FindParams {
            smallest_square: 9.0,
            squares_along_page: 130.0,
            size_step: 1.1,
            least_correlation: 0.25,
            least_contrast: 1.5,
            chequer_candidates: 48,
            least_right: 0.75,
            least_seen: 0.4,
            sure_score: 0.6,
        }
    }
}

/// Why a candidate was kept or dropped.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Kept,
    Dropped(String),
}

/// A place that was looked at, for `--debug-images`.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub quad: Quad,
    pub verdict: Verdict,
}

/// What the finder says of a page.
#[derive(Debug, Clone, Default)]
pub struct Finding {
    /// Boards in reading order.
    pub regions: Vec<BoardRegion>,
    /// Every place that was looked at.
    pub candidates: Vec<Candidate>,
    /// The page as ink and paper, when a stage made it.
    pub binarized: Option<GrayImage>,
}

/// Finds the boards of a page.
pub fn find_boards(gray: &GrayImage, params: &FindParams) -> Finding {
    let mut finding = Finding::default();
    if gray.width() < 24 || gray.height() < 24 {
        return finding;
    }
    let pyramid = Pyramid::new(gray);
    let mut kept: Vec<BoardRegion> = Vec::new();
    for chequer in checker::find_chequers(&pyramid, params) {
        // Most candidates are shifted or shrunken views of a board already found.
        if kept.iter().any(|k| k.score > params.sure_score && overlap(&k.quad, &chequer.quad) > 0.5) {
            continue;
        }
        match examine(&pyramid, &chequer.quad, chequer.light_first, params) {
            Ok(region) => {
                finding.candidates.push(Candidate { quad: region.quad, verdict: Verdict::Kept });
                kept.push(region);
            }
            Err((quad, reason)) => {
                let reason = format!("{reason} (chequer {:.2})", chequer.correlation);
                finding.candidates.push(Candidate { quad, verdict: Verdict::Dropped(reason) });
            }
        }
    }
    kept.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut regions: Vec<BoardRegion> = Vec::new();
    for region in kept {
        if regions.iter().all(|r| overlap(&r.quad, &region.quad) < 0.2) {
            regions.push(region);
        }
    }
    finding.regions = order::reading_order(regions);
    finding
}

/// Overlap of two quads' bounds over the smaller one.
fn overlap(a: &Quad, b: &Quad) -> f32 {
    let (p, q) = (a.bounds(), b.bounds());
    let w = p.2.min(q.2) - p.0.max(q.0);
    let h = p.3.min(q.3) - p.1.max(q.1);
    if w <= 0.0 || h <= 0.0 {
        return 0.0;
    }
    let area = |r: (f32, f32, f32, f32)| (r.2 - r.0) * (r.3 - r.1);
    w * h / area(p).min(area(q)).max(1.0)
}

/// Fits and judges one candidate.
fn examine(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    light_first: bool,
    params: &FindParams,
) -> Result<BoardRegion, (Quad, String)> {
    let mut quad = *quad;
    let mut light_first = light_first;
    for _ in 0..3 {
        let Some(fitted) = lattice::fit(pyramid, &quad, light_first) else {
            return Err((quad, "no lattice".into()));
        };
        quad = fitted.quad;
        let Some(straight) = Straight::new(pyramid, &quad, 3) else {
            return Err((quad, "no area".into()));
        };
        let seen = evidence::alternation(&straight, light_first);
        let (dy, dx) = (evidence::shift(&seen.rows), evidence::shift(&seen.cols));
        if dx != 0 || dy != 0 {
            let Some(h) = Homography::of_board(&quad) else { return Err((quad, "no area".into())) };
            let (x, y) = (dx as f32, dy as f32);
            quad = h.map_quad([(x, y), (x + 8.0, y), (x + 8.0, y + 8.0), (x, y + 8.0)]);
            light_first ^= (dx + dy).rem_euclid(2) == 1;
            continue;
        }
        if seen.right < params.least_right || fitted.seen < params.least_seen {
            return Err((
                quad,
                format!("alternates in {:.2} of pairs, contrast {:.1}", seen.right, seen.contrast),
            ));
        }
        let score = ((seen.right - 0.5) * 2.0 * seen.evenness.min(1.0)).clamp(0.0, 1.0);
        let (w, h) = (pyramid.page().width() as f32, pyramid.page().height() as f32);
        let slack = 0.2 * quad.square_size();
        let cut_off =
            quad.0.iter().any(|p| p.x < -slack || p.y < -slack || p.x > w + slack || p.y > h + slack);
        return Ok(BoardRegion { quad, lattice_residual: fitted.residual, score, cut_off });
    }
    Err((quad, "whole-square shifts do not settle".into()))
}
