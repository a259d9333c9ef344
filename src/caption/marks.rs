//! Marks beside a board and in its caption's lines, found among the pieces of ink of one strip.

use super::facts::{Mark, PixelRect};
use super::form::{Form, is_filled_bubble, shape_of};
use super::ink::{Blob, InkMask};
use super::layout::same_line;
use super::lines::InkLine;
use super::strip::Place;

/// A mark in pixels of its strip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StripMark {
    pub blob: Blob,
    /// `None`: a bubble around a number.
    pub form: Option<Form>,
    pub filled: bool,
    pub in_line: bool,
    /// It stands alone, but words begin or end beside it.
    pub by_words: bool,
}

/// Least side of a mark that stands alone, in squares: bullets, full stops and figures are smaller.
const LEAST: f32 = 0.3;
/// Greatest side, in squares.
const GREATEST: f32 = 1.15;

/// A piece with letters so near on both of its sides, in its own sizes, is a word of one letter.
const WORD_SPACE: f32 = 1.6;

/// Least height in pixels of a mark in a line: below, worn letters look like forms.
const LEAST_IN_LINE: u32 = 10;

/// A ring so much higher than the capitals is no O, however near.
const LARGER: f32 = 1.12;

/// Smaller pieces at a line's ends are specks or points, in capital heights.
const SPECK: f32 = 0.4;

/// Takes marks that stand alone out of `ink`: of a mark's size and form, with no letter close by.
pub fn take_loose_marks(mask: &InkMask, ink: &mut Vec<Blob>, square: f32) -> Vec<StripMark> {
    let sized = |b: &Blob| {
        let (w, h) = (b.width() as f32, b.height() as f32);
        w.min(h) >= (LEAST * square).max(7.0) && w.max(h) <= GREATEST * square
    };
    // Whether it stands alone, and if so, whether it stands by words.
    let alone = |b: &Blob, ink: &[Blob]| -> Option<bool> {
        let (w, h) = (b.width() as f32, b.height() as f32);
        let (mut left, mut right) = (f32::INFINITY, f32::INFINITY);
        for o in ink {
            let letter =
                o.height() as f32 > 0.3 * h && o.height() as f32 <= 2.0 * h && o.width() as f32 <= 4.0 * w;
            let beside =
                o.y1.min(b.y1).saturating_sub(o.y0.max(b.y0)) as f32 > 0.3 * (o.height() as f32).min(h);
            if o == b || !letter || !beside || b.contains(o) {
                continue;
            }
            if o.center().0 < b.center().0 {
                left = left.min(b.x0 as f32 - o.x1 as f32);
            } else {
                right = right.min(o.x0 as f32 - b.x1 as f32);
            }
        }
        let size = w.max(h);
        // The ring of "N°" hangs by a letter more than half again as high.
        let raised = ink.iter().any(|o| {
            let taller = (1.6 * h..3.2 * h).contains(&(o.height() as f32)) && o.width() as f32 <= 4.0 * w;
            let gap = o.x0.saturating_sub(b.x1).max(b.x0.saturating_sub(o.x1)) as f32;
            taller && o.y0 <= b.y0 + b.height() / 2 && b.y1 < o.y1 && gap < WORD_SPACE * w.max(h)
        });
        if raised {
            return None;
        }
        let is_alone = left.min(right) >= 0.55 * size && left.max(right) >= WORD_SPACE * size;
        is_alone.then_some(left.min(right) < WORD_SPACE * size)
    };
    let found: Vec<StripMark> = ink
        .iter()
        .filter(|b| sized(b))
        .filter_map(|&blob| {
            let by_words = alone(&blob, ink)?;
            let shape = shape_of(mask, &blob)?;
            Some(StripMark { blob, form: Some(shape.form), filled: shape.filled, in_line: false, by_words })
        })
        .collect();
    ink.retain(|b| !found.iter().any(|m| m.blob.contains(b)));
    found
}

/// Takes a mark off the head or the tail of a line of text: set apart from the words by a space. Specks before and behind the line
/// are no part of it.
pub fn take_line_mark(mask: &InkMask, line: &mut InkLine) -> Option<StripMark> {
    let capital = line.capital_height;
    let is_speck = |b: &Blob| (b.width().max(b.height()) as f32) < SPECK * capital;
    let words: Vec<Blob> = line.blobs.iter().filter(|b| !is_speck(b)).copied().collect();
    if words.len() < 2 {
        return None;
    }
    for leads in [true, false] {
        let (blob, others) = match leads {
            true => (words[0], &words[1..]),
            false => (words[words.len() - 1], &words[..words.len() - 1]),
        };
        // Letters overlap in italics, so the neighbour is the nearest ink, not the next in order.
        let gap = match leads {
            true => others.iter().map(|b| b.x0).min()? as f32 - blob.x1 as f32,
            false => blob.x0 as f32 - others.iter().map(|b| b.x1).max()? as f32,
        };
        let height = blob.height() as f32;
        let sized = blob.height() >= LEAST_IN_LINE && (0.75 * capital..1.6 * capital).contains(&height);
        if gap < 0.25 * capital || !sized {
            continue;
        }
        let Some(shape) = shape_of(mask, &blob) else { continue };
        let letters = others.iter().filter(|b| !is_speck(b)).map(Blob::height).max().unwrap_or(0);
        let is_larger = height >= LARGER * capital.max(letters as f32 * 0.85) && height >= capital + 2.0;
        // An O is an empty disc as high as the capitals, and small filled discs are points.
        let sound = match (shape.form, shape.filled) {
            (Form::Disc, false) => (gap > 0.5 * capital || is_larger) && shape.fit > 0.92,
            (Form::Disc, true) => true,
            (Form::Diamond, _) => false,
            _ => true,
        };
        if !sound {
            continue;
        }
        let outside = |b: &Blob| if leads { b.x0 < blob.x1 } else { b.x1 > blob.x0 };
        line.blobs.retain(|b| *b != blob && !(is_speck(b) && outside(b)));
        if let Some(bounds) = line.blobs.iter().copied().reduce(|a, b| a.union(&b)) {
            line.bounds = bounds;
        }
        let (form, filled) = (Some(shape.form), shape.filled);
        return Some(StripMark { blob, form, filled, in_line: true, by_words: true });
    }
    None
}

/// Gives the marks of a line to the board that the line was given to: the strip of a neighbour may have seen such a mark without
/// its words. `lines`: areas of the lines, their boards and whether those are sure.
pub fn follow_lines(marks: &mut [Vec<Mark>], lines: &[(PixelRect, usize, bool)]) {
    let mut moved: Vec<(usize, Mark)> = Vec::new();
    for (board, own) in marks.iter_mut().enumerate() {
        own.retain(|mark| {
            let home = lines.iter().find(|(area, ..)| mark.in_line && is_of_line(&mark.area, area));
            let Some(&(_, home, sure)) = home else { return true };
            if home != board {
                moved.push((home, Mark { sure: mark.sure && sure, ..*mark }));
            }
            home == board
        });
    }
    for (board, mark) in moved {
        if !marks[board].iter().any(|other| same_line(&other.area, &mark.area)) {
            marks[board].push(mark);
        }
    }
}

/// Whether a mark stands in a line or within two heights of its ends.
fn is_of_line(mark: &PixelRect, line: &PixelRect) -> bool {
    let (top, bottom) = (mark.y.max(line.y), (mark.y + mark.height).min(line.y + line.height));
    let level = 2 * bottom.saturating_sub(top) > mark.height.min(line.height);
    let gap = mark.x.saturating_sub(line.x + line.width).max(line.x.saturating_sub(mark.x + mark.width));
    level && gap < 2 * line.height
}

/// Least height in pixels of a filled bubble: figures in a smaller one cannot be read, and a B by the board looks like one.
const LEAST_BUBBLE: f32 = 18.0;

/// Whether a piece of ink is a filled bubble of a number's size.
pub fn filled_bubble(mask: &InkMask, blob: &Blob, square: f32) -> bool {
    let h = blob.height() as f32;
    h >= LEAST_BUBBLE && (0.5 * square..1.6 * square).contains(&h) && is_filled_bubble(mask, blob)
}

/// Letters so near to a ring, in its heights, make it a part of their line.
const CROWDED: f32 = 0.4;

/// The filled bubble that a line is: one piece, and in it the eyes of its white figures.
pub fn bubble_of(mask: &InkMask, line: &InkLine, square: f32) -> Option<Blob> {
    let outer = line.blobs.iter().max_by_key(|b| b.width() * b.height())?;
    (line.blobs.iter().all(|b| outer.contains(b)) && filled_bubble(mask, outer, square)).then_some(*outer)
}

/// Takes circles and boxes drawn around a number out of `ink`, so that the number is read alone.
pub fn take_rings(ink: &mut Vec<Blob>, square: f32) -> Vec<StripMark> {
    let all = ink.clone();
    let mut rings = Vec::new();
    ink.retain(|ring| {
        let (w, h) = (ring.width() as f32, ring.height() as f32);
        let size = w.max(h) < 2.5 * square && w.min(h) > 0.3 * square && w < 3.0 * h && h < 1.5 * w;
        let thin = (ring.area as f32) < 0.35 * w * h;
        let holds = all.iter().any(|b| {
            ring.contains(b) && b.height() as f32 > 0.2 * h && b != ring && b.x0 > ring.x0 && b.y0 > ring.y0
        });
        // Parts of Chinese signs hold others too, with their neighbours close by.
        let crowded = || {
            all.iter().any(|b| {
                let level =
                    2 * b.y1.min(ring.y1).saturating_sub(b.y0.max(ring.y0)) > b.height().min(ring.height());
                let gap = b.x0.saturating_sub(ring.x1).max(ring.x0.saturating_sub(b.x1)) as f32;
                !ring.contains(b) && level && 2 * b.height() > ring.height() && gap < CROWDED * h
            })
        };
        let is_ring = size && thin && holds && !crowded();
        if is_ring {
            rings.push(StripMark { blob: *ring, form: None, filled: false, in_line: false, by_words: false });
        }
        !is_ring
    });
    rings
}

/// At which end of the picture a mark beside a board stands; `None` in its middle third.
pub fn upper_end(place: Place, v: f32, top: f32, bottom: f32) -> Option<bool> {
    if matches!(place, Place::Above | Place::Below) {
        return None;
    }
    match (v - top) / (bottom - top).max(1.0) {
        t if t < 0.34 => Some(true),
        t if t > 0.66 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma};

    use super::super::form::tests::drawn;
    use super::super::ink::{binarize, blobs};
    use super::super::lines::{LineParams, text_lines};
    use super::*;

    /// A strip with pictures pasted at (x, y), and bars for letters.
    fn strip(pasted: &[(&GrayImage, i64, i64)], letters: &[(u32, u32)]) -> InkMask {
        let mut gray = GrayImage::from_pixel(300, 120, Luma([235]));
        for (picture, x, y) in pasted {
            image::imageops::replace(&mut gray, *picture, *x, *y);
        }
        for &(x, y) in letters {
            for (i, j) in (0..5).flat_map(|i| (0..16).map(move |j| (i, j))) {
                gray.put_pixel(x + i, y + j, Luma([20]));
            }
        }
        binarize(&gray, 24)
    }

    #[test]
    fn a_word_of_one_letter_is_no_mark() {
        // The same box between two words, and behind one.
        let boxed = drawn(Form::Square, 20, 2.0);
        let words = [(40, 46), (50, 46), (110, 46), (120, 46)];
        let found = |letters: &[(u32, u32)]| {
            let mask = strip(&[(&boxed, 62, 30)], letters);
            let mut ink = blobs(&mask);
            take_loose_marks(&mask, &mut ink, 40.0).len()
        };
        assert_eq!((found(&words), found(&words[..2])), (0, 1));
    }

    #[test]
    fn loose_marks_are_taken_and_letters_left() {
        let (filled, empty) = (drawn(Form::Square, 16, 0.0), drawn(Form::TriangleUp, 18, 2.0));
        let mask = strip(&[(&filled, 20, 20), (&empty, 120, 20)], &[(220, 40), (230, 40)]);
        let mut ink = blobs(&mask);
        let found = take_loose_marks(&mask, &mut ink, 40.0);
        let told: Vec<_> = found.iter().map(|m| (m.form, m.filled)).collect();
        assert_eq!(told, [(Some(Form::Square), true), (Some(Form::TriangleUp), false)]);
        assert_eq!(ink.len(), 2);
        // Too small beside this board: a bullet.
        let mut ink = blobs(&mask);
        assert!(take_loose_marks(&mask, &mut ink, 80.0).is_empty());
    }

    #[test]
    fn a_mark_at_a_lines_end_leaves_the_words() {
        let mark = drawn(Form::Square, 14, 2.0);
        let letters: Vec<(u32, u32)> = (0..8).map(|i| (20 + 9 * i, 40)).collect();
        let mask = strip(&[(&mark, 90, 31)], &letters);
        let mut lines = text_lines(&blobs(&mask), 60.0, &LineParams::default());
        assert_eq!(lines.len(), 1);
        let found = take_line_mark(&mask, &mut lines[0]).unwrap();
        assert_eq!((found.form, found.filled, found.in_line), (Some(Form::Square), false, true));
        assert_eq!(lines[0].blobs.len(), 8);
        assert_eq!(lines[0].bounds.x1, 88);
        assert_eq!(take_line_mark(&mask, &mut lines[0]), None);
    }

    #[test]
    fn a_speck_before_a_mark_hides_it_not() {
        let mark = drawn(Form::Square, 14, 0.0);
        let letters: Vec<(u32, u32)> = (0..8).map(|i| (60 + 9 * i, 40)).collect();
        let mask = strip(&[(&mark, 28, 35)], &letters);
        let mut lines = text_lines(&blobs(&mask), 60.0, &LineParams::default());
        lines[0].blobs.insert(0, Blob { x0: 20, y0: 45, x1: 23, y1: 48, area: 9 });
        let found = take_line_mark(&mask, &mut lines[0]).unwrap();
        assert_eq!((found.form, found.filled, lines[0].blobs.len()), (Some(Form::Square), true, 8));
    }

    #[test]
    fn a_mark_goes_with_its_line() {
        let rect = |x, y, width, height| PixelRect { x, y, width, height };
        let mark = Mark {
            kind: super::super::MarkKind::Form(Form::Square),
            filled: false,
            place: Place::Above,
            upper_end: None,
            in_line: true,
            sure: true,
            gap: 3.0,
            area: rect(100, 202, 20, 20),
        };
        let lines = [(rect(140, 200, 200, 24), 0, true)];
        let mut marks = vec![vec![], vec![mark]];
        follow_lines(&mut marks, &lines);
        assert_eq!(marks.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0]);
        // One that stands for itself stays.
        let mut marks = vec![vec![], vec![Mark { in_line: false, ..mark }]];
        follow_lines(&mut marks, &lines);
        assert_eq!(marks.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn ends_of_the_board() {
        assert_eq!(upper_end(Place::Right, 20.0, 0.0, 240.0), Some(true));
        assert_eq!(upper_end(Place::Left, 220.0, 0.0, 240.0), Some(false));
        assert_eq!(upper_end(Place::Right, 120.0, 0.0, 240.0), None);
        assert_eq!(upper_end(Place::Above, 20.0, 0.0, 240.0), None);
    }
}
