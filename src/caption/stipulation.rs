//! Stipulations printed as signs: `#2`, `h#3`, `ser-h#5`, `h#2½`, and the men counted as `(6+7)`.

use std::sync::LazyLock;

use regex::Regex;

use crate::chess::Color;

use super::phrase::{Kind, PhraseMatch, Says};

/// A stipulation as printed in signs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stipulation {
    /// Canonical: "#2", "h#2.5", "ser-h#5".
    pub canonical: String,
    /// Who moves first; `None` where the sign does not say (proof games; an odd count of solutions).
    pub side: Option<Color>,
    /// False where the count of moves may hold a half that was misread: then the side is a guess.
    pub sure: bool,
    /// The words as read.
    pub text: String,
}

static SIGN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:^|[\s(,])((?:p?ser-)?(?:hs|hr|semi-r|h|s|r)?)([#=])\s?(\d+)")
        // Constant and tested.
        .expect("constant pattern")
});

static PHASE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s+0\.\d").expect("constant pattern"));

/// A half as print and readers give it, behind the whole moves: "½", " 1/2", ".5".
static HALF: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:\s?½|\s?1\s?[/⁄]\s?2\b|[.,]5\b)").expect("constant pattern"));

/// What a misread half looks like when a blank parts it from the number.
static LIKE_HALF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s+(?:%|[yvl'’`i]{1,2}\s?[%2/]|[¼¾]|12(?:\D|$)|[1il]?/)").expect("constant pattern")
});

/// More whole moves than any number that is not a misread one ("3½" read as "312"), ...
const MOST_MOVES: u32 = 99;
/// ... and for helpmates, which are short.
const MOST_HELP: u32 = 20;

/// A count of moves as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    Whole(u32),
    /// So many and a half.
    Half(u32),
    /// Something behind the number may be a half that was misread.
    Unsure,
}

/// The count of moves at the head of `text`, which begins with a digit, and the bytes that it takes.
pub fn moves_at(text: &str) -> (Moves, usize) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // "31/2": three and a half without a blank.
    if let Some(whole) = digits.strip_suffix('1').filter(|whole| !whole.is_empty())
        && rest.starts_with(['/', '⁄'])
        && rest.chars().nth(1) == Some('2')
    {
        let length = end + rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
        return (whole.parse().map_or(Moves::Unsure, Moves::Half), length);
    }
    let Ok(count) = digits.parse::<u32>() else { return (Moves::Unsure, end) };
    if let Some(half) = HALF.find(rest) {
        return (Moves::Half(count), end + half.end());
    }
    let mut behind = rest.chars();
    let clean = match (behind.next(), behind.next()) {
        (None, _) => true,
        (Some('.' | ','), Some(next)) => !next.is_ascii_digit(),
        (Some(c), _) => c.is_whitespace() || ")(,;:.!?*[]\"+/–-".contains(c),
    };
    // "3/2" is no half either.
    let clean = clean && !(rest.starts_with('/') && rest[1..].starts_with(|c: char| c.is_ascii_digit()));
    if clean && count <= MOST_MOVES && !LIKE_HALF.is_match(rest) {
        (Moves::Whole(count), end)
    } else {
        (Moves::Unsure, end)
    }
}

/// The moves of a helpmate in words: the first number in `text`, which begins with the phrase and ends with its line. `own` bytes are the
/// phrase's. `None` without figures near it.
pub fn moves_of_words(text: &str, own: usize) -> Option<Moves> {
    /// Parts of words for a half, by which "two and a half" is told.
    const HALVES: [&str; 8] = ["half", "halb", "halve", "demi", "medi", "mezz", "полов", "poł"];
    let lower = text.to_lowercase();
    let at = text.find(|c: char| c.is_ascii_digit()).filter(|&at| at <= own + 4);
    match at.map(|at| moves_at(&without_ordinal(&text[at..])).0) {
        Some(Moves::Whole(moves)) if moves > MOST_HELP => Some(Moves::Unsure),
        Some(Moves::Whole(_)) | None if HALVES.iter().any(|half| lower.contains(half)) => Some(Moves::Unsure),
        moves => moves,
    }
}

/// "2nd", "2-м", "2e": the ending of an ordinal is no misread half.
fn without_ordinal(text: &str) -> String {
    static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(\d+)(?:-?(?:st|nd|rd|th|er|e|de|te|го|й|м|х|ом|ym|ª|º|°))(\s|\W|$)")
            .expect("constant pattern")
    });
    ORDINAL.replace(text, "$1$2").into_owned()
}

static PROOF_GAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(S?PG)\s+(\d{1,3}[.,]\d)").expect("constant pattern"));

static COUNT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\(\s*(\d{1,2})\s*\+\s*(\d{1,2})\s*\)").expect("constant pattern"));

/// Finds a stipulation in signs.
pub fn stipulation(line: &str) -> Option<Stipulation> {
    if let Some(parts) = PROOF_GAME.captures(line) {
        let canonical = format!("{} {}", &parts[1], parts[2].replace(',', "."));
        return Some(Stipulation { canonical, side: None, sure: true, text: parts[0].trim().to_owned() });
    }
    if let Some(parts) = SIGN.captures(line) {
        let kind = parts[1].to_lowercase();
        // "=3" alone is a sign of evaluation and a number.
        if kind.is_empty() && &parts[2] == "=" {
            return None;
        }
        let digits = parts.get(3).map_or(0, |digits| digits.start());
        let (moves, length) = moves_at(&line[digits..]);
        let rest = &line[digits + length..];
        // Helpmates begin with Black, all others with White; where Black gives the mate (`hs#`, `hr#`) White
        // begins too. A half move more turns that round, and has no meaning in what is no help play.
        let series = matches!(kind.as_str(), "ser-h" | "pser-h");
        let first = if kind == "h" || series { Color::Black } else { Color::White };
        let help = first == Color::Black || matches!(kind.as_str(), "hs" | "hr");
        let text = line[parts.get(1).map_or(0, |sign| sign.start())..digits + length].trim().to_owned();
        let (count, side, sure) = match moves {
            Moves::Whole(moves) if kind == "h" && moves > MOST_HELP => (String::new(), !first, false),
            Moves::Whole(moves) => (moves.to_string(), first, true),
            Moves::Half(moves) if help => (format!("{moves}.5"), !first, true),
            Moves::Half(moves) => (format!("{moves}.5"), first, false),
            Moves::Unsure if help => (String::new(), !first, false),
            Moves::Unsure => (String::new(), first, false),
        };
        let canonical = format!("{kind}{}{count}", &parts[2]);
        // "0.1;1.1": a phase without Black's first move.
        let side = Some(side).filter(|_| !PHASE.is_match(rest));
        return Some(Stipulation { canonical, side, sure, text });
    }
    // "+" and "=" are the goals of a study where the men are counted beside them, elsewhere judgements.
    let goal = line.trim().chars().next().filter(|c| matches!(c, '+' | '='))?;
    let rest = line.trim()[1..].trim();
    (piece_count(rest).is_some() && rest.starts_with('(')).then(|| Stipulation {
        canonical: goal.to_string(),
        side: Some(Color::White),
        sure: true,
        text: line.trim().to_owned(),
    })
}

/// The printed count of White's and Black's men: "(6+7)".
pub fn piece_count(line: &str) -> Option<(u8, u8)> {
    let parts = COUNT.captures(line)?;
    let (white, black) = (parts[1].parse().ok()?, parts[2].parse().ok()?);
    ((1..=16).contains(&white) && (1..=16).contains(&black)).then_some((white, black))
}

/// The stipulation that a phrase states in words, in signs: "Mate in three" is `#3`.
pub fn of_phrase(phrase: &PhraseMatch) -> Option<String> {
    let sign = match phrase.kind {
        Kind::Win => return Some("+".to_owned()),
        Kind::Draw => return Some("=".to_owned()),
        Kind::Mate => "#",
        Kind::Helpmate => "h#",
        Kind::Selfmate => "s#",
        Kind::Reflexmate => "r#",
        Kind::Series if phrase.says == Says::Side(Color::Black) => "ser-h#",
        Kind::Series => "ser-#",
        _ => return None,
    };
    Some(match phrase.number.filter(|&moves| moves <= MOST_MOVES) {
        Some(moves) => format!("{sign}{moves}"),
        None => sign.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_their_sides() {
        use Color::{Black, White};
        for (text, canonical, side) in [
            ("#2", "#2", Some(White)),
            ("H#2", "h#2", Some(Black)),
            ("h#2½", "h#2.5", Some(White)),
            ("h#2,5", "h#2.5", Some(White)),
            ("s#3", "s#3", Some(White)),
            ("hs#4", "hs#4", Some(White)),
            ("hs#3½", "hs#3.5", Some(Black)),
            ("h#5 ½", "h#5.5", Some(White)),
            ("h#2 1/2", "h#2.5", Some(White)),
            ("h#31/2 (4+5)", "h#3.5", Some(White)),
            ("h#3* 2.1.1", "h#3", Some(Black)),
            ("h#3 (4+5)", "h#3", Some(Black)),
            ("h#3 2 solutions", "h#3", Some(Black)),
            ("h#3, b) Pa2-a3", "h#3", Some(Black)),
            ("ser-h#25", "ser-h#25", Some(Black)),
            ("ser-h#5", "ser-h#5", Some(Black)),
            ("ser-#4", "ser-#4", Some(White)),
            ("h#2 0.1;1.1", "h#2", None),
            ("PG 12,0", "PG 12.0", None),
            ("(4+2) #3", "#3", Some(White)),
            ("+ (3+2)", "+", Some(White)),
        ] {
            let found = stipulation(text).unwrap();
            assert_eq!((found.canonical.as_str(), found.side), (canonical, side), "{text}");
        }
        for text in ["+", "=", "+-", "= 3", "1-0", "No#", "(6+7)", "17.Rd1="] {
            assert_eq!(stipulation(text), None, "{text}");
        }
    }

    #[test]
    fn a_misread_half_leaves_the_side_unsure() {
        for text in ["h#3%", "h#3Y%", "h#312", "h#3 12", "h#3 %", "h#3 Y2", "h#34%", "h#3V2", "ser-h#512"] {
            let found = stipulation(text).unwrap();
            assert!(!found.sure, "{text} {found:?}");
        }
        assert!(stipulation("h#12").unwrap().sure && stipulation("#3!").unwrap().sure);
        assert!(!stipulation("h#32").unwrap().sure);
        for (text, own, moves) in [
            ("Hilfsmatt in 2½ Zügen", 14, Some(Moves::Half(2))),
            ("Helpmate in 312", 15, Some(Moves::Unsure)),
            ("Helpmate in 2 1/2", 13, Some(Moves::Half(2))),
            ("Helpmate in two and a half", 15, Some(Moves::Unsure)),
            ("Helpmate in 2.", 13, Some(Moves::Whole(2))),
            ("Helpmate in two", 15, None),
        ] {
            assert_eq!(moves_of_words(text, own), moves, "{text}");
        }
    }

    #[test]
    fn men_are_counted() {
        assert_eq!(piece_count("#2 (6+7)"), Some((6, 7)));
        assert_eq!(piece_count("(4 + 12) C+"), Some((4, 12)));
        assert_eq!(piece_count("(40+12)"), None);
    }
}
