//! Phrases that are denied, supposed or compared: "if it were Black to move" says nobody's turn.
//!
//! The data are a table, `doubts.tsv`: language, words. They make a phrase of their language in the same sentence unsure. "With White to
//! move" is unsure where the sentence names a result beside it: "With Black to move it is a draw".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use super::fold::{fold, letters};

const DOUBTS: &str = include_str!("doubts.tsv");

/// Words for "with" before a phrase, which make a result in the same sentence conditional.
const WITH: [&str; 14] =
    ["with", "mit", "bei", "avec", "con", "met", "bij", "при", "с", "przy", "z", "com", "quand", "cuando"];

/// Beginnings of words for results.
const RESULTS: [&str; 23] = [
    "draw",
    "win",
    "won",
    "los",
    "remis",
    "gewinn",
    "gewonnen",
    "verl",
    "null",
    "gagn",
    "perd",
    "tablas",
    "gan",
    "pierd",
    "patta",
    "vinc",
    "vint",
    "ничь",
    "выигр",
    "проигр",
    "wygr",
    "przegr",
    "empat",
];

/// So many words on other lines belong to the sentence: captions without a full stop go on for ever.
const ACROSS_LINES: usize = 4;

/// A word as written and folded.
struct Word<'a> {
    written: &'a str,
    folded: String,
    /// Of the phrase itself.
    inside: bool,
}

impl Word<'_> {
    fn of(written: &str, inside: bool) -> Word<'_> {
        Word { written, folded: folded(written), inside }
    }
}

fn folded(word: &str) -> String {
    letters(&fold(word, &[])).into_iter().collect()
}

type Table = HashMap<&'static str, Vec<(bool, Vec<String>)>>;

/// By language: whether the entry ends in a full stop ("cf."), and its words folded.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut out: Table = HashMap::new();
        for (language, words) in DOUBTS.lines().skip(1).filter_map(|line| line.split_once('\t')) {
            let entry = (words.ends_with('.'), words.split(' ').map(folded).collect());
            out.entry(language).or_default().push(entry);
        }
        out
    })
}

/// Whether the phrase at `span` of `text` is denied, supposed or compared. `starts`: the bytes where the lines of the text begin; `own`: the
/// phrase's wording in the lexicon, whose words cast no doubt.
pub fn is_doubted(text: &str, span: &Range<usize>, starts: &[usize], language: &str, own: &str) -> bool {
    let own: Vec<String> = own.split_whitespace().map(folded).collect();
    let line = |byte: usize| starts.iter().rposition(|&start| start <= byte).unwrap_or(0);
    let (first, last) = (line(span.start), line(span.end.saturating_sub(1)));
    let mut words: Vec<Word> = Vec::new();
    for (n, written) in text[..span.start].split_whitespace().rev().enumerate() {
        let at = written.as_ptr() as usize - text.as_ptr() as usize;
        let border = ends_sentence(written);
        if border && !is_entry(written, language) || line(at) != first && n >= ACROSS_LINES {
            break;
        }
        words.push(Word::of(written, false));
        if border {
            break;
        }
    }
    words.reverse();
    let lead = words.len();
    words.extend(text[span.clone()].split_whitespace().map(|written| Word::of(written, true)));
    let mut ended = text[span.end..].starts_with(['.', '!', '?', ';']);
    for (n, written) in text[span.end..].split_whitespace().enumerate() {
        let at = written.as_ptr() as usize - text.as_ptr() as usize;
        if ended || line(at) != last && n >= ACROSS_LINES {
            break;
        }
        ended = ends_sentence(written);
        words.push(Word::of(written, false));
    }
    let doubts = table().get(language).into_iter().flatten().any(|(stop, entry)| {
        words.windows(entry.len()).enumerate().any(|(at, run)| {
            let same = run.iter().zip(entry).all(|(word, entry)| word.folded == *entry);
            let last = &run[run.len() - 1];
            // "No. 12" counts, it does not deny.
            let number = last.folded == "no"
                && (last.written.ends_with('.')
                    || words
                        .get(at + run.len())
                        .is_some_and(|w| w.written.starts_with(|c: char| c.is_ascii_digit())));
            same && !number
                && (!stop || last.written.ends_with('.'))
                && !run.iter().all(|word| word.inside && own.contains(&word.folded))
        })
    });
    let is_with = |at: usize| words.get(at).is_some_and(|word| WITH.contains(&word.folded.as_str()));
    // Behind the last word before the phrase, or as its own first ("With White to move").
    let with = lead > 0 && is_with(lead - 1) || is_with(lead);
    let result =
        |word: &Word| !word.inside && RESULTS.iter().any(|result| word.folded.starts_with(&folded(result)));
    doubts || with && words.iter().any(result)
}

fn is_entry(word: &str, language: &str) -> bool {
    let folded = folded(word);
    table().get(language).into_iter().flatten().any(|(stop, entry)| *stop && entry[..] == [folded.clone()])
}

/// A full stop behind a word of less than three letters belongs to an abbreviation or a number.
fn ends_sentence(word: &str) -> bool {
    let long = word.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    word.ends_with(['!', '?', ';']) || word.ends_with('.') && long
}
