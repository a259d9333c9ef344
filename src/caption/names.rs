//! Diagram numbers, players, places and years in a line of a caption.

use std::sync::LazyLock;

use regex::Regex;

use super::fold::{fold, letters};
use super::lexicon::Lexicon;
use super::moves;

/// Number and names in one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// The diagram's number without its label: "45", "1.16", "39A".
    pub number: Option<String>,
    /// The number had a label before it.
    pub labelled: bool,
    /// Two players, or the composer.
    pub players: Option<String>,
    pub place: Option<String>,
    pub year: Option<u16>,
}

const NUMBER: &str = r"(?:[A-Z]-?)?\d{1,4}(?:[.\-–]\d{1,4})?[A-Za-z]?";

// A number alone on its line, perhaps in brackets.
static ALONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^[\[(]?\s*({NUMBER})\s*[\])]?\s*[.:)]?$")));
// One or two words, then a number: "Diagram 45", "Problém č. 66", "N.º 12".
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"^\(?((?:[\p{{L}}№°º.’']+\s*){{1,2}}?)\s*({NUMBER})(?:\b|$)[.:)]?(.*)$"))
});
// 第1図, 图12, 第5题
static EASTERN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:第\s*(\d{1,4})\s*[図图圖题題問问局]|[図图圖]\s*(\d{1,4}))"));
// "27. Alekhine – Nimzowitsch"
static LEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\[(]?(\d{1,4}[A-Za-z]?)(?:[\])]?[.)]?\s+|[.)]\s*)(\p{Lu}.*)$"));
static GAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(\p{Lu}[\p{L}.’' ]+?(?:[-‐]\p{Lu}[\p{L}]+)?(?:\s*\([^)]*\))?)(?:\s+[-–—]\s*|\s*[–—]\s*|\s+:\s+|[-]|\s+(?:vs?\.?|gegen|contre|contra|against)\s+)(\p{Lu}[\p{L}.’' -]+?(?:\s*\([^)]*\))?)(?:\s*[,(]\s*(.*))?$",
    )
});
// Players whose place follows without a comma, as in "Tal – Botvinnik Moscow 1960", stay whole.
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(.*?)[\s,(]*\b(1[4-9]\d\d|20\d\d)(?:[-/–]\d{2,4})?\)?\.?\s*$"));

fn pattern(text: &str) -> Regex {
    // The patterns are constant and each is used by a test.
    Regex::new(text).expect("constant pattern")
}

/// Reads number and names out of a line in which no phrase was found (or out of what is left of it).
pub fn names(line: &str, lexicon: &Lexicon) -> Names {
    let line = line.trim();
    let mut out = Names::default();
    if line.is_empty() || is_result(line) {
        return out;
    }
    let digits = mended_digits(line);
    if let Some(parts) = ALONE.captures(&digits) {
        // A lone year is the game's.
        match parts[1].parse::<u16>() {
            Ok(year @ 1400..=2099) => out.year = Some(year),
            _ => out.number = Some(parts[1].to_owned()),
        }
        return out;
    }
    if let Some(parts) = EASTERN.captures(line) {
        out.number = parts.get(1).or(parts.get(2)).map(|m| m.as_str().to_owned());
        return out;
    }
    let mut rest = line.to_owned();
    if let Some((number, behind)) = labelled(line, lexicon) {
        out.number = Some(number);
        out.labelled = true;
        rest = behind;
    } else if let Some(parts) = LEADING.captures(line)
        && !moves::begins_with_move(&parts[2])
    {
        let game = game(&parts[2]);
        // Without a full stop only a pair of players makes the figure before it a number.
        if game.players.is_some() || line[parts[1].len()..].starts_with(['.', ')', ']']) {
            return Names { number: Some(parts[1].to_owned()), ..game };
        }
    }
    let rest =
        rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '-' | '–' | '—' | ','));
    if out.number.is_none() || !rest.is_empty() {
        let game = game(rest);
        out = Names { number: out.number, labelled: out.labelled, ..game };
    }
    out
}

fn is_result(line: &str) -> bool {
    matches!(line, "1-0" | "0-1" | "1–0" | "0–1" | "½-½" | "½–½")
}

/// A short line of digits in which the reader took 1 for l or I, or 0 for O.
fn mended_digits(line: &str) -> String {
    let doubtful = |c: char| matches!(c, 'l' | 'I' | '|' | 'O' | 'o');
    let digits = line.chars().filter(char::is_ascii_digit).count();
    let others = line.chars().filter(|&c| doubtful(c)).count();
    // One figure beside a stroke is a coordinate by the board's frame.
    if digits == 0
        || others == 0
        || (digits == 1 && line.contains('|'))
        || digits + others + 1 < line.chars().count()
        || line.len() > 5
    {
        return line.to_owned();
    }
    line.chars()
        .map(|c| match c {
            'l' | 'I' | '|' => '1',
            'O' | 'o' => '0',
            c => c,
        })
        .collect()
}

/// A number with a known label before it, and the text behind.
fn labelled(line: &str, lexicon: &Lexicon) -> Option<(String, String)> {
    let parts = LABELLED.captures(line)?;
    let label = letters(&fold(parts[1].trim(), &[]));
    let mut words = parts[1].split_whitespace();
    let first = letters(&fold(words.next()?, &[]));
    // "Zadanie nr 5", "Problém č. 66", but not "Position after 14".
    let short_second = words.next().is_none_or(|word| word.chars().count() <= 3);
    let short = matches!(parts[1].trim(), "N" | "N°" | "N.º" | "Nº" | "N.°" | "№" | "N." | "#");
    (short || lexicon.is_label(&label) || (short_second && lexicon.is_label(&first)))
        .then(|| (parts[2].to_owned(), parts[3].to_owned()))
}

/// Players, place and year of a game, or composer, source and year of a composition.
fn game(text: &str) -> Names {
    let mut out = Names::default();
    let mut body = text.trim();
    if let Some(parts) = YEAR.captures(body) {
        out.year = parts[2].parse().ok();
        body = parts.get(1).map_or("", |m| m.as_str()).trim_end_matches([',', '(', ' ']);
    }
    if let Some(parts) = GAME.captures(body) {
        let (white, black) = (parts[1].trim(), parts[2].trim());
        if is_name(white) && is_name(black) {
            out.players = Some(format!("{white} – {black}"));
            out.place = parts.get(3).map(|m| m.as_str().trim().to_owned()).filter(|p| !p.is_empty());
        }
        return out;
    }
    let (name, place) = match body.split_once(',') {
        Some((name, place)) => (name.trim(), Some(place.trim().trim_matches(',').to_owned())),
        None => (body, None),
    };
    // A composer is believed where a year follows or a country stands in brackets.
    let country =
        name.strip_suffix(')').and_then(|n| n.split_once('(')).is_some_and(|(n, _)| is_name(n.trim()));
    if (out.year.is_some() && is_name(name)) || country {
        out.players = Some(name.to_owned());
        out.place = place.filter(|p| !p.is_empty());
    }
    out
}

/// A person's name: begins with a capital, has three letters or is NN, no digits, at most five words.
fn is_name(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words = text.split_whitespace().count();
    text.starts_with(|c: char| c.is_uppercase())
        && (letters >= 3 || text == "NN" || text == "N.N.")
        && !text.contains(|c: char| c.is_ascii_digit())
        && (1..=5).contains(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(line: &str) -> Option<String> {
        names(line, Lexicon::built_in()).number
    }

    #[test]
    fn numbers() {
        for (line, expected) in [
            ("123", "123"),
            ("123.", "123"),
            ("1.16", "1.16"),
            ("A12", "A12"),
            ("5-12", "5-12"),
            ("[123]", "[123]".trim_matches(['[', ']'])),
            ("(123)", "123"),
            ("l47", "147"),
            ("39A", "39A"),
            ("Diagram 45", "45"),
            ("Diagrarn 45", "45"),
            ("Fig. 137.", "137"),
            ("№ 12", "12"),
            ("N.º 12", "12"),
            ("N° 12", "12"),
            ("N 352", "352"),
            ("Ex. 3-14", "3-14"),
            ("Problém č. 66", "66"),
            ("Zadanie nr 5", "5"),
            ("第1図", "1"),
            ("図12", "12"),
            ("問題5", "5"),
            ("Puzzle 1 (White to play)", "1"),
        ] {
            assert_eq!(number(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "1-0",
            "White to move",
            "1927",
            "24. Rd1",
            "17.Rd1",
            "Moscow 1960",
            "Mate in 2",
            "Position after 14. KR-K1",
        ] {
            assert_eq!(number(line), None, "{line}");
        }
    }

    #[test]
    fn players_and_sources() {
        let read = |line: &str| {
            let n = names(line, Lexicon::built_in());
            (n.number, n.players, n.place, n.year)
        };
        let some = |s: &str| Some(s.to_owned());
        assert_eq!(
            read("27. Alekhine – Nimzowitsch, New York 1927"),
            (some("27"), some("Alekhine – Nimzowitsch"), some("New York"), Some(1927))
        );
        assert_eq!(
            read("Silman-Barkan, U.S. Open 1981"),
            (None, some("Silman – Barkan"), some("U.S. Open"), Some(1981))
        );
        assert_eq!(read("Tal : NN"), (None, some("Tal – NN"), None, None));
        assert_eq!(read("Réti, 1921"), (None, some("Réti"), None, Some(1921)));
        assert_eq!(
            read("S. Loyd, Musical World, 1859"),
            (None, some("S. Loyd"), some("Musical World"), Some(1859))
        );
        assert_eq!(read("M. Botvinnik (USSR)"), (None, some("M. Botvinnik (USSR)"), None, None));
        assert_eq!(read("Find the best move"), (None, None, None, None));
        assert_eq!(read("White stands better"), (None, None, None, None));
    }
}
