//! Short lines sign by sign: a number, the letter of a side, a move number with its dots. A small net (`models/signs.bin`, trained on
//! fonts by `models/train/signs.py`) reads each piece of ink by itself, where the reader for lines of words is least sure.

use std::sync::LazyLock;

use image::{GrayImage, Luma};

use super::ink::{Blob, binarize, blobs};
use super::language::LineText;
use super::layout::CaptionLine;
use super::moves::first_move;
use super::sense::lone_letter;
use crate::board::coordinates::glyph::{Net, normalise};

/// Answers of the net; the last is none of these.
const SIGNS: [char; 28] = [
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'W', 'B', 'b', 'S', 'N', 'n', 'C', 'P', 'V', 'Z', 'Č',
    'Б', 'б', 'Ч', '(', ')', '?', '\u{fffd}',
];
const OTHER: char = '\u{fffd}';

static WEIGHTS: &[u8] = include_bytes!("../../models/signs.bin");
static NET: LazyLock<Option<Net>> = LazyLock::new(|| Net::parse(WEIGHTS, SIGNS.len()));

/// Longer lines are words.
const MOST_PIECES: usize = 9;
/// White around the line, so that its edge has paper beside it.
const MARGIN: u32 = 6;
/// A piece smaller than this share of the capitals is a point, ...
const POINT: f32 = 0.38;
/// ... or a speck, where it does not stand on the line.
const ON_LINE: f32 = 0.6;

/// Signs read with less confidence say nothing.
const SURE: f32 = 0.8;
/// A letter alone may be dirt.
pub const SURE_LETTER: f32 = 0.9;
/// A line that the other reader has read with less confidence, and without a figure, was not read.
const FAINT: f32 = 0.75;

/// A line as its signs, and how sure the least sure of them is.
#[derive(Debug, Clone, PartialEq)]
pub struct Signs {
    pub text: String,
    pub confidence: f32,
}

/// Reads a short line sign by sign; `None` when some piece is none of the signs.
pub fn read_signs(line: &CaptionLine) -> Option<Signs> {
    if line.pieces > MOST_PIECES {
        return None;
    }
    let net = NET.as_ref()?;
    let (width, height) = line.crop.dimensions();
    let mut page = GrayImage::from_pixel(width + 2 * MARGIN, height + 2 * MARGIN, Luma([line.paper]));
    image::imageops::replace(&mut page, &line.crop, MARGIN.into(), MARGIN.into());
    let groups = upright_groups(blobs(&binarize(&page, height + MARGIN)));
    let (top, bottom) =
        (groups.iter().map(|b| b.y0).min()? as f32, groups.iter().map(|b| b.y1).max()? as f32);
    let span = (f32::from(line.paper) - f32::from(line.ink)).max(1.0);
    let value = |x: isize, y: isize| {
        let inside = x >= 0 && y >= 0 && x < page.width() as isize && y < page.height() as isize;
        let level = if inside { page.get_pixel(x as u32, y as u32).0[0] } else { line.paper };
        ((f32::from(line.paper) - f32::from(level)) / span).clamp(0.0, 1.0)
    };
    let mut out = Signs { text: String::new(), confidence: 1.0 };
    let mut last: Option<Blob> = None;
    for piece in groups {
        if (piece.width().max(piece.height()) as f32) < POINT * line.capital_height.min(bottom - top) {
            if piece.center().1 > top + ON_LINE * (bottom - top) {
                out.text.push('.');
            }
            continue;
        }
        let glyph = normalise(piece.x0 as f32, piece.y0 as f32, piece.x1 as f32, piece.y1 as f32, value);
        let (sign, sure) = SIGNS.into_iter().zip(net.read(&glyph)).max_by(|a, b| a.1.total_cmp(&b.1))?;
        if sign == OTHER {
            return None;
        }
        if last.is_some_and(|last| piece.x0 as f32 - last.x1 as f32 > 0.7 * line.capital_height) {
            out.text.push(' ');
        }
        out.text.push(sign);
        out.confidence = out.confidence.min(sure);
        last = Some(piece);
    }
    last.map(|_| out)
}

/// What the signs of a short line say better than the reader of lines: the letter of a side, a move number with its dots, figures where
/// there was nothing. Figures that differ stay as they are, with the others beside them.
pub fn by_signs(read: &mut LineText, signs: Signs) -> Option<LineText> {
    if signs.confidence < SURE {
        return None;
    }
    let taken = |signs: Signs| {
        let words = signs.text.split_whitespace().map(|word| (word.to_owned(), signs.confidence)).collect();
        Some(LineText { text: signs.text, confidence: signs.confidence, words, other: None })
    };
    let of_side = lone_letter(&signs.text).is_some_and(|letter| letter.chars().all(char::is_alphabetic));
    let same_letter =
        of_side && lone_letter(&read.text).is_some_and(|old| lone_letter(&signs.text) == Some(old));
    if same_letter {
        read.confidence = read.confidence.max(signs.confidence);
        read.words.iter_mut().for_each(|(_, confidence)| *confidence = read.confidence);
        return None;
    }
    if of_side {
        return if signs.confidence >= SURE_LETTER { taken(signs) } else { None };
    }
    let figures = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let plain = signs.text.chars().all(|c| c.is_ascii_digit() || ".?() ".contains(c));
    let (own, others) = (figures(&read.text), figures(&signs.text));
    if !plain || others.is_empty() {
        return None;
    }
    let bare = |text: &str| text.chars().all(|c| !c.is_alphanumeric() || c.is_ascii_digit());
    let cue = |text: &str| first_move(text).is_some();
    // One figure alone may be a stroke of dirt, or a rank's.
    let several = others.len() > 1 || cue(&signs.text);
    if several && (read.text.is_empty() || own.is_empty() && read.confidence < FAINT)
        || cue(&signs.text) && !cue(&read.text) && own == others
    {
        return taken(signs);
    }
    if bare(&read.text) && own != others {
        read.other = Some(others);
        return None;
    }
    if several && is_number_in_letters(&read.text, &signs.text) { taken(signs) } else { None }
}

/// Whether a line of figures and letters ("s0") stands where every sign is a figure ("80"): as many signs, and the figures that were
/// read are the same.
fn is_number_in_letters(read: &str, signs: &str) -> bool {
    let worded = |text: &str| -> Vec<char> { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let (own, others) = (worded(read), worded(signs));
    own.len() == others.len()
        && own.iter().any(char::is_ascii_digit)
        && own.iter().zip(&others).all(|(own, other)| !own.is_ascii_digit() || own == other)
}

/// Pieces that stand over each other are one sign: an accent, the point of a question mark.
fn upright_groups(mut pieces: Vec<Blob>) -> Vec<Blob> {
    pieces.retain(|b| b.area >= 2);
    pieces.sort_by_key(|b| b.x0);
    let mut out: Vec<Blob> = Vec::new();
    for piece in pieces {
        match out.last_mut() {
            Some(last)
                if 2 * last.x1.min(piece.x1).saturating_sub(piece.x0) > last.width().min(piece.width()) =>
            {
                *last = last.union(&piece);
            }
            _ => out.push(piece),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_net_has_its_shape() {
        assert!(NET.is_some());
    }

    /// A line of bars (x, y, width, height) in its own crop.
    fn line(bars: &[(u32, u32, u32, u32)], width: u32) -> CaptionLine {
        let ink = |x, y| bars.iter().any(|b| (b.0..b.0 + b.2).contains(&x) && (b.1..b.1 + b.3).contains(&y));
        let crop = GrayImage::from_fn(width, 24, |x, y| Luma([if ink(x, y) { 20 } else { 230 }]));
        CaptionLine {
            claims: Vec::new(),
            area: super::super::PixelRect::default(),
            crop,
            capital_height: 20.0,
            ink: 20,
            paper: 230,
            dots: 0,
            pieces: bars.len(),
            dashes: Vec::new(),
        }
    }

    #[test]
    fn a_move_number_keeps_its_dots() {
        // a 7 and three full stops
        let mut seven = vec![(2, 2, 12, 3)];
        seven.extend((0..17).map(|i| (10 - i / 3, 5 + i, 3, 1)));
        seven.extend([(18, 19, 3, 3), (24, 19, 3, 3), (30, 19, 3, 3)]);
        let mut line = line(&seven, 36);
        line.pieces = 4;
        let read = read_signs(&line).unwrap();
        assert_eq!(read.text, "7...");
        assert!(read.confidence > 0.5, "{read:?}");
    }

    #[test]
    fn signs_say_what_lines_do_not() {
        let said = |old: &str, confidence: f32, signs: &str| {
            let mut read = LineText { text: old.to_owned(), confidence, ..LineText::default() };
            let taken = by_signs(&mut read, Signs { text: signs.to_owned(), confidence: 0.95 });
            (taken.map_or(read.text, |taken| taken.text), read.other)
        };
        assert_eq!(said("", 1.0, "1..."), ("1...".into(), None));
        assert_eq!(said("1", 0.9, "1...?"), ("1...?".into(), None));
        assert_eq!(said("WwW", 0.4, "W"), ("W".into(), None));
        assert_eq!(said("(9)", 0.4, "(Ч)"), ("(Ч)".into(), None));
        assert_eq!(said("87.", 0.9, "37."), ("87.".into(), Some("37".into())));
        assert_eq!(said("Nr. 7", 0.9, "97"), ("Nr. 7".into(), None));
        assert_eq!(said("s0", 0.9, "80"), ("80".into(), None));
        assert_eq!(said("s0", 0.9, "87"), ("s0".into(), None));
    }

    #[test]
    fn words_are_not_for_it() {
        let bars: Vec<_> = (0..12).map(|i| (4 + 10 * i, 2, 5, 20)).collect();
        assert_eq!(read_signs(&line(&bars, 130)), None);
    }
}
