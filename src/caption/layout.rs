//! Which lines of text may be the caption of which board: geometry only, nothing is read here.
//!
//! Around each board strips above, below, left and right are searched for lines; running text, the
//! letters and digits along the board's edges and rules are left out, and a line that two boards could
//! claim goes to one of them.

use image::GrayImage;
use serde::{Deserialize, Serialize};

use crate::board::Quad;

use super::PixelRect;
use super::ink::{Blob, InkMask, binarize, blobs};
use super::lines::{InkLine, LineParams, text_lines};
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

/// A line that may belong to a board's caption, cut out and level, not yet read.
#[derive(Debug, Clone)]
pub struct CaptionLine {
    /// Index of the board.
    pub board: usize,
    pub place: Place,
    /// Distance from the board's edge, in pixels.
    pub gap: f32,
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
}

/// Finds the lines that may be captions. In order of the boards, for each from above to below to left to
/// right, and in each place from the board outwards.
pub fn caption_lines(gray: &GrayImage, boards: &[Quad], params: &LayoutParams) -> Vec<CaptionLine> {
    let mut found = Vec::new();
    for board in 0..boards.len() {
        for place in Place::ALL {
            found.extend(lines_beside(gray, boards, board, place, params));
        }
    }
    share_out(found)
}

/// A line that two boards found goes to the nearer one.
fn share_out(lines: Vec<CaptionLine>) -> Vec<CaptionLine> {
    let mut kept: Vec<CaptionLine> = Vec::with_capacity(lines.len());
    for line in lines {
        match kept.iter().position(|other| other.board != line.board && same_line(&other.area, &line.area)) {
            Some(i) if line.gap < kept[i].gap => {
                kept.remove(i);
                kept.push(line);
            }
            Some(_) => {}
            None => kept.push(line),
        }
    }
    kept.sort_by_key(|line| (line.board, Place::ALL.iter().position(|p| *p == line.place)));
    kept
}

fn same_line(a: &PixelRect, b: &PixelRect) -> bool {
    let overlap = |a0: u32, a1: u32, b0: u32, b1: u32| a1.min(b1).saturating_sub(a0.max(b0));
    let wide = overlap(a.x, a.x + a.width, b.x, b.x + b.width);
    let high = overlap(a.y, a.y + a.height, b.y, b.y + b.height);
    2 * wide > a.width.min(b.width) && 2 * high > a.height.min(b.height)
}

/// What is sampled at one side of a board, in its frame, and the part of it where captions are looked for.
/// Outside that part lines are only followed, to see that a line belongs to something wider.
struct Search {
    sampled: Bounds,
    accepted: Bounds,
}

/// (u0, v0, u1, v1)
type Bounds = (f32, f32, f32, f32);

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
    for other in boards.iter().enumerate().filter(|(i, _)| *i != board).map(|(_, quad)| frame.bounds(quad)) {
        let beside = other.3.min(own.3) - other.1.max(own.1) > 0.3 * (own.3 - own.1);
        if beside && other.0 > own.2 {
            accepted.2 = accepted.2.min((own.2 + other.0) / 2.0);
        } else if beside && other.2 < own.0 {
            accepted.0 = accepted.0.max((own.0 + other.2) / 2.0);
        } else if other.2 > own.0 && other.0 < own.2 {
            if other.3 < own.1 + square {
                accepted.1 = accepted.1.max(other.3 + skin);
            } else if other.1 > own.3 - square {
                accepted.3 = accepted.3.min(other.1 - skin);
            }
        }
    }
    (sampled.1, sampled.3) = (accepted.1, accepted.3);
    Search { sampled, accepted }
}

fn lines_beside(
    gray: &GrayImage,
    boards: &[Quad],
    board: usize,
    place: Place,
    params: &LayoutParams,
) -> Vec<CaptionLine> {
    let quad = &boards[board];
    let square = quad.square_size();
    let frame = Frame::of(quad, place);
    let own = frame.bounds(quad);
    let Search { sampled, accepted } = search(frame, boards, board, place, params);
    let Some(strip) = Strip::sample(gray, frame, sampled) else {
        return Vec::new();
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
    drop_rings(&mut ink, square);
    let borders = [accepted.0 - strip.u0, accepted.2 - strip.u0];
    let lines = text_lines(&ink, square, &params.lines).into_iter();
    let lines: Vec<InkLine> = lines.flat_map(|line| split_at(line, &borders, square)).collect();
    let prose = prose_lines(&lines, square);

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
            Place::Above => (own.1 - v1, b.y0 <= 1, under),
            Place::Below => (v0 - own.3, b.y1 as f32 + 1.0 >= outer, under),
            Place::Left => (own.0 - u1, false, upright > own.1 && upright < own.3),
            Place::Right => (u0 - own.2, false, upright > own.1 && upright < own.3),
        };
        if inside && !cut && beside && !is_prose && !is_stroke(line) {
            candidates.push((gap, line));
        }
    }
    drop_stray_coordinates(&mut candidates, &strip, own, place, square);
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    if matches!(place, Place::Above | Place::Below) {
        let mut last: Option<(f32, f32)> = None; // far edge, letter height
        let stop = candidates.iter().position(|(gap, line)| {
            let far = match last {
                None => *gap > params.first_gap * square,
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
    candidates.into_iter().map(|(gap, line)| cut_out(&strip, &mask, line, board, place, gap)).collect()
}

/// Bits of frame lines: nothing but thin strokes. A 1 is wider by its flag.
fn is_stroke(line: &InkLine) -> bool {
    line.blobs.iter().all(|b| 4 * b.width() <= b.height())
}

/// Single letters that stand in the middle of files or ranks, two or more of them in one row by the board:
/// coordinates of which the others were lost.
fn drop_stray_coordinates(
    candidates: &mut Vec<(f32, &InkLine)>,
    strip: &Strip,
    own: Bounds,
    place: Place,
    square: f32,
) {
    let seated = |(gap, line): &(f32, &InkLine)| {
        let b = &line.bounds;
        let (x, y) = b.center();
        let (position, side) = match place {
            Place::Above | Place::Below => (strip.u0 + x - own.0, own.2 - own.0),
            Place::Left | Place::Right => (strip.v0 + y - own.1, own.3 - own.1),
        };
        let eighth = position / side * 8.0;
        let middle = (eighth - eighth.floor() - 0.5).abs() < 0.2;
        middle && *gap < square && (b.width() as f32) < 0.6 * square && line.blobs.len() <= 2
    };
    let gaps: Vec<f32> = candidates.iter().filter(|c| seated(c)).map(|c| c.0).collect();
    candidates.retain(|c| {
        let row = gaps.iter().filter(|gap| (*gap - c.0).abs() < 0.25 * square).count();
        !(seated(c) && row >= 2)
    });
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

/// Cuts a line's pixels out of its strip.
fn cut_out(
    strip: &Strip,
    mask: &InkMask,
    line: &InkLine,
    board: usize,
    place: Place,
    gap: f32,
) -> CaptionLine {
    let b = &line.bounds;
    let (x0, y0) = (b.x0.saturating_sub(2), b.y0.saturating_sub(2));
    let (x1, y1) = ((b.x1 + 2).min(mask.width), (b.y1 + 2).min(mask.height));
    let crop = image::imageops::crop_imm(&strip.gray, x0, y0, x1 - x0, y1 - y0).to_image();
    let (mut ink, mut paper) = (Vec::new(), Vec::new());
    for (x, y, pixel) in crop.enumerate_pixels() {
        if mask.get(x0 + x, y0 + y) { ink.push(pixel.0[0]) } else { paper.push(pixel.0[0]) }
    }
    let rank = |levels: &mut Vec<u8>, share: f32| {
        levels.sort_unstable();
        levels.get(((levels.len() as f32 - 1.0).max(0.0) * share) as usize).copied()
    };
    // The darker half of the ink is letter, the rest its blurred edge; the paper's lower quarter is edge too.
    let ink = rank(&mut ink, 0.2).unwrap_or(0);
    let paper = rank(&mut paper, 0.5).unwrap_or(255).max(ink.saturating_add(10));
    let dots = line
        .blobs
        .iter()
        .filter(|d| {
            let (w, h) = (d.width() as f32, d.height() as f32);
            let small = h <= 0.35 * line.capital_height && w <= 0.45 * line.capital_height && w <= 2.0 * h;
            small && d.center().1 > b.y0 as f32 + 0.45 * b.height() as f32
        })
        .count();
    CaptionLine {
        board,
        place,
        gap,
        area: strip.on_page(b.x0, b.y0, b.x1, b.y1),
        crop,
        capital_height: line.capital_height,
        ink,
        paper,
        dots,
        pieces: line.blobs.len(),
    }
}

/// Drops the letters a to h or the digits 1 to 8 along the board's edge: pieces that stand at the middle
/// of at least five of its files or ranks, within one square of the edge.
fn drop_coordinates(
    ink: &mut Vec<Blob>,
    strip: &Strip,
    own: (f32, f32, f32, f32),
    place: Place,
    square: f32,
) {
    let along = matches!(place, Place::Above | Place::Below);
    // The eighth that a small piece stands in the middle of, and its distance from the board.
    let seat = |b: &Blob| -> Option<(usize, f32)> {
        let (x, y) = b.center();
        let (u, v) = (strip.u0 + x, strip.v0 + y);
        let (position, gap) = match place {
            Place::Above => (u - own.0, own.1 - v),
            Place::Below => (u - own.0, v - own.3),
            Place::Left => (v - own.1, own.0 - u),
            Place::Right => (v - own.1, u - own.2),
        };
        let side = if along { own.2 - own.0 } else { own.3 - own.1 };
        let eighth = position / side * 8.0;
        let nearest = eighth.floor();
        let small = b.width() as f32 <= 0.6 * square && b.height() as f32 <= 0.7 * square;
        let solid = b.height() as f32 >= 0.08 * square;
        let seated = (eighth - nearest - 0.5).abs() < 0.2 && (0.0..8.0).contains(&nearest);
        (small && solid && seated && gap < 1.1 * square).then_some((nearest as usize, gap))
    };
    let gaps: Vec<(usize, f32)> = ink.iter().filter_map(seat).collect();
    // All stand in one row: the distance shared by most of them.
    let row = gaps.iter().map(|&(_, gap)| {
        let mut seats = [0usize; 8];
        for &(seat, other) in &gaps {
            if (other - gap).abs() < 0.15 * square {
                seats[seat] += 1;
            }
        }
        let taken = seats.iter().filter(|&&n| n > 0).count();
        let single = seats.iter().all(|&n| n <= 2);
        (if single { taken } else { 0 }, gap)
    });
    let Some((taken, gap)) = row.max_by_key(|&(taken, _)| taken) else { return };
    // In a row of coordinates hardly anything stands between the seats; in a line of text most letters do.
    let in_row = |b: &Blob| {
        let (x, y) = b.center();
        let distance = match place {
            Place::Above => own.1 - (strip.v0 + y),
            Place::Below => strip.v0 + y - own.3,
            Place::Left => own.0 - (strip.u0 + x),
            Place::Right => strip.u0 + x - own.2,
        };
        let position = if along { strip.u0 + x - own.0 } else { strip.v0 + y - own.1 };
        let beside = position > 0.0 && position < if along { own.2 - own.0 } else { own.3 - own.1 };
        beside && b.height() as f32 >= 0.08 * square && (distance - gap).abs() < 0.2 * square
    };
    if taken >= 5 && ink.iter().filter(|b| in_row(b)).count() <= taken + 3 {
        ink.retain(|b| !in_row(b) || seat(b).is_none());
    }
}

/// Drops circles and boxes drawn around a number, so that the number is read alone.
fn drop_rings(ink: &mut Vec<Blob>, square: f32) {
    let all = ink.clone();
    ink.retain(|ring| {
        let (w, h) = (ring.width() as f32, ring.height() as f32);
        let size = w.max(h) < 2.5 * square && w.min(h) > 0.3 * square && w < 3.0 * h && h < 1.5 * w;
        let thin = (ring.area as f32) < 0.35 * w * h;
        let holds = all.iter().any(|b| {
            ring.contains(b) && b.height() as f32 > 0.3 * h && b != ring && b.x0 > ring.x0 && b.y0 > ring.y0
        });
        !(size && thin && holds)
    });
}

/// Which lines are running text: four or more in a row with one pitch and one left or right edge, most of
/// them as wide as their column; and the ones that go on with the same pitch and the same edge.
fn prose_lines(lines: &[InkLine], square: f32) -> Vec<bool> {
    let mut prose = vec![false; lines.len()];
    let tolerance = 0.12 * square;
    let near = |a: u32, b: u32| (a as f32 - b as f32).abs() < tolerance.max(3.0);
    for i in 0..lines.len() {
        let first = &lines[i].bounds;
        let mut members = vec![i];
        for (j, line) in lines.iter().enumerate().skip(i + 1) {
            let last = &lines[members[members.len() - 1]];
            let step = line.bounds.y1.saturating_sub(last.bounds.y1) as f32;
            let fits = near(line.bounds.x0, first.x0) && near(line.bounds.x1, first.x1);
            if fits && step > 0.0 && step < 3.5 * last.capital_height.max(4.0) {
                members.push(j);
            }
        }
        if members.len() >= 3 && first.width() as f32 > 3.0 * square {
            for &j in &members {
                prose[j] = true;
            }
        }
    }
    // First and last lines of paragraphs: they share one edge and the pitch with a full line.
    let full = prose.clone();
    for i in 0..lines.len() {
        if full[i] {
            continue;
        }
        let b = &lines[i].bounds;
        prose[i] = (0..lines.len()).any(|j| {
            let f = &lines[j].bounds;
            let step = (b.y1 as f32 - f.y1 as f32).abs();
            let pitch = 2.4 * lines[j].capital_height;
            let inside = b.x0 + 3 >= f.x0 && b.x1 <= f.x1 + 3;
            full[j] && step < pitch && inside && (near(b.x0, f.x0) || near(b.x1, f.x1))
        });
    }
    prose
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

    fn summary(lines: &[CaptionLine]) -> Vec<(usize, Place, u32)> {
        lines.iter().map(|l| (l.board, l.place, l.area.y)).collect()
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
        assert_eq!(lines[1].area, PixelRect { x: 150, y: 350, width: 77, height: 12 });
        assert!((lines[1].gap - 10.0).abs() < 1.0);
        assert_eq!(lines[1].capital_height, 12.0);
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
    fn a_number_beside_the_board_is_found_and_a_column_of_text_is_not() {
        let words: Vec<(u32, u32, u32)> =
            std::iter::once((345, 105, 2)).chain((0..12).map(|i| (10, 100 + i * 20, 8))).collect();
        let (gray, quads) = page(&[(100, 100, 240)], &words);
        let lines = caption_lines(&gray, &quads, &LayoutParams::default());
        assert_eq!(summary(&lines), [(0, Place::Right, 105)]);
        assert_eq!(lines[0].pieces, 2);
    }
}
