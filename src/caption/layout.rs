//! Which lines of text may be the caption of which board: geometry only, nothing is read here.
//!
//! Around each board strips above, below, left and right are searched for lines; running text, the
//! letters and digits along the board's edges and rules are left out, and a line that two boards could
//! claim goes to one of them.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::board::Quad;

use super::PixelRect;
use super::assign::{Contested, Role, assign};
use super::coordinates::{drop_coordinates, drop_lone_rows, drop_stray_coordinates};
use super::cut::cut_out;
use super::facts::{Mark, MarkKind};
use super::ink::{Blob, binarize, blobs};
use super::lines::{InkLine, LineParams, text_lines, trim_specks, without_edge_bits};
use super::marks::{StripMark, bubble_of, take_line_mark, take_loose_marks, take_rings, upper_end};
use super::prose::prose_lines;
use super::strip::{Frame, Place, Strip};

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutParams {
    /// How far above and below a board captions are looked for, in squares. Three lines of the usual
    /// type need two and a half, the space before them one.
    pub reach: f32,
    /// How far left and right, in squares: a number, a mark or a narrow column.
    pub side_reach: f32,
    /// How far a caption above or below may stick out beyond the board, in squares.
    pub overhang: f32,
    /// How far lines are followed beyond that, in squares, to tell a caption from a line of running text.
    pub beyond: f32,
    /// The first line of a caption is at most so far from the board, in squares.
    pub first_gap: f32,
    /// A further line follows the one before within so many of its letter heights.
    pub line_gap: f32,
    /// Ink so near to the squares is the board's own frame, in squares.
    pub frame: f32,
    /// So many lines a strip are read at most: number, players, place and side are four.
    pub most_lines: usize,
    pub lines: LineParams,
}

impl Default for LayoutParams {
    fn default() -> Self {
        LayoutParams {
            reach: 4.0,
            side_reach: 3.5,
            overhang: 3.0,
            beyond: 1.5,
            first_gap: 2.2,
            line_gap: 2.6,
            frame: 0.1,
            most_lines: 4,
            lines: LineParams::default(),
        }
    }
}

/// A board that a line may belong to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// Index of the board.
    pub board: usize,
    pub place: Place,
    /// Distance from the board's edge, in squares of the board.
    pub gap: f32,
}

/// A line that may belong to a board's caption, cut out and level, not yet read.
#[derive(Debug, Clone)]
pub struct CaptionLine {
    /// The boards that it may belong to, the nearest first; at least one.
    pub claims: Vec<Claim>,
    /// On the page.
    pub area: PixelRect,
    /// The line's own pixels without a border.
    pub crop: GrayImage,
    pub capital_height: f32,
    /// Gray levels of the ink and of the paper.
    pub ink: u8,
    pub paper: u8,
    /// Small round specks on the base line: full stops and the dots of "23...".
    pub dots: usize,
    /// Pieces of ink; one to three make a word at most.
    pub pieces: usize,
    /// Widths of its dashes and hyphens from left to right, in capital heights.
    pub dashes: Vec<f32>,
}

/// What lies around the boards of a page.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// In order of the nearest boards, for each from above to below to left to right.
    pub lines: Vec<CaptionLine>,
    /// Marks of each board.
    pub marks: Vec<Vec<Mark>>,
}

/// Finds the lines that may be captions, and the marks.
pub fn caption_lines(gray: &GrayImage, boards: &[Quad], params: &LayoutParams) -> Around {
    let mut lines = Vec::new();
    let mut marks: Vec<(usize, Mark)> = Vec::new();
    for board in 0..boards.len() {
        for place in Place::ALL {
            let beside = lines_beside(gray, boards, board, place, params);
            lines.extend(beside.lines);
            marks.extend(beside.marks.into_iter().map(|mark| (board, mark)));
        }
    }
    let mut lines = merge_claims(lines);
    drop_specks(&mut lines);
    let mut out = Around { marks: vec![Vec::new(); boards.len()], lines };
    // A mark that two boards may claim stands where the page's others stand, or belongs to the nearer.
    marks.sort_by(|a, b| {
        (a.1.gap / boards[a.0].square_size()).total_cmp(&(b.1.gap / boards[b.0].square_size()))
    });
    let mut claimed: Vec<Vec<(usize, Mark)>> = Vec::new();
    for (board, mark) in marks {
        match claimed.iter_mut().find(|all| same_line(&all[0].1.area, &mark.area)) {
            Some(all) if all.iter().any(|(other, _)| *other == board) => {}
            Some(all) => all.push((board, mark)),
            None => claimed.push(vec![(board, mark)]),
        }
    }
    let contested: Vec<Contested> = claimed
        .iter()
        .map(|all| {
            let claim = |&(board, ref mark): &(usize, Mark)| Claim {
                board,
                place: mark.place,
                gap: mark.gap / boards[board].square_size(),
            };
            Contested { claims: all.iter().map(claim).collect(), role: Role::Mark }
        })
        .collect();
    for (all, assigned) in claimed.into_iter().zip(assign(&contested)) {
        let own = all.into_iter().find(|(board, _)| *board == assigned.claim.board);
        out.marks[assigned.claim.board].extend(own.map(|(_, mark)| Mark { sure: assigned.sure, ..mark }));
    }
    out
}

/// Pieces of a line of words.
const WORDS: usize = 4;
/// Lower than this share of the lower lines of words, one or two pieces are specks; figures in small type over
/// boards are two thirds as high as the words.
const SPECK: f32 = 0.45;

/// Drops single pieces far smaller than the page's type.
fn drop_specks(lines: &mut Vec<CaptionLine>) {
    let mut heights: Vec<f32> =
        lines.iter().filter(|line| line.pieces >= WORDS).map(|line| line.capital_height).collect();
    heights.sort_by(f32::total_cmp);
    let Some(&low) = heights.get(heights.len() / 4) else { return };
    lines.retain(|line| line.pieces > 2 || line.area.height as f32 >= SPECK * low);
}

/// A line that several boards found becomes one with all their claims, as the nearest found it.
fn merge_claims(mut lines: Vec<CaptionLine>) -> Vec<CaptionLine> {
    lines.sort_by(|a, b| a.claims[0].gap.total_cmp(&b.claims[0].gap));
    let mut kept: Vec<CaptionLine> = Vec::with_capacity(lines.len());
    for line in lines {
        // Two lines of one strip are two, however they lie: a dot over its letter.
        let same = |other: &&mut CaptionLine| {
            let twice = |a: &Claim| line.claims.iter().any(|b| a.board == b.board && a.place == b.place);
            same_line(&other.area, &line.area) && !other.claims.iter().any(twice)
        };
        match kept.iter_mut().find(same) {
            // The same board may see a line from two of its sides: the nearer one counts.
            Some(other) => {
                for claim in line.claims {
                    if other.claims.iter().all(|c| c.board != claim.board) {
                        other.claims.push(claim);
                    }
                }
            }
            None => kept.push(line),
        }
    }
    kept.sort_by_key(|line| {
        let claim = line.claims[0];
        (claim.board, Place::ALL.iter().position(|p| *p == claim.place))
    });
    kept
}

pub fn same_line(a: &PixelRect, b: &PixelRect) -> bool {
    let overlap = |a0: u32, a1: u32, b0: u32, b1: u32| a1.min(b1).saturating_sub(a0.max(b0));
    let wide = overlap(a.x, a.x + a.width, b.x, b.x + b.width);
    let high = overlap(a.y, a.y + a.height, b.y, b.y + b.height);
    2 * wide > a.width.max(b.width) && 2 * high > a.height.max(b.height)
}

/// What is sampled at one side of a board, in its frame, and the part of it where captions are looked for.
/// Outside that part lines are only followed, to see that a line belongs to something wider.
struct Search {
    sampled: Bounds,
    accepted: Bounds,
    /// As far as the neighbours' edges: a mark between two boards may be nearer to the wrong one.
    free: Bounds,
}

/// (u0, v0, u1, v1) in the frame of one side of a board.
pub type Bounds = (f32, f32, f32, f32);

/// Between two boards of a row the border of the accepted parts runs midway; above and below, strips end at
/// the next board.
fn search(frame: Frame, boards: &[Quad], board: usize, place: Place, params: &LayoutParams) -> Search {
    let square = boards[board].square_size();
    let own = frame.bounds(&boards[board]);
    // The frame line around the squares may touch them.
    let skin = 0.04 * square;
    let (overhang, reach, side) =
        (params.overhang * square, params.reach * square, params.side_reach * square);
    let mut accepted = match place {
        Place::Above => (own.0 - overhang, own.1 - reach, own.2 + overhang, own.1 - skin),
        Place::Below => (own.0 - overhang, own.3 + skin, own.2 + overhang, own.3 + reach),
        Place::Left => (own.0 - side, own.1 - 0.4 * square, own.0 - skin, own.3 + 0.4 * square),
        Place::Right => (own.2 + skin, own.1 - 0.4 * square, own.2 + side, own.3 + 0.4 * square),
    };
    let beyond = params.beyond * square;
    let mut sampled = match place {
        Place::Above | Place::Below => (accepted.0 - beyond, accepted.1, accepted.2 + beyond, accepted.3),
        Place::Left => (accepted.0 - beyond, accepted.1, accepted.2, accepted.3),
        Place::Right => (accepted.0, accepted.1, accepted.2 + beyond, accepted.3),
    };
    let mut free = accepted;
    for other in boards.iter().enumerate().filter(|(i, _)| *i != board).map(|(_, quad)| frame.bounds(quad)) {
        let beside = other.3.min(own.3) - other.1.max(own.1) > 0.3 * (own.3 - own.1);
        if beside && other.0 > own.2 {
            accepted.2 = accepted.2.min((own.2 + other.0) / 2.0);
            free.2 = free.2.min(other.0);
        } else if beside && other.2 < own.0 {
            accepted.0 = accepted.0.max((own.0 + other.2) / 2.0);
            free.0 = free.0.max(other.2);
        } else if other.2 > own.0 && other.0 < own.2 {
            if other.3 < own.1 + square {
                accepted.1 = accepted.1.max(other.3 + skin);
            } else if other.1 > own.3 - square {
                accepted.3 = accepted.3.min(other.1 - skin);
            }
        }
    }
    (sampled.1, sampled.3) = (accepted.1, accepted.3);
    // Running text shows by its further lines; where the next board stands there are none.
    if place == Place::Above && accepted.1 <= own.1 - reach {
        sampled.1 -= beyond;
    }
    if place == Place::Below && accepted.3 >= own.3 + reach {
        sampled.3 += beyond;
    }
    (free.1, free.3) = (accepted.1, accepted.3);
    Search { sampled, accepted, free }
}

/// Lines and marks at one side of one board.
#[derive(Default)]
struct Beside {
    lines: Vec<CaptionLine>,
    marks: Vec<Mark>,
}

fn lines_beside(
    gray: &GrayImage,
    boards: &[Quad],
    board: usize,
    place: Place,
    params: &LayoutParams,
) -> Beside {
    let quad = &boards[board];
    let square = quad.square_size();
    let frame = Frame::of(quad, place);
    let own = frame.bounds(quad);
    let Search { sampled, accepted, free } = search(frame, boards, board, place, params);
    let Some(strip) = Strip::sample(gray, frame, sampled) else {
        return Beside::default();
    };
    let mut mask = binarize(&strip.gray, (0.6 * square).round().max(6.0) as u32);
    for (i, other) in boards.iter().enumerate() {
        // Pieces of the frame line stay close to the squares.
        let margin = if i == board { params.frame * square } else { 0.15 * square };
        let b = frame.bounds(other);
        let at = |value: f32, start: f32| (value - start).max(0.0) as u32;
        mask.clear(
            at(b.0 - margin, strip.u0),
            at(b.1 - margin, strip.v0),
            at(b.2 + margin, strip.u0),
            at(b.3 + margin, strip.v0),
        );
    }
    let mut ink = blobs(&mask);
    drop_coordinates(&mut ink, &strip, own, place, square);
    // A neighbour's coordinates stand in the same gap.
    for (_, other) in boards.iter().enumerate().filter(|(i, _)| *i != board) {
        let o = frame.bounds(other);
        let (facing, is_there) = match place {
            Place::Left => (Place::Right, o.2 <= own.0),
            Place::Right => (Place::Left, o.0 >= own.2),
            Place::Above => (Place::Below, o.3 <= own.1),
            Place::Below => (Place::Above, o.1 >= own.3),
        };
        if is_there {
            drop_coordinates(&mut ink, &strip, o, facing, square);
        }
    }
    let mut marks = take_rings(&mut ink, square);
    marks.extend(take_loose_marks(&mask, &mut ink, square));
    let borders = [accepted.0 - strip.u0, accepted.2 - strip.u0];
    let lines = text_lines(&ink, square, &params.lines).into_iter();
    let mut lines: Vec<InkLine> = lines.flat_map(|line| split_at(line, &borders, square)).collect();
    // What stands so near beside the board and is so thin may be left of its frame.
    let of_frame = |b: &Blob| {
        let gap = match place {
            Place::Left => own.0 - (strip.u0 + b.x1 as f32),
            Place::Right => strip.u0 + b.x0 as f32 - own.2,
            Place::Above | Place::Below => return false,
        };
        gap < 0.3 * square && b.width() as f32 <= 0.1 * square
    };
    for line in &mut lines {
        without_edge_bits(line, of_frame);
        trim_specks(line);
    }
    let prose = prose_lines(&lines, square);
    for (line, _) in lines.iter_mut().zip(&prose).filter(|(_, prose)| !**prose) {
        marks.extend(take_line_mark(&mask, line));
        if let Some(blob) = bubble_of(&mask, line, square) {
            marks.push(StripMark { blob, form: None, filled: true, in_line: false, by_words: false });
        }
    }
    let near = |mark: &StripMark| -> Option<Mark> {
        let b = &mark.blob;
        let (u, v) = (strip.u0 + b.center().0, strip.v0 + b.center().1);
        let gap = match place {
            Place::Above => own.1 - (strip.v0 + b.y1 as f32),
            Place::Below => strip.v0 + b.y0 as f32 - own.3,
            Place::Left => own.0 - (strip.u0 + b.x1 as f32),
            Place::Right => strip.u0 + b.x0 as f32 - own.2,
        };
        let inside = u > free.0 && u < free.2 && v > free.1 && v < free.3;
        let over = u > own.0 - 1.2 * square && u < own.2 + 1.2 * square;
        let in_line = mark.in_line || mark.by_words && matches!(place, Place::Above | Place::Below);
        let reached = match place {
            Place::Above | Place::Below => over && gap < if in_line { params.reach } else { 2.2 } * square,
            // In line with the board's squares or a little beyond.
            Place::Left | Place::Right => {
                v > own.1 - 0.4 * square && v < own.3 + 0.4 * square && gap < 2.2 * square
            }
        };
        (inside && reached).then(|| Mark {
            kind: mark.form.map_or(MarkKind::Bubble, MarkKind::Form),
            filled: mark.filled,
            place,
            upper_end: upper_end(place, v, own.1, own.3),
            in_line,
            sure: true,
            gap,
            area: strip.on_page(b.x0, b.y0, b.x1, b.y1),
        })
    };
    let marks: Vec<Mark> = marks.iter().filter_map(near).collect();

    let outer = strip.gray.height() as f32;
    let mut candidates: Vec<(f32, &InkLine)> = Vec::new();
    for (line, is_prose) in lines.iter().zip(&prose) {
        let b = &line.bounds;
        let (u0, u1) = (strip.u0 + b.x0 as f32, strip.u0 + b.x1 as f32);
        let (v0, v1) = (strip.v0 + b.y0 as f32, strip.v0 + b.y1 as f32);
        let inside = u0 >= accepted.0 - 1.0 && u1 <= accepted.2 + 1.0;
        let (middle, upright) = ((u0 + u1) / 2.0, (v0 + v1) / 2.0);
        let under = middle > own.0 - square && middle < own.2 + square;
        // A line cut by the far end of the strip is out of reach.
        let (gap, cut, beside) = match place {
            Place::Above => (own.1 - v1, b.y0 <= 1 || v0 < accepted.1, under),
            Place::Below => (v0 - own.3, b.y1 as f32 + 1.0 >= outer || v1 > accepted.3, under),
            Place::Left => (own.0 - u1, false, upright > own.1 && upright < own.3),
            Place::Right => (u0 - own.2, false, upright > own.1 && upright < own.3),
        };
        if inside && !cut && beside && !is_prose && !is_stroke(line) {
            candidates.push((gap, line));
        }
    }
    drop_lone_rows(&mut candidates, square);
    // Two pieces may stand in the middles of files by chance, as in "1.?"; among too many lines they are
    // coordinates.
    for least in [3, 2] {
        if least == 3 || candidates.len() > params.most_lines {
            drop_stray_coordinates(&mut candidates, &strip, own, place, square, least);
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    if matches!(place, Place::Above | Place::Below) {
        let mut last: Option<(f32, f32)> = None; // far edge, letter height
        let stop = candidates.iter().position(|(gap, line)| {
            let far = match last {
                // Near the board a line needs no other one: specks and remains of coordinates start no chain.
                _ if *gap <= params.first_gap * square => false,
                None => true,
                Some((edge, letter)) => *gap - edge > params.line_gap * letter.max(line.capital_height),
            };
            last = Some((gap + line.bounds.height() as f32, line.capital_height));
            far
        });
        candidates.truncate(stop.unwrap_or(candidates.len()));
    } else {
        // Outwards order means little beside a board: lines run from its top to its bottom.
        candidates.sort_by_key(|(_, line)| line.bounds.y0);
        // A column of text beside the board that was not caught as prose.
        if candidates.len() > params.most_lines {
            candidates.retain(|(_, line)| line.bounds.width() as f32 <= 1.5 * square);
        }
    }
    candidates.truncate(params.most_lines);
    let cut = candidates.into_iter().map(|(gap, line)| {
        let claim = Claim { board, place, gap: gap / square };
        cut_out(&strip, &mask, line, claim, square)
    });
    Beside { lines: cut.collect(), marks }
}

/// Bits of frame lines: nothing but thin strokes, or a broken one. A 1 is wider by its flag.
fn is_stroke(line: &InkLine) -> bool {
    let broken = 4 * line.bounds.width() <= line.bounds.height();
    broken || line.blobs.iter().all(|b| 4 * b.width() <= b.height())
}

/// Parts a line that runs across a border between two boards at its widest gap near there, when that gap is
/// wider than a word space: two captions side by side.
fn split_at(line: InkLine, borders: &[f32], square: f32) -> Vec<InkLine> {
    let b = line.bounds;
    let crossed = borders.iter().find(|&&x| (b.x0 as f32) < x && (b.x1 as f32) > x);
    let Some(&border) = crossed else { return vec![line] };
    let mut widest: Option<(u32, u32)> = None; // gap, where it begins
    let mut reach = b.x0;
    for piece in &line.blobs {
        let middle = (reach + piece.x0) as f32 / 2.0;
        let gap = piece.x0.saturating_sub(reach);
        if piece.x0 > reach && (middle - border).abs() < 1.5 * square && widest.is_none_or(|(w, _)| gap > w) {
            widest = Some((gap, piece.x0));
        }
        reach = reach.max(piece.x1);
    }
    match widest {
        Some((gap, at)) if gap as f32 > 0.9 * line.capital_height => {
            let (left, right): (Vec<Blob>, Vec<Blob>) = line.blobs.iter().partition(|p| p.x0 < at);
            let part = |blobs: Vec<Blob>| {
                let bounds = blobs.iter().copied().reduce(|a, b| a.union(&b));
                bounds.map(|bounds| InkLine { bounds, blobs, capital_height: line.capital_height })
            };
            part(left).into_iter().chain(part(right)).collect()
        }
        _ => vec![line],
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// A page with boards of gray and "words" of black bars: (x, y, letters).
    fn page(boards: &[(u32, u32, u32)], words: &[(u32, u32, u32)]) -> (GrayImage, Vec<Quad>) {
        let mut gray = GrayImage::from_pixel(700, 900, Luma([230]));
        for &(x, y, side) in boards {
            for j in 0..side {
                for i in 0..side {
                    let dark = (i * 8 / side + j * 8 / side) % 2 == 1;
                    gray.put_pixel(x + i, y + j, Luma([if dark { 90 } else { 230 }]));
                }
            }
        }
        for &(x, y, letters) in words {
            for letter in 0..letters {
                for j in 0..12 {
                    for i in 0..5 {
                        gray.put_pixel(x + letter * 8 + i, y + j, Luma([20]));
                    }
                }
            }
        }
        let quads = boards
            .iter()
            .map(|&(x, y, side)| Quad::from_bounds(x as f32, y as f32, (x + side) as f32, (y + side) as f32))
            .collect();
        (gray, quads)
    }

    fn summary(around: &Around) -> Vec<(usize, Place, u32)> {
        around.lines.iter().map(|l| (l.claims[0].board, l.claims[0].place, l.area.y)).collect()
    }

    #[test]
    fn captions_go_to_the_nearer_board() {
        let (gray, quads) = page(
            &[(60, 100, 240), (400, 100, 240), (60, 500, 240)],
            &[(150, 350, 10), (480, 350, 10), (170, 475, 3), (165, 80, 3)],
        );
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(
            summary(&lines),
            [(0, Place::Above, 80), (0, Place::Below, 350), (1, Place::Below, 350), (2, Place::Above, 475)]
        );
        let below = &lines.lines[1];
        assert_eq!(below.area, PixelRect { x: 150, y: 350, width: 77, height: 12 });
        assert!((below.claims[0].gap - 10.0 / 30.0).abs() < 0.04);
        assert_eq!(below.capital_height, 12.0);
        // The line close over the lower board is four squares under the upper one: no caption of that.
        let number = &lines.lines[3];
        assert_eq!(number.claims.iter().map(|c| c.board).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn coordinates_and_running_text_are_left_out() {
        let mut words: Vec<(u32, u32, u32)> = (0..8).map(|i| (100 + i * 30 + 12, 345, 1)).collect();
        words.extend((0..8).map(|i| (85, 100 + i * 30 + 9, 1)));
        // A caption, then a paragraph of the board's width.
        words.push((170, 368, 12));
        words.extend((0..5).map(|i| (95, 400 + i * 20, 31)));
        let (gray, quads) = page(&[(100, 100, 240)], &words);
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(summary(&lines), [(0, Place::Below, 368)]);
    }

    #[test]
    fn coordinates_beside_their_files_are_left_out() {
        // Four letters a third of a square off, and the caption below them.
        let mut words: Vec<(u32, u32, u32)> = (0..4).map(|i| (100 + i * 60 + 2, 350, 1)).collect();
        words.push((170, 385, 9));
        let (gray, quads) = page(&[(100, 100, 240)], &words);
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(summary(&lines), [(0, Place::Below, 385)]);
    }

    #[test]
    fn a_paragraph_wider_than_the_board_is_no_caption() {
        // The caption, then two lines of a column, the second cut by the reach.
        let mut words = vec![(170, 350, 9)];
        words.extend((0..6).map(|i| (60, 420 + i * 20, 38)));
        let (gray, quads) = page(&[(100, 100, 240)], &words);
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(summary(&lines), [(0, Place::Below, 350)]);
    }

    #[test]
    fn a_number_beside_the_board_is_found_and_a_column_of_text_is_not() {
        let words: Vec<(u32, u32, u32)> =
            std::iter::once((345, 105, 2)).chain((0..12).map(|i| (10, 100 + i * 20, 8))).collect();
        let (gray, quads) = page(&[(100, 100, 240)], &words);
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(summary(&lines), [(0, Place::Right, 105)]);
        assert_eq!(lines.lines[0].pieces, 2);
    }
}
