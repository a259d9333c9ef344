//! Headings: lines over a row of boards or over all boards of a page, which speak for all of them.

use image::GrayImage;

use crate::board::Quad;
use crate::chess::Color;

use super::PixelRect;
use super::doubt::is_doubted;
use super::ink::{binarize, blobs};
use super::layout::{CaptionLine, Claim, LayoutParams, cut_out};
use super::lexicon::{Kind, Lexicon, Says};
use super::lines::text_lines;
use super::prose::prose_lines;
use super::strip::{Frame, Place, Strip};

/// A line over several boards.
#[derive(Debug, Clone)]
pub struct Heading {
    pub line: CaptionLine,
    /// Those that it speaks for; never empty.
    pub boards: Vec<usize>,
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
        out.extend(lines.into_iter().map(|line| Heading { line, boards: speaks_for.clone() }));
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
) -> Vec<CaptionLine> {
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
    let wide =
        lines.iter().filter(|line| (6..MOST_PIECES).contains(&line.blobs.len()) && is_heading(&line.bounds));
    let found = wide.map(|line| {
        let gap = -(strip.v0 + line.bounds.y1 as f32) / square;
        cut_out(&strip, &mask, line, Claim { board: row[0], place: Place::Above, gap }, square)
    });
    found.filter(|line| !taken.iter().any(|area| covers(area, &line.area))).take(MOST_LINES).collect()
}

/// Whether most of `line` was read already.
fn covers(taken: &PixelRect, line: &PixelRect) -> bool {
    let overlap = |a0: u32, a1: u32, b0: u32, b1: u32| a1.min(b1).saturating_sub(a0.max(b0));
    let wide = overlap(taken.x, taken.x + taken.width, line.x, line.x + line.width);
    let high = overlap(taken.y, taken.y + taken.height, line.y, line.y + line.height);
    2 * wide > line.width && 2 * high > line.height
}

/// The side that a heading gives to the boards under it, with its words: a task or a phrase that is (nearly)
/// the whole line.
pub fn heading_says(text: &str, lexicon: &Lexicon) -> Option<(Color, String)> {
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
    (own * 5 >= letters(text) * 2 && phrase.error < 0.12)
        .then(|| (side, text[phrase.span.clone()].to_owned()))
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

    #[test]
    fn headings_name_a_side_and_talk_does_not() {
        let says = |text: &str| heading_says(text, Lexicon::built_in()).map(|(side, _)| side);
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
