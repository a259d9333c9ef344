//! One candidate: fitted, shifted to its eight lines of squares, and judged.

use super::blank::{self, Content};
use super::border::{self, BORDERS};
use super::evidence::{self, Alternation, BEYOND};
use super::lattice::{self, Lattice};
use super::pyramid::Pyramid;
use super::straight::{Channel, FINE, Straight};
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
    /// Share of the steps between squares that lie on the lattice.
    pub steps: f32,
}

/// Whole-square shifts a candidate may need: each can change the fit enough for one more.
const TRIES: usize = 4;

/// Judges a candidate by its ink; where that shows a loose lattice, by its texture too. A dropped one comes back where
/// it was last, with the reason. A `doubtful` candidate is given up early.
pub fn judge_candidate(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    light_first: bool,
    doubtful: bool,
    params: &FindParams,
) -> Result<Judged, (Quad, String)> {
    let ink = judge_chequer(pyramid, Channel::Ink, quad, light_first, doubtful, params)?;
    if ink.region.lattice_residual < LOOSE {
        return Ok(ink);
    }
    let light_first = ink.region.light_first.unwrap_or(light_first);
    match judge_chequer(pyramid, Channel::Texture, &ink.region.quad, light_first, false, params) {
        Ok(texture)
            if texture.region.score >= ink.region.score
                && texture.region.lattice_residual < ink.region.lattice_residual =>
        {
            Ok(Judged { contrast: ink.contrast, evenness: ink.evenness, ..texture })
        }
        _ => Ok(ink),
    }
}

/// Judges a candidate by its texture alone.
pub fn judge_texture(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    light_first: bool,
    params: &FindParams,
) -> Result<Judged, (Quad, String)> {
    let judged = judge_chequer(pyramid, Channel::Texture, quad, light_first, true, params)?;
    // Contrast is compared between boards by their ink.
    let quad = judged.region.quad;
    let light_first = judged.region.light_first.unwrap_or(light_first);
    let Some(straight) = Straight::new(pyramid, &quad, FINE, BEYOND) else {
        return Err((quad, "no area".into()));
    };
    let ink = evidence::alternation(&straight, light_first);
    Ok(Judged { contrast: ink.contrast, evenness: ink.evenness, ..judged })
}

/// Fits and judges a candidate whose top left square is light or not. A dropped one comes back where it was
/// last, with the reason. A `doubtful` candidate is given up early.
pub fn judge_chequer(
    pyramid: &Pyramid<'_>,
    channel: Channel,
    quad: &Quad,
    light_first: bool,
    doubtful: bool,
    params: &FindParams,
) -> Result<Judged, (Quad, String)> {
    let (mut quad, mut light_first) = (*quad, light_first);
    let (mut place, mut visited) = ((0, 0), Vec::new());
    let mut best: Option<(f32, Place)> = None;
    for _ in 0..TRIES {
        let Some(fitted) = lattice::fit(pyramid, channel, &quad, light_first, doubtful) else {
            return Err((quad, "no lattice".into()));
        };
        quad = fitted.quad;
        let Some(straight) = Straight::new(pyramid, &quad, FINE, evidence::BEYOND) else {
            return Err((quad, "no area".into()));
        };
        let Some(seen) = alternation(pyramid, channel, &straight, &quad, light_first) else {
            return Err((quad, "no area".into()));
        };
        let (upright, level) = (border::drawn_lines(&straight, true), border::drawn_lines(&straight, false));
        let (mut dx, mut dy) =
            (evidence::shift(&seen.col_squares, &upright), evidence::shift(&seen.row_squares, &level));
        let drawn = sides(&upright, &level).iter().sum::<f32>() / 4.0;
        let worth = seen.worth() + 2.0 * drawn;
        let here = Place { fitted, drawn, light_first };
        let settled = dx == 0 && dy == 0;
        if settled {
            (dx, dy) = seen.towards();
        }
        visited.push(place);
        let next = (place.0 + dx, place.1 + dy);
        if settled && next == place {
            return decide(pyramid, &here, &seen, params).map_err(|reason| (quad, reason));
        }
        if best.as_ref().is_none_or(|b| worth > b.0) {
            best = Some((worth, here));
        }
        if visited.contains(&next) {
            break;
        }
        place = next;
        let Some(h) = Homography::of_board(&quad) else { return Err((quad, "no area".into())) };
        let (x, y) = (dx as f32, dy as f32);
        quad = h.map_quad([(x, y), (x + 8.0, y), (x + 8.0, y + 8.0), (x, y + 8.0)]);
        light_first ^= (dx + dy).rem_euclid(2) == 1;
    }
    // Two places that each send the lattice to the other: the one with most alternation is judged.
    let Some((_, place)) = best else { return Err((quad, "no place".into())) };
    let quad = place.fitted.quad;
    let Some(straight) = Straight::new(pyramid, &quad, FINE, evidence::BEYOND) else {
        return Err((quad, "no area".into()));
    };
    let Some(seen) = alternation(pyramid, channel, &straight, &quad, place.light_first) else {
        return Err((quad, "no area".into()));
    };
    decide(pyramid, &place, &seen, params)
        .map_err(|reason| (quad, format!("whole-square shifts do not settle; {reason}")))
}

/// Judges a place that a chequer fills, whichever square is light.
pub fn judge_found(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    params: &FindParams,
) -> Result<Judged, (Quad, String)> {
    let straight = Straight::new(pyramid, quad, FINE, BEYOND).ok_or_else(|| (*quad, "no area".to_owned()))?;
    let light_first = evidence::alternation(&straight, true).right >= 0.5;
    judge_candidate(pyramid, quad, light_first, true, params)
}

/// Judges one of several boards printed edge to edge, where it stands: their chequer goes on beyond it.
pub fn judge_tile(pyramid: &Pyramid<'_>, quad: &Quad, params: &FindParams) -> Result<Judged, (Quad, String)> {
    let no_area = || (*quad, "no area".to_owned());
    let straight = Straight::new(pyramid, quad, FINE, BEYOND).ok_or_else(no_area)?;
    let light_first = evidence::alternation(&straight, true).right >= 0.5;
    let fitted = lattice::fit(pyramid, Channel::Ink, quad, light_first, true)
        .ok_or_else(|| (*quad, "no lattice".to_owned()))?;
    let straight = Straight::new(pyramid, &fitted.quad, FINE, BEYOND).ok_or_else(no_area)?;
    let seen = Alternation { outside: [0.0; 4], ..evidence::alternation(&straight, light_first) };
    let (upright, level) = (border::drawn_lines(&straight, true), border::drawn_lines(&straight, false));
    let drawn = sides(&upright, &level).iter().sum::<f32>() / 4.0;
    decide(pyramid, &Place { fitted, drawn, light_first }, &seen, params)
        .map_err(|reason| (fitted.quad, reason))
}

/// Alternation in a channel; `straight` is the picture of the ink.
fn alternation(
    pyramid: &Pyramid<'_>,
    channel: Channel,
    straight: &Straight,
    quad: &Quad,
    light_first: bool,
) -> Option<Alternation> {
    Some(match channel {
        Channel::Ink => evidence::alternation(straight, light_first),
        Channel::Texture => {
            evidence::alternation(&Straight::of(channel, pyramid, quad, FINE, BEYOND)?, light_first)
        }
    })
}

/// A lattice at one place; `drawn`: the share of the frame seen where its squares end.
#[derive(Clone, Copy)]
struct Place {
    fitted: Lattice,
    drawn: f32,
    light_first: bool,
}

/// Judges a frame: first as a chequer that ends there, then as a board whose dark squares are lost.
pub fn judge_frame(
    pyramid: &Pyramid<'_>,
    quad: &Quad,
    params: &FindParams,
) -> Result<Judged, (Quad, Verdict)> {
    let Some(straight) = Straight::new(pyramid, quad, FINE, BEYOND) else {
        return Err((*quad, Verdict::Dropped("no area".into())));
    };
    let right = evidence::alternation(&straight, true).right;
    match judge_candidate(pyramid, quad, right >= 0.5, true, params) {
        Ok(judged) if judged.steps > FEW_STEPS && judged.region.lattice_residual < LOOSE => Ok(judged),
        // Too few steps to measure by, or steps between specks: the frame is the better ruler when it lies where the
        // lattice says.
        Ok(mut judged) => {
            let close = |l: &Lattice| {
                let near = l
                    .quad
                    .0
                    .iter()
                    .zip(judged.region.quad.0)
                    .all(|(p, q)| p.distance(q) < 0.4 * quad.square_size());
                near && l.seen > 0.6
            };
            if let Some(framed) = lattice::fit_frame(pyramid, quad).filter(close)
                && let Some(light_first) = judged.region.light_first
            {
                let support = |quad: &Quad| lattice::support(pyramid, quad, light_first);
                let loose = support(&judged.region.quad);
                let inner = FRAME_GAPS.iter().filter_map(|&gap| within_frame(&framed.quad, gap));
                let best = inner.map(|quad| (support(&quad), quad)).max_by(|a, b| a.0.total_cmp(&b.0));
                if let Some((_, quad)) = best.filter(|b| b.0 >= loose) {
                    judged.region.quad = quad;
                    let residual = judged.region.lattice_residual;
                    judged.region.lattice_residual = residual.min(framed.residual.max(FRAMED));
                }
            }
            Ok(judged)
        }
        Err((_, chequer)) => judge_texture(pyramid, quad, right >= 0.5, params)
            .or_else(|_| judge_lined(pyramid, quad))
            .or_else(|lines| {
                judge_blank(pyramid, quad).map_err(|blank| {
                    let said = format!(
                        "frame; by lines: {lines}; as blank board: {}; as chequer: {chequer}",
                        blank.said
                    );
                    (*quad, if blank.men { Verdict::Doubted(said) } else { Verdict::Dropped(said) })
                })
            }),
    }
}

/// With fewer of the steps between squares than this the lattice is loose.
const FEW_STEPS: f32 = 0.5;
/// With a larger residual than this (in squares) too: sparse dots and coarse hatching have 0.08, others 0.03.
const LOOSE: f32 = 0.055;
/// Residual of a lattice that has its shape from the frame and its size from loose steps, in squares.
const FRAMED: f32 = 0.05;
/// How far inside their frame squares begin, in squares.
const FRAME_GAPS: [f32; 5] = [0.0, 0.05, 0.1, 0.15, 0.2];

/// The frame's shape, moved inwards all around by a part of a square.
fn within_frame(frame: &Quad, gap: f32) -> Option<Quad> {
    let (low, high) = (gap, 8.0 - gap);
    Some(Homography::of_board(frame)?.map_quad([(low, low), (high, low), (high, high), (low, high)]))
}

/// Men on a board, with a few more for marks.
const MOST_MEN: usize = 36;
/// Ink on the lines against ink in the middles: men stay under a third, text and figures come to one.
const MOST_CROSSING: f32 = 0.45;
/// Least share of men that stand in the middle of their squares.
const LEAST_CENTRED: f32 = 0.6;
/// Men that fill their squares reach the lines; so many of them, all but a tenth in the middle, are no text.
const MOST_CROSSING_LARGE: f32 = 0.6;
const WELL_CENTRED: f32 = 0.9;
const MANY_MEN: usize = 8;
/// Fewest signs within a frame that is doubted.
const LEAST_DOUBTED: usize = 2;
/// Least part of each side that is drawn.
const LEAST_DRAWN: f32 = 0.4;
/// One side may be worn.
const LEAST_DRAWN_ONE: f32 = 0.15;
/// Share of neighbours whose rings alternate that speaks for squares of few specks: chance gives a half and a twentieth.
const LEAST_RING: f32 = 0.72;
/// A blank board is never as sure as a chequer.
const BLANK_SCORE: f32 = 0.45;

/// Share of the pieces of inner lines that must be drawn where the lattice has them: tall men reach over many.
const LEAST_LINES: f32 = 0.5;
/// A board of lines is surer than a blank one.
const LINED_SCORE: f32 = 0.5;

/// Judges a frame with lines between the squares and no shading.
fn judge_lined(pyramid: &Pyramid<'_>, quad: &Quad) -> Result<Judged, String> {
    let fitted = lattice::fit_lines(pyramid, quad).ok_or("none")?;
    if fitted.seen < LEAST_LINES {
        return Err(format!("{:.2} drawn", fitted.seen));
    }
    let straight = Straight::new(pyramid, &fitted.quad, FINE, BEYOND).ok_or("no area")?;
    // A crossword or a table has more squares of the same size; coordinates, second frames and text have none.
    if border::lines_go_on(&straight) {
        return Err("lines go on beyond 8 x 8".into());
    }
    let Content { occupied, centred, .. } = blank::content(&straight);
    if !(1..=MOST_MEN).contains(&occupied) || centred < LEAST_CENTRED {
        return Err(format!("{occupied} men, {centred:.2} centred"));
    }
    let region = BoardRegion {
        quad: fitted.quad,
        lattice_residual: fitted.residual,
        score: LINED_SCORE,
        cut_off: leaves_page(pyramid, &fitted.quad),
        light_first: None,
    };
    Ok(Judged { region, contrast: f32::INFINITY, evenness: f32::INFINITY, steps: fitted.seen })
}

/// A lattice taken from the picture's edges is as uncertain as this, in squares: it is always flagged.
const PICTURE_EDGE: f32 = 0.1;
/// The same of an outline that no straight lines were fitted to.
const OUTLINE: f32 = 0.09;

fn is_picture(pyramid: &Pyramid<'_>, quad: &Quad) -> bool {
    let (w, h) = (pyramid.page().width() as f32, pyramid.page().height() as f32);
    let (x0, y0, x1, y1) = quad.bounds();
    x0 <= 1.0 && y0 <= 1.0 && x1 >= w - 1.0 && y1 >= h - 1.0
}

/// Why a frame is no blank board.
struct NotBlank {
    said: String,
    /// It is drawn on three sides and holds a few signs in the middles of squares.
    men: bool,
}

fn judge_blank(pyramid: &Pyramid<'_>, quad: &Quad) -> Result<Judged, NotBlank> {
    // A picture that ends with its board shows no frame: its edges are the best ruler there is. An outline may lie better
    // than what is fitted to a worn frame.
    let residual = if is_picture(pyramid, quad) { PICTURE_EDGE } else { OUTLINE };
    let outline = Lattice { quad: *quad, residual, seen: 0.0 };
    let fitted = lattice::fit_frame(pyramid, quad);
    let mut why = NotBlank { said: "no frame".into(), men: false };
    for lattice in fitted.into_iter().chain([outline]) {
        match judge_blank_at(pyramid, &lattice) {
            Ok(judged) => return Ok(judged),
            Err(reason) => why = NotBlank { men: reason.men || why.men, ..reason },
        }
    }
    Err(why)
}

fn judge_blank_at(pyramid: &Pyramid<'_>, fitted: &Lattice) -> Result<Judged, NotBlank> {
    let Some(straight) = Straight::new(pyramid, &fitted.quad, FINE, BEYOND) else {
        return Err(NotBlank { said: "no area".into(), men: false });
    };
    let (upright, level) = (border::drawn_lines(&straight, true), border::drawn_lines(&straight, false));
    let sides = sides(&upright, &level);
    let ring = evidence::ring_alternation(&straight, true);
    let ring = ring.max(1.0 - ring);
    let Content { occupied, crossing, centred, gap } = blank::content(&straight);
    let said = format!(
        "{occupied} men, {crossing:.2} on lines, {centred:.2} centred, rings {ring:.2}, sides {sides:.1?}"
    );
    let framed =
        sides.iter().all(|s| *s > LEAST_DRAWN_ONE) && sides.iter().filter(|s| **s > LEAST_DRAWN).count() >= 3;
    let holds = (1..=MOST_MEN).contains(&occupied)
        && (crossing < MOST_CROSSING
            || ring > LEAST_RING
            || (crossing < MOST_CROSSING_LARGE && centred > WELL_CENTRED && occupied >= MANY_MEN))
        && centred > LEAST_CENTRED
        && framed;
    if !holds {
        let men = framed && (LEAST_DOUBTED..=MOST_MEN).contains(&occupied) && centred > LEAST_CENTRED;
        return Err(NotBlank { said, men });
    }
    let quad = within_frame(&fitted.quad, gap).unwrap_or(fitted.quad);
    let region = BoardRegion {
        quad,
        lattice_residual: fitted.residual,
        score: BLANK_SCORE,
        cut_off: leaves_page(pyramid, &quad),
        light_first: None,
    };
    // Contrast of squares that are not there: as strong as the page's best, by default.
    Ok(Judged { region, contrast: f32::INFINITY, evenness: f32::INFINITY, steps: 0.0 })
}

/// A lattice taken from the printed coordinates alone is as uncertain as this, in squares: it is always flagged.
const LETTERED: f32 = 0.1;

/// Judges the place between printed coordinates: men in the middles of squares, or squares of two tones.
pub fn judge_lettered(pyramid: &Pyramid<'_>, quad: &Quad) -> Result<Judged, Verdict> {
    let Some(straight) = Straight::new(pyramid, quad, FINE, BEYOND) else {
        return Err(Verdict::Dropped("no area".into()));
    };
    let ring = evidence::ring_alternation(&straight, true);
    let ring = ring.max(1.0 - ring);
    let Content { occupied, crossing, centred, .. } = blank::content(&straight);
    let men = (1..=MOST_MEN).contains(&occupied) && crossing < MOST_CROSSING_LARGE && centred > LEAST_CENTRED;
    if !men && ring < LEAST_RING {
        let said = format!(
            "between coordinates: {occupied} men, {crossing:.2} on lines, {centred:.2} centred, rings {ring:.2}"
        );
        return Err(match (1..=MOST_MEN).contains(&occupied) {
            true => Verdict::Doubted(said),
            false => Verdict::Dropped(said),
        });
    }
    let region = BoardRegion {
        quad: *quad,
        lattice_residual: LETTERED,
        score: BLANK_SCORE,
        cut_off: leaves_page(pyramid, quad),
        light_first: None,
    };
    Ok(Judged { region, contrast: f32::INFINITY, evenness: f32::INFINITY, steps: 0.0 })
}

/// How much of the board's four sides is drawn: left, right, top, bottom.
fn sides(upright: &[f32; BORDERS], level: &[f32; BORDERS]) -> [f32; 4] {
    [upright[BEYOND], upright[BEYOND + 8], level[BEYOND], level[BEYOND + 8]]
}

/// A whole frame is worth this share of the steps between the squares.
const FRAME_WORTH: f32 = 0.35;

/// Steps that lie anywhere within the search are 0.115 squares off; the coarsest dots 0.094. With a score under this too, it is
/// type that happens to alternate.
const CHANCE: f32 = 0.095;
const UNSURE: f32 = 0.45;

fn decide(
    pyramid: &Pyramid<'_>,
    place: &Place,
    seen: &Alternation,
    params: &FindParams,
) -> Result<Judged, String> {
    let Place { fitted, drawn, light_first } = *place;
    if seen.right < params.least_right {
        return Err(format!("light and dark alternate in {:.2} of neighbours only", seen.right));
    }
    if seen.goes_on() {
        return Err("the chequer goes on beyond 8 x 8".into());
    }
    // Chance gives a half of the neighbours and a quarter of the steps.
    let steps = ((fitted.seen - 0.25) / 0.45).clamp(0.0, 1.0);
    let score = ((seen.right - 0.5) * 2.0).clamp(0.0, 1.0) * (steps + FRAME_WORTH * drawn).min(1.0);
    if score < params.least_score {
        return Err(format!(
            "score {score:.2}: neighbours {:.2}, steps {:.2}, frame {drawn:.2}",
            seen.right, fitted.seen
        ));
    }
    if score < UNSURE && fitted.residual > CHANCE {
        return Err(format!("score {score:.2}, steps off by {:.3} squares: type", fitted.residual));
    }
    let region = BoardRegion {
        quad: fitted.quad,
        lattice_residual: fitted.residual,
        score,
        cut_off: leaves_page(pyramid, &fitted.quad) || seen.lacks_line(),
        light_first: Some(light_first),
    };
    Ok(Judged { region, contrast: seen.contrast, evenness: seen.evenness, steps: fitted.seen })
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
/// From this share on a board may as well be printed faintly; real show-through has a tenth.
const FAINT_CONTRAST: f32 = 0.2;
/// Dots and lines of print add this share of the squares' contrast at least to the differences between neighbouring
/// pixels; paper blurs them to nothing.
const CRISP: f32 = 0.2;

/// Why a board that passed alone falls beside the others of its page.
pub fn beside_others(pyramid: &Pyramid<'_>, judged: &Judged, strongest: f32) -> Verdict {
    if judged.contrast < THROUGH_CONTRAST * strongest
        && judged.evenness < THROUGH_EVENNESS
        && !is_crisp(pyramid, judged)
        && !holds_black_men(pyramid, judged, strongest)
    {
        let share = judged.contrast / strongest;
        let said = format!("{share:.2} of the contrast of the page's boards: shows through the paper");
        return match is_faint(judged.contrast, strongest) {
            true => Verdict::Dropped(said),
            false => Verdict::Doubted(said),
        };
    }
    Verdict::Kept
}

/// Whether a contrast is so far under that of the page's boards that only show-through has it.
pub fn is_faint(contrast: f32, strongest: f32) -> bool {
    contrast <= FAINT_CONTRAST * strongest
}

/// Black men on squares too pale for the threshold of ink leave the lines clean; type over show-through has 0.4.
const MOST_CROSSING_BLACK: f32 = 0.25;

/// Whether men stand on the board as black as the page's print: paper makes men as faint as squares, and type that is
/// printed over what shows through stands on lines as well as in squares.
fn holds_black_men(pyramid: &Pyramid<'_>, judged: &Judged, strongest: f32) -> bool {
    Straight::new(pyramid, &judged.region.quad, FINE, BEYOND).is_some_and(|straight| {
        let Content { occupied, crossing, centred, .. } = blank::content(&straight);
        straight.range() > strongest
            && (LEAST_DOUBTED..=MOST_MEN).contains(&occupied)
            && crossing < MOST_CROSSING_BLACK
            && centred > LEAST_CENTRED
    })
}

/// Whether the dark squares are made of dots or lines that are sharp.
fn is_crisp(pyramid: &Pyramid<'_>, judged: &Judged) -> bool {
    let light_first = judged.region.light_first.unwrap_or(true);
    Straight::of(Channel::Texture, pyramid, &judged.region.quad, FINE, BEYOND).is_some_and(|straight| {
        // Texture holds half of the gray values' contrast in any case.
        let texture = evidence::alternation(&straight, light_first).contrast - judged.contrast / 2.0;
        texture > CRISP * judged.contrast
    })
}
