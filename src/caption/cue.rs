//! "1." by one board where others of the page have "1...": the bare number is White's cue.

use crate::chess::{Color, FieldSource};

use super::facts::{CaptionFacts, SideEvidence};
use super::layout::CaptionLine;
use super::moves::{cue_by_dots, first_move};
use super::signs::read_signs;
use super::strip::Place;

/// A line as far as its number and dots matter.
#[derive(Debug, Clone, Copy)]
pub struct CueLine<'a> {
    /// The board that it was given to, and whether surely.
    pub board: usize,
    pub sure: bool,
    pub text: &'a str,
    pub line: &'a CaptionLine,
}

/// Two readers agree about the dot, and the page's other boards show what Black's looks like.
const WEIGHT: f32 = 0.85;
/// Evidence on a line that a neighbour might claim with as much right.
const UNSURE: f32 = 0.7;

/// Adds White's evidence where a bare number with one dot stands at the place at which other boards have that number with three.
pub fn weigh_bare_numbers(facts: &mut [CaptionFacts], lines: &[CueLine<'_>]) {
    let of_black: Vec<(&str, usize, Place)> = lines
        .iter()
        .filter(|l| is_black(l))
        .map(|l| (figures(l.text), l.board, l.line.claims[0].place))
        .collect();
    for own in lines.iter().filter(|l| is_one_dotted(l)) {
        let number = figures(own.text);
        let alike = |&(other, board, place): &(&str, usize, Place)| {
            other == number && board != own.board && place == own.line.claims[0].place
        };
        let facts = &mut facts[own.board];
        // The number of the diagram itself, and boards that have their evidence, are left alone.
        let itself = facts.number.as_deref() == Some(number);
        if itself || !facts.evidence.is_empty() || !of_black.iter().any(alike) {
            continue;
        }
        facts.evidence.push(SideEvidence {
            side: Color::White,
            source: FieldSource::MoveNumber,
            text: format!("{} where others have {number}...", own.text.trim()),
            area: Some(own.line.area),
            weight: if own.sure { WEIGHT } else { WEIGHT * UNSURE },
        });
    }
}

fn figures(text: &str) -> &str {
    let text = text.trim();
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

fn is_black(own: &CueLine<'_>) -> bool {
    let cue = first_move(own.text).is_some_and(|cue| cue.side == Color::Black && !cue.has_move);
    cue || cue_by_dots(own.text, own.line.dots) == Some(Color::Black)
}

/// Lost dots would turn the side round: as many pieces as figures and one dot, and the reader of single signs sees the same.
fn is_one_dotted(own: &CueLine<'_>) -> bool {
    let number = figures(own.text);
    let plain = !number.is_empty() && own.text.trim().strip_prefix(number) == Some(".");
    plain
        && own.line.dots == 1
        && own.line.pieces == number.len() + 1
        && read_signs(own.line).is_some_and(|signs| signs.text == own.text.trim())
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::super::PixelRect;
    use super::super::layout::Claim;
    use super::*;

    /// A 1 with so many full stops.
    fn one(board: usize, dots: usize) -> CaptionLine {
        let ink = |x: u32, y: u32| {
            let stem = (8..11).contains(&x) && (2..22).contains(&y);
            let foot = (4..15).contains(&x) && (20..22).contains(&y);
            let flag = (5..8).contains(&x) && (4..6).contains(&y);
            let dot =
                (0..dots as u32).any(|i| (18 + 6 * i..21 + 6 * i).contains(&x)) && (19..22).contains(&y);
            stem || foot || flag || dot
        };
        CaptionLine {
            claims: vec![Claim { board, place: Place::Below, gap: 0.5 }],
            area: PixelRect::default(),
            crop: GrayImage::from_fn(44, 24, |x, y| Luma([if ink(x, y) { 20 } else { 230 }])),
            capital_height: 20.0,
            ink: 20,
            paper: 230,
            dots,
            pieces: dots + 1,
            dashes: Vec::new(),
        }
    }

    #[test]
    fn a_bare_number_is_whites_where_blacks_have_dots() {
        let (white, black) = (one(0, 1), one(1, 3));
        let lines = |texts: [&'static str; 2]| {
            let mut facts = vec![CaptionFacts::default(), CaptionFacts::default()];
            let line = |board, text, line| CueLine { board, sure: true, text, line };
            weigh_bare_numbers(&mut facts, &[line(0, texts[0], &white), line(1, texts[1], &black)]);
            facts[0].evidence.first().map(|e| (e.side, e.weight >= 0.75))
        };
        assert_eq!(lines(["1.", "1..."]), Some((Color::White, true)));
        assert_eq!(lines(["2.", "1..."]), None);
        // What was read with one dot and has three is no White's.
        let mut facts = vec![CaptionFacts::default(), CaptionFacts::default()];
        let (own, other) = (one(0, 3), one(1, 3));
        let line = |board, text, line| CueLine { board, sure: true, text, line };
        weigh_bare_numbers(&mut facts, &[line(0, "1.", &own), line(1, "1...", &other)]);
        assert!(facts[0].evidence.is_empty());
    }
}
