//! Phrases that a sentence merely uses: of another diagram ("as in Diagram 12, Black to move"), of a move that was made ("after the
//! 23rd move of Black"), or as its subject ("White to move is the point"). A caption says its phrase and little else.
//!
//! What is read here are the words around the phrase. They never turn a side round; they only make it unsure.

use super::fold::{fold, letters};
use super::lexicon::Lexicon;
use super::phrase::{Kind, PhraseMatch};

/// Small words that stand between names and numbers of a caption before its phrase.
const PARTICLES: [&str; 34] = [
    "v", "vs", "and", "und", "et", "y", "e", "i", "en", "og", "och", "и", "і", "gegen", "contre", "contra",
    "against", "by", "von", "van", "der", "den", "de", "del", "di", "da", "do", "dos", "la", "le", "les",
    "el", "il", "st",
];

/// Nouns for a move. "Ход белых" is a caption when it stands alone, and a mere move in "Как ответить на ход белых?".
const MOVE_NOUNS: [&str; 21] = [
    "white's",
    "black's",
    "ход",
    "хода",
    "хід",
    "ходу",
    "потез",
    "potez",
    "ruch",
    "ruchu",
    "lance",
    "coup",
    "jugada",
    "mossa",
    "tah",
    "lépés",
    "hamle",
    "zet",
    "drag",
    "træk",
    "trekk",
];

/// Verbs whose subject is the phrase before them.
const VERBS: [&str; 24] = [
    "is", "was", "are", "were", "has", "had", "ist", "war", "sind", "waren", "est", "était", "sont", "es",
    "era", "son", "è", "fu", "sono", "был", "была", "были", "jest", "było",
];

/// Capital words that lead a sentence about another diagram.
const REFERRING: [&str; 36] = [
    "in",
    "im",
    "am",
    "as",
    "like",
    "see",
    "cf",
    "compare",
    "unlike",
    "from",
    "wie",
    "siehe",
    "vgl",
    "vergleiche",
    "aus",
    "zu",
    "dans",
    "comme",
    "voir",
    "en",
    "como",
    "véase",
    "ver",
    "nel",
    "nella",
    "come",
    "vedi",
    "zie",
    "als",
    "zoals",
    "на",
    "в",
    "как",
    "см",
    "w",
    "na",
];

/// Words that point at another diagram than the one they stand by.
const ELSEWHERE: [&str; 22] = [
    "next",
    "previous",
    "preceding",
    "following",
    "last",
    "nächstes",
    "nächste",
    "nächsten",
    "voriges",
    "vorige",
    "vorigen",
    "folgendes",
    "suivant",
    "précédent",
    "siguiente",
    "anterior",
    "seguente",
    "precedente",
    "następny",
    "poprzedni",
    "следующая",
    "предыдущая",
];

/// A word of the text without the punctuation around it.
#[derive(Debug, Clone)]
struct Word<'a> {
    text: &'a str,
    /// Byte in the text.
    at: usize,
    /// Something ends behind it: a sentence, or a clause.
    ends: Option<char>,
}

impl Word<'_> {
    fn is_verbal(&self) -> bool {
        self.text.starts_with(char::is_alphabetic)
    }

    fn is_small(&self) -> bool {
        self.text.starts_with(char::is_lowercase)
    }

    fn folded(&self) -> String {
        folded(self.text)
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        let own = self.folded();
        words.iter().any(|word| folded(word) == own)
    }
}

fn folded(word: &str) -> String {
    letters(&fold(word, &[])).into_iter().collect()
}

/// Whether the words around the phrase make talk of it. `found`: all phrases of the text, whose words are explained; `line`: the bytes of
/// the lines that the phrase lies on.
pub fn is_talk(
    text: &str,
    phrase: &PhraseMatch,
    found: &[PhraseMatch],
    line: std::ops::Range<usize>,
    lexicon: &Lexicon,
) -> bool {
    let explained = |word: &Word| found.iter().any(|other| other.span.contains(&word.at));
    let before: Vec<Word> = words(text, line.start..phrase.span.start);
    let after: Vec<Word> = words(text, phrase.span.end..line.end);
    // "White moved" is no misspelt "White move".
    if phrase.error > 0.0 && text[phrase.span.end..].starts_with(char::is_alphabetic) {
        return true;
    }
    let from = before
        .iter()
        .rposition(|word| word.ends.is_some_and(|end| ".!?;".contains(end)))
        .map_or(0, |at| at + 1);
    let sentence = &before[from..];
    let to = after
        .iter()
        .position(|word| word.ends.is_some_and(|end| ".!?;".contains(end)))
        .map_or(after.len(), |at| at + 1);
    let glued = text[phrase.span.end..].starts_with(['.', '!', '?', ';']);
    let rest = if glued { &after[..0] } else { &after[..to] };

    let clause = sentence.iter().rposition(|word| word.ends.is_some()).map_or(0, |at| at + 1);
    let label = |word: &Word| lexicon.is_label(&letters(&fold(word.text, &[])));
    let talk = sentence[clause..]
        .iter()
        .any(|word| word.is_small() && !word.is_one_of(&PARTICLES) && !label(word) && !explained(word));
    let subject = rest.first().is_some_and(|word| word.is_one_of(&VERBS))
        && !text[phrase.span.end..].starts_with([',', ':']);
    let noun = phrase.kind == Kind::SideToMove
        && phrase
            .phrase
            .split_whitespace()
            .map(folded)
            .any(|word| MOVE_NOUNS.iter().any(|noun| folded(noun) == word))
        && sentence.iter().chain(rest).any(|word| word.is_verbal() && !label(word) && !explained(word));
    talk || subject || noun && phrase.names_colour || refers(sentence, &label) || refers(rest, &label)
}

/// Whether another diagram is spoken of: "in Diagram 12", "the diagram 14", "next diagram".
fn refers(words: &[Word], label: &dyn Fn(&Word) -> bool) -> bool {
    let elsewhere = |word: &Word| word.is_one_of(&ELSEWHERE);
    let pointed = words
        .windows(2)
        .any(|two| elsewhere(&two[0]) && label(&two[1]) || label(&two[0]) && elsewhere(&two[1]));
    pointed
        || words.windows(3).any(|three| {
            let number = three[2].text.starts_with(|c: char| c.is_ascii_digit());
            number
                && label(&three[1])
                && (three[0].is_small() && !label(&three[0]) || three[0].is_one_of(&REFERRING))
        })
}

/// The words of a range, in order.
fn words(text: &str, range: std::ops::Range<usize>) -> Vec<Word<'_>> {
    let part = &text[range];
    let mut out: Vec<Word> = Vec::new();
    for token in part.split_whitespace() {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let short = bare.chars().filter(|c| c.is_alphabetic()).count() < 3;
        let end = token.chars().next_back().filter(|&c| match c {
            // of an abbreviation or a number
            '.' => !short,
            c => "!?;:)–—".contains(c),
        });
        if bare.is_empty() {
            if let (Some(last), true) = (out.last_mut(), token.chars().all(|c| "-–—".contains(c))) {
                last.ends = last.ends.or(Some('–'));
            }
            continue;
        }
        out.push(Word { text: bare, at: bare.as_ptr() as usize - text.as_ptr() as usize, ends: end });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sense::{WEIGHT_UNSURE, make_sense};
    use super::*;
    use crate::chess::FieldSource;

    /// Those of the captions whose phrase is believed, or that have none.
    fn believed<'a>(captions: &[&'a [&'a str]]) -> Vec<&'a [&'a str]> {
        let sure = |lines: &&&[&str]| {
            let sense = make_sense(lines, Lexicon::built_in(), &[]);
            let mut said = sense.said.iter().filter(|said| said.source == FieldSource::Caption);
            said.next().is_none_or(|said| said.weight > WEIGHT_UNSURE)
        };
        captions.iter().filter(sure).copied().collect()
    }

    #[test]
    fn captions_are_believed() {
        let captions = [
            &["White to move"][..],
            &["Diagram 12: Black to move. See the next page."],
            &["Tal – Botvinnik, Moscow 1960. White to move"],
            &["Capablanca and Alekhine, Black to move"],
            &["12. Steinitz v. von Bardeleben (Hastings 1895) White to play and win"],
            &["No. 12 White to move and mate in three"],
            &["Problem No. 7: White to play"],
            &["Aufgabe 14. Weiß am Zug"],
            &["Weiß zieht und gewinnt"],
            &["Ход белых. Мат в 2 хода."],
            &["Diagramme 7: Trait aux Noirs"],
        ];
        let doubted: Vec<_> = captions.iter().filter(|lines| believed(&[lines]).is_empty()).collect();
        assert!(doubted.is_empty(), "{doubted:#?}");
    }

    #[test]
    fn talk_is_not() {
        let talk = [
            &["In Diagram 12 it was Black to move. Here", "the pawn stands one file further left."][..],
            &["White to move is Black's only hope."],
            &["Erratum: read \"Black to move\"."],
            &["White to move in the Diagram 14 draws."],
            &["In No. 7 White to play wins."],
            &["Wie in Diagramm 7: Schwarz am Zug."],
            &["In Diagramm 7 ist Schwarz am Zug."],
            &["En el diagrama 12 juegan negras."],
            &["На диаграмме 12 ход чёрных."],
            &["Next diagram: Black to move"],
            &["Последний ход чёрных был ошибкой."],
            &["Неудачный ход чёрных позволил", "белым выиграть."],
            &["White's move 23.Qd2 lost"],
            &["White's move was wrong"],
            &["Positions with Black to move are on p. 31"],
        ];
        assert_eq!(believed(&talk), [[""; 0]; 0]);
    }
}
