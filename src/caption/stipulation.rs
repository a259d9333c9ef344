//! Stipulations printed as signs: `#2`, `h#3`, `ser-h#5`, `h#2½`, and the men counted as `(6+7)`.

use std::sync::LazyLock;

use regex::Regex;

use crate::chess::Color;

use super::lexicon::{Kind, PhraseMatch, Says};

/// A stipulation as printed in signs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stipulation {
    /// Canonical: "#2", "h#2.5", "ser-h#5".
    pub canonical: String,
    /// Who moves first; `None` where the sign does not say (proof games; an odd count of solutions).
    pub side: Option<Color>,
    /// The words as read.
    pub text: String,
}

static SIGN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:^|[\s(,])((?:p?ser-)?(?:hs|hr|semi-r|h|s|r)?)([#=])\s?(\d{1,3})(?:[.,](5)|\s?(½))?(\s+0\.\d)?",
    )
    // Constant and tested.
    .expect("constant pattern")
});

static PROOF_GAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(S?PG)\s+(\d{1,3}[.,]\d)").expect("constant pattern"));

static COUNT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\(\s*(\d{1,2})\s*\+\s*(\d{1,2})\s*\)").expect("constant pattern"));

/// Finds a stipulation in signs.
pub fn stipulation(line: &str) -> Option<Stipulation> {
    if let Some(parts) = PROOF_GAME.captures(line) {
        let canonical = format!("{} {}", &parts[1], parts[2].replace(',', "."));
        return Some(Stipulation { canonical, side: None, text: parts[0].trim().to_owned() });
    }
    if let Some(parts) = SIGN.captures(line) {
        let kind = parts[1].to_lowercase();
        // "=3" alone is a sign of evaluation and a number.
        if kind.is_empty() && &parts[2] == "=" {
            return None;
        }
        let half = parts.get(4).or(parts.get(5)).is_some();
        let canonical = format!("{kind}{}{}{}", &parts[2], &parts[3], if half { ".5" } else { "" });
        // Helpmates begin with Black, unless a half move is counted; all others with White.
        let help = matches!(kind.as_str(), "h" | "ser-h" | "pser-h");
        let side = match parts.get(6) {
            // "0.1;1.1": a phase without Black's first move.
            Some(_) => None,
            None if help && !half => Some(Color::Black),
            None => Some(Color::White),
        };
        return Some(Stipulation { canonical, side, text: parts[0].trim().to_owned() });
    }
    // "+" and "=" are the goals of a study where the men are counted beside them, elsewhere judgements.
    let goal = line.trim().chars().next().filter(|c| matches!(c, '+' | '='))?;
    let rest = line.trim()[1..].trim();
    (piece_count(rest).is_some() && rest.starts_with('(')).then(|| Stipulation {
        canonical: goal.to_string(),
        side: Some(Color::White),
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
    Some(match phrase.number {
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
    fn men_are_counted() {
        assert_eq!(piece_count("#2 (6+7)"), Some((6, 7)));
        assert_eq!(piece_count("(4 + 12) C+"), Some((4, 12)));
        assert_eq!(piece_count("(40+12)"), None);
    }
}
