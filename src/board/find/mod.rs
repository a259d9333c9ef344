//! Finding every board on a page.
//!
//! Candidates come from a matched filter over position, size and tilt (`checker`); each is fitted to the
//! lines between its squares (`lattice`) and judged (`judge`) by what the straightened picture shows (`evidence`).

mod blank;
mod border;
mod checker;
mod crossings;
mod evidence;
mod frames;
mod judge;
mod lattice;
mod lettered;
pub mod order;
mod others;
mod patches;
mod pyramid;
mod straight;
mod weave;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::{BoardRegion, Quad};
use judge::Judged;
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
    /// Outlines that are looked at closely, smallest first.
    pub frame_candidates: usize,
    /// Candidates of the matched filter that are looked at closely, best first.
    pub chequer_candidates: usize,
    /// Candidates of this correlation whose ink shows no lattice are looked at by their texture, best first, so many of a page.
    pub texture_correlation: f32,
    pub texture_candidates: usize,
    /// Least share of neighbouring squares whose light one is lighter.
    pub least_right: f32,
    /// Least score: chance gives 0 to 0.2, the worst prints 0.4.
    pub least_score: f32,
    /// A candidate with this correlation is fitted to the end, whatever the first rounds say.
    pub sure_correlation: f32,
    /// Chequers are looked for by their crossings from this share of the smallest square on.
    pub smallest_crossed: f32,
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
            least_contrast: 0.9,
            frame_candidates: 60,
            chequer_candidates: 80,
            texture_correlation: 0.4,
            texture_candidates: 12,
            least_right: 0.75,
            least_score: 0.3,
            smallest_crossed: 0.9,
            sure_correlation: 0.5,
            sure_score: 0.6,
        }
    }
}

/// Why a candidate was kept or dropped.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Kept,
    Dropped(String),
    /// Dropped, though a person may see a board there: men within a frame or between coordinates, or a faint chequer.
    Doubted(String),
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

impl Finding {
    /// Places that were dropped with doubts and that no board taken covers, each once.
    pub fn doubted(&self) -> Vec<Quad> {
        let mut out: Vec<Quad> = Vec::new();
        for candidate in &self.candidates {
            let taken = self.regions.iter().map(|r| &r.quad).chain(&out);
            if matches!(candidate.verdict, Verdict::Doubted(_))
                && taken.into_iter().all(|quad| overlap(quad, &candidate.quad) < 0.2)
            {
                out.push(candidate.quad);
            }
        }
        out
    }
}

/// Finds the boards of a page.
pub fn find_boards(gray: &GrayImage, params: &FindParams) -> Finding {
    let mut finding = Finding::default();
    if gray.width().min(gray.height()) < SMALLEST_PAGE {
        return finding;
    }
    let pyramid = Pyramid::new(gray);
    let mut passed: Vec<Judged> = Vec::new();
    let binary = frames::binarize(&pyramid);
    let smallest = smallest_square(gray, params);
    let (frames, glyphs) = frames::find_frames(&binary, smallest, params);
    for frame in frames {
        if passed.iter().any(|j| overlap(&j.region.quad, &frame) > 0.2) {
            continue;
        }
        match judge::judge_frame(&pyramid, &frame, params) {
            Ok(judged) if judged.region.score < params.least_score => {
                let reason = format!("score {:.2} of a frame without a chequer", judged.region.score);
                finding
                    .candidates
                    .push(Candidate { quad: judged.region.quad, verdict: Verdict::Dropped(reason) });
            }
            Ok(judged) => passed.push(judged),
            Err((quad, verdict)) => finding.candidates.push(Candidate { quad, verdict }),
        }
    }
    finding.binarized = Some(binary.image);
    let known: Vec<Quad> =
        passed.iter().filter(|j| j.region.score > params.sure_score).map(|j| j.region.quad).collect();
    let chequers = checker::find_chequers(&pyramid, &known, params);
    let mut textures = Vec::new();
    for chequer in &chequers {
        if taken(&passed, &chequer.quad, params) {
            continue;
        }
        let doubtful = chequer.correlation < params.sure_correlation;
        match judge::judge_candidate(&pyramid, &chequer.quad, chequer.light_first, doubtful, params) {
            Ok(judged) => passed.push(judged),
            Err((quad, reason)) => {
                let reason = format!("{reason} (chequer {:.2})", chequer.correlation);
                finding.candidates.push(Candidate { quad, verdict: Verdict::Dropped(reason) });
                if chequer.correlation >= params.texture_correlation {
                    textures.push(chequer);
                }
            }
        }
    }
    textures.sort_by(|a, b| b.correlation.total_cmp(&a.correlation));
    for chequer in textures.into_iter().take(params.texture_candidates) {
        if !taken(&passed, &chequer.quad, params)
            && let Ok(judged) = judge::judge_texture(&pyramid, &chequer.quad, chequer.light_first, params)
        {
            passed.push(judged);
        }
    }
    for quad in lettered::find_lettered(&glyphs, smallest) {
        if passed.iter().any(|j| overlap(&j.region.quad, &quad) > 0.2) {
            continue;
        }
        match judge::judge_lettered(&pyramid, &quad) {
            Ok(judged) => passed.push(judged),
            Err(verdict) => finding.candidates.push(Candidate { quad, verdict }),
        }
    }
    let weaves = crossings::find_weaves(&pyramid, smallest * params.smallest_crossed);
    for weave in &weaves {
        others::propose(&pyramid, weave, &mut passed, &mut finding.candidates, params);
    }
    let strongest = passed.iter().map(|j| j.contrast).filter(|c| c.is_finite()).fold(0.0, f32::max);
    let kept = select(&pyramid, passed, strongest, &mut finding.candidates);
    for weave in &weaves {
        finding.candidates.extend(others::left_over(&pyramid, weave, &kept, strongest));
    }
    finding.regions = order::reading_order(kept, gray.width() as f32, gray.height() as f32);
    finding
}

/// Whether a board surely found lies here: most candidates are shifted views of one.
fn taken(passed: &[Judged], quad: &Quad, params: &FindParams) -> bool {
    passed.iter().any(|j| j.region.score > params.sure_score && overlap(&j.region.quad, quad) > 0.2)
}

/// A page smaller than this (in pixels) holds no readable board.
const SMALLEST_PAGE: u32 = 64;

/// Side of the smallest square looked for on this page, in page pixels.
fn smallest_square(gray: &GrayImage, params: &FindParams) -> f32 {
    params.smallest_square.max(gray.width().max(gray.height()) as f32 / params.squares_along_page)
}

/// Keeps the best of boards that overlap, and what stands its ground beside the page's other boards.
fn select(
    pyramid: &Pyramid<'_>,
    mut passed: Vec<Judged>,
    strongest: f32,
    candidates: &mut Vec<Candidate>,
) -> Vec<BoardRegion> {
    passed.sort_by(|a, b| b.region.score.total_cmp(&a.region.score));
    let mut regions: Vec<BoardRegion> = Vec::new();
    for judged in passed {
        let quad = judged.region.quad;
        let verdict = if regions.iter().any(|r| overlap(&r.quad, &quad) > 0.2) {
            Verdict::Dropped("overlaps a better board".into())
        } else {
            judge::beside_others(pyramid, &judged, strongest)
        };
        if verdict == Verdict::Kept {
            regions.push(judged.region);
        }
        candidates.push(Candidate { quad, verdict });
    }
    regions
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubts_under_a_board_that_was_taken_are_settled() {
        let taken = BoardRegion {
            quad: Quad::from_bounds(0.0, 0.0, 80.0, 80.0),
            lattice_residual: 0.0,
            score: 1.0,
            cut_off: false,
            light_first: None,
        };
        let doubted = |x: f32| Candidate {
            quad: Quad::from_bounds(x, 0.0, x + 80.0, 80.0),
            verdict: Verdict::Doubted("faint".into()),
        };
        let dropped = Candidate { verdict: Verdict::Dropped("text".into()), ..doubted(500.0) };
        let finding = Finding {
            regions: vec![taken],
            candidates: vec![doubted(10.0), doubted(200.0), doubted(205.0), dropped],
            binarized: None,
        };
        assert_eq!(finding.doubted(), [Quad::from_bounds(200.0, 0.0, 280.0, 80.0)]);
    }
}
