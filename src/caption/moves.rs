//! Move numbers in captions: "23..." and "1.Qxh7+" under a diagram, "Position after 17.Rd1".

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::chess::Color;

use super::lexicon::Lexicon;

/// What a move number says of the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveCue {
    pub side: Color,
    /// The words as read.
    pub text: String,
    /// Dots between number and move, as read; a White move has at most one.
    pub dots: usize,
    /// A move follows the number.
    pub has_move: bool,
}

// A number, dots in any spacing, and the rest. The pattern is constant and tested, so it compiles.
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\s.,’']*(\d{1,3})((?:\s*[.·•…,])*)\s*(.*)$").expect("constant pattern"));

// The head of a move: a piece letter or figurine and a square, a square alone, castling, or English
// descriptive notation (P-K4, Kt-B3, QxR, KR-K1).
static MOVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:
            [\p{Lu}\u{2654}-\u{265f}]?\p{Ll}?[a-h]?[1-8]?[x:×-]?[a-h][1-8]
          | [0Oo]\s?[-–—]\s?[0Oo]
          | (?:[KQRBNP]|Kt){1,3}(?:\([KQRBN]?\d\))?\s?[-–—x×]\s?(?:[KQRBNP]|Kt){1,3}\d?
          | [a-h][x:×][a-h]
        )",
    )
    .expect("constant pattern")
});

/// Number of dots in a run of points; an ellipsis is three.
fn dots_in(text: &str) -> usize {
    text.chars().map(|c| if c == '…' { 3 } else { usize::from(matches!(c, '.' | '·' | '•')) }).sum()
}

/// A 1 behind a file's letter that was read as l, I or a stroke: "Qal".
static ONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([a-h])[lI|](?:$|[\s+#!?.,])").expect("constant pattern"));

/// Small Cyrillic letters that a Russian reader gives for the files.
const FILES: [(char, char); 3] = [('а', 'a'), ('с', 'c'), ('е', 'e')];

/// The text with files in Latin letters: those before a rank, and those of a pawn's capture.
fn latin_files(text: &str) -> Cow<'_, str> {
    if !text.contains(FILES.map(|(cyrillic, _)| cyrillic)) {
        return Cow::Borrowed(text);
    }
    let latin = |c: char| FILES.iter().find(|(cyrillic, _)| *cyrillic == c).map_or(c, |(_, latin)| *latin);
    let next = text.chars().skip(1).map(Some).chain([None]);
    let file = |after: Option<char>| after.is_some_and(|a| a.is_ascii_digit() || "x:×".contains(a));
    Cow::Owned(text.chars().zip(next).map(|(c, after)| if file(after) { latin(c) } else { c }).collect())
}

/// Whether a text begins with a move.
pub fn begins_with_move(text: &str) -> bool {
    let text = latin_files(text.trim_start());
    let text = text.as_ref();
    let head = text.split_whitespace().next().unwrap_or("");
    MOVE.is_match(text) || (ONE.is_match(head) && MOVE.is_match(&ONE.replace(head, "${1}1")))
}

/// A short line that is a move number with dots and perhaps a question mark, of which the reader lost some:
/// `dots` are the round specks counted on its base line, the question mark's among them.
pub fn cue_by_dots(text: &str, dots: usize) -> Option<Color> {
    let text = text.trim();
    let figures = text.chars().take_while(char::is_ascii_digit).count();
    let tail = text.chars().skip(figures).filter(|c| c.is_alphanumeric()).count();
    if !(1..=2).contains(&figures) || tail > 1 || text.chars().count() > 6 {
        return None;
    }
    match dots {
        3..=5 => Some(Color::Black),
        _ => None,
    }
}

/// A line that begins with a move number: the side that makes that move is to move. "23..." and "1.?"
/// stand for themselves, "23." needs a move behind it, else it is the number of the diagram.
pub fn first_move(line: &str) -> Option<MoveCue> {
    let parts = NUMBERED.captures(line)?;
    let dots = dots_in(&parts[2]);
    let rest = parts[3].trim();
    let bare = rest.is_empty() || rest.chars().all(|c| matches!(c, '?' | '!' | '-' | '–' | '—'));
    // A number's full stop and a speck are two dots too ("256. ."): three, or two that touch in a number of a game's length.
    let cue = !rest.is_empty() || dots >= 3 || (parts[2].ends_with("..") && parts[1].len() <= 2);
    let side = if dots >= 2 && ((bare && cue) || begins_with_move(rest)) {
        Color::Black
    } else if dots >= 1 && rest.starts_with(['—', '–']) && bare {
        // "1.—": White's move is left open, so the first that counts is Black's.
        Color::Black
    } else if (rest.starts_with('?') && bare) || (dots == 1 && begins_with_move(rest)) {
        Color::White
    } else {
        return None;
    };
    Some(MoveCue { side, text: line.trim().to_owned(), dots, has_move: begins_with_move(rest) })
}

/// "After 17.Rd1", "nach 23...Td8", "after 23.Nf5 Kg7": who did not make the last of these moves is to move. The number alone ("after 20
/// moves") says nothing.
pub fn after_move(text: &str, lexicon: &Lexicon) -> Option<AfterMove> {
    lexicon.after(text).into_iter().find_map(|end| {
        let parts = NUMBERED.captures(&text[end..])?;
        let rest = parts[3].trim();
        let head = rest.split_whitespace().next()?;
        // Readers garble moves ("Ktt-B3"), so here a token that looks like one is enough; a word is not.
        let letters = head.chars().filter(|c| c.is_alphabetic()).count();
        let capital = head.starts_with(|c: char| c.is_uppercase() || ('\u{2654}'..='\u{265f}').contains(&c));
        // The letter of a file read as a figure: "15.65" is b5. A full stop before it tells it from a count.
        let figures = head.trim_end_matches(['.', ',', '!', '?', '+', '#']);
        let in_figures = figures.len() == 2
            && figures.starts_with(|c: char| c.is_ascii_digit())
            && figures.ends_with(|c| ('1'..='8').contains(&c))
            && parts[2].contains('.');
        let movish = begins_with_move(rest)
            || in_figures
            || (capital && letters <= 4 && head.chars().any(|c| c.is_ascii_digit() || "-–—x×".contains(c)));
        if !movish {
            return None;
        }
        let dots = dots_in(&parts[2]);
        let (last, sure) = last_mover(if dots >= 2 { Color::Black } else { Color::White }, rest);
        Some(AfterMove { side: !last, sure: sure && dots != TWO, text: text.trim().to_owned() })
    })
}

/// Two dots before a move may be three of which one was lost, or one and a speck.
pub const TWO: usize = 2;

/// A position after moves.
#[derive(Debug, Clone, PartialEq)]
pub struct AfterMove {
    pub side: Color,
    /// The moves can be counted in one way only.
    pub sure: bool,
    /// The words as read.
    pub text: String,
}

/// Who made the last of the moves that a text begins with, and whether there is no other way to count them; `first` made the first one.
fn last_mover(first: Color, text: &str) -> (Color, bool) {
    let (mut mover, mut sure, mut count) = (first, true, 1);
    let mut rest = behind_move(text);
    while let Some(following) = rest {
        let dash = following.starts_with(['-', '–', '—']);
        let bracket = following.starts_with('(');
        let next = following.trim_start_matches([' ', ',', '-', '–', '—', '(']);
        // "Ke1 – e2" may be one move, written long
        let bare = next.starts_with(|c: char| ('a'..='h').contains(&c));
        let numbered = NUMBERED.captures(next).filter(|parts| begins_with_move(&parts[3]));
        let (by, moves) = match &numbered {
            Some(parts) => {
                let by = if dots_in(&parts[2]) >= 2 { Color::Black } else { Color::White };
                (by, next.len() - parts[3].len())
            }
            None if begins_with_move(next) => (!mover, 0),
            None => {
                // what follows may be a move that was misread; a year is none
                let token = next.split_whitespace().next().unwrap_or("");
                let digits = token.chars().filter(char::is_ascii_digit).count();
                sure &= digits == 0 || digits == 4 && !token.contains(char::is_alphabetic);
                break;
            }
        };
        count += 1;
        sure &= by == !mover
            && !bracket
            && !(dash && bare)
            && numbered.is_none()
            && count == 2
            && first == Color::White;
        mover = by;
        rest = behind_move(&next[moves..]);
    }
    (mover, sure)
}

/// What stands behind the move at the head of a text, if the sentence goes on.
fn behind_move(text: &str) -> Option<&str> {
    let latin = latin_files(text);
    let length = MOVE.find(&latin).map_or(0, |found| found.end());
    // small Cyrillic letters are longer than Latin ones
    let length = latin[..length].chars().count();
    let at = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
    let end = text[at..].find(char::is_whitespace).map_or(text.len(), |space| at + space);
    let ended = text[..end].ends_with(['.', ';', ':', ')']);
    (!ended).then(|| text[end..].trim_start()).filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(line: &str) -> Option<Color> {
        first_move(line).map(|cue| cue.side)
    }

    fn after(line: &str) -> Option<Color> {
        after_move(line, Lexicon::built_in()).map(|cue| cue.side)
    }

    #[test]
    fn positions_after_several_moves() {
        for (text, side, sure) in [
            ("Position after 23.Nf5 Kg7", Color::White, true),
            ("Position after 23 Nf5 Kg7!", Color::White, true),
            ("Nach 23. Sf5, Kg7", Color::White, true),
            ("Stellung nach 23. Sf5 - Kg7", Color::White, true),
            ("Position after 23...Kg7 24.Nf5", Color::Black, false),
            ("Position après 23. f4-f5 (d6-d5)", Color::White, false),
            ("Position after 23.Ke1 – e2", Color::White, false),
            ("Position after 23.Nf5 Kg7 24.Qh5 Rh8", Color::White, false),
            ("Position after 23...Kg7. 24.Qxh7+ wins", Color::White, true),
            ("Position after 23.Nf5 and White wins", Color::Black, true),
            ("Position after 23.Nf5 (Moscow 1960)", Color::Black, true),
            ("Position after 32..Kt-B3", Color::White, false),
            ("Позиция после 15...Фс7 16.СЬ5", Color::White, false),
            ("Позиция после 17.Лс1 Кре7", Color::White, true),
            ("Position after 32. Kt-B3 R-K1", Color::White, true),
        ] {
            let found = after_move(text, Lexicon::built_in()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.side, found.sure), (side, sure), "{text}");
        }
    }

    #[test]
    fn first_moves() {
        for text in ["23...", "1...?", "1. ... ?", "1.—", "23...Rxd5!", "23 . . . R-K1", "1… Kh8", "12...O-O"]
        {
            assert_eq!(first(text), Some(Color::Black), "{text}");
        }
        for text in ["1.?", "23.?", "24 ?", "1.Qxh7+!", "1 . P-K4".trim(), "17.Td1", "5. ♘f3", "1. Лxd5"] {
            assert_eq!(first(text), Some(Color::White), "{text}");
        }
        for text in [
            "123.",
            "27. Alekhine – Nimzowitsch",
            "1-0",
            "1927",
            "24",
            "3. Preis 1921",
            "2. tahem",
            "256. .",
            "25. .",
            "256..",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
    }

    #[test]
    fn dots_that_the_reader_lost() {
        assert_eq!(cue_by_dots("1?", 4), Some(Color::Black));
        assert_eq!(cue_by_dots("19", 4), Some(Color::Black));
        assert_eq!(cue_by_dots("1.16", 1), None);
        assert_eq!(cue_by_dots("1.?", 2), None);
        assert_eq!(cue_by_dots("Moscow", 3), None);
    }

    #[test]
    fn positions_after_moves() {
        for text in [
            "Position after 17.Rd1",
            "Position after 17.Qal",
            "After 23 Nf5",
            "Stellung nach 17.Td1",
            "Position after 14. KR–K1",
            "Position after 32. Kt-B3",
            "Позиция после 17.Лd1",
            "Позиция после 7.е5",
            "Позиция после 17.Лс1",
            "Позиция после 15.65",
            "Позиция после 8.54.",
        ] {
            assert_eq!(after(text), Some(Color::Black), "{text}");
        }
        for text in [
            "Position after 23...Rd8",
            "After 17 ... R-K1",
            "Stellung nach 23...Td8",
            "Position après 17...Td8",
            "Position after 24...Q-K2",
            "after 17. . . R-K1",
            "after.18...Rg7",
        ] {
            assert_eq!(after(text), Some(Color::White), "{text}");
        }
        for text in [
            "after 20 moves",
            "Position after 12. White",
            "After the game",
            "nach 3 Stunden",
            "after 20 65",
            "after 1.2.90",
        ] {
            assert_eq!(after(text), None, "{text}");
        }
    }
}
