//! What the lines of a caption say: side to move with its evidence, number, players, stipulation.

use crate::chess::{Color, FieldSource};

use super::doubt::is_doubted;
use super::lexicon::Lexicon;
use super::moves;
use super::names::{Names, names};
use super::phrase::{Kind, PhraseMatch, Says};
use super::stipulation::{self, Moves};
use super::talk::is_talk;

/// Evidence out of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub side: Color,
    pub source: FieldSource,
    /// The words as read.
    pub text: String,
    pub weight: f32,
    /// Letters of a phrase that were wrong, as a share; 0 for what is no phrase.
    pub error: f32,
    /// Index of the line where they begin.
    pub line: usize,
}

/// A number that may be the diagram's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    pub text: String,
    /// A word before it says what it counts.
    pub labelled: bool,
    /// It is all that its line says.
    pub bare: bool,
    /// Index of its line.
    pub line: usize,
}

/// What a block of lines says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sense {
    pub said: Vec<Said>,
    /// The caption sets the task for either side.
    pub either_side: bool,
    /// Players, place and year; its number is the first that was found.
    pub names: Names,
    /// All numbers that may be the diagram's.
    pub numbers: Vec<Number>,
    /// Canonical: "#2", "h#3", "+", "=".
    pub stipulation: Option<String>,
    /// White's and Black's men as printed.
    pub piece_count: Option<(u8, u8)>,
    /// Lines in which something was understood.
    pub understood: Vec<bool>,
    /// A line that is the label of a side ("BLACK" above the board): index and colour.
    pub side_labels: Vec<(usize, Color)>,
    /// Language of the first phrase, by the lexicon's name.
    pub language: Option<String>,
    /// A printed first move with its number: "1.Qxh7+", "23...Rd8".
    pub first_move: Option<String>,
    /// A word before it says that it is the solution.
    pub solution: bool,
}

/// A phrase found letter by letter, alone in its line.
const WEIGHT_EXACT: f32 = 0.98;
/// Loss of weight for a phrase all of whose letters are wrong; one wrong letter in twelve costs an eighth.
const WEIGHT_ERRORS: f32 = 1.5;
/// A phrase inside a long sentence: more likely talk about the position than its caption.
const WEIGHT_PROSE: f32 = 0.6;
/// A task that names no colour ("Mate in two").
const WEIGHT_TASK: f32 = 0.95;
/// What may be meant otherwise: a half move that was misread, a phrase denied or supposed. Under the weight that is trusted.
pub const WEIGHT_UNSURE: f32 = 0.6;
/// A letter or sign beside the board.
pub const WEIGHT_SIGN: f32 = 0.95;
/// "Position after 17.Rd1": right unless dots were lost.
const WEIGHT_AFTER: f32 = 0.93;
/// "23..." beside the board, then "1.Qxh7+" below it, which may also go on from an earlier diagram.
const WEIGHT_BLACK_MOVE: f32 = 0.92;
const WEIGHT_WHITE_MOVE: f32 = 0.85;
/// "Solution: 1.Qxh7+".
const WEIGHT_SOLUTION: f32 = 0.93;

/// Reads a block of lines that belong together, in reading order. `languages` are the lexicon's names of
/// the book's languages, the likeliest first; phrases are sought in all languages, single letters in these.
pub fn make_sense(lines: &[&str], lexicon: &Lexicon, languages: &[&str]) -> Sense {
    let mut out = Sense { understood: vec![false; lines.len()], ..Sense::default() };
    let (text, starts) = join(lines);
    let line_at = |byte: usize| starts.iter().rposition(|&start| start <= byte).unwrap_or(0);
    let found = lexicon.find(&text);
    for phrase in &found {
        let (first, last) = (line_at(phrase.span.start), line_at(phrase.span.end - 1));
        out.understood[first..=last].fill(true);
        if out.language.is_none() && phrase.names_colour {
            out.language = Some(phrase.language.clone());
        }
        if out.stipulation.is_none() {
            out.stipulation = stipulation::of_phrase(phrase);
        }
        match phrase.says {
            Says::Both => out.either_side = true,
            Says::Nothing => {}
            Says::Side(side) => {
                let mut weight = weight_of(phrase, &found, &text, &starts, lexicon);
                let mut side = side;
                if let Some(moves) = help_moves(phrase, &text, &starts) {
                    // A half move more turns round who begins.
                    side = !side;
                    match moves {
                        Moves::Half(moves) => out.stipulation = Some(format!("h#{moves}.5")),
                        _ => {
                            weight = weight.min(WEIGHT_UNSURE);
                            out.stipulation = Some("h#".to_owned());
                        }
                    }
                }
                out.said.push(Said {
                    side,
                    source: if phrase.names_colour { FieldSource::Caption } else { FieldSource::Stipulation },
                    text: text[phrase.span.clone()].to_owned(),
                    weight,
                    error: phrase.error,
                    line: first,
                });
                if phrase.names_colour && weight > WEIGHT_UNSURE {
                    let end = starts.get(last + 1).map_or(text.len(), |next| next - 1).max(phrase.span.end);
                    read_behind(&text[phrase.span.end..end], last, lexicon, &mut out);
                }
            }
        }
    }
    for (i, line) in lines.iter().enumerate() {
        let line = line.trim();
        let spoken = found.iter().find(|p| p.says != Says::Nothing && line_at(p.span.start) == i);
        read_line(line, i, spoken.map(|p| p.kind), lexicon, languages, &mut out);
    }
    // Names stand in what the phrases leave of each line.
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |next| next - 1);
        let line = &text[start..end.max(start)];
        let cut = found.iter().find(|p| p.span.start >= start && p.span.start < end).map(|p| p.span.start);
        let before = match cut {
            Some(cut) => line[..cut - start].trim_end_matches([' ', '(', '-', '–', '—', '.', ':', ',']),
            None => line,
        };
        if out.side_labels.iter().any(|&(at, _)| at == i) {
            continue;
        }
        let read = names(before, lexicon);
        if read != Names::default() {
            out.understood[i] = true;
            if let Some(text) = read.number.clone() {
                let others = read.players.is_some() || read.year.is_some() || cut.is_some();
                let bare = !read.labelled && !others;
                out.numbers.push(Number { text, labelled: read.labelled, bare, line: i });
            }
            let known = &mut out.names;
            if read.labelled && !known.labelled || known.number.is_none() {
                known.number = read.number.or(known.number.take());
                known.labelled |= read.labelled;
            }
            known.players = known.players.take().or(read.players);
            known.place = known.place.take().or(read.place);
            known.year = known.year.or(read.year);
        }
    }
    // Both sides named with equal right ("White to move draws; Black to move loses") is a task for either.
    let phrases: Vec<Color> =
        out.said.iter().filter(|s| s.source == FieldSource::Caption).map(|s| s.side).collect();
    if phrases.contains(&Color::White) && phrases.contains(&Color::Black) {
        let one_sentence = found.iter().filter(|p| p.names_colour && p.kind != Kind::Trap).count() == 2;
        out.either_side |= one_sentence;
    }
    out
}

/// The first move behind a phrase on its line: "White to move. (Solution: 1...Qc7)".
fn read_behind(rest: &str, line: usize, lexicon: &Lexicon, out: &mut Sense) {
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(cue) = moves::first_move(lexicon.solution(rest).unwrap_or(rest)).filter(|cue| cue.has_move)
    else {
        return;
    };
    if out.first_move.is_none() {
        out.first_move = Some(cue.text.clone());
        out.solution = true;
    }
    let weight = if cue.side == Color::Black { WEIGHT_BLACK_MOVE } else { WEIGHT_WHITE_MOVE };
    out.said.push(Said {
        side: cue.side,
        source: FieldSource::Solution,
        text: cue.text,
        weight,
        error: 0.0,
        line,
    });
}

/// Signs, letters, move numbers and labels that stand for themselves on a line.
fn read_line(
    line: &str,
    i: usize,
    spoken: Option<Kind>,
    lexicon: &Lexicon,
    languages: &[&str],
    out: &mut Sense,
) {
    let say = |side: Color, source: FieldSource, text: &str, weight: f32, out: &mut Sense| {
        out.said.push(Said { side, source, text: text.to_owned(), weight, error: 0.0, line: i });
        out.understood[i] = true;
    };
    if let Some(side) = lexicon.side_label(line) {
        out.side_labels.push((i, side));
        out.understood[i] = true;
        return;
    }
    if let Some((side, words)) = sign(line) {
        say(side, FieldSource::Mark, line, if words { WEIGHT_UNSURE } else { WEIGHT_SIGN }, out);
    }
    if let Some(bare) = lone_letter(line)
        && let Some(side) = lexicon.letter(bare, languages)
    {
        say(side, FieldSource::Mark, line, WEIGHT_SIGN, out);
    }
    if let Some(count) = stipulation::piece_count(line) {
        out.piece_count = Some(count);
        out.understood[i] = true;
    }
    if let Some(found) = stipulation::stipulation(line) {
        out.understood[i] = true;
        if let Some(side) = found.side {
            let weight = if found.sure { WEIGHT_TASK } else { WEIGHT_UNSURE };
            say(side, FieldSource::Stipulation, &found.text, weight, out);
        }
        out.stipulation = Some(found.canonical);
    }
    // "After" with a colour was already read as a phrase.
    if spoken == Some(Kind::AfterMove) {
        return;
    }
    if let Some(cue) = moves::after_move(line, lexicon) {
        let weight = if cue.sure { WEIGHT_AFTER } else { WEIGHT_UNSURE };
        say(cue.side, FieldSource::MoveNumber, &cue.text, weight, out);
    } else if let Some(cue) = lexicon.solution(line).and_then(moves::first_move).filter(|cue| cue.has_move) {
        if !out.solution {
            out.first_move = Some(cue.text.clone());
            out.solution = true;
        }
        say(cue.side, FieldSource::Solution, &cue.text, WEIGHT_SOLUTION, out);
    } else if let Some(cue) = moves::first_move(line) {
        let weight = match cue.side {
            Color::Black if cue.has_move && cue.dots == moves::TWO => WEIGHT_UNSURE,
            Color::Black => WEIGHT_BLACK_MOVE,
            Color::White => WEIGHT_WHITE_MOVE,
        };
        if cue.has_move && out.first_move.is_none() {
            out.first_move = Some(cue.text.clone());
        }
        say(cue.side, FieldSource::MoveNumber, &cue.text, weight, out);
    }
}

/// The letter that is all of a line, perhaps in brackets. A small a to h is more likely the name of a file.
pub fn lone_letter(line: &str) -> Option<&str> {
    let line = within_brackets(line);
    let mut bare = line.trim_matches(|c: char| !c.is_alphanumeric());
    let mut twice = 0;
    // A wide capital read twice: "Ww".
    let mut chars = bare.chars();
    if let (Some(first), Some(second), None) = (chars.next(), chars.next(), chars.next())
        && first.is_uppercase()
        && first.to_lowercase().eq(second.to_lowercase())
    {
        bare = &bare[..first.len_utf8()];
        twice = 1;
    }
    let file = matches!(bare, "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h");
    let odd = line.contains([',', ';', '\'', '’', '-']);
    let balanced = line.contains('(') == line.contains(')');
    (bare.chars().count() == 1 && line.chars().count() <= 3 + twice && !file && !odd && balanced)
        .then_some(bare)
}

/// What stands in a line's brackets with them, where nothing but specks is outside: "(W) -".
fn within_brackets(line: &str) -> &str {
    match (line.find('('), line.rfind(')')) {
        (Some(from), Some(to)) if from < to => {
            let (before, after) = (&line[..from], &line[to + 1..]);
            let specks = |part: &str| part.chars().all(|c| c.is_whitespace() || ".,'`’‘-_~".contains(c));
            if specks(before) && specks(after) { &line[from..=to] } else { line }
        }
        _ => line,
    }
}

/// The fill of a mark as a sign: `true` for Black's.
fn fill(sign: char) -> Option<bool> {
    match sign {
        '□' | '○' | '△' | '▽' | '⬜' | '◻' | '☐' | '◯' | '⚪' | '◽' | '▢' | '▷' | '◁' => {
            Some(false)
        }
        '■' | '●' | '▲' | '▼' | '⬛' | '◼' | '⚫' | '◾' | '▶' | '◀' => Some(true),
        _ => None,
    }
}

/// The side of a mark that leads a line ("□", "● 12"), and whether a word follows it, whose player or bullet it may be. Behind a move the
/// same signs are remarks; several in one line are players' colours or degrees of something.
pub fn sign(line: &str) -> Option<(Color, bool)> {
    let mut chars = line.trim().chars().filter(|&c| c != '\u{fe0f}' && c != '\u{fe0e}');
    let mark = chars.next()?;
    let black = fill(mark)?;
    let rest: String = chars.collect();
    if rest.chars().any(|c| c == mark || fill(c).is_some_and(|other| other != black)) {
        return None;
    }
    let apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let words = rest.trim_start().starts_with(char::is_alphabetic);
    apart.then_some((if black { Color::Black } else { Color::White }, words))
}

/// Lines joined with spaces; a word parted by a hyphen at a line's end is put together. Also the byte where
/// each line begins.
fn join(lines: &[&str]) -> (String, Vec<usize>) {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(lines.len());
    for line in lines {
        let line = line.trim();
        let hyphen = text.ends_with(['-', '‐', '¬', '\u{ad}']) && line.starts_with(char::is_lowercase);
        if hyphen {
            text.pop();
        } else if !text.is_empty() {
            text.push(' ');
        }
        starts.push(text.len());
        text.push_str(line);
    }
    (text, starts)
}

/// The moves of a helpmate in words, where they are no whole number.
fn help_moves(phrase: &PhraseMatch, text: &str, starts: &[usize]) -> Option<Moves> {
    let help = phrase.kind == Kind::Helpmate
        || phrase.kind == Kind::Series && phrase.says == Says::Side(Color::Black);
    let end = starts.iter().find(|&&s| s >= phrase.span.end).copied().unwrap_or(text.len());
    let words = text[phrase.span.start..end.max(phrase.span.end)].trim_end();
    // "(Helpmate in 2}": a bracket that closes, no half.
    let opened = text[..phrase.span.start].trim_end().ends_with(['(', '[', '{']);
    let words = words.strip_suffix('}').filter(|_| opened).unwrap_or(words);
    let moves = stipulation::moves_of_words(words, phrase.span.len()).filter(|_| help)?;
    (!matches!(moves, Moves::Whole(_))).then_some(moves)
}

fn weight_of(
    phrase: &PhraseMatch,
    found: &[PhraseMatch],
    text: &str,
    starts: &[usize],
    lexicon: &Lexicon,
) -> f32 {
    let base = if phrase.names_colour { WEIGHT_EXACT } else { WEIGHT_TASK };
    let mut weight = base - WEIGHT_ERRORS * phrase.error;
    // Words of the same sentence around the phrase.
    let end = |c: char| matches!(c, '!' | '?' | ';' | '.' | ':' | '(' | ')');
    let before = text[..phrase.span.start].rsplit(end).next().unwrap_or("");
    let after = text[phrase.span.end..].split(end).next().unwrap_or("");
    let count = |part: &str| part.split_whitespace().filter(|w| w.chars().any(char::is_alphabetic)).count();
    // A phrase that has its lines for itself is a caption, whatever stands around them.
    let from = starts.iter().rev().find(|&&s| s <= phrase.span.start).copied().unwrap_or(0);
    let to =
        starts.iter().find(|&&s| s >= phrase.span.end).map_or(text.len(), |&s| s - 1).max(phrase.span.end);
    let own_lines = count(&text[from..phrase.span.start]) + count(&text[phrase.span.end..to]) == 0;
    if !own_lines && (count(before) + count(after) > 6 || count(before) > 4) {
        weight *= WEIGHT_PROSE;
    }
    let doubted = is_doubted(text, &phrase.span, starts, &phrase.language, &phrase.phrase);
    if doubted || phrase.kind != Kind::AfterMove && is_talk(text, phrase, found, from..to, lexicon) {
        weight = weight.min(WEIGHT_UNSURE);
    }
    weight.clamp(0.05, 0.99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_behind_a_phrase_may_contradict_it() {
        for (line, other) in [
            ("White to move. (Solution: 1...Qc7)", Some(Color::Black)),
            ("Black to move. 1.Rd1", Some(Color::White)),
            ("Black to move: 1...Rd1", Some(Color::Black)),
            ("White to move and win in 12 moves", None),
            ("White's move 23.Qd2 lost", None),
        ] {
            let sense = make_sense(&[line], Lexicon::built_in(), &[]);
            let said = sense.said.iter().find(|said| said.source == FieldSource::Solution);
            assert_eq!(said.map(|said| said.side), other, "{line}");
        }
    }

    fn sense(lines: &[&str], languages: &[&str]) -> Sense {
        make_sense(lines, Lexicon::built_in(), languages)
    }

    /// What a caption says in all: one side, both, or nothing.
    fn verdict(sense: &Sense) -> &'static str {
        let white = sense.said.iter().any(|s| s.side == Color::White);
        let black = sense.said.iter().any(|s| s.side == Color::Black);
        match (sense.either_side || (white && black), white, black) {
            (true, ..) => "both",
            (_, true, _) => "w",
            (_, _, true) => "b",
            _ => "none",
        }
    }

    #[test]
    fn solutions_tell_their_side() {
        for (line, side) in [
            ("Solution: 1.Qxh7+! Kxh7", Color::White),
            ("Lösung. 1...Txd5", Color::Black),
            ("Решение: 1.Фh7+", Color::White),
        ] {
            let read = sense(&[line], &[]);
            assert_eq!(
                read.said.iter().map(|s| (s.side, s.source)).collect::<Vec<_>>(),
                [(side, FieldSource::Solution)],
                "{line}"
            );
            assert!(read.solution && read.first_move.as_deref().is_some_and(|text| text.starts_with('1')));
        }
        assert!(!sense(&["1.Qxh7+ Kxh7"], &[]).solution);
        assert!(sense(&["Solutions page 228"], &[]).said.is_empty());
    }

    /// Rows that describe a mark in words, as a caption would show it.
    fn shown(phrase: &str) -> Option<&str> {
        Some(match phrase {
            "+ (study: win)" => "+ (3+2)",
            "= (study: draw)" => "= (3+2)",
            "□ after a move" => "17.Nf3 □",
            "△ after a move" => "17.Nf3 △ Ne5",
            // By shape, from the picture.
            "white bubble over the board" | "black bubble over the board" => return None,
            other => other,
        })
    }

    #[test]
    fn every_row_of_the_lexicon_says_its_side() {
        let mut wrong = Vec::new();
        for line in include_str!("lexicon.tsv").lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let Some(text) = shown(cells[1]) else { continue };
            let read = sense(&[text], &[cells[0]]);
            let mut expected = cells[2];
            // A move behind which a sign stands is evidence of its own kind.
            if text.starts_with("17.Nf3") {
                expected = "w";
            }
            if verdict(&read) != expected {
                wrong.push(format!("{line}: {} {:?}", verdict(&read), read.said));
            }
        }
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[test]
    fn a_whole_caption() {
        let read = sense(
            &["27. Alekhine – Nimzowitsch", "New York 1927", "White to play and mate", "in three"],
            &["en"],
        );
        assert_eq!(read.names.number.as_deref(), Some("27"));
        assert_eq!(read.names.players.as_deref(), Some("Alekhine – Nimzowitsch"));
        assert_eq!(read.names.year, Some(1927));
        assert_eq!(read.stipulation.as_deref(), Some("#3"));
        assert_eq!(verdict(&read), "w");
        assert_eq!(read.said[0].source, FieldSource::Caption);
        assert_eq!(read.said[0].line, 2);
    }

    #[test]
    fn hyphens_and_numbers_before_phrases() {
        let read = sense(&["Puzzle 1 (Black to play)"], &["en"]);
        assert_eq!((verdict(&read), read.names.number.as_deref()), ("b", Some("1")));
        let read = sense(&["Schwarz zieht und ge-", "winnt"], &["de"]);
        assert_eq!((verdict(&read), read.stipulation.as_deref()), ("b", Some("+")));
    }

    #[test]
    fn labels_names_and_judgements_are_no_side() {
        for lines in
            [&["BLACK", "WHITE"][..], &["White, J."], &["+-"], &["White wins"], &["Black – White, 1921"]]
        {
            assert_eq!(verdict(&sense(lines, &["en"])), "none", "{lines:?}");
        }
        assert_eq!(sense(&["BLACK"], &["en"]).side_labels, [(0, Color::Black)]);
    }

    #[test]
    fn half_moves_turn_helpmates_round() {
        for (line, side, sure) in [
            ("Helpmate in 2", Color::Black, true),
            ("Hilfsmatt in 2 Zügen", Color::Black, true),
            ("Кооперативный мат в 2 хода", Color::Black, true),
            ("Hilfsmatt in 2½ Zügen", Color::White, true),
            ("Helpmate in 2 1/2", Color::White, true),
            ("Helpmate in 312", Color::White, false),
            ("Helpmate in 3%", Color::White, false),
            ("h#3%", Color::White, false),
            ("h#312 (4+5)", Color::White, false),
        ] {
            let read = sense(&[line], &[]);
            let said: Vec<_> = read.said.iter().map(|s| (s.side, s.weight >= 0.75)).collect();
            assert_eq!(said, [(side, sure)], "{line} {:?}", read.said);
        }
    }

    #[test]
    fn what_is_denied_supposed_or_compared_is_unsure() {
        for line in [
            "If it were Black to move",
            "Were it Black to move",
            "With Black to move it is a draw",
            "It is not White to move",
            "Is it White to move? No!",
            "Compare diagram 12, with White to move",
            "Draw with Black to move, win with White",
            "Wäre Schwarz am Zug",
            "Schwarz zieht nicht",
            "Les Noirs ne jouent pas",
            "Si les Noirs jouent",
            "No juegan las negras",
        ] {
            let read = sense(&[line], &[]);
            assert!(read.said.iter().all(|said| said.weight < 0.75), "{line} {:?}", read.said);
        }
        for line in [
            "White to move",
            "No. 12 Juegan las blancas",
            "Not bad! White to move",
            "Tal – Smyslov. With White to move",
        ] {
            let read = sense(&[line], &[]);
            assert!(read.said.iter().any(|said| said.weight >= 0.75), "{line} {:?}", read.said);
        }
    }

    #[test]
    fn no_phrase_of_the_lexicon_doubts_itself() {
        for line in include_str!("lexicon.tsv").lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            if cells[2] == "w" || cells[2] == "b" {
                let text = cells[1];
                assert!(!is_doubted(text, &(0..text.len()), &[0], cells[0], text), "{line}");
            }
        }
    }

    #[test]
    fn signs_before_words_may_be_the_players() {
        for line in ["□ Tal ■ Botvinnik", "■ Spassky – □ Larsen", "● easy ●● harder", "●● 12"]
        {
            assert_eq!(sense(&[line], &[]).said, [], "{line}");
        }
        for (line, sure) in [("■ Botvinnik", false), ("■ Exercise 3", false), ("☐ solved", false)] {
            let read = sense(&[line], &[]);
            assert!(read.said.iter().all(|said| (said.weight >= 0.75) == sure), "{line}");
        }
        for line in ["□", "● 12", "■ 3."] {
            assert!(sense(&[line], &[]).said[0].weight >= 0.75, "{line}");
        }
    }

    #[test]
    fn talk_weighs_less_than_a_caption() {
        let talk = sense(
            &["In this famous position from the match it was found that White to move can draw"],
            &["en"],
        );
        let caption = sense(&["42. White to move"], &["en"]);
        assert!(talk.said[0].weight < 0.75 && caption.said[0].weight > 0.9);
    }
}
