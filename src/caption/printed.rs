//! The file's own text in place of the recognizer's spelling, where both say the same.
//!
//! A typeset PDF says which characters it draws. That may be wrong: a font may carry a false table of what its glyphs
//! mean, and text may be drawn so that nobody sees it (transparent, clipped, white). So the recognizer reads every line;
//! the file's text only spells better what was seen in this very line, and a different meaning is a doubt.

use super::facts::{LayerDoubt, PixelRect};
use super::layout::CaptionLine;
use super::lexicon::Lexicon;
use super::sense::{Sense, make_sense};
use crate::chess::{Color, FlagCode};
use crate::page::{PageGlyph, PageText};

/// A gap between characters that is no word space, in sizes of the type: word spaces are a quarter, 0.17 where
/// a justified line is narrow.
const WORD_SPACE: f32 = 0.16;
/// How much of a line's ink the text must stand under, from left to right.
const COVERED: f32 = 0.8;
/// Letters from which on a line is long enough that a few misread ones prove nothing.
const LONG: usize = 5;
/// Share of letters that may differ between the text and what the recognizer reads of it.
const ALIKE: f32 = 0.25;

/// What the file's text of a line is worth, held against what was seen there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Verdict {
    /// The file's text spells what was seen.
    pub takes_file: bool,
    /// Sides that the file names and the ink does not.
    pub sides: Vec<Color>,
    /// The ink names a side of which the file knows nothing, on a line that is otherwise the same.
    pub unbacked: bool,
    /// Differences in meaning that are not about the side.
    pub doubts: Vec<LayerDoubt>,
}

/// Compares what a line's ink says (`seen`) with the text that the file draws there.
pub fn compare(file: &str, seen: &str, lexicon: &Lexicon, languages: &[&str]) -> Verdict {
    let (theirs, ours) = (make_sense(&[file], lexicon, languages), make_sense(&[seen], lexicon, languages));
    let near = alike(file, seen) || letters(file).len() < LONG;
    let (named, read) = (sides(&theirs), sides(&ours));
    let mut doubts = Vec::new();
    let mut differ = |code, what: &str, is_same: bool| {
        if !is_same {
            let why = format!("{what} differs: the picture reads {seen:?}, the file's text says {file:?}");
            doubts.push(LayerDoubt { code, why });
        }
    };
    let numbers = |sense: &Sense| sense.numbers.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
    // A file's garbage may hold figures: of a line that is nothing like what is seen only the whole counts.
    let told = |is_some: bool| near || is_some;
    if told(!theirs.numbers.is_empty()) {
        differ(FlagCode::NumberDoubtful, "the number", numbers(&theirs) == numbers(&ours));
    }
    if told(theirs.stipulation.is_some()) {
        differ(FlagCode::StipulationUnsound, "the stipulation", theirs.stipulation == ours.stipulation);
    }
    if told(theirs.first_move.is_some()) {
        let is_same = theirs.first_move == ours.first_move || same_figurine_move(file, seen);
        differ(FlagCode::SolutionIllegal, "the printed move", is_same);
    }
    if told(theirs.piece_count.is_some()) {
        differ(FlagCode::MaterialMismatch, "the piece count", theirs.piece_count == ours.piece_count);
    }
    let same_side = named == read && theirs.either_side == ours.either_side;
    let same = same_side
        && doubts.is_empty()
        && theirs.names.year == ours.names.year
        && theirs.side_labels == ours.side_labels;
    let says = theirs.understood.contains(&true);
    let takes_file = same
        && if letters(file).len() >= LONG {
            alike(file, seen)
        } else {
            says || letters(file) == letters(seen)
        };
    Verdict {
        takes_file,
        unbacked: near && named.is_empty() && !theirs.either_side && !read.is_empty(),
        sides: named.into_iter().filter(|side| !read.contains(side)).collect(),
        doubts,
    }
}

fn sides(sense: &Sense) -> Vec<Color> {
    let mut sides: Vec<Color> = Vec::new();
    for said in &sense.said {
        if !sides.contains(&said.side) {
            sides.push(said.side);
        }
    }
    sides.sort_by_key(|side| side.char());
    sides
}

/// The recognizer knows no figurines: a move whose man the file draws as one is the same where its squares are.
fn same_figurine_move(file: &str, seen: &str) -> bool {
    let figurine = |c: char| ('\u{2654}'..='\u{265f}').contains(&c);
    file.contains(figurine) && squares(file) == squares(seen)
}

fn squares(text: &str) -> Vec<[char; 2]> {
    let signs: Vec<char> = text.chars().collect();
    let pairs = signs.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.filter(|[file, rank]| ('a'..='h').contains(file) && ('1'..='8').contains(rank)).collect()
}

/// The characters drawn within a line's ink; `None` where they are no sound text.
pub fn text_of(line: &CaptionLine, page: &PageText) -> Option<String> {
    let mut own: Vec<&PageGlyph> = page.glyphs.iter().filter(|glyph| within(&line.area, glyph)).collect();
    own.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    // The same character twice at one place: bold by a second stroke.
    own.dedup_by(|b, a| a.text == b.text && (a.x0 - b.x0).abs() < 0.15 * a.size && !a.text.trim().is_empty());
    let mut text = String::new();
    let mut covered = 0.0f32;
    let mut reach = f32::NEG_INFINITY;
    for glyph in own {
        if glyph.text.trim().is_empty() && !glyph.text.is_empty() {
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            continue;
        }
        if glyph.text.is_empty() || !glyph.text.chars().all(is_plausible) {
            return None;
        }
        if !text.is_empty() && !text.ends_with(' ') && glyph.x0 - reach > WORD_SPACE * glyph.size {
            text.push(' ');
        }
        text.push_str(&glyph.text);
        covered += (glyph.x1 - glyph.x0.max(reach)).max(0.0);
        reach = reach.max(glyph.x1);
    }
    let text: String = plain(text.trim());
    let spaces = text.chars().filter(|c| *c == ' ').count() as f32;
    // Word spaces are a third of the type's size; the ink under them is none.
    let width = line.area.width as f32 - spaces * 0.3 * line.capital_height;
    (!text.is_empty() && covered >= COVERED * width).then_some(text)
}

fn within(area: &PixelRect, glyph: &PageGlyph) -> bool {
    let (x, y) = glyph.heart();
    let (left, top) = (area.x as f32, area.y as f32);
    x >= left - 1.0 && x <= left + area.width as f32 + 1.0 && y >= top && y <= top + area.height as f32
}

/// Letters, figures, signs and marks that are printed; neither control characters nor private ones, nor accents that stand
/// by themselves beside the letter that they belong to.
fn is_plausible(c: char) -> bool {
    let private = matches!(c as u32, 0xe000..=0xf8ff | 0xf0000..=0x10ffff);
    !private
        && !c.is_control()
        && c != '\u{fffd}'
        && !matches!(c, '´' | '`' | '¨' | 'ˆ' | '˜' | 'ˇ' | '˘' | '¸' | '˙' | '˝' | '˛')
}

/// Ligatures in letters.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ﬀ' => out.push_str("ff"),
            'ﬁ' => out.push_str("fi"),
            'ﬂ' => out.push_str("fl"),
            'ﬃ' => out.push_str("ffi"),
            'ﬄ' => out.push_str("ffl"),
            'ﬅ' | 'ﬆ' => out.push_str("st"),
            '\u{ad}' => out.push('-'),
            '\u{a0}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a recognizer that may stumble over letters of another language read the same line.
fn alike(text: &str, seen: &str) -> bool {
    let (text, seen): (String, String) =
        (letters(text).into_iter().collect(), letters(seen).into_iter().collect());
    let length = text.chars().count().max(seen.chars().count());
    length > 0 && strsim::levenshtein(&text, &seen) as f32 <= ALIKE * length as f32
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::layout::Claim;
    use super::super::strip::Place;
    use super::*;

    fn line(y: u32, width: u32) -> CaptionLine {
        CaptionLine {
            claims: vec![Claim { board: 0, place: Place::Below, gap: 0.5 }],
            area: PixelRect { x: 100, y, width, height: 20 },
            crop: GrayImage::from_pixel(80, 20, image::Luma([255])),
            capital_height: 14.0,
            ink: 0,
            paper: 255,
            dots: 0,
            pieces: 10,
            dashes: Vec::new(),
        }
    }

    /// Type of 20 pixels, 10 a letter, from (100, base).
    fn set(text: &str, base: f32) -> Vec<PageGlyph> {
        let place = |(i, c): (usize, char)| PageGlyph {
            text: c.to_string(),
            x0: 100.0 + 10.0 * i as f32,
            x1: 110.0 + 10.0 * i as f32,
            base,
            size: 20.0,
        };
        text.chars().enumerate().map(place).collect()
    }

    fn held(file: &str, seen: &str) -> Verdict {
        compare(file, seen, Lexicon::built_in(), &["English", "German"])
    }

    #[test]
    fn the_file_spells_what_is_seen() {
        assert!(held("Weiß am Zug", "WeiB am Zug").takes_file);
        assert!(held("№ 12", "№ 12").takes_file);
        assert!(held("Réti – Löwenfisch, 1921", "Reti – Lowenfisch, 1921").takes_file);
        let line = held("45", "45");
        assert!(line.takes_file && line.doubts.is_empty() && line.sides.is_empty() && !line.unbacked);
    }

    #[test]
    fn another_side_in_the_file_is_a_doubt() {
        let hidden = held("Black to move and win", "White to move and win");
        assert_eq!((hidden.takes_file, &hidden.sides[..]), (false, &[Color::Black][..]));
        // A line that is not seen at all still speaks, and is not believed.
        assert_eq!(held("Black to move", "").sides, [Color::Black]);
    }

    #[test]
    fn a_garbled_file_takes_nothing_from_the_ink() {
        let garbled = held("Xfjuf up npwf", "White to move");
        assert_eq!(garbled, Verdict::default());
        // Nearly the same line without the side in it leaves the side in doubt.
        let nearly = held("Wkite tq move", "White to move");
        assert!(nearly.unbacked || nearly.takes_file, "{nearly:?}");
    }

    #[test]
    fn another_number_or_move_is_a_doubt() {
        let codes = |file: &str, seen: &str| -> Vec<FlagCode> {
            let line = held(file, seen);
            assert!(!line.takes_file, "{file}");
            line.doubts.iter().map(|doubt| doubt.code).collect()
        };
        assert_eq!(codes("46", "45"), [FlagCode::NumberDoubtful]);
        assert!(codes("Solution: 1. Qb5!", "Solution: 1. Rh7!").contains(&FlagCode::SolutionIllegal));
        assert!(codes("Mate in 2", "Mate in 3").contains(&FlagCode::StipulationUnsound));
    }

    #[test]
    fn characters_that_nobody_prints_are_no_text() {
        let read = |text: &str| {
            let page = PageText { glyphs: set(text, 216.0) };
            text_of(&line(200, 10 * text.chars().count() as u32), &page)
        };
        assert_eq!(read("White to move").as_deref(), Some("White to move"));
        assert_eq!(read("White \u{e123}o move"), None);
        // An accent beside its letter, or ink that no character explains.
        assert_eq!(read("Schwarz und Weiß ¨uber"), None);
        let page = PageText { glyphs: set("White", 216.0) };
        assert_eq!(text_of(&line(200, 130), &page), None);
    }

    #[test]
    fn gaps_are_word_spaces_and_ligatures_letters() {
        let mut glyphs = set("Fi", 216.0);
        glyphs.extend(set("ﬁx", 216.0).into_iter().map(|g| PageGlyph {
            x0: g.x0 + 26.0,
            x1: g.x1 + 26.0,
            ..g
        }));
        let page = PageText { glyphs };
        assert_eq!(text_of(&line(200, 46), &page), Some("Fi fix".to_owned()));
    }
}
