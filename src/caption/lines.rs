//! Lines of text in the ink of a strip.

use super::ink::Blob;
use serde::{Deserialize, Serialize};

/// A line of text found in a strip, not yet read.
#[derive(Debug, Clone)]
pub struct InkLine {
    /// Bounds in pixels of the strip; the area is the ink's.
    pub bounds: Blob,
    /// Its pieces of ink, from left to right.
    pub blobs: Vec<Blob>,
    /// Height of its capitals and ascenders in pixels, estimated.
    pub capital_height: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineParams {
    /// Least height of a letter, in squares of the board: 5 point type under a board of 10 cm.
    pub least_letter: f32,
    /// Least height of a letter in pixels; smaller ones cannot be read.
    pub least_pixels: u32,
    /// Greatest height of a letter, in squares: a title under a small board.
    pub greatest_letter: f32,
    /// Greatest space between words of one line, in letter heights. Justified words stand up to two apart,
    /// columns of text three or more.
    pub word_space: f32,
    /// A piece of ink wider than so many times its height is a rule.
    pub rule: f32,
}

impl Default for LineParams {
    fn default() -> Self {
        LineParams { least_letter: 0.1, least_pixels: 5, greatest_letter: 1.3, word_space: 2.0, rule: 14.0 }
    }
}

/// Joins blobs to lines: neighbours that share at least half of the lower one's height and stand closer
/// than a word space belong together. `square` is the side of the board's squares in pixels.
pub fn text_lines(blobs: &[Blob], square: f32, params: &LineParams) -> Vec<InkLine> {
    let least = (params.least_letter * square).max(params.least_pixels as f32);
    let greatest = params.greatest_letter * square;
    let mut pieces: Vec<Blob> = blobs
        .iter()
        .filter(|b| {
            let (w, h) = (b.width() as f32, b.height() as f32);
            let rule = w > params.rule * h && w > 1.5 * square;
            let upright_rule = h > params.rule * w && h > square;
            h <= greatest && !rule && !upright_rule && b.area >= 2
        })
        .copied()
        .collect();
    pieces.sort_by_key(|b| (b.x0, b.y0));

    let mut group: Vec<usize> = (0..pieces.len()).collect();
    fn root(group: &mut [usize], mut i: usize) -> usize {
        while group[i] != i {
            group[i] = group[group[i]];
            i = group[i];
        }
        i
    }
    for i in 0..pieces.len() {
        for j in i + 1..pieces.len() {
            let (a, b) = (&pieces[i], &pieces[j]);
            let gap = b.x0.saturating_sub(a.x1) as f32;
            // Pieces come from left to right; nothing farther right can be nearer to this one.
            if gap > params.word_space * greatest {
                break;
            }
            let overlap = a.y1.min(b.y1).saturating_sub(a.y0.max(b.y0)) as f32;
            let lower = a.height().min(b.height()) as f32;
            let higher = a.height().max(b.height()) as f32;
            if overlap >= 0.5 * lower && higher >= least && gap <= params.word_space * higher {
                let (a, b) = (root(&mut group, i), root(&mut group, j));
                group[a.max(b)] = a.min(b);
            }
        }
    }
    let mut lines: Vec<InkLine> = Vec::new();
    let mut slots: Vec<Option<usize>> = vec![None; pieces.len()];
    let mut crumbs: Vec<Blob> = Vec::new();
    let mut sizes = vec![0u32; pieces.len()];
    let roots: Vec<usize> = (0..pieces.len()).map(|i| root(&mut group, i)).collect();
    for (i, &r) in roots.iter().enumerate() {
        sizes[r] = sizes[r].max(pieces[i].height());
    }
    for (i, &r) in roots.iter().enumerate() {
        if (sizes[r] as f32) < least {
            crumbs.push(pieces[i]);
            continue;
        }
        match slots[r] {
            Some(slot) => {
                let line: &mut InkLine = &mut lines[slot];
                line.bounds = line.bounds.union(&pieces[i]);
                line.blobs.push(pieces[i]);
            }
            None => {
                slots[r] = Some(lines.len());
                lines.push(InkLine { bounds: pieces[i], blobs: vec![pieces[i]], capital_height: 0.0 });
            }
        }
    }
    for line in &mut lines {
        line.capital_height = capital_height(&line.blobs, least);
    }
    // Dots and accents that touch no neighbour's height: they hang over or under a letter of a line.
    for crumb in crumbs {
        let home = lines.iter_mut().find(|line| {
            let reach = (0.5 * line.capital_height) as u32;
            let (x, _) = crumb.center();
            x >= line.bounds.x0 as f32
                && x <= line.bounds.x1 as f32
                && crumb.y1 + reach >= line.bounds.y0
                && crumb.y0 <= line.bounds.y1 + reach
        });
        if let Some(line) = home {
            line.bounds = line.bounds.union(&crumb);
            line.blobs.push(crumb);
        }
    }
    for line in &mut lines {
        line.blobs.sort_by_key(|b| b.x0);
    }
    lines.sort_by_key(|line| (line.bounds.y0, line.bounds.x0));
    lines
}

/// Specks are lower and narrower than this share of the capitals, ...
const SPECK: f32 = 0.4;
/// ... and farther from the words than any point.
const APART: f32 = 0.8;

/// Takes a single speck off either end of a line. Points of a leader or of a move number follow each other and stay.
pub fn trim_specks(line: &mut InkLine) {
    let capital = line.capital_height;
    let is_speck = |b: &Blob| (b.width().max(b.height()) as f32) < SPECK * capital;
    for leads in [true, false] {
        let [first, .., last] = line.blobs[..] else { return };
        let end = if leads { first } else { last };
        let others = line.blobs.iter().filter(|b| **b != end);
        let (next, gap) = if leads {
            let Some(next) = others.min_by_key(|b| b.x0) else { return };
            (*next, next.x0.saturating_sub(end.x1))
        } else {
            let Some(next) = others.max_by_key(|b| b.x1) else { return };
            (*next, end.x0.saturating_sub(next.x1))
        };
        if is_speck(&end) && !is_speck(&next) && gap as f32 > APART * capital {
            line.blobs.retain(|b| *b != end);
            line.rebound();
        }
    }
}

/// Takes what may be left of a board's frame (`of_edge`) out of a line, where it is no letter by its height.
pub fn without_edge_bits(line: &mut InkLine, of_edge: impl Fn(&Blob) -> bool) {
    let letters = line.blobs.iter().filter(|b| !of_edge(b)).map(Blob::height).max().unwrap_or(0) as f32;
    let is_bit = |b: &Blob| of_edge(b) && !(0.7 * letters..1.3 * letters).contains(&(b.height() as f32));
    if letters > 0.0 && line.blobs.iter().any(is_bit) {
        line.blobs.retain(|b| !is_bit(b));
        line.rebound();
        line.capital_height = capital_height(&line.blobs, 0.5 * letters);
    }
}

impl InkLine {
    /// Bounds of the pieces that are left.
    fn rebound(&mut self) {
        if let Some(bounds) = self.blobs.iter().copied().reduce(|a, b| a.union(&b)) {
            self.bounds = bounds;
        }
    }
}

/// The upper quartile of the letters' heights: about two letters in five rise to the capitals' height or
/// fall below the line, hardly any do both.
fn capital_height(blobs: &[Blob], least: f32) -> f32 {
    let mut heights: Vec<u32> = blobs.iter().map(Blob::height).filter(|&h| h as f32 >= least).collect();
    heights.sort_unstable();
    heights.get(heights.len() * 3 / 4).map_or(least, |&h| h as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(x: u32, y: u32, w: u32, h: u32) -> Blob {
        Blob { x0: x, y0: y, x1: x + w, y1: y + h, area: w * h }
    }

    #[test]
    fn words_join_and_columns_stay_apart() {
        let blobs = [
            letter(10, 20, 8, 14),
            letter(20, 24, 8, 10),
            letter(40, 20, 8, 14),  // a word space of 12
            letter(100, 20, 8, 14), // another column
            letter(10, 50, 8, 14),  // the next line
            letter(12, 44, 3, 3),   // a dot over it
            letter(10, 80, 200, 2), // a rule
        ];
        let lines = text_lines(&blobs, 40.0, &LineParams::default());
        let spans: Vec<_> = lines.iter().map(|l| (l.bounds.x0, l.bounds.x1, l.blobs.len())).collect();
        assert_eq!(spans, [(10, 48, 3), (100, 108, 1), (10, 18, 2)]);
        assert_eq!(lines[2].bounds.y0, 44);
        assert_eq!(lines[0].capital_height, 14.0);
    }

    #[test]
    fn a_speck_behind_a_line_is_none_of_it() {
        let pieces = |blobs: &[Blob]| {
            let mut lines = text_lines(blobs, 40.0, &LineParams::default());
            trim_specks(&mut lines[0]);
            (lines[0].blobs.len(), lines[0].bounds.x1)
        };
        let word = [letter(10, 20, 8, 14), letter(20, 20, 8, 14)];
        let with = |more: &[Blob]| pieces(&[&word, more].concat());
        assert_eq!(with(&[letter(44, 26, 3, 3)]), (2, 28));
        // Its own point, and the points of a leader, stay.
        assert_eq!(with(&[letter(31, 31, 3, 3)]), (3, 34));
        assert_eq!(with(&[letter(42, 31, 3, 3), letter(56, 31, 3, 3)]), (4, 59));
    }

    #[test]
    fn bits_of_the_frame_are_none_of_a_letter() {
        let pieces = |bits: &[Blob]| {
            let blobs: Vec<Blob> = bits.iter().copied().chain([letter(12, 20, 14, 14)]).collect();
            let mut line = text_lines(&blobs, 40.0, &LineParams::default()).remove(0);
            without_edge_bits(&mut line, |b| b.x1 < 8);
            line.blobs.len()
        };
        assert_eq!(pieces(&[letter(4, 16, 3, 6), letter(4, 24, 3, 8)]), 1);
        assert_eq!(pieces(&[letter(4, 4, 3, 40)]), 1);
        // A 1 before another figure.
        assert_eq!(pieces(&[letter(4, 20, 3, 14)]), 2);
    }

    #[test]
    fn specks_alone_are_no_line() {
        assert!(text_lines(&[letter(10, 10, 3, 3)], 40.0, &LineParams::default()).is_empty());
    }
}
