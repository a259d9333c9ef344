//! Which language a page's captions are in: by the phrases understood in them and, where the first reading
//! gives letters without sense, by trying other scripts.

use super::dashes::set_dashes;
use super::layout::CaptionLine;
use super::lexicon::Lexicon;
use super::names::{Names, names};
use super::ocr::{OcrError, TextReader, TextShape, prepare};
use super::phrase::Kind;
use super::script::{
    Script, belongs, candidates, is_shared, lexicon_language, script_of, shares_no_letters, sibling,
    tesseract_language,
};
use super::sense::lone_letter;
use super::signs::{by_signs, read_signs};

/// The text of one caption line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineText {
    pub text: String,
    /// The recognizer's mean confidence, 0 to 1.
    pub confidence: f32,
    /// Words with the confidence in each.
    pub words: Vec<(String, f32)>,
    /// What a second reader makes of its figures, where that is something else.
    pub other: Option<String>,
}

/// A line read with less confidence and without sense may be in another script.
const FOREIGN: f32 = 0.82;
/// A script that shares no letters with the first is read far worse in it: rubbish, not misspelt words. What is above is never
/// tried in all those scripts, each of which costs an engine.
const FAR_FOREIGN: f32 = 0.6;
/// Lines tried in other scripts.
const MOST_TRIED: usize = 3;
/// Dirt is read as letters too, but less surely.
const SURE_LETTER: f32 = 0.75;
/// Pixels of a letter that is worth a second look.
const LEAST_LETTER: f32 = 9.0;
/// Lines read before all others to tell the language.
const PROBES: usize = 3;
/// Changes of language on one page at most.
const MOST_ROUNDS: usize = 2;
/// Without an understood phrase another script must be read so surely, ...
const SURE: f32 = 0.75;
/// ... and so much more surely than the first.
const SURER: f32 = 0.1;

/// The second look at a number is so much closer.
const SECOND_LOOK: f32 = 1.4;

/// Reads all lines. A reader that can switch languages is left in the one that was found.
pub fn read_lines(
    lines: &[&CaptionLine],
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<Vec<LineText>, (usize, OcrError)> {
    let several = !reader.others().is_empty();
    let mut texts: Vec<Option<LineText>> = vec![None; lines.len()];
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    // A few lines tell the language of most pages; the rest is then read once, in that language.
    let first = if several { probes(lines) } else { Vec::new() };
    let of_first: Vec<&CaptionLine> = first.iter().map(|&i| lines[i]).collect();
    let told = read_and_settle(&of_first, vec![None; first.len()], reader, lexicon)
        .map_err(|(at, error)| (first.get(at).copied().unwrap_or(0), error))?;
    for (at, text) in first.into_iter().zip(told) {
        texts[at] = Some(text);
    }
    read_and_settle(lines, texts, reader, lexicon)
}

/// Reads what is not read yet, and all of it again where that shows another language.
fn read_and_settle(
    lines: &[&CaptionLine],
    known: Vec<Option<LineText>>,
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<Vec<LineText>, (usize, OcrError)> {
    let mut texts = Vec::with_capacity(lines.len());
    for (i, (line, text)) in lines.iter().zip(known).enumerate() {
        texts.push(match text {
            Some(text) => text,
            None => read_line(line, reader).map_err(|error| (i, error))?,
        });
    }
    if reader.others().is_empty() || lines.is_empty() {
        return Ok(texts);
    }
    // Another script may show a language of its own: English letters that turn out to be German.
    for _ in 0..MOST_ROUNDS {
        if !read_again(lines, &mut texts, reader, lexicon)? {
            break;
        }
    }
    read_by_sibling(lines, &mut texts, reader, lexicon)?;
    read_in_latin(lines, &mut texts, reader, lexicon)?;
    Ok(texts)
}

/// Reads what has no sense in the data of the same script's other spelling: books in simplified signs quote captions in
/// traditional ones, and the other way about.
fn read_by_sibling(
    lines: &[&CaptionLine],
    texts: &mut [LineText],
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<(), (usize, OcrError)> {
    let own = reader.languages().first().cloned().unwrap_or_default();
    let Some(sibling) = sibling(&own) else { return Ok(()) };
    let senseless: Vec<usize> = (0..lines.len())
        .filter(|&i| texts[i].text.chars().any(char::is_alphabetic) && !has_sense(&texts[i].text, lexicon))
        .collect();
    if senseless.is_empty() || !reader.others().iter().any(|other| other == sibling) {
        return Ok(());
    }
    reader.switch(sibling).map_err(|error| (0, error))?;
    for i in senseless {
        let again = read_line(lines[i], reader).map_err(|error| (i, error))?;
        if has_sense(&again.text, lexicon) {
            texts[i] = again;
        }
    }
    reader.switch(&own).map_err(|error| (0, error))
}

/// Reads what has no sense in a Cyrillic or Greek page's language in Latin letters: such books label some diagrams so ("Diagram 38").
/// Only a number with its label or a phrase is taken: letters of the wrong alphabet soon look like a name.
fn read_in_latin(
    lines: &[&CaptionLine],
    texts: &mut [LineText],
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<(), (usize, OcrError)> {
    let own = reader.languages().first().cloned().unwrap_or_default();
    if !matches!(script_of(&own), Script::Cyrillic | Script::Greek) {
        return Ok(());
    }
    let Some(latin) = tesseract_language("en", &reader.others()) else { return Ok(()) };
    let senseless: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].pieces >= LEAST_PIECES && texts[i].text.chars().any(char::is_alphabetic))
        .filter(|&i| !has_sense(&texts[i].text, lexicon))
        .collect();
    if senseless.is_empty() {
        return Ok(());
    }
    reader.switch(&latin).map_err(|error| (0, error))?;
    for i in senseless {
        let again = read_line(lines[i], reader).map_err(|error| (i, error))?;
        let told = names(&again.text, lexicon).labelled || !phrases(&again.text, lexicon).is_empty();
        if told && again.confidence >= SURE {
            texts[i] = again;
        }
    }
    reader.switch(&own).map_err(|error| (0, error))
}

/// Fewer pieces of ink than three signs of the simplest kind tell no script.
const LEAST_PIECES: usize = 3;

/// The lines read first on a page of many: the longest, which are phrases or names.
fn probes(lines: &[&CaptionLine]) -> Vec<usize> {
    if lines.len() <= 2 * PROBES {
        return Vec::new();
    }
    let mut longest: Vec<usize> = (0..lines.len()).collect();
    longest.sort_by_key(|&i| std::cmp::Reverse(lines[i].pieces));
    longest.truncate(PROBES);
    longest
}

/// Looks for a better language, and reads the lines again in it; whether one was found.
fn read_again(
    lines: &[&CaptionLine],
    texts: &mut [LineText],
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<bool, (usize, OcrError)> {
    let others = reader.others();
    let before = reader.languages().first().cloned().unwrap_or_default();
    let found = match spoken(&texts.iter().collect::<Vec<_>>(), lexicon) {
        Some(language) => tesseract_language(&language, &others),
        None => other_script(lines, texts, &before, &others, reader, lexicon).map_err(|error| (0, error))?,
    };
    let Some(found) = found.filter(|found| *found != before) else { return Ok(false) };
    reader.switch(&found).map_err(|error| (0, error))?;
    let other_alphabet = script_of(&found) != script_of(&before);
    for (i, line) in lines.iter().enumerate() {
        // Figures alone are the same in both.
        if !texts[i].text.chars().any(char::is_alphabetic) && !other_alphabet {
            continue;
        }
        let again = read_line(line, reader).map_err(|error| (i, error))?;
        let lost = has_sense(&texts[i].text, lexicon) && !has_sense(&again.text, lexicon);
        if !lost {
            texts[i] = again;
        }
    }
    Ok(true)
}

/// Recognizes a line.
pub fn read_line(line: &CaptionLine, reader: &mut dyn TextReader) -> Result<LineText, OcrError> {
    let crop = prepare(&line.crop, line.capital_height, line.ink, line.paper);
    let read = reader.read(&crop, TextShape::Line)?;
    let text = read.iter().map(|t| t.text.trim()).collect::<Vec<_>>().join(" ").trim().to_owned();
    let confidence = read.iter().map(|t| t.confidence).fold(1.0, f32::min);
    let words = read.into_iter().flat_map(|t| t.words).collect();
    let mut line_text = LineText { text, confidence, words, other: None };
    set_dashes(&mut line_text, &line.dashes);
    if let Some(better) = read_signs(line).and_then(|signs| by_signs(&mut line_text, signs)) {
        return Ok(better);
    }
    if !may_be_letter(line) || lone_letter(&line_text.text).is_some() {
        return Ok(line_text);
    }
    let letter = reader.read(&crop, TextShape::Letter)?;
    Ok(match &letter[..] {
        [only]
            if only.confidence >= SURE_LETTER
                && lone_letter(&only.text).is_some_and(|l| l.chars().all(char::is_alphabetic)) =>
        {
            LineText {
                text: only.text.trim().to_owned(),
                confidence: only.confidence,
                words: only.words.clone(),
                other: None,
            }
        }
        _ => line_text,
    })
}

/// Reads a line again as one word, larger: figures that were misread among others.
pub fn read_word(line: &CaptionLine, reader: &mut dyn TextReader) -> Result<String, OcrError> {
    let crop = prepare(&line.crop, line.capital_height / SECOND_LOOK, line.ink, line.paper);
    let read = reader.read(&crop, TextShape::Word)?;
    Ok(read.iter().map(|t| t.text.trim()).collect::<Vec<_>>().join(" "))
}

/// One piece of ink, or two for a letter with an accent, about as wide as high.
fn may_be_letter(line: &CaptionLine) -> bool {
    let (width, height) = (line.crop.width() as f32, line.crop.height() as f32);
    line.pieces <= 2 && height >= LEAST_LETTER && (0.4..1.7).contains(&(width / height))
}

/// The languages in which single letters by the boards are to be taken, by the lexicon's names, and whether
/// they are sure: given, told by the page's phrases, or without any other meaning.
pub fn letter_languages(
    texts: &[&LineText],
    reader: &dyn TextReader,
    lexicon: &Lexicon,
) -> (Vec<String>, bool) {
    let given: Vec<String> =
        reader.languages().iter().filter_map(|l| lexicon_language(l)).map(str::to_owned).collect();
    if reader.others().is_empty() {
        return (given, true);
    }
    if let Some(language) = spoken(texts, lexicon) {
        return (vec![language], true);
    }
    let mut seen: Vec<&str> = texts.iter().filter_map(|t| lone_letter(&t.text)).collect();
    // A triangle or a ring that was not made out is read as these: they follow other letters, and prove nothing themselves.
    seen.retain(|letter| lexicon.is_side_letter(letter) && !"VvOo0".contains(letter));
    if seen.is_empty() {
        return (Vec::new(), false);
    }
    let (languages, agreed) = lexicon.languages_of_letters(&seen);
    // One letter may be dirt, or the sign of something else.
    (languages.into_iter().map(str::to_owned).collect(), agreed && seen.len() >= 2)
}

/// The language of most phrases, by letters; `None` without any phrase. A phrase of several languages counts
/// for the one that is found first in the lexicon.
fn spoken(texts: &[&LineText], lexicon: &Lexicon) -> Option<String> {
    let mut votes: Vec<(String, usize)> = Vec::new();
    for (language, letters) in texts.iter().flat_map(|t| phrases(&t.text, lexicon)) {
        match votes.iter_mut().find(|(name, _)| *name == language) {
            Some(vote) => vote.1 += letters,
            None => votes.push((language, letters)),
        }
    }
    votes.into_iter().max_by_key(|&(_, letters)| letters).map(|(language, _)| language)
}

/// Whether a phrase, a number or a name is understood in a text.
fn has_sense(text: &str, lexicon: &Lexicon) -> bool {
    !phrases(text, lexicon).is_empty() || names(text, lexicon) != Names::default()
}

/// Languages and lengths of the phrases in a text.
fn phrases(text: &str, lexicon: &Lexicon) -> Vec<(String, usize)> {
    let found = lexicon.find(text).into_iter();
    found
        .filter(|p| !matches!(p.kind, Kind::Trap | Kind::Question) && p.span.len() >= 6)
        .map(|p| (p.language, p.span.len()))
        .collect()
}

/// Tries the least legible lines without sense in one language of each other script.
fn other_script(
    lines: &[&CaptionLine],
    texts: &[LineText],
    before: &str,
    others: &[String],
    reader: &mut dyn TextReader,
    lexicon: &Lexicon,
) -> Result<Option<String>, OcrError> {
    let mut doubtful: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].pieces >= LEAST_PIECES && texts[i].confidence < FOREIGN)
        .collect();
    // The least legible first: running text in the first language may have come along.
    doubtful.sort_by(|&a, &b| texts[a].confidence.total_cmp(&texts[b].confidence));
    doubtful.truncate(MOST_TRIED);
    if doubtful.is_empty() {
        return Ok(None);
    }
    let first = doubtful.iter().map(|&i| texts[i].confidence).sum::<f32>() / doubtful.len() as f32;
    let mut best: Option<(f32, String)> = None;
    let mut tried = candidates(before, others);
    let mut at = 0;
    while let Some(candidate) = tried.get(at).cloned() {
        at += 1;
        if shares_no_letters(script_of(&candidate), script_of(before)) && first > FAR_FOREIGN {
            continue;
        }
        reader.switch(&candidate)?;
        let mut confidence = 0.0;
        for &i in &doubtful {
            let read = read_line(lines[i], reader)?;
            if !phrases(&read.text, lexicon).is_empty() {
                return Ok(Some(candidate));
            }
            let script = script_of(&candidate);
            // Capitals that two alphabets share prove neither.
            let own = read.text.chars().filter(|c| belongs(*c, script) && !is_shared(*c)).count();
            let letters = read.text.chars().filter(|c| c.is_alphabetic()).count();
            let least = if matches!(script, Script::Greek | Script::Cyrillic) { 4 } else { 7 };
            if own >= 3 && 10 * own >= least * letters {
                confidence += read.confidence / doubtful.len() as f32;
            }
        }
        // Read in the letters of another language: as sure as rubbish, but the alphabet is told.
        if confidence > 0.0 && script_of(&candidate) == Script::Cyrillic {
            let alike =
                others.iter().filter(|other| script_of(other) == Script::Cyrillic && !tried.contains(other));
            let alike: Vec<String> = alike.cloned().collect();
            tried.splice(at..at, alike);
        }
        if confidence >= SURE && confidence >= first + SURER && best.as_ref().is_none_or(|b| confidence > b.0)
        {
            best = Some((confidence, candidate));
        }
    }
    if best.is_none() {
        reader.switch(before)?;
    }
    Ok(best.map(|(_, language)| language))
}

/// Begins a page: in the language of a code ("de"), where a person said it of the book and the reader can, else in the reader's
/// own. Nothing of the page before stays: whichever worker reads a page, it reads it alike.
///
/// # Errors
/// When the language's data cannot be loaded.
pub fn begin_page(code: Option<&str>, reader: &mut dyn TextReader) -> Result<(), OcrError> {
    reader.go_home()?;
    match code.and_then(|code| tesseract_language(code, &reader.others())) {
        Some(found) => reader.switch(&found),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::PixelRect;
    use super::super::TextLine;
    use super::super::layout::Claim;
    use super::super::strip::Place;
    use super::*;

    /// Answers by language; remembers the switches.
    struct Polyglot {
        answers: Vec<(&'static str, &'static str, f32)>,
        active: Vec<String>,
        reads: usize,
    }

    impl TextReader for Polyglot {
        fn read(&mut self, _: &GrayImage, _: TextShape) -> Result<Vec<TextLine>, OcrError> {
            self.reads += 1;
            let (_, text, confidence) = *self.answers.iter().find(|a| a.0 == self.active[0]).unwrap();
            let area = PixelRect::default();
            Ok(vec![TextLine { text: text.into(), area, confidence, words: Vec::new() }])
        }

        fn languages(&self) -> &[String] {
            &self.active
        }

        fn others(&self) -> Vec<String> {
            self.answers.iter().map(|a| a.0.to_owned()).filter(|l| *l != self.active[0]).collect()
        }

        fn switch(&mut self, language: &str) -> Result<(), OcrError> {
            self.active = vec![language.to_owned()];
            Ok(())
        }

        fn go_home(&mut self) -> Result<(), OcrError> {
            self.switch("eng")
        }
    }

    /// Passes over letters as a line, and reads them one by one.
    struct LetterByLetter(Vec<String>, f32);

    impl TextReader for LetterByLetter {
        fn read(&mut self, _: &GrayImage, shape: TextShape) -> Result<Vec<TextLine>, OcrError> {
            let text = if shape == TextShape::Letter { "W" } else { "" };
            Ok(vec![TextLine {
                text: text.into(),
                area: PixelRect::default(),
                confidence: self.1,
                words: Vec::new(),
            }])
        }

        fn languages(&self) -> &[String] {
            &self.0
        }
    }

    #[test]
    fn a_lone_letter_is_looked_at_again() {
        let letter =
            CaptionLine { pieces: 1, crop: GrayImage::from_pixel(20, 20, image::Luma([255])), ..line() };
        let read = |line: &CaptionLine, confidence| {
            let mut reader = LetterByLetter(vec!["eng".into()], confidence);
            read_lines(&[line], &mut reader, Lexicon::built_in()).unwrap()[0].text.clone()
        };
        assert_eq!(read(&letter, 0.9), "W");
        assert_eq!(read(&letter, 0.5), "");
        assert_eq!(read(&line(), 0.9), "");
    }

    #[test]
    fn letters_that_look_like_marks_prove_no_language() {
        let reader = Polyglot {
            answers: vec![("eng", "", 0.9), ("swe", "", 0.9)],
            active: vec!["eng".into()],
            reads: 0,
        };
        let told = |letters: &[&str]| {
            let texts: Vec<LineText> =
                letters.iter().map(|l| LineText { text: (*l).to_owned(), ..LineText::default() }).collect();
            letter_languages(&texts.iter().collect::<Vec<_>>(), &reader, Lexicon::built_in()).0
        };
        let side = |languages: &[String]| {
            let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
            Lexicon::built_in().letter("V", &languages)
        };
        assert!(told(&["S", "V"]).iter().any(|language| language == "sv"));
        assert_eq!(side(&told(&["S", "V"])), Some(crate::chess::Color::White));
        assert!(told(&["W", "B"]).contains(&"en".to_owned()));
    }

    fn line() -> CaptionLine {
        CaptionLine {
            claims: vec![Claim { board: 0, place: Place::Below, gap: 0.5 }],
            area: PixelRect::default(),
            crop: GrayImage::from_pixel(80, 20, image::Luma([255])),
            capital_height: 14.0,
            ink: 0,
            paper: 255,
            dots: 0,
            pieces: 10,
            dashes: Vec::new(),
        }
    }

    fn read(answers: &[(&'static str, &'static str, f32)]) -> (String, String, usize) {
        let mut reader = Polyglot { answers: answers.to_vec(), active: vec!["eng".into()], reads: 0 };
        let line = line();
        let texts = read_lines(&[&line], &mut reader, Lexicon::built_in()).unwrap();
        (texts[0].text.clone(), reader.active[0].clone(), reader.reads)
    }

    #[test]
    fn the_language_is_found_by_phrase_and_by_script() {
        let deu = ("deu", "Weiß am Zug", 0.95);
        // Understood in English already, then read again for its letters.
        assert_eq!(read(&[("eng", "WeiB am Zug", 0.9), deu]), ("Weiß am Zug".into(), "deu".into(), 2));
        let rus = ("rus", "Ход белых", 0.9);
        assert_eq!(read(&[("eng", "Xon Gemex", 0.5), deu, rus]), ("Ход белых".into(), "rus".into(), 3));
        // What is read surely is not tried again.
        assert_eq!(read(&[("eng", "Mieses, Bad", 0.95), deu, rus]), ("Mieses, Bad".into(), "eng".into(), 1));
        // Rubbish in every script stays where it was.
        let rubbish = ("rus", "-- Ы q", 0.4);
        assert_eq!(read(&[("eng", "xy zz", 0.4), rubbish]), ("xy zz".into(), "eng".into(), 2));
    }

    #[test]
    fn a_few_lines_tell_the_language_of_many() {
        let answers = [("eng", "WeiB am Zug", 0.9), ("deu", "Weiß am Zug", 0.95)];
        let mut reader = Polyglot { answers: answers.to_vec(), active: vec!["eng".into()], reads: 0 };
        let line = line();
        let texts = read_lines(&[&line; 10], &mut reader, Lexicon::built_in()).unwrap();
        assert!(texts.iter().all(|text| text.text == "Weiß am Zug"));
        assert_eq!((reader.active[0].as_str(), reader.reads), ("deu", 13));
        // The next page begins where this one began.
        begin_page(None, &mut reader).unwrap();
        assert_eq!(reader.active[0], "eng");
        begin_page(Some("de"), &mut reader).unwrap();
        assert_eq!(reader.active[0], "deu");
    }

    #[test]
    fn languages_of_one_alphabet_are_tried_too() {
        let answers =
            [("eng", "xy zz ww", 0.6), ("rus", "Ыл! починають", 0.8), ("ukr", "Білі починають", 0.9)];
        assert_eq!(read(&answers).0, "Білі починають");
        let others: Vec<String> = ["eng", "jpn", "ukr"].map(str::to_owned).to_vec();
        assert_eq!(candidates("rus", &others), ["ukr", "eng", "jpn"]);
        // Even where Russian is read with little trust.
        let answers =
            [("eng", "xy zz ww", 0.6), ("rus", "Ыл! починають", 0.5), ("ukr", "Білі починають", 0.9)];
        assert_eq!(read(&answers).0, "Білі починають");
        // What reads like misspelt English is not tried in Japanese.
        assert_eq!(read(&[("eng", "Mleses, Bab", 0.7), ("jpn", "白番", 0.9)]).0, "Mleses, Bab");
        assert_eq!(read(&[("eng", "AF", 0.3), ("jpn", "白番", 0.9)]).0, "白番");
    }

    #[test]
    fn a_latin_label_in_a_cyrillic_book_is_read_in_latin() {
        let label = CaptionLine { pieces: 9, ..line() };
        let read = |answers: &[(&'static str, &'static str, f32)]| {
            let mut reader = Polyglot { answers: answers.to_vec(), active: vec!["rus".into()], reads: 0 };
            let mut texts = vec![read_line(&label, &mut reader).unwrap()];
            read_in_latin(&[&label], &mut texts, &mut reader, Lexicon::built_in()).unwrap();
            (texts.remove(0).text, reader.active.remove(0))
        };
        let rubbish = ("rus", "ПЛазташ", 0.5);
        assert_eq!(read(&[rubbish, ("eng", "Diagram 60", 0.95)]), ("Diagram 60".into(), "rus".into()));
        assert_eq!(read(&[rubbish, ("eng", "Diagram 60", 0.5)]).0, "ПЛазташ");
        assert_eq!(read(&[rubbish, ("eng", "IInatam – Xon", 0.95)]).0, "ПЛазташ");
        assert_eq!(read(&[("rus", "Ход белых", 0.9), ("eng", "Diagram 60", 0.95)]).0, "Ход белых");
    }

    #[test]
    fn one_language_a_script_is_tried() {
        use super::super::script::one_a_script;
        let others: Vec<String> = ["bul", "deu", "jpn", "rus", "ukr"].map(str::to_owned).to_vec();
        assert_eq!(one_a_script("eng", &others), ["rus", "jpn"]);
        assert_eq!(one_a_script("rus", &others), ["jpn", "deu"]);
        assert_eq!(one_a_script("spa", &["eng".to_owned(), "deu".to_owned()]), ["eng"]);
        assert_eq!(tesseract_language("pt-BR", &["por".to_owned()]).as_deref(), Some("por"));
    }
}
