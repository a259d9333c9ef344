//! Folding: text as a string of symbols in which print and OCR differ little.
//!
//! Compatibility forms (ligatures, full-width letters, long s) are taken apart, accents and vowel signs
//! dropped, letters made small, ß and ss made s, spaces and apostrophes left out. Numbers become one symbol
//! each. What was left out is remembered as word and sentence borders, so that phrases can be sought
//! without spaces and still not across a sentence's end.

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// The symbol of a number.
pub const NUMBER: char = '\u{1}';

/// One folded symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symbol {
    pub letter: char,
    /// Value of a [`NUMBER`].
    pub value: Option<u32>,
    /// Bytes of the text it stands for.
    pub start: usize,
    pub end: usize,
    /// A word begins here. In scripts without spaces every symbol begins one.
    pub word: bool,
    /// A sentence begins here.
    pub sentence: bool,
}

/// A word that means a number in some language, folded, with its value.
pub type Count = (Vec<char>, u32);

/// Folds a text. `counts` are words to be taken as numbers ("two").
pub fn fold(text: &str, counts: &[Count]) -> Vec<Symbol> {
    let mut out = fold_letters(text);
    if !counts.is_empty() {
        out = with_counts(out, counts);
    }
    out
}

/// The letters alone of a folded text.
pub fn letters(symbols: &[Symbol]) -> Vec<char> {
    symbols.iter().map(|s| s.letter).collect()
}

fn fold_letters(text: &str) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    let (mut word, mut sentence) = (true, true);
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut i = 0;
    while i < chars.len() {
        let (start, c) = chars[i];
        let mut end = start + c.len_utf8();
        let misread = misread_letter(&chars, i);
        if misread.is_none() && digit(c).is_some() {
            let mut value = 0u32;
            while let Some(digit) = chars.get(i).and_then(|&(_, c)| digit(c)) {
                value = value.saturating_mul(10).saturating_add(digit);
                end = chars[i].0 + chars[i].1.len_utf8();
                i += 1;
            }
            // "2½" is one number here; what the half says is read elsewhere.
            if chars.get(i).is_some_and(|&(_, c)| c == '½') {
                end = chars[i].0 + chars[i].1.len_utf8();
                i += 1;
            }
            i = skip_ordinal(&chars, i);
            out.push(Symbol { letter: NUMBER, value: Some(value), start, end, word: true, sentence });
            (word, sentence) = (true, false);
            continue;
        }
        i += 1;
        if is_combining_mark(c) || is_joiner(c) {
            continue;
        }
        if is_sentence_end(c) {
            // "2." is an ordinal or a move number, "J." an initial, "No." an abbreviation in a number's name.
            let abbreviated = c == '.' && last_word_is_short(&out);
            sentence |= !abbreviated && !out.is_empty();
            word = true;
            continue;
        }
        let mut any = false;
        decompose_compatible(misread.unwrap_or(c), |d| {
            for d in d.to_lowercase() {
                if is_combining_mark(d) || !d.is_alphanumeric() {
                    continue;
                }
                any = true;
                let (one, two) = plain(d);
                for letter in std::iter::once(one).chain(two) {
                    // ß, ss and the reader's s for either are one.
                    if letter == 's' && !word && out.last().is_some_and(|last| last.letter == 's') {
                        if let Some(last) = out.last_mut() {
                            last.end = end;
                        }
                        continue;
                    }
                    let own_word = word || is_spaceless(letter);
                    out.push(Symbol { letter, value: None, start, end, word: own_word, sentence });
                    (word, sentence) = (false, false);
                }
            }
        });
        if !any {
            word = true;
        }
    }
    out
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => c.to_digit(10),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

/// The letter that a reader took for the digit at `at`: 0, 1 or 5 between letters ("w1n"), 0 also at a
/// word's end ("T0").
fn misread_letter(chars: &[(usize, char)], at: usize) -> Option<char> {
    let letter = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|&(_, c)| c.is_alphabetic());
    let followed_by_digit = chars.get(at + 1).is_some_and(|&(_, c)| digit(c).is_some());
    if !letter(at.checked_sub(1)) || followed_by_digit {
        return None;
    }
    match (chars[at].1, letter(Some(at + 1))) {
        ('0', _) => Some('o'),
        ('1', true) => Some('i'),
        ('5', true) => Some('s'),
        _ => None,
    }
}

/// Steps over the ending of an ordinal ("th", "-го", "e", "ª") right after its digits.
fn skip_ordinal(chars: &[(usize, char)], at: usize) -> usize {
    const ENDINGS: [&str; 34] = [
        "st", "nd", "rd", "th", "er", "re", "ère", "ème", "eme", "ième", "e", "è", "de", "ste", "te", "ten",
        "го", "й", "я", "м", "ого", "ым", "ом", "ª", "º", "°", "a", "o", "ra", "da", "ta", "na", "ma", "va",
    ];
    let mut i = at;
    if chars.get(i).is_some_and(|&(_, c)| c == '-' || c == '‑') {
        i += 1;
    }
    let ending: String = chars[i.min(chars.len())..]
        .iter()
        .map(|&(_, c)| c)
        .take_while(|c| c.is_alphabetic() || *c == '°')
        .collect();
    if ENDINGS.contains(&ending.to_lowercase().as_str()) { i + ending.chars().count() } else { at }
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{640}')
}

fn is_sentence_end(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ';' | '。' | '！' | '？' | '．' | '؟' | '।')
}

/// The last word is a number or a single letter.
fn last_word_is_short(symbols: &[Symbol]) -> bool {
    match symbols.last() {
        None => true,
        Some(last) if last.letter == NUMBER => true,
        Some(last) => last.word && !is_spaceless(last.letter),
    }
}

/// Scripts that write no spaces between words: Thai, Chinese characters, kana, hangul.
fn is_spaceless(c: char) -> bool {
    matches!(c as u32, 0xe00..=0xe7f | 0x1100..=0x11ff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff)
}

/// Letters that decomposition leaves and readers confuse or books write in two ways.
fn plain(c: char) -> (char, Option<char>) {
    match c {
        'ß' => ('s', None),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'ø' => ('o', None),
        'đ' | 'ð' => ('d', None),
        'ł' => ('l', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        // Persian and Arabic forms of one letter.
        'ی' | 'ى' => ('ي', None),
        'ک' => ('ك', None),
        // What a Japanese reader gives of a Chinese caption, and the longer forms of its letters.
        '黒' => ('黑', None),
        '両' | '兩' => ('两', None),
        '殺' => ('杀', None),
        '歩' => ('步', None),
        '勝' => ('胜', None),
        '輪' => ('轮', None),
        c => (c, None),
    }
}

fn with_counts(symbols: Vec<Symbol>, counts: &[Count]) -> Vec<Symbol> {
    let mut out = Vec::with_capacity(symbols.len());
    let mut i = 0;
    while i < symbols.len() {
        let length = (i + 1..symbols.len()).find(|&j| symbols[j].word).unwrap_or(symbols.len()) - i;
        let word = &symbols[i..i + length];
        let count = counts.iter().find(|(letters, _)| {
            letters.len() == length && letters.iter().eq(word.iter().map(|s| &s.letter))
        });
        match count {
            Some(&(_, value)) => {
                out.push(Symbol { letter: NUMBER, value: Some(value), end: word[length - 1].end, ..word[0] })
            }
            None => out.extend_from_slice(word),
        }
        i += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        fold(text, &[]).iter().map(|s| if s.letter == NUMBER { '#' } else { s.letter }).collect()
    }

    #[test]
    fn ways_of_writing_fold_together() {
        for (a, b) in [
            ("Weiß am Zug", "WEISS  AM ZUG."),
            ("Ход чёрных", "ход черных"),
            ("ﬁnd", "find"),
            ("Ｗｈｉｔｅ　ｔｏ　ｍｏｖｅ", "White to move"),
            ("ſchwarz", "schwarz"),
            ("White’s move", "Whites move"),
            ("ดำเดิน", "ด\u{e4d}\u{e32}เดิน"),
            ("Hvid i trækket", "hvid i traekket"),
            ("17-го хода", "17 хода"),
            ("17th", "17"),
            ("黒方先走", "黑方先走"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_eq!(folded("Mate in 12!"), "matein#");
    }

    #[test]
    fn borders_of_words_and_sentences() {
        let symbols = fold("Mat 2. tahem. Bílý J. vyhraje", &[]);
        let sentences: Vec<usize> = symbols.iter().filter(|s| s.sentence).map(|s| s.start).collect();
        assert_eq!(sentences, [0, 14]);
        let words: String = symbols
            .iter()
            .filter(|s| s.word)
            .map(|s| if s.letter == NUMBER { '#' } else { s.letter })
            .collect();
        assert_eq!(words, "m#tbjv");
    }

    #[test]
    fn number_words_count() {
        let counts = vec![(letters(&fold("two", &[])), 2)];
        let symbols = fold("Mate in Two moves", &counts);
        let number = symbols.iter().find(|s| s.letter == NUMBER).unwrap();
        assert_eq!((number.value, number.start, number.end), (Some(2), 8, 11));
        assert!(fold("a twofold", &counts).iter().all(|s| s.letter != NUMBER));
    }
}
