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

/// A letter with what it may be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyph {
    letter: char,
    /// The Latin letter of the same look, else the letter itself.
    look: char,
    /// Groups of confusable letters that it belongs to, a bit each.
    groups: u32,
}

impl Glyph {
    pub fn of(letter: char) -> Glyph {
        let groups = CONFUSABLE
            .iter()
            .enumerate()
            .filter(|(_, group)| group.contains(letter))
            .fold(0, |bits, (i, _)| bits | 1 << i);
        Glyph { letter, look: lookalike(letter), groups }
    }

    pub fn all(letters: &[char]) -> Vec<Glyph> {
        letters.iter().map(|&letter| Glyph::of(letter)).collect()
    }

    fn is_number(self) -> bool {
        self.letter == NUMBER
    }
}

/// Which letters occur, as bits of a hash of their looks.
pub fn letters_present(glyphs: &[Glyph]) -> u64 {
    glyphs.iter().fold(0, |bits, g| bits | 1 << (g.look as u32).wrapping_mul(0x9e37_79b1).wrapping_shr(26))
}

/// Whether a phrase can be in a text at this bound at all, by their [`letters_present`]: each letter of the
/// phrase that the text lacks costs at least a confusion.
pub fn possible(phrase: u64, text: u64, bound: u32) -> bool {
    (phrase & !text).count_ones() * CONFUSED <= bound
}

/// Where a phrase was found: symbols `start..end`, and at what cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub start: usize,
    pub end: usize,
    pub cost: u32,
}

/// Best costs of the phrase's first letters ending at one place of the text, with where they began.
type Column = Vec<(u32, usize)>;

/// Fills `column[1..]` for the text letter `here` (`before` is the one before it) from the columns one and
/// two letters earlier; `column[0]` is given.
fn fill(
    phrase: &[Glyph],
    here: Glyph,
    before: Option<Glyph>,
    last: &Column,
    last2: &Column,
    column: &mut Column,
) {
    let gap = |glyph: Glyph| if glyph.is_number() { 3 * EDIT } else { EDIT };
    for i in 1..=phrase.len() {
        let letter = phrase[i - 1];
        let (cost, start) = last[i - 1];
        let mut best = (cost + substitution(letter, here), start);
        let mut offer = |(cost, start): (u32, usize), extra: u32| {
            if cost + extra < best.0 {
                best = (cost + extra, start);
            }
        };
        offer(last[i], gap(here));
        offer(column[i - 1], gap(letter));
        if before.is_some_and(|before| split(letter.letter, before.letter, here.letter)) {
            offer(last2[i - 1], CONFUSED);
        }
        if i >= 2 && split(here.letter, phrase[i - 2].letter, letter.letter) {
            offer(last[i - 2], CONFUSED);
        }
        column.push(best);
    }
}

/// Finds the places of `text` (symbols of one sentence; `glyphs` are its letters) that differ from `phrase`
/// by at most `bound`; of overlapping places the best.
pub fn search(phrase: &[Glyph], text: &[Symbol], glyphs: &[Glyph], bound: u32) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    if phrase.is_empty() || text.is_empty() {
        return found;
    }
    let rows = phrase.len() + 1;
    // The phrase may begin before any symbol; inside a word that costs.
    let start_cost = |at: usize| if text.get(at).is_none_or(|s| s.word) { 0 } else { INSIDE_WORD };
    let mut last2: Column = vec![(NEVER, 0); rows];
    let mut last: Column = (0..rows).map(|i| (i as u32 * EDIT, 0)).collect();
    let mut column: Column = Vec::with_capacity(rows);
    for j in 0..text.len() {
        column.clear();
        column.push((start_cost(j + 1), j + 1));
        let before = j.checked_sub(1).map(|before| glyphs[before]);
        fill(phrase, glyphs[j], before, &last, &last2, &mut column);
        let (mut cost, start) = column[rows - 1];
        if text.get(j + 1).is_some_and(|next| !next.word && !next.sentence) {
            cost += INSIDE_WORD;
        }
        if cost <= bound && start <= j {
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
        std::mem::swap(&mut last2, &mut last);
        std::mem::swap(&mut last, &mut column);
    }
    found
}

/// Cost of turning one whole phrase into another.
pub fn distance(a: &[Glyph], b: &[Glyph]) -> u32 {
    let mut last2: Column = vec![(NEVER, 0); a.len() + 1];
    let mut last: Column = (0..=a.len()).map(|i| (i as u32 * EDIT, 0)).collect();
    for j in 0..b.len() {
        let mut column = vec![((j as u32 + 1) * EDIT, 0)];
        fill(a, b[j], j.checked_sub(1).map(|before| b[before]), &last, &last2, &mut column);
        last2 = std::mem::replace(&mut last, column);
    }
    last[a.len()].0
}

fn substitution(a: Glyph, b: Glyph) -> u32 {
    if a.letter == b.letter {
        0
    } else if a.is_number() || b.is_number() {
        3 * EDIT
    } else if a.look == b.look {
        LOOKALIKE
    } else if a.groups & b.groups != 0 {
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

/// Groups of letters (folded) that are taken for each other.
/// "sb": ß read as B by a reader of English.
const CONFUSABLE: [&str; 19] = [
    "sb", "il1jtfr", "oce0a", "uvn", "hbk", "gqy", "mn", "sz5", "vy", "as", "xk", "ши", "нип", "лп", "ьы",
    "чц", "зэ", "οσ", "ть",
];

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
        let (phrase, text) = (fold(phrase, &[]), fold(text, &[]));
        let (phrase, glyphs) = (Glyph::all(&letters(&phrase)), Glyph::all(&letters(&text)));
        search(&phrase, &text, &glyphs, bound).iter().map(|f| f.cost).collect()
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
        let phrase = Glyph::all(&letters(&fold("weiss am zug", &[])));
        let found = search(&phrase, &text, &Glyph::all(&letters(&text)), 0);
        assert_eq!(found.len(), 1);
        assert_eq!(text[found[0].start].start, 7);
        assert_eq!(found[0].end, text.len());
    }

    #[test]
    fn distance_is_a_distance() {
        let chars = |s: &str| s.chars().map(Glyph::of).collect::<Vec<_>>();
        assert_eq!(distance(&chars("xodbelix"), &chars("xodbelix")), 0);
        assert_eq!(distance(&chars("white"), &chars("while")), CONFUSED);
        assert_eq!(distance(&chars("abc"), &chars("")), 3 * EDIT);
        assert_eq!(distance(&chars("diagram"), &chars("diagrarn")), CONFUSED);
        assert_eq!(distance(&chars("diagrarn"), &chars("diagram")), CONFUSED);
    }

    #[test]
    fn the_sieve_lets_every_possible_place_through() {
        let present = |s: &str| letters_present(&s.chars().map(Glyph::of).collect::<Vec<_>>());
        assert!(possible(present("whitetomove"), present("whltetomove"), 4));
        assert!(possible(present("хoд"), present("ход"), 0));
        assert!(!possible(present("whitetomove"), present("schwarzamzug"), 10));
    }
}
