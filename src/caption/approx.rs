//! Approximate search of a folded phrase in a folded text (Sellers 1980), with the mistakes of OCR cheap.

use super::fold::{NUMBER, Symbol};

/// Cost of one wrong, lost or added letter. Costs are counted in tenths, so that lesser mistakes are whole
/// numbers too.
pub const EDIT: u32 = 10;
/// Letters that readers take for each other.
const CONFUSED: u32 = 4;
/// Letters of two scripts that look the same: a reader of both mixes them freely.
const LOOKALIKE: u32 = 1;
/// A match that begins or ends inside a word.
const INSIDE_WORD: u32 = 8;
/// No match.
const NEVER: u32 = 1_000_000;

/// Where a phrase was found: symbols `start..end`, and at what cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub start: usize,
    pub end: usize,
    pub cost: u32,
}

/// Finds the places of `text` (symbols of one sentence) that differ from `phrase` by at most `bound`; of
/// overlapping places the best.
pub fn search(phrase: &[char], text: &[Symbol], bound: u32) -> Vec<Found> {
    if phrase.is_empty() || text.is_empty() {
        return Vec::new();
    }
    // One column a text position: best cost of the phrase's first `i` letters ending there, and its start.
    let rows = phrase.len() + 1;
    let mut last2: Vec<(u32, usize)> = vec![(NEVER, 0); rows];
    let mut last: Vec<(u32, usize)> = (0..rows).map(|i| (i as u32 * EDIT, 0)).collect();
    let mut found: Vec<Found> = Vec::new();
    for (j, symbol) in text.iter().enumerate() {
        let mut column: Vec<(u32, usize)> = Vec::with_capacity(rows);
        // The phrase may begin before any symbol; inside a word that costs.
        column.push((start_cost(text, j + 1), j + 1));
        for i in 1..rows {
            let mut best = last[i - 1];
            best.0 += substitution(phrase[i - 1], symbol.letter);
            let added = (last[i].0 + if symbol.letter == NUMBER { 3 * EDIT } else { EDIT }, last[i].1);
            let lost =
                (column[i - 1].0 + if phrase[i - 1] == NUMBER { 3 * EDIT } else { EDIT }, column[i - 1].1);
            for other in [added, lost] {
                if other.0 < best.0 {
                    best = other;
                }
            }
            if j >= 1 && split(phrase[i - 1], text[j - 1].letter, symbol.letter) {
                let other = (last2[i - 1].0 + CONFUSED, last2[i - 1].1);
                if other.0 < best.0 {
                    best = other;
                }
            }
            if i >= 2 && split(symbol.letter, phrase[i - 2], phrase[i - 1]) {
                let other = (last[i - 2].0 + CONFUSED, last[i - 2].1);
                if other.0 < best.0 {
                    best = other;
                }
            }
            column.push(best);
        }
        let (mut cost, start) = column[rows - 1];
        if text.get(j + 1).is_some_and(|next| !next.word && !next.sentence) {
            cost += INSIDE_WORD;
        }
        if cost <= bound {
            let here = Found { start, end: j + 1, cost };
            match found.last_mut() {
                Some(before) if before.end > start => {
                    if cost < before.cost {
                        *before = here;
                    }
                }
                _ => found.push(here),
            }
        }
        last2 = std::mem::replace(&mut last, column);
    }
    found
}

fn start_cost(text: &[Symbol], at: usize) -> u32 {
    if text.get(at).is_none_or(|s| s.word) { 0 } else { INSIDE_WORD }
}

/// Cost of turning one whole phrase into another.
pub fn distance(a: &[char], b: &[char]) -> u32 {
    let mut row: Vec<u32> = (0..=b.len()).map(|j| j as u32 * EDIT).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (i as u32 + 1) * EDIT;
        for (j, &y) in b.iter().enumerate() {
            let best = (diagonal + substitution(x, y)).min(row[j] + EDIT).min(row[j + 1] + EDIT);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}

fn substitution(a: char, b: char) -> u32 {
    if a == b {
        0
    } else if a == NUMBER || b == NUMBER {
        3 * EDIT
    } else if lookalike(a) == lookalike(b) {
        LOOKALIKE
    } else if confused(a, b) {
        CONFUSED
    } else {
        EDIT
    }
}

/// Cyrillic and Greek letters as the Latin ones that look like them.
fn lookalike(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'в' => 'b',
        'с' => 'c',
        'е' => 'e',
        'н' => 'h',
        'і' => 'i',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'т' | 'τ' => 't',
        'у' | 'υ' => 'y',
        'х' | 'χ' => 'x',
        'ν' => 'v',
        c => c,
    }
}

fn confused(a: char, b: char) -> bool {
    const GROUPS: [&str; 19] = [
        "il1jtfr", "oce0ao", "uvn", "hbk", "gqy", "mn", "ec", "sz5", "vy", "as", "xk", "ши", "нип", "лп",
        "ьы", "чц", "зэ", "οσ", "ть",
    ];
    GROUPS.iter().any(|group| group.contains(a) && group.contains(b))
}

/// Whether `one` is often read as the pair (`left`, `right`).
fn split(one: char, left: char, right: char) -> bool {
    matches!(
        (one, left, right),
        ('m', 'r', 'n')
            | ('m', 'i', 'n')
            | ('d', 'c', 'l')
            | ('w', 'v', 'v')
            | ('u', 'i', 'i')
            | ('h', 'l', 'i')
            | ('n', 'r', 'i')
            | ('k', 'l', 'c')
            | ('b', 'l', 'o')
            | ('ы', 'ь', 'i')
            | ('ы', 'ь', 'і')
            | ('ю', 'i', 'o')
    )
}

#[cfg(test)]
mod tests {
    use super::super::fold::{fold, letters};
    use super::*;

    fn costs(phrase: &str, text: &str, bound: u32) -> Vec<u32> {
        search(&letters(&fold(phrase, &[])), &fold(text, &[]), bound).iter().map(|f| f.cost).collect()
    }

    #[test]
    fn mistakes_cost_what_they_should() {
        assert_eq!(costs("White to move", "White to move", 10), [0]);
        assert_eq!(costs("White to move", "Whitetomove", 10), [0]);
        assert_eq!(costs("White to move", "42 White to rnove.", 10), [CONFUSED]);
        assert_eq!(costs("White to move", "Whlte to move", 10), [CONFUSED]);
        assert_eq!(costs("White to move", "White to mov", 10), [EDIT]);
        assert_eq!(costs("White to move", "Black to move", 20), [0u32; 0]);
        assert_eq!(costs("Ход белых", "Xод бeлых", 10), [2 * LOOKALIKE]);
        assert_eq!(costs("Mate in 2", "Mate in 3 moves", 0), [0]);
        assert_eq!(costs("Mate in 2", "Stalemate in 2", 5), [0u32; 0]);
    }

    #[test]
    fn places_are_symbols_of_the_text() {
        let text = fold("Nr. 5: Weiß am Zug", &[]);
        let found = search(&letters(&fold("weiss am zug", &[])), &text, 0);
        assert_eq!(found.len(), 1);
        assert_eq!(text[found[0].start].start, 7);
        assert_eq!(found[0].end, text.len());
    }

    #[test]
    fn distance_is_a_distance() {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("xodbelix"), &chars("xodbelix")), 0);
        assert_eq!(distance(&chars("white"), &chars("while")), CONFUSED);
        assert_eq!(distance(&chars("abc"), &chars("")), 3 * EDIT);
    }
}
