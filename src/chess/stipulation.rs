//! Stipulations of composed problems in canonical form: `#2`, `h#3.5`, `ser-s#7`, `+`, `=`.
//!
//! Words ("mate in two") are the caption's business; here is the notation of problem journals as
//! collected by the WFCC's Codex and used by problem databases.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// How the sides work towards the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// One side reaches the goal against any defence.
    Direct,
    /// The side to move forces the other to reach the goal.
    Self_,
    /// As self, and either side must reach the goal at once when it can.
    Reflex,
    /// As reflex, but only the second side must.
    SemiReflex,
    /// Both sides work together; the second to move reaches the goal.
    Help,
    /// As help, but the last move is forced as in self play.
    HelpSelf,
    /// As help, but the last move is forced as in reflex play.
    HelpReflex,
}

/// Whether one side makes all its moves in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Series {
    /// The sides alternate.
    No,
    /// One side moves, without giving check before the last move.
    Series,
    /// The same, but checks may be given and must be parried at once.
    Parry,
}

/// What has to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    Mate,
    Stalemate,
    /// A won position, in a study.
    Win,
    /// A drawn position, in a study.
    Draw,
}

/// A stipulation: what has to be reached, how, and in how many moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stipulation {
    pub play: Play,
    pub series: Series,
    pub goal: Goal,
    /// Length in half moves of the count as printed: `#2` has 4, `h#2.5` has 5; `None` when no number is given.
    pub half_moves: Option<u16>,
}

/// Why a text is no stipulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StipulationError {
    #[error("{0:?} has no goal: #, =, + expected")]
    NoGoal(String),
    #[error("{0:?} is a verdict on the position and no stipulation")]
    Verdict(String),
    #[error("{text:?} begins with {kind:?}, which is no kind of stipulation")]
    Kind { text: String, kind: String },
    #[error("{text:?} ends with {count:?}, which is no number of moves")]
    Count { text: String, count: String },
    #[error("{0:?} asks for a win or a draw, which has neither a kind nor a number of moves")]
    StudyWithKind(String),
}

/// Longer than any problem composed: a misread number.
const MOST_MOVES: u16 = 999;

impl Stipulation {
    /// A direct mate in `moves`.
    pub fn mate_in(moves: u16) -> Stipulation {
        Stipulation { play: Play::Direct, series: Series::No, goal: Goal::Mate, half_moves: Some(2 * moves) }
    }

    /// The side that moves first. Black begins a help play (White gives the last move), White everything
    /// else; an odd half move in front turns that round.
    pub fn side_to_move(&self) -> Color {
        let usual = match self.play {
            Play::Help => Color::Black,
            _ => Color::White,
        };
        if self.has_half_move() { !usual } else { usual }
    }

    /// Whole moves, the half move in front not counted.
    pub fn moves(&self) -> Option<u16> {
        self.half_moves.map(|half| half / 2)
    }

    /// A direct mate in this many moves, which a solver can prove; Black to move first is none.
    pub fn direct_mate_in(&self) -> Option<u16> {
        let direct = self.play == Play::Direct && self.goal == Goal::Mate && self.series == Series::No;
        if direct && !self.has_half_move() { self.moves() } else { None }
    }

    fn has_half_move(&self) -> bool {
        self.half_moves.is_some_and(|half| half % 2 == 1)
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.series {
            Series::No => "",
            Series::Series => "ser-",
            Series::Parry => "pser-",
        })?;
        f.write_str(match self.play {
            Play::Direct => "",
            Play::Self_ => "s",
            Play::Reflex => "r",
            Play::SemiReflex => "semi-r",
            Play::Help => "h",
            Play::HelpSelf => "hs",
            Play::HelpReflex => "hr",
        })?;
        f.write_str(match self.goal {
            Goal::Mate => "#",
            Goal::Stalemate | Goal::Draw => "=",
            Goal::Win => "+",
        })?;
        if let Some(half) = self.half_moves {
            write!(f, "{}{}", half / 2, if half % 2 == 1 { ".5" } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Stipulation {
    type Err = StipulationError;

    /// Reads the canonical form and its usual variants: blanks, capitals, `ser.h#5`, `serh#5`, `sh#5`,
    /// `2#`, `h2#`, `h#2½`, a `*` for set play behind it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let own = || text.to_owned();
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| match c {
                '\u{ff03}' | '\u{266f}' | '\u{2021}' => '#',
                '\u{ff1d}' => '=',
                '\u{ff0b}' => '+',
                '\u{2212}' | '\u{2013}' => '-',
                ',' => '.',
                c => c.to_ascii_lowercase(),
            })
            .collect();
        let plain = plain.replace('\u{bd}', ".5");
        let plain = plain.trim_end_matches(['*', '!', ';', ':']);
        let goals = plain.matches(['#', '=', '+']).count();
        if goals > 1
            || goals == 1 && matches!(plain.strip_suffix('-').or(plain.strip_prefix('-')), Some("+" | "="))
        {
            return Err(StipulationError::Verdict(own()));
        }
        let Some((before, after)) = plain.split_once(['#', '=', '+']) else {
            return Err(StipulationError::NoGoal(own()));
        };
        let sign = plain.as_bytes()[before.len()];

        // `h2#`: the number stands before the goal
        let digits = before.find(|c: char| c.is_ascii_digit()).unwrap_or(before.len());
        let (kind, count) = match (&before[digits..], after.trim_end_matches('.')) {
            ("", count) => (before, count),
            (count, "") => (&before[..digits], count),
            (_, count) => return Err(StipulationError::Count { text: own(), count: count.to_owned() }),
        };
        let half_moves = match count {
            "" => None,
            count => Some(
                parse_count(count)
                    .ok_or_else(|| StipulationError::Count { text: own(), count: count.to_owned() })?,
            ),
        };
        let (series, play) =
            parse_kind(kind).ok_or_else(|| StipulationError::Kind { text: own(), kind: kind.to_owned() })?;
        let study = series == Series::No && play == Play::Direct && half_moves.is_none();
        let goal = match sign {
            b'#' => Goal::Mate,
            b'=' if study => Goal::Draw,
            b'=' => Goal::Stalemate,
            _ if study => Goal::Win,
            _ => return Err(StipulationError::StudyWithKind(own())),
        };
        Ok(Stipulation { play, series, goal, half_moves })
    }
}

/// Half moves of "2", "2.5" or ".5" (the old way to say that Black begins is not a count of zero).
fn parse_count(text: &str) -> Option<u16> {
    let (whole, half) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, "5")) => (whole, 1),
        Some((whole, "0")) => (whole, 0),
        Some(_) => return None,
    };
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let moves: u16 = whole.parse().ok().filter(|&moves| moves <= MOST_MOVES)?;
    Some(2 * moves + half).filter(|&half_moves| half_moves > 0)
}

/// The letters before the goal.
fn parse_kind(text: &str) -> Option<(Series, Play)> {
    let play = |text: &str| {
        Some(match text {
            "" => Play::Direct,
            "s" => Play::Self_,
            "r" => Play::Reflex,
            "semi-r" | "semir" => Play::SemiReflex,
            "h" => Play::Help,
            "hs" => Play::HelpSelf,
            "hr" => Play::HelpReflex,
            _ => return None,
        })
    };
    if let Some(play) = play(text) {
        return Some((Series::No, play));
    }
    for (prefix, series) in [("pser", Series::Parry), ("series", Series::Series), ("ser", Series::Series)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            return play(rest.trim_start_matches(['-', '.'])).map(|play| (series, play));
        }
    }
    // `sh#5`: an older way to write a series-help problem
    (text == "sh").then_some((Series::Series, Play::Help))
}

impl Serialize for Stipulation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stipulation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, canonical form, side to move.
    const SOUND: &[(&str, &str, Color)] = &[
        ("#2", "#2", Color::White),
        ("# 3", "#3", Color::White),
        ("2#", "#2", Color::White),
        ("#", "#", Color::White),
        ("#2*", "#2", Color::White),
        ("#15", "#15", Color::White),
        ("#2.5", "#2.5", Color::Black),
        ("h#3", "h#3", Color::Black),
        ("H#2", "h#2", Color::Black),
        ("h2#", "h#2", Color::Black),
        ("h#2.5", "h#2.5", Color::White),
        ("h#2½", "h#2.5", Color::White),
        ("h#2,5", "h#2.5", Color::White),
        ("h#0.5", "h#0.5", Color::White),
        ("h=4", "h=4", Color::Black),
        ("s#2", "s#2", Color::White),
        ("s=5", "s=5", Color::White),
        ("r#2", "r#2", Color::White),
        ("semi-r#3", "semi-r#3", Color::White),
        ("ser-h#5", "ser-h#5", Color::Black),
        ("ser.h#5", "ser-h#5", Color::Black),
        ("serh#5", "ser-h#5", Color::Black),
        ("sh#5", "ser-h#5", Color::Black),
        ("ser-#4", "ser-#4", Color::White),
        ("ser-s#10", "ser-s#10", Color::White),
        ("ser-=8", "ser-=8", Color::White),
        ("ser-h=6", "ser-h=6", Color::Black),
        ("pser-h#5", "pser-h#5", Color::Black),
        ("hs#3", "hs#3", Color::White),
        ("hs#2.5", "hs#2.5", Color::Black),
        ("hr#3", "hr#3", Color::White),
        ("=2", "=2", Color::White),
        ("+", "+", Color::White),
        ("=", "=", Color::White),
        ("\u{ff03}2", "#2", Color::White),
    ];

    #[test]
    fn reads_variants_and_writes_the_canonical_form() {
        for &(text, canonical, side) in SOUND {
            let stipulation: Stipulation = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(stipulation.to_string(), canonical, "{text}");
            assert_eq!(stipulation.side_to_move(), side, "{text}");
            assert_eq!(canonical.parse::<Stipulation>(), Ok(stipulation));
            let json = serde_json::to_string(&stipulation).unwrap();
            assert_eq!(serde_json::from_str::<Stipulation>(&json).unwrap(), stipulation);
        }
    }

    #[test]
    fn refuses_verdicts_and_nonsense() {
        for verdict in ["+-", "-+", "+=", "=+", "+\u{2212}", "\u{2013}+", "++"] {
            assert!(matches!(verdict.parse::<Stipulation>(), Err(StipulationError::Verdict(_))), "{verdict}");
        }
        for nonsense in [
            "", "2", "mate", "x#2", "#two", "#2.7", "#0", "#1000", "#99999", "h+", "+3", "#.5", "#2.1.1.1",
            "2#3",
        ] {
            assert!(nonsense.parse::<Stipulation>().is_err(), "{nonsense}");
        }
    }

    #[test]
    fn names_direct_mates() {
        let direct = |text: &str| text.parse::<Stipulation>().unwrap().direct_mate_in();
        assert_eq!(direct("#3"), Some(3));
        for other in ["h#3", "s#3", "ser-#3", "=", "#2.5", "#"] {
            assert_eq!(direct(other), None, "{other}");
        }
        assert_eq!(Stipulation::mate_in(4).to_string(), "#4");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,12}") {
            if let Ok(stipulation) = text.parse::<Stipulation>() {
                proptest::prop_assert_eq!(stipulation.to_string().parse(), Ok(stipulation));
            }
        }

        #[test]
        fn almost_stipulations_round_trip(text in "(ser-|ser|sh|s|h|r|semi-r){0,2}[#=+]{0,2}[0-9]{0,3}(\\.5)?[#*!-]?") {
            if let Ok(stipulation) = text.parse::<Stipulation>() {
                proptest::prop_assert_eq!(stipulation.to_string().parse(), Ok(stipulation));
            }
        }
    }
}
