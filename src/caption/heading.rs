//! Headings: lines over a row of boards or over all boards of a page, which speak for all of them.

use image::GrayImage;

use crate::board::Quad;
use crate::chess::Color;

use super::PixelRect;
use super::cut::cut_out;
use super::doubt::is_doubted;
use super::ink::{binarize, blobs};
use super::layout::{CaptionLine, Claim, LayoutParams};
use super::lexicon::Lexicon;
use super::lines::text_lines;
use super::phrase::{Kind, Says};
use super::prose::prose_lines;
use super::strip::{Frame, Place, Strip};

/// A line over several boards.
#[derive(Debug, Clone)]
pub struct Heading {
    pub line: CaptionLine,
    /// Those that it speaks for; never empty.
    pub boards: Vec<usize>,
    /// It stands over the page or over the gutter of a row. Otherwise it runs over several boards, like a line of text.
    pub sure: bool,
}

/// Lines read over a row at most; a heading is one or two.
const MOST_LINES: usize = 3;
/// How far above the first row a heading is looked for, in squares: a title, a line of text, air.
const REACH: f32 = 12.0;
/// A line with more pieces of ink is running text.
const MOST_PIECES: usize = 80;

/// Lines over the rows of boards that no board claimed (`taken`). Those over the first row speak for all
/// boards, those between rows for the row below.
pub fn heading_lines(
    gray: &GrayImage,
    boards: &[Quad],
    taken: &[PixelRect],
    params: &LayoutParams,
) -> Vec<Heading> {
    let rows = rows(boards);
    let mut out = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        // A single board's lines were looked for around it; only a title over the page is left.
        if number > 0 && row.len() < 2 {
            continue;
        }
        let bottom_above = match number.checked_sub(1) {
            Some(above) => rows[above].iter().map(|&i| boards[i].bounds().3).fold(0.0, f32::max),
            None => 0.0,
        };
        let speaks_for = if number == 0 { (0..boards.len()).collect() } else { row.clone() };
        let lines = lines_over(gray, boards, row, bottom_above, taken, params);
        out.extend(lines.into_iter().map(|(line, sure)| Heading { line, boards: speaks_for.clone(), sure }));
    }
    out
}

/// Boards that stand side by side, from the top of the page down.
fn rows(boards: &[Quad]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..boards.len()).collect();
    order.sort_by(|&a, &b| boards[a].center().y.total_cmp(&boards[b].center().y));
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for i in order {
        let (_, top, _, bottom) = boards[i].bounds();
        match rows.last_mut() {
            Some(row)
                if {
                    let y = boards[row[0]].center().y;
                    top < y && y < bottom
                } =>
            {
                row.push(i);
            }
            _ => rows.push(vec![i]),
        }
    }
    rows
}

fn lines_over(
    gray: &GrayImage,
    boards: &[Quad],
    row: &[usize],
    bottom_above: f32,
    taken: &[PixelRect],
    params: &LayoutParams,
) -> Vec<(CaptionLine, bool)> {
    let square = boards[row[0]].square_size();
    let frame = Frame::of(&boards[row[0]], Place::Above);
    let top = row.iter().map(|&i| frame.bounds(&boards[i]).1).fold(f32::INFINITY, f32::min);
    let (left, right) = row.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, r), &i| {
        let b = frame.bounds(&boards[i]);
        (l.min(b.0), r.max(b.2))
    });
    let height = (boards[row[0]].bounds().1 - bottom_above).min(REACH * square);
    let bounds = (left - 2.0 * square, top - height, right + 2.0 * square, top - 0.1 * square);
    let Some(strip) = Strip::sample(gray, frame, bounds) else { return Vec::new() };
    let mask = binarize(&strip.gray, (0.6 * square).round().max(6.0) as u32);
    let mut lines = text_lines(&blobs(&mask), square, &params.lines);
    let prose = prose_lines(&lines, square);
    let mut keep = prose.iter().map(|prose| !prose);
    lines.retain(|_| keep.next().unwrap_or(false));
    // The nearest first.
    lines.sort_by_key(|line| std::cmp::Reverse(line.bounds.y1));
    // A line near boards stands over the gutter between them, in the middle of the row, or it is one board's
    // own; a title stands far above.
    let middle = (left + right) / 2.0 - strip.u0;
    let is_heading = |b: &super::ink::Blob| {
        let (x, _) = b.center();
        let far = bottom_above == 0.0 && -(strip.v0 + b.y1 as f32) > params.reach * square;
        let own = boards.iter().any(|board| {
            let bounds = frame.bounds(board);
            (bounds.0..bounds.2).contains(&(strip.u0 + x))
        });
        far || (!own && (x - middle).abs() < square && (b.width() as f32) < right - left + square)
    };
    // Between rows a line over the middles of two boards is no caption of either.
    let spans = |b: &super::ink::Blob| {
        let (from, to) = (strip.u0 + b.x0 as f32, strip.u0 + b.x1 as f32);
        let middles = row.iter().map(|&i| frame.bounds(&boards[i])).map(|b| (b.0 + b.2) / 2.0);
        middles.filter(|u| (from..to).contains(u)).count() > 1
    };
    let found = lines.iter().filter(|line| (6..MOST_PIECES).contains(&line.blobs.len())).filter_map(|line| {
        let sure = is_heading(&line.bounds);
        if !sure && !spans(&line.bounds) {
            return None;
        }
        let gap = -(strip.v0 + line.bounds.y1 as f32) / square;
        let claim = Claim { board: row[0], place: Place::Above, gap };
        Some((cut_out(&strip, &mask, line, claim, square), sure))
    });
    found.filter(|(line, _)| !taken.iter().any(|area| covers(area, &line.area))).take(MOST_LINES).collect()
}

/// How far a line of a board's own may stand from it, in squares; beyond the reach of captions nothing else tells whose it is.
const FAR: f32 = 6.0;
/// Lines read far above and far below a board.
const MOST_FAR: usize = 2;
/// A line with so many others close by is one of a paragraph.
const PARAGRAPH: usize = 2;
/// "Close by", in letter heights.
const CLOSE: f32 = 5.0;

/// Short lines of one board that stand too far from it for a caption, above it and below it, the nearest first: not read already, no
/// running text, and nearer to this board than to any other.
pub fn far_lines(
    gray: &GrayImage,
    boards: &[Quad],
    board: usize,
    taken: &[PixelRect],
    params: &LayoutParams,
) -> Vec<CaptionLine> {
    let square = boards[board].square_size();
    let mut out = Vec::new();
    for place in [Place::Above, Place::Below] {
        let frame = Frame::of(&boards[board], place);
        let own = frame.bounds(&boards[board]);
        let gap_of = |from: f32, to: f32| if place == Place::Above { own.1 - to } else { from - own.3 };
        // As far as midway to the next board.
        let mut reach = FAR * square;
        for other in boards.iter().enumerate().filter(|(i, _)| *i != board).map(|(_, b)| frame.bounds(b)) {
            let gap = gap_of(other.1, other.3);
            if other.2 > own.0 && other.0 < own.2 && gap > 0.0 {
                reach = reach.min(gap / 2.0);
            }
        }
        if reach <= params.first_gap * square {
            continue;
        }
        let (top, bottom) = match place {
            Place::Above => (own.1 - reach - square, own.1 - 0.5 * square),
            _ => (own.3 + 0.5 * square, own.3 + reach + square),
        };
        let sampled = (own.0 - 3.0 * square, top, own.2 + 3.0 * square, bottom);
        let Some(strip) = Strip::sample(gray, frame, sampled) else { continue };
        let mask = binarize(&strip.gray, (0.6 * square).round().max(6.0) as u32);
        let lines = text_lines(&blobs(&mask), square, &params.lines);
        let prose = prose_lines(&lines, square);
        let close = |a: &super::ink::Blob, height: f32| {
            let beside = |b: &super::ink::Blob| {
                let wide = a.x1.min(b.x1).saturating_sub(a.x0.max(b.x0));
                let apart = b.y0.saturating_sub(a.y1).max(a.y0.saturating_sub(b.y1));
                b != a && 2 * wide > b.width().min(a.width()) && (apart as f32) < CLOSE * height
            };
            lines.iter().filter(|line| line.blobs.len() >= 6 && beside(&line.bounds)).count()
        };
        let mut found: Vec<(f32, CaptionLine)> = Vec::new();
        for (line, _) in lines.iter().zip(&prose).filter(|(_, prose)| !**prose) {
            let b = &line.bounds;
            let (u0, u1) = (strip.u0 + b.x0 as f32, strip.u0 + b.x1 as f32);
            let gap = gap_of(strip.v0 + b.y0 as f32, strip.v0 + b.y1 as f32);
            let inside = u0 > own.0 - 1.5 * square && u1 < own.2 + 1.5 * square;
            let far = gap > params.first_gap * square && gap < reach;
            let short = (6..MOST_PIECES / 2).contains(&line.blobs.len());
            if inside && far && short && close(b, line.capital_height) < PARAGRAPH {
                let claim = Claim { board, place, gap: gap / square };
                found.push((gap, cut_out(&strip, &mask, line, claim, square)));
            }
        }
        found.retain(|(_, line)| !taken.iter().any(|area| covers(area, &line.area)));
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        out.extend(found.into_iter().take(MOST_FAR).map(|(_, line)| line));
    }
    out
}

/// Whether most of `line` was read already.
fn covers(taken: &PixelRect, line: &PixelRect) -> bool {
    let overlap = |a0: u32, a1: u32, b0: u32, b1: u32| a1.min(b1).saturating_sub(a0.max(b0));
    let wide = overlap(taken.x, taken.x + taken.width, line.x, line.x + line.width);
    let high = overlap(taken.y, taken.y + taken.height, line.y, line.y + line.height);
    2 * wide > line.width && 2 * high > line.height
}

/// What a heading says of the boards under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingSaid {
    pub side: Color,
    /// Its words.
    pub text: String,
    /// They are (nearly) the whole line. Otherwise the line only begins with them: "Black to move in the following three diagrams".
    pub whole: bool,
}

/// The side that a heading gives to the boards under it: by a task or a phrase that is a good part of the line, or that it begins with.
pub fn heading_says(text: &str, lexicon: &Lexicon) -> Option<HeadingSaid> {
    let found = lexicon.find(text);
    let said: Vec<_> = found
        .iter()
        .filter_map(|phrase| match phrase.says {
            Says::Side(side) if phrase.kind != Kind::AfterMove => Some((side, phrase)),
            _ => None,
        })
        .collect();
    let [(side, phrase)] = said[..] else { return None };
    // A line of a table of contents, or one that denies or supposes.
    let doubted = is_doubted(text, &phrase.span, &[0], &phrase.language, &phrase.phrase);
    if is_entry_of_contents(text, phrase.span.end) || doubted {
        return None;
    }
    let letters = |t: &str| t.chars().filter(|c| c.is_alphabetic()).count();
    let own = letters(&text[phrase.span.clone()]);
    // "White to move in all positions" is half phrase; talk is less.
    let whole = own * 5 >= letters(text) * 2;
    let begins = letters(&text[..phrase.span.start]) == 0 && own * 4 >= letters(text);
    ((whole || begins) && phrase.error < 0.12).then(|| HeadingSaid {
        side,
        text: text[phrase.span.clone()].to_owned(),
        whole,
    })
}

/// Leader dots, or the number of a page behind the phrase that ends at `end`.
fn is_entry_of_contents(text: &str, end: usize) -> bool {
    let points = |c: char| matches!(c, '.' | '·' | '•' | '…' | '_' | '-');
    let bare: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let dots = bare.windows(3).any(|three| three.iter().all(|&c| points(c)))
        || bare.windows(2).any(|two| two.iter().all(|c| matches!(c, '.' | '…' | '·' | '•')))
        || bare.contains(&'…');
    dots || text[end..].trim_end().ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_side_by_side_are_a_row() {
        let board = |x: f32, y: f32| Quad::from_bounds(x, y, x + 200.0, y + 200.0);
        let boards = [board(0.0, 30.0), board(300.0, 10.0), board(0.0, 400.0), board(300.0, 380.0)];
        assert_eq!(rows(&boards), [vec![1, 0], vec![3, 2]]);
    }

    /// Gray boards (x, y) of 160 pixels and "words" (x, y, letters) of black bars.
    fn page(boards: &[(u32, u32)], words: &[(u32, u32, u32)]) -> (GrayImage, Vec<Quad>) {
        let mut gray = GrayImage::from_pixel(640, 800, image::Luma([230]));
        let mut fill = |x: u32, y: u32, width: u32, height: u32, level: u8| {
            for (i, j) in (0..width).flat_map(|i| (0..height).map(move |j| (i, j))) {
                gray.put_pixel(x + i, y + j, image::Luma([level]));
            }
        };
        for &(x, y) in boards {
            fill(x, y, 160, 160, 120);
        }
        for &(x, y, letters) in words {
            (0..letters).for_each(|i| fill(x + 8 * i, y, 5, 10, 20));
        }
        let quad =
            |&(x, y): &(u32, u32)| Quad::from_bounds(x as f32, y as f32, x as f32 + 160.0, y as f32 + 160.0);
        (gray, boards.iter().map(quad).collect())
    }

    #[test]
    fn a_line_over_several_boards_between_rows_is_a_doubtful_heading() {
        let boards = [(30, 100), (240, 100), (450, 100), (30, 420), (240, 420), (450, 420)];
        let (gray, quads) = page(&boards, &[(90, 330, 50), (280, 390, 9)]);
        let found = heading_lines(&gray, &quads, &[], &LayoutParams::default());
        let told: Vec<_> = found.iter().map(|h| (h.boards.clone(), h.sure, h.line.area.y)).collect();
        assert_eq!(told, [(vec![3, 4, 5], false, 330)]);
    }

    #[test]
    fn a_short_line_far_from_its_board_is_found_and_a_paragraph_is_not() {
        let far = |words: &[(u32, u32, u32)]| -> Vec<u32> {
            let (gray, quads) = page(&[(240, 100), (240, 600)], words);
            far_lines(&gray, &quads, 0, &[], &LayoutParams::default()).iter().map(|l| l.area.y).collect()
        };
        assert_eq!(far(&[(260, 320, 14)]), [320]);
        // Nearer to the other board, near enough for a caption, or one of many.
        assert!(far(&[(260, 500, 14)]).is_empty());
        assert!(far(&[(260, 290, 14)]).is_empty());
        assert!(far(&[(260, 320, 14), (260, 340, 12), (260, 360, 16), (260, 380, 11)]).is_empty());
    }

    #[test]
    fn headings_name_a_side_and_talk_does_not() {
        let said = |text: &str| heading_says(text, Lexicon::built_in());
        let says = |text: &str| said(text).filter(|said| said.whole).map(|said| said.side);
        let begun = said("Black to move in the following three diagrams").unwrap();
        assert_eq!((begun.side, begun.whole), (Color::Black, false));
        assert_eq!(says("White to move in all positions"), Some(Color::White));
        assert_eq!(says("SCHWARZ AM ZUG"), Some(Color::Black));
        assert_eq!(says("Mate in two moves"), Some(Color::White));
        assert_eq!(says("In this chapter you will meet positions with Black to move and many others"), None);
        assert_eq!(says("Solutions page 228 – Capablanca"), None);
        assert_eq!(says("White to move or Black to move"), None);
        assert_eq!(says("Black to move ........ 45"), None);
        assert_eq!(says("Black to move . . . ."), None);
        assert_eq!(says("Black to move 45"), None);
        assert_eq!(says("If it were Black to move"), None);
    }
}
