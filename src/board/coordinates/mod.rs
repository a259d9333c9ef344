//! Coordinates printed beside a board: letters of the files, digits of the ranks, on any of its edges.
//!
//! A glyph alone may be misread; that eight of them run a, b, c ... or h, g, f ... is sure. What is compared is how
//! well the glyphs of an edge fit either direction.

pub(crate) mod glyph;
mod strip;

use image::GrayImage;

use super::Quad;
use glyph::Meaning;
use strip::{Cell, Edge, Surroundings, THRESHOLDS};

/// What the coordinates say.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinates {
    /// Natural log-odds that White is below in the picture; 0: nothing is printed, or it cannot be read.
    pub white_below: f32,
    /// What was read, for people: "files a-h below (8), ranks 8-1 left (7)".
    pub read: String,
    /// The glyphs fit the squares better one file or rank further: the lattice is off.
    pub shifted: bool,
}

/// Added to the probabilities of a glyph: a misread one must not outweigh seven others.
const DOUBT: f32 = 0.02;
/// A glyph counts as read when its meaning has this probability.
const READ: f32 = 0.35;
/// Least glyphs that make an edge.
const LEAST: usize = 3;
/// How far the glyphs in order must be likelier than letters (or digits) in any order, in nats: a sure glyph at its place gives
/// 2, at a wrong one -2, so letters of a text come to less than nothing.
const IN_ORDER: f32 = 4.0;
/// What a square with something else beside it costs.
const OTHER: f32 = 0.5;
/// An edge says at most this much, in nats.
const MOST: f32 = 12.0;
/// One letter alone at an end of an edge, and one digit alone: a number of the diagram may stand there.
const ONE_LETTER: f32 = 3.0;
const ONE_DIGIT: f32 = 1.5;
/// How sure a single glyph must be.
const SURE: f32 = 0.9;

/// Reads the coordinates around a board; `gray` is upright.
pub fn read_coordinates(gray: &GrayImage, quad: &Quad) -> Coordinates {
    let mut out = Coordinates { white_below: 0.0, read: String::new(), shifted: false };
    let Some(around) = Surroundings::new(gray, quad) else { return out };
    for edge in Edge::ALL {
        let said = THRESHOLDS
            .iter()
            .map(|&threshold| read_edge(&around, edge, threshold))
            .max_by(|a, b| a.white_below.abs().total_cmp(&b.white_below.abs()))
            .unwrap_or_default();
        out.shifted |= said.shifted;
        if said.white_below != 0.0 {
            out.white_below += said.white_below;
            let name = match (edge.is_level(), said.white_below > 0.0) {
                (true, true) => "files a-h",
                (true, false) => "files h-a",
                (false, true) => "ranks 8-1",
                (false, false) => "ranks 1-8",
            };
            let place = match edge {
                Edge::Top => "above",
                Edge::Bottom => "below",
                Edge::Left => "left",
                Edge::Right => "right",
            };
            let comma = if out.read.is_empty() { "" } else { ", " };
            out.read += &format!("{comma}{name} {place} ({})", said.glyphs);
        }
    }
    out
}

fn read_edge(around: &Surroundings, edge: Edge, threshold: f32) -> Said {
    let cells = around.cells(edge, threshold);
    let meanings: [Option<Meaning>; 8] = std::array::from_fn(|i| match &cells[i] {
        Cell::Glyph(glyph) => glyph::read(glyph),
        _ => None,
    });
    let others = cells.iter().filter(|c| **c == Cell::Other).count();
    judge_edge(edge, &meanings, others)
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Said {
    white_below: f32,
    glyphs: usize,
    shifted: bool,
}

/// `meanings` from left to right or from top to bottom; `others`: squares beside which something else stands.
fn judge_edge(edge: Edge, meanings: &[Option<Meaning>; 8], others: usize) -> Said {
    // Probability that the glyph beside square `i` is the one of White's view, moved by whole squares.
    let white = |m: &Meaning, i: isize| -> f32 {
        let fits = (0..8).contains(&i);
        match (fits, edge.is_level()) {
            (false, _) => 0.0,
            (true, true) => m.file(i as usize),
            (true, false) => m.rank(7 - i as usize),
        }
    };
    let black = |m: &Meaning, i: isize| white(m, 7 - i);
    let seen: Vec<(isize, &Meaning)> =
        (0..).zip(meanings).filter_map(|(i, m)| m.as_ref().map(|m| (i, m))).collect();
    let hits = |of: &dyn Fn(&Meaning, isize) -> f32, by: isize| {
        seen.iter().filter(|(i, m)| of(m, i + by) > READ).count()
    };
    let (for_white, for_black) = (hits(&white, 0), hits(&black, 0));
    let straight = for_white.max(for_black);
    let moved = [-1, 1].iter().map(|&by| hits(&white, by).max(hits(&black, by))).max().unwrap_or(0);
    let shifted = moved >= 4 && moved > straight + 2;
    let log_odds: f32 =
        seen.iter().map(|(i, m)| ((white(m, *i) + DOUBT) / (black(m, *i) + DOUBT)).ln()).sum();
    let in_order = |of: &dyn Fn(&Meaning, isize) -> f32| -> f32 {
        let any = |m: &Meaning| (0..8).map(|i| white(m, i)).sum::<f32>() / 8.0;
        let fit = |(i, m): &(isize, &Meaning)| ((of(m, *i) + DOUBT) / (any(m) + DOUBT)).ln();
        seen.iter().map(fit).sum::<f32>() - OTHER * others as f32
    };
    let order = in_order(&white).max(in_order(&black));
    if seen.len() >= LEAST && order > IN_ORDER && log_odds.abs() > IN_ORDER {
        return Said { white_below: log_odds.clamp(-MOST, MOST), glyphs: straight, shifted };
    }
    // One glyph alone, or one at each end.
    let lone = (1..=2).contains(&seen.len())
        && others == 0
        && seen.iter().all(|(i, m)| (*i == 0 || *i == 7) && white(m, *i).max(black(m, *i)) > SURE)
        && (for_white == 0 || for_black == 0);
    if lone {
        let each = if edge.is_level() { ONE_LETTER } else { ONE_DIGIT };
        let worth = each * seen.len() as f32;
        return Said { white_below: if for_white > 0 { worth } else { -worth }, glyphs: seen.len(), shifted };
    }
    Said { shifted, ..Said::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A glyph read as `class` (0 to 7 letters, 8 to 15 digits, 16 other) with probability `p`.
    fn said(class: usize, p: f32) -> Option<Meaning> {
        let mut values = [(1.0 - p) / 16.0; 17];
        values[class] = p;
        Some(Meaning(values))
    }

    fn letters(text: &str) -> [Option<Meaning>; 8] {
        let mut out = [None; 8];
        for (slot, c) in out.iter_mut().zip(text.chars()) {
            *slot = match c {
                'a'..='h' => said(c as usize - 'a' as usize, 0.95),
                '1'..='8' => said(8 + c as usize - '1' as usize, 0.95),
                '?' => said(16, 0.95),
                _ => None,
            };
        }
        out
    }

    #[test]
    fn the_order_tells_the_side() {
        assert!(judge_edge(Edge::Bottom, &letters("abcdefgh"), 0).white_below > 10.0);
        assert!(judge_edge(Edge::Top, &letters("hgfedcba"), 0).white_below < -10.0);
        assert!(judge_edge(Edge::Left, &letters("87654321"), 0).white_below > 10.0);
        assert!(judge_edge(Edge::Right, &letters("12345678"), 0).white_below < -10.0);
    }

    #[test]
    fn gaps_and_misread_glyphs_do_not_turn_it() {
        assert!(judge_edge(Edge::Bottom, &letters("a.c?e.ch"), 0).white_below > 5.0);
        assert!(judge_edge(Edge::Left, &letters("8?65?3?1"), 0).white_below > 5.0);
    }

    #[test]
    fn text_says_nothing() {
        assert_eq!(judge_edge(Edge::Bottom, &letters("?e?d?a?g"), 4).white_below, 0.0);
        assert_eq!(judge_edge(Edge::Bottom, &letters("...de..."), 0).white_below, 0.0);
        assert_eq!(judge_edge(Edge::Left, &letters("abcdefgh"), 0).white_below, 0.0);
        assert_eq!(judge_edge(Edge::Left, &letters("........"), 0).white_below, 0.0);
    }

    #[test]
    fn one_letter_says_a_little() {
        let a = judge_edge(Edge::Bottom, &letters("a......."), 0).white_below;
        assert!((2.0..4.0).contains(&a));
        let turned = judge_edge(Edge::Bottom, &letters("h......a"), 0).white_below;
        assert!((-7.0..-4.0).contains(&turned));
        assert_eq!(judge_edge(Edge::Bottom, &letters("a......."), 2).white_below, 0.0);
    }

    #[test]
    fn a_lattice_one_file_off_is_noticed() {
        assert!(judge_edge(Edge::Bottom, &letters("bcdefgh."), 0).shifted);
        assert!(!judge_edge(Edge::Bottom, &letters("abcdefgh"), 0).shifted);
    }
}
