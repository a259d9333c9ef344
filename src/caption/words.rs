//! Words of each language that phrases are made of: colours, counts, "after", "solution" (`words.tsv`).

use std::collections::BTreeMap;
use std::ops::Range;

use super::fold::{Count, Symbol, fold, letters};

const WORDS: &str = include_str!("words.tsv");

#[derive(Debug, Default)]
pub(super) struct Words {
    /// Folded (white, black).
    pub colours: Vec<(Vec<char>, Vec<char>)>,
    /// As written (white, black).
    pub colours_written: Vec<(String, String)>,
    pub counts: Vec<Count>,
    pub after: Vec<Vec<char>>,
    /// Before a printed solution.
    pub solution: Vec<Vec<char>>,
}

/// The first place where `word` stands as a whole word (or words).
pub(super) fn find_word(symbols: &[Symbol], word: &[char]) -> Option<Range<usize>> {
    let n = word.len();
    if n == 0 {
        return None;
    }
    (0..(symbols.len() + 1).saturating_sub(n))
        .find(|&i| {
            symbols[i].word
                && symbols.get(i + n).is_none_or(|next| next.word)
                && symbols[i..i + n].iter().map(|s| s.letter).eq(word.iter().copied())
        })
        .map(|i| i..i + n)
}

/// The table of each language.
pub(super) fn read_words() -> BTreeMap<String, Words> {
    let mut out: BTreeMap<String, Words> = BTreeMap::new();
    for line in WORDS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [language, kind, word, value] = cells[..] else { continue };
        let words = out.entry(language.to_owned()).or_default();
        let folded = letters(&fold(word, &[]));
        match kind {
            "colour" => {
                words.colours.push((folded, letters(&fold(value, &[]))));
                words.colours_written.push((word.to_owned(), value.to_owned()));
            }
            "count" => {
                if let Ok(value) = value.parse() {
                    words.counts.push((folded, value));
                }
            }
            "after" => words.after.push(folded),
            "solution" => words.solution.push(folded),
            _ => {}
        }
    }
    out
}
