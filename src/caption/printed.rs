//! The file's own text in place of the recognizer's, where it is sound.
//!
//! A typeset PDF says which characters it draws. That may be wrong: a font may carry no table of what its glyphs
//! mean, or a false one. So the text counts only where ink is seen, character by character plausible, and in fonts
//! of which the recognizer has read a line or two and found the same.

use super::facts::PixelRect;
use super::language::LineText;
use super::layout::CaptionLine;
use super::ocr::{OcrError, TextReader};
use crate::page::{PageGlyph, PageText};

/// A gap between characters that is no word space, in sizes of the type: word spaces are a quarter, 0.17 where
/// a justified line is narrow.
const WORD_SPACE: f32 = 0.16;
/// How much of a line's ink the text must stand under, from left to right.
const COVERED: f32 = 0.8;
/// Letters that a recognized line must have to prove a font.
const PROOF: usize = 5;
/// Share of letters that may differ between the text and what the recognizer reads of it.
const ALIKE: f32 = 0.25;
/// A font found wrong or right by so many lines is settled.
const SETTLED: i32 = 2;
/// Fonts remembered; a book has a dozen.
const MOST_FONTS: usize = 256;

/// What is known of the fonts of the files read so far.
#[derive(Debug, Default)]
pub struct FontProofs {
    /// File and font; lines that agreed less lines that did not. The latest met last.
    known: Vec<((u64, u64), i32)>,
}

impl FontProofs {
    fn of(&self, font: (u64, u64)) -> i32 {
        self.known.iter().find(|(known, _)| *known == font).map_or(0, |(_, lines)| *lines)
    }

    fn note(&mut self, font: (u64, u64), agrees: bool) {
        let step = if agrees { 1 } else { -1 };
        match self.known.iter_mut().find(|(known, _)| *known == font) {
            Some((_, lines)) => *lines += step,
            None => {
                if self.known.len() >= MOST_FONTS {
                    self.known.remove(0);
                }
                self.known.push((font, step));
            }
        }
    }
}

/// Puts the file's text into the lines that it is sound for ([`CaptionLine::given`]). `read` recognizes a line;
/// it is asked only for lines in fonts that nothing is known of.
pub fn give_text(
    lines: &mut [CaptionLine],
    page: &PageText,
    proofs: &mut FontProofs,
    reader: &mut dyn TextReader,
    read: fn(&CaptionLine, &mut dyn TextReader) -> Result<LineText, OcrError>,
) -> Result<(), (usize, OcrError)> {
    let texts: Vec<Option<(String, Vec<u64>)>> = lines.iter().map(|line| text_of(line, page)).collect();
    // The longest lines prove most.
    let mut order: Vec<usize> = (0..lines.len()).filter(|&i| texts[i].is_some()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(texts[i].as_ref().map_or(0, |(text, _)| letters(text).len())));
    for &i in &order {
        let Some((text, fonts)) = &texts[i] else { continue };
        let unknown = |font: &u64| proofs.of((page.file, *font)).abs() < SETTLED;
        if !fonts.iter().any(unknown) {
            continue;
        }
        let seen = read(&lines[i], reader).map_err(|error| (i, error))?;
        // A number that is read as it is given proves something; one that is not may have been misread.
        let is_long = letters(text).len() >= PROOF;
        let agrees = if is_long { alike(text, &seen.text) } else { letters(text) == letters(&seen.text) };
        if is_long || agrees {
            for &font in fonts {
                proofs.note((page.file, font), agrees);
            }
        }
    }
    for (line, text) in lines.iter_mut().zip(texts) {
        let Some((text, fonts)) = text else { continue };
        if fonts.iter().all(|&font| proofs.of((page.file, font)) >= 1) {
            let words = text.split_whitespace().map(|word| (word.to_owned(), 1.0)).collect();
            line.given = Some(LineText { text, confidence: 1.0, words });
        }
    }
    Ok(())
}

/// The characters drawn within a line's ink, with their fonts; `None` where they are no sound text.
fn text_of(line: &CaptionLine, page: &PageText) -> Option<(String, Vec<u64>)> {
    let mut own: Vec<&PageGlyph> = page.glyphs.iter().filter(|glyph| within(&line.area, glyph)).collect();
    own.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    // The same character twice at one place: bold by a second stroke.
    own.dedup_by(|b, a| a.text == b.text && (a.x0 - b.x0).abs() < 0.15 * a.size && !a.text.trim().is_empty());
    let mut text = String::new();
    let mut fonts: Vec<u64> = Vec::new();
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
        if !fonts.contains(&glyph.font) {
            fonts.push(glyph.font);
        }
    }
    let text: String = plain(text.trim());
    let spaces = text.chars().filter(|c| *c == ' ').count() as f32;
    // Word spaces are a third of the type's size; the ink under them is none.
    let width = line.area.width as f32 - spaces * 0.3 * line.capital_height;
    (!text.is_empty() && covered >= COVERED * width).then_some((text, fonts))
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
    use super::super::ocr::FakeReader;
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
            given: None,
        }
    }

    /// Type of 20 pixels, 10 a letter, from (100, base).
    fn set(text: &str, base: f32, font: u64) -> Vec<PageGlyph> {
        let place = |(i, c): (usize, char)| PageGlyph {
            text: c.to_string(),
            x0: 100.0 + 10.0 * i as f32,
            x1: 110.0 + 10.0 * i as f32,
            base,
            size: 20.0,
            font,
        };
        text.chars().enumerate().map(place).collect()
    }

    /// What is given for lines at 200 and 240 when the recognizer sees `seen` in each; and how often it was asked.
    fn given(first: &str, second: &str, seen: &str) -> (Vec<Option<String>>, usize) {
        let mut glyphs = set(first, 216.0, 1);
        glyphs.extend(set(second, 256.0, 1));
        let page = PageText { glyphs, file: 7 };
        let width = |text: &str| 10 * text.chars().count() as u32;
        let mut lines = [line(200, width(first)), line(240, width(second))];
        let mut asked = 0;
        let mut reader = FakeReader {
            answer: |_: &GrayImage| {
                asked += 1;
                seen.to_owned()
            },
            languages: vec!["eng".into()],
        };
        let read = super::super::language::read_line;
        give_text(&mut lines, &page, &mut FontProofs::default(), &mut reader, read).unwrap();
        (lines.into_iter().map(|line| line.given.map(|text| text.text)).collect(), asked)
    }

    #[test]
    fn text_that_the_picture_proves_is_taken() {
        let (texts, asked) = given("Weiß am Zug", "№ 12", "WeiB am Zug");
        assert_eq!(texts, [Some("Weiß am Zug".to_owned()), Some("№ 12".to_owned())]);
        // The font is settled by two lines, of which the second was misread and is short.
        assert_eq!(asked, 2);
    }

    #[test]
    fn text_that_the_picture_belies_is_not() {
        assert_eq!(given("Xfjà bn Avh", "No 12", "Weiß am Zug").0, [None, None]);
        // Nor where nothing proves it: short lines prove only when they agree.
        assert_eq!(given("45", "46", "45").0, [Some("45".to_owned()), Some("46".to_owned())]);
        assert_eq!(given("45", "46", "47").0, [None, None]);
    }

    #[test]
    fn characters_that_nobody_prints_are_no_text() {
        assert_eq!(given("White \u{e123}o move", "White to move", "White to move").0[0], None);
        // An accent beside its letter, or ink that no character explains.
        assert_eq!(given("Schwarz und Weiß ¨uber", "Zug um Zug", "Zug um Zug").0[0], None);
        let page = PageText { glyphs: set("White", 216.0, 1), file: 7 };
        assert_eq!(text_of(&line(200, 130), &page), None);
    }

    #[test]
    fn gaps_are_word_spaces_and_ligatures_letters() {
        let mut glyphs = set("Fi", 216.0, 1);
        glyphs.extend(set("ﬁx", 216.0, 2).into_iter().map(|g| PageGlyph {
            x0: g.x0 + 26.0,
            x1: g.x1 + 26.0,
            ..g
        }));
        let page = PageText { glyphs, file: 7 };
        assert_eq!(text_of(&line(200, 46), &page), Some(("Fi fix".to_owned(), vec![1, 2])));
    }

    #[test]
    fn a_font_is_proved_once_a_file() {
        let mut proofs = FontProofs::default();
        proofs.note((7, 1), true);
        proofs.note((7, 1), true);
        assert_eq!((proofs.of((7, 1)), proofs.of((8, 1)), proofs.of((7, 2))), (2, 0, 0));
    }
}
