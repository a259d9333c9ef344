//! The phrases that say who moves, in all languages of the lexicon, and finding them in text read by OCR.
//!
//! The data are two tables: `lexicon.tsv` (language, phrase, side, kind) and `words.tsv` (language, kind,
//! word, value: pairs of colour words, number words, words for "after"). A phrase that names one colour
//! also stands for its mirror image with the other. Users add rows of the first table in a file of their own.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::OnceLock;

use crate::chess::Color;

use super::approx::{self, EDIT, Glyph};
use super::fold::{Count, NUMBER, Symbol, fold, letters};
use super::phrase::{Kind, LETTER, Phrase, PhraseMatch, Says, allowed, merit};
use super::words::{Words, find_word, read_words};

const PHRASES: &str = include_str!("lexicon.tsv");

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line} of the phrase table: {reason}")]
pub struct LexiconError {
    pub line: usize,
    pub reason: String,
}

/// All phrases, ready for search.
#[derive(Debug)]
pub struct Lexicon {
    phrases: Vec<Phrase>,
    /// In order, so that each run finds the same language first.
    words: BTreeMap<String, Words>,
    /// (language, letter folded) of single letters printed by a board.
    letters: HashMap<(String, Vec<char>), Color>,
    /// Folded words before a diagram's number ("diagram", "nr", "fig").
    labels: Vec<Vec<char>>,
}

impl Lexicon {
    /// The built-in lexicon, made once.
    pub fn built_in() -> &'static Lexicon {
        static BUILT_IN: OnceLock<Lexicon> = OnceLock::new();
        // The tables are part of the program and a test reads them: an error here cannot come from outside.
        BUILT_IN.get_or_init(|| Lexicon::new(&[PHRASES], false).expect("the built-in phrase table is sound"))
    }

    /// The built-in lexicon and the rows of a user's table: language, phrase, side (`w`, `b`, `both`, `none`),
    /// kind, parted by tabs; empty lines, lines that begin with `#` and a heading are passed over.
    pub fn with_table(table: &str) -> Result<Lexicon, LexiconError> {
        // The user's table first, so that errors name its lines; its rows win over equal built-in ones.
        Lexicon::new(&[table], true)?;
        Lexicon::new(&[table, PHRASES], false)
    }

    fn empty() -> Lexicon {
        Lexicon { phrases: Vec::new(), words: BTreeMap::new(), letters: HashMap::new(), labels: Vec::new() }
    }

    fn new(tables: &[&str], strict: bool) -> Result<Lexicon, LexiconError> {
        let mut lexicon = Lexicon::empty();
        lexicon.words = read_words();
        let mut rows: Vec<(String, String, Says, Kind)> = Vec::new();
        for table in tables {
            for (i, line) in table.lines().enumerate() {
                let error = |reason: String| LexiconError { line: i + 1, reason };
                let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
                let comment = line.starts_with('#') && cells.len() < 4;
                if line.trim().is_empty() || comment || cells[0] == "language" {
                    continue;
                }
                if cells.len() < 4 || cells[1].is_empty() {
                    return Err(error(format!(
                        "language, phrase, side and kind are wanted, parted by tabs, not {line:?}"
                    )));
                }
                let says = Says::parse(cells[2])
                    .ok_or_else(|| error(format!("side {:?} is none of w, b, both, none", cells[2])))?;
                match (cells[3], Kind::parse(cells[3])) {
                    ("letter", _) => {
                        if let Says::Side(side) = says {
                            let key = (cells[0].to_owned(), letters(&fold(cells[1], &[])));
                            lexicon.letters.entry(key).or_insert(side);
                        }
                    }
                    ("number", _) => lexicon.add_label(cells[1]),
                    (_, Some(kind)) => rows.push((cells[0].to_owned(), cells[1].to_owned(), says, kind)),
                    (kind, None) if strict && !OTHER_KINDS.contains(&kind) => {
                        return Err(error(format!("unknown kind {kind:?}")));
                    }
                    _ => {}
                }
            }
        }
        for (language, text, says, kind) in &rows {
            lexicon.add_phrase(language, text, *says, *kind);
        }
        for (language, text, says, kind) in &rows {
            if matches!(kind, Kind::Either | Kind::Question) {
                continue;
            }
            if let Some(mirror) = lexicon.mirror(language, text) {
                lexicon.add_phrase(language, &mirror, says.mirrored(), *kind);
            }
        }
        lexicon.set_bounds();
        Ok(lexicon)
    }

    fn counts(&self, language: &str) -> &[Count] {
        self.words.get(language).map_or(&[], |words| &words.counts)
    }

    fn add_phrase(&mut self, language: &str, text: &str, says: Says, kind: Kind) {
        let symbols = fold(text, self.counts(language));
        // Phrases of several sentences are found by their sentences; those that show a move ("after 17.Rd1")
        // are read by their grammar; one or two letters of an alphabet are found everywhere.
        let sentences = symbols.iter().filter(|s| s.sentence).count();
        let shows_move = kind == Kind::AfterMove && !self.names_colour(language, &symbols);
        // Piece lists and results have no wording of their own; "mate in 0" is told by its number.
        let unworded =
            kind == Kind::Trap && (text.contains(':') || symbols.iter().any(|s| s.letter == NUMBER));
        if symbols.is_empty() || sentences > 1 || shows_move || unworded || language == "*" {
            return;
        }
        let letters = letters(&symbols);
        if self.phrases.iter().any(|p| p.language == language && p.letters == letters) {
            return;
        }
        let names_colour = self.names_colour(language, &symbols);
        let glyphs = Glyph::all(&letters);
        self.phrases.push(Phrase {
            language: language.to_owned(),
            text: text.to_owned(),
            present: approx::letters_present(&glyphs),
            glyphs,
            letters,
            says,
            kind,
            names_colour,
            bound: 0,
            loose: 0,
        });
    }

    fn add_label(&mut self, text: &str) {
        let symbols = fold(text, &[]);
        let label: Vec<char> =
            letters(&symbols[..symbols.iter().position(|s| s.letter == NUMBER).unwrap_or(symbols.len())]);
        // Single letters ("A12", "N° 12") are forms of numbers, not words before them.
        if label.len() >= 2 && !self.labels.contains(&label) {
            self.labels.push(label);
        }
    }

    /// Whether a whole word of the text is a colour of the language. In scripts without spaces: any part.
    fn names_colour(&self, language: &str, symbols: &[Symbol]) -> bool {
        let Some(words) = self.words.get(language) else { return false };
        words.colours.iter().any(|(white, black)| {
            [white, black].into_iter().any(|colour| find_word(symbols, colour).is_some())
        })
    }

    /// The phrase with White's and Black's words exchanged; `None` without such a word.
    fn mirror(&self, language: &str, text: &str) -> Option<String> {
        let words = self.words.get(language)?;
        let symbols = fold(text, &[]);
        let mut changes: Vec<(Range<usize>, &str)> = Vec::new();
        for (i, (white, black)) in words.colours.iter().enumerate() {
            let written = &words.colours_written[i];
            for (from, to) in [(white, &written.1), (black, &written.0)] {
                if let Some(at) = find_word(&symbols, from) {
                    let span = symbols[at.start].start..symbols[at.end - 1].end;
                    if changes.iter().all(|(other, _)| other.end <= span.start || other.start >= span.end) {
                        changes.push((span, to));
                    }
                }
            }
        }
        // "sätter svart matt" names both: only the first word is the one that moves, so it has no mirror
        // that needs no thought.
        if changes.is_empty() {
            return None;
        }
        changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let mut out = text.to_owned();
        for (span, to) in changes {
            out.replace_range(span, to);
        }
        Some(out)
    }

    /// A phrase may be misread by a letter in six, but never so far that it comes as near to a phrase of its
    /// language that says the opposite, nor as far as one that says nothing.
    fn set_bounds(&mut self) {
        let bounds: Vec<u32> = self
            .phrases
            .iter()
            .map(|phrase| {
                let others =
                    self.phrases.iter().filter(|o| o.language == phrase.language && o.says != phrase.says);
                let limits = others.map(|other| {
                    let apart = approx::distance(&phrase.glyphs, &other.glyphs).saturating_sub(1);
                    let silent = other.says == Says::Nothing || phrase.says == Says::Nothing;
                    if silent { apart } else { apart / 2 }
                });
                limits.fold(allowed(&phrase.letters), u32::min)
            })
            .collect();
        for (phrase, bound) in self.phrases.iter_mut().zip(bounds) {
            phrase.bound = bound;
            // "Helpmate" and "selfmate" are two letters apart: one wrong letter would leave either in doubt, were the place itself not
            // asked.
            phrase.loose = if phrase.kind.is_task() { allowed(&phrase.letters).max(bound) } else { bound };
        }
    }

    /// Whether a phrase of the same language that says something else explains a place as well, but for less than a letter.
    fn is_rivalled(
        &self,
        phrase: &Phrase,
        sentence: &[Symbol],
        glyphs: &[Glyph],
        found: &approx::Found,
    ) -> bool {
        let least = merit(phrase, found) - LETTER;
        self.phrases.iter().filter(|o| o.language == phrase.language && o.says != phrase.says).any(|other| {
            let worst = ((other.letters.len() as f32 - least) / LETTER * EDIT as f32).max(0.0) as u32;
            let places = approx::search(&other.glyphs, sentence, glyphs, worst.min(found.cost + 2 * EDIT));
            places.iter().any(|place| {
                place.start < found.end && found.start < place.end && merit(other, place) > least
            })
        })
    }

    /// The languages that have phrases, by their codes ("de", "pt-BR"), in alphabetical order.
    pub fn languages(&self) -> Vec<&str> {
        let mut languages: Vec<&str> = self.phrases.iter().map(|p| p.language.as_str()).collect();
        languages.dedup();
        languages.sort_unstable();
        languages.dedup();
        languages
    }

    /// Finds the phrases in a text of any language: of overlapping ones the longest, at equal length the
    /// nearest. Two that lie on the same letters and say different things cancel each other out.
    pub fn find(&self, text: &str) -> Vec<PhraseMatch> {
        let mut out: Vec<(PhraseMatch, f32)> = Vec::new();
        let plain = fold(text, &[]);
        for language in self.languages() {
            let symbols = match self.counts(language) {
                [] => plain.clone(),
                counts => fold(text, counts),
            };
            for sentence in sentences(&symbols) {
                let glyphs = Glyph::all(&letters(sentence));
                let present = approx::letters_present(&glyphs);
                for phrase in self.phrases.iter().filter(|p| p.language == language) {
                    if !approx::possible(phrase.present, present, phrase.loose) {
                        continue;
                    }
                    for found in approx::search(&phrase.glyphs, sentence, &glyphs, phrase.loose) {
                        if found.cost > phrase.bound && self.is_rivalled(phrase, sentence, &glyphs, &found)
                            || phrase.is_bare_mate() && is_in_compound(sentence, found.start)
                        {
                            continue;
                        }
                        let place = &sentence[found.start..found.end];
                        let error = found.cost as f32 / EDIT as f32 / phrase.letters.len() as f32;
                        let number = place
                            .iter()
                            .find_map(|s| s.value)
                            .or_else(|| self.leading_count(language, &phrase.letters));
                        let merit = merit(phrase, &found);
                        let found = PhraseMatch {
                            language: language.to_owned(),
                            phrase: phrase.text.clone(),
                            // "Matt i 0 drag": a joke whose board is turned first.
                            says: if number == Some(0) { Says::Nothing } else { phrase.says },
                            kind: phrase.kind,
                            names_colour: phrase.names_colour,
                            span: place[0].start..place[place.len() - 1].end,
                            error,
                            number,
                        };
                        out.push((found, merit));
                    }
                }
            }
        }
        out.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut kept: Vec<(PhraseMatch, f32)> = Vec::new();
        for (found, merit) in out {
            let rival = kept.iter().position(|(other, _)| {
                other.span.start < found.span.end && found.span.start < other.span.end
            });
            match rival {
                None => kept.push((found, merit)),
                Some(i) => {
                    let (other, best) = &mut kept[i];
                    if other.says != found.says && *best - merit < 1.0 {
                        other.says = Says::Nothing;
                    }
                }
            }
        }
        let mut kept: Vec<PhraseMatch> = kept.into_iter().map(|(found, _)| found).collect();
        kept.sort_by_key(|found| found.span.start);
        kept
    }

    /// The number at the head of a compound: "Dreizüger" is three.
    fn leading_count(&self, language: &str, word: &[char]) -> Option<u32> {
        let best = self
            .counts(language)
            .iter()
            .filter(|(count, _)| count.len() >= 3 && word.starts_with(count))
            .max_by_key(|(count, _)| count.len());
        best.map(|&(_, value)| value)
    }

    /// The side that a single letter by a board stands for. The first language decides, since B is White
    /// in French and Black in English.
    pub fn letter(&self, text: &str, languages: &[&str]) -> Option<Color> {
        let key = letters(&fold(text, &[]));
        languages
            .iter()
            .find_map(|language| self.letters.get(&((*language).to_owned(), key.clone())).copied())
    }

    /// The languages in which most of these letters stand for a side (one may be a stray coordinate), English
    /// first; and whether those languages agree about each.
    pub fn languages_of_letters(&self, texts: &[&str]) -> (Vec<&str>, bool) {
        let keys: Vec<Vec<char>> = texts.iter().map(|text| letters(&fold(text, &[]))).collect();
        let mut languages: Vec<&str> = self.letters.keys().map(|(language, _)| language.as_str()).collect();
        languages.sort_by_key(|language| (*language != "en", *language));
        languages.dedup();
        let side =
            |language: &str, key: &Vec<char>| self.letters.get(&(language.to_owned(), key.clone())).copied();
        let known = |language: &str| keys.iter().filter(|key| side(language, key).is_some()).count();
        let most = languages.iter().map(|language| known(language)).max().unwrap_or(0);
        languages.retain(|language| known(language) == most);
        let agreed = keys.iter().all(|key| {
            let mut sides = languages.iter().map(|language| side(language, key));
            let first = sides.next();
            sides.all(|other| Some(other) == first)
        });
        (languages, agreed)
    }

    /// Whether any language prints this letter for a side.
    pub fn is_side_letter(&self, text: &str) -> bool {
        let key = letters(&fold(text, &[]));
        self.letters.keys().any(|(_, letter)| *letter == key)
    }

    /// Whether these folded letters are a word that stands before a diagram's number.
    pub fn is_label(&self, word: &[char]) -> bool {
        self.labels.iter().any(|label| {
            label == word
                || (label.len() >= 5
                    && approx::distance(&Glyph::all(label), &Glyph::all(word)) <= allowed(label))
        })
    }

    /// The colour that a whole text names and nothing else ("BLACK", "Weiß"): the label of a side.
    pub fn side_label(&self, text: &str) -> Option<Color> {
        let key = letters(&fold(text, &[]));
        self.words.values().flat_map(|words| &words.colours).find_map(|(white, black)| {
            let near = |colour: &Vec<char>| {
                colour == &key
                    || (colour.len() >= 5 && approx::distance(&Glyph::all(colour), &Glyph::all(&key)) < EDIT)
            };
            if near(white) {
                Some(Color::White)
            } else if near(black) {
                Some(Color::Black)
            } else {
                None
            }
        })
    }

    /// Where a word for "after" stands in the folded text, if one does: the byte behind it.
    pub fn after(&self, text: &str) -> Vec<usize> {
        let symbols = fold(text, &[]);
        let mut out: Vec<usize> = self
            .words
            .values()
            .flat_map(|words| &words.after)
            .filter_map(|word| find_word(&symbols, word))
            .map(|at| symbols[at.end - 1].end)
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// What follows a word for "solution" at the head of a line: "Lösung: 1.Dxh7+".
    pub fn solution<'a>(&self, line: &'a str) -> Option<&'a str> {
        let symbols = fold(line, &[]);
        let labels = self.words.values().flat_map(|words| &words.solution);
        let found = labels.filter_map(|word| find_word(&symbols, word)).find(|at| at.start == 0)?;
        Some(line[symbols[found.end - 1].end..].trim_start_matches([':', '.', ',', '-', '–', '—', ' ']))
    }
}

/// Kinds of the table that are read in other ways than by search.
const OTHER_KINDS: [&str; 7] =
    ["stipulation", "piece_count", "symbol", "move_cue", "number", "players", "source"];

/// Whether a place begins inside a word of letters: the "mate" of a helpmate, however that was misread, is no mate of White's.
fn is_in_compound(sentence: &[Symbol], start: usize) -> bool {
    let letter = |s: &Symbol| s.letter.is_alphabetic() && (s.letter as u32) < 0x3000;
    !sentence[start].word && start.checked_sub(1).is_some_and(|before| letter(&sentence[before]))
}

/// Symbols of each sentence.
fn sentences(symbols: &[Symbol]) -> Vec<&[Symbol]> {
    let mut out = Vec::new();
    let mut start = 0;
    for i in 1..=symbols.len() {
        if i == symbols.len() || symbols[i].sentence {
            out.push(&symbols[start..i]);
            start = i;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str) -> Vec<Says> {
        Lexicon::built_in().find(text).into_iter().map(|m| m.says).collect()
    }

    const W: Says = Says::Side(Color::White);
    const B: Says = Says::Side(Color::Black);

    #[test]
    fn built_in_tables_are_sound() {
        Lexicon::new(&[PHRASES], true).unwrap();
        for line in include_str!("words.tsv").lines() {
            assert_eq!(line.split('\t').count(), 4, "{line}");
        }
        assert!(Lexicon::built_in().phrases.len() > 400);
    }

    #[test]
    fn mistakes_of_readers_are_forgiven() {
        assert_eq!(says("Whlte to play and w1n."), [W]);
        assert_eq!(says("Schwarzamzug"), [B]);
        assert_eq!(says("Weil am Zug"), [W]);
        assert_eq!(says("Xод белыx"), [W]);
        assert_eq!(says("Juegan las negras y gan an"), [B]);
        assert_eq!(says("BLACK T0 MOVE"), [B]);
    }

    #[test]
    fn tasks_are_forgiven_a_letter_where_no_other_is_as_near() {
        assert_eq!(says("Helpmuate in 2"), [B]);
        assert_eq!(says("Selfmuate in 2"), [W]);
        assert_eq!(says("Mat alde en 2 coups"), [B]);
        assert_eq!(says("Aiutomato in 2"), [B]);
        assert_eq!(says("Aiutomatto in 2"), [B]);
        assert_eq!(says("Checkmate in 2"), [W]);
        assert_eq!(says("1.Mate in 2"), [W]);
        // As near to the one as to the other, or something that ends like a mate.
        for text in ["Selpmate in 2", "Autmatto in 2", "Helfmate in 2", "Hclqrnate in 2"] {
            assert!(says(text).iter().all(|s| *s == Says::Nothing) || says(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn mirrors_and_numbers() {
        let found = Lexicon::built_in().find("Black mates in five");
        assert_eq!((found[0].says, found[0].number, found[0].kind), (B, Some(5), Kind::Mate));
        let found = Lexicon::built_in().find("Dreizüger");
        assert_eq!((found[0].says, found[0].number), (W, Some(3)));
        assert_eq!(says("Position après le 13e coup des Noirs"), [W]);
    }

    #[test]
    fn nothing_across_a_sentence_and_nothing_in_prose() {
        assert_eq!(says("It is White. To move it is easy"), []);
        assert_eq!(says("White takes the pawn and moves on"), []);
        assert_eq!(says("White wins"), [Says::Nothing]);
        assert_eq!(says("Black wins"), [Says::Nothing]);
    }

    #[test]
    fn bounds_keep_opposites_apart() {
        let lexicon = Lexicon::built_in();
        for phrase in &lexicon.phrases {
            for other in lexicon.phrases.iter().filter(|o| o.language == phrase.language) {
                let silent = [phrase.says, other.says].contains(&Says::Nothing);
                if phrase.says != other.says && !silent {
                    let apart = approx::distance(&phrase.glyphs, &other.glyphs);
                    assert!(phrase.bound + other.bound < apart, "{} {}", phrase.text, other.text);
                }
            }
        }
    }

    #[test]
    fn letters_follow_the_language() {
        let lexicon = Lexicon::built_in();
        assert_eq!(lexicon.letter("B", &["en"]), Some(Color::Black));
        assert_eq!(lexicon.letter("B", &["fr", "en"]), Some(Color::White));
        assert_eq!(lexicon.letter("б", &["ru"]), Some(Color::White));
        assert_eq!(lexicon.letter("X", &["en"]), None);
        // Two letters tell the language, one that means both sides does not.
        assert!(!lexicon.languages_of_letters(&["B"]).1);
        assert_eq!(lexicon.languages_of_letters(&["W", "B"]), (vec!["en"], true));
        assert!(lexicon.languages_of_letters(&["W"]).1);
        assert_eq!(lexicon.languages_of_letters(&["V", "S", "V", "B"]), (vec!["hu", "sv"], true));
        assert_eq!(lexicon.side_label("WHITE."), Some(Color::White));
        assert_eq!(lexicon.side_label("WHITE TO"), None);
    }

    #[test]
    fn users_add_rows_and_hear_of_errors() {
        let lexicon = Lexicon::with_table("# mine\nen\tYou are White, go!\tw\tside_to_move\n").unwrap();
        assert_eq!(lexicon.find("you are white go")[0].says, W);
        let error = Lexicon::with_table("\nen\tGo\tx\twin").unwrap_err();
        assert_eq!(error.to_string(), "line 2 of the phrase table: side \"x\" is none of w, b, both, none");
        assert!(Lexicon::with_table("en\tGo\tw\twins").is_err());
    }
}
