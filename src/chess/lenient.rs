//! Reading a FEN that is none: where exactly it goes wrong, and what can be read all the same.
//!
//! Used for people's typing and for other programs' output. What is guessed here is for looking at,
//! never for a collection.

use std::ops::Range;

use shakmaty::{Color, File, Piece, Rank, Role, Square};

use super::fen::is_dash;
use super::piece_letters::{PieceLetters, figurine};
use super::{Fen, FenField, Placement};

/// Something wrong at a place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Characters (not bytes) of the text, from 0.
    pub span: Range<usize>,
    pub message: String,
}

/// What a text holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LenientReading {
    /// As much as could be read; a field that could not has its usual value.
    pub fen: Fen,
    /// Squares of which nothing is known.
    pub unknown: Vec<Square>,
    /// What is wrong, in the order of the text. Empty when [`Fen::parse`] takes the text.
    pub problems: Vec<Problem>,
    /// Fields that are missing and have their usual value.
    pub missing: Vec<FenField>,
    /// Whether the text is near enough to a FEN to be drawn.
    pub looks_like_fen: bool,
}

/// Reads as much as possible of `text`.
pub fn read_leniently(text: &str) -> LenientReading {
    if let Ok(parsed) = Fen::parse(text) {
        return LenientReading {
            fen: parsed.fen,
            unknown: Vec::new(),
            problems: Vec::new(),
            missing: parsed.missing,
            looks_like_fen: true,
        };
    }
    let mut words = words_of(text);
    let mut out = LenientReading {
        fen: Fen::new(Placement::default(), Color::White),
        unknown: Vec::new(),
        problems: Vec::new(),
        missing: Vec::new(),
        looks_like_fen: false,
    };
    if words.is_empty() {
        out.problems.push(Problem { span: 0..0, message: "there is no text".to_owned() });
        return out;
    }
    let placement = words.remove(0);
    out.looks_like_fen = looks_like_placement(&placement.text);
    read_placement(&placement, &mut out);
    read_fields(&words, &mut out);
    out
}

#[derive(Debug, Clone)]
struct Word {
    start: usize,
    text: String,
}

impl Word {
    fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.chars().count()
    }

    fn problem(&self, message: impl Into<String>) -> Problem {
        Problem { span: self.span(), message: message.into() }
    }
}

fn words_of(text: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut inside = false;
    for (index, c) in text.chars().enumerate() {
        match (c.is_whitespace(), inside) {
            (true, _) => inside = false,
            (false, true) => out.iter_mut().last().into_iter().for_each(|word| word.text.push(c)),
            (false, false) => {
                inside = true;
                out.push(Word { start: index, text: c.to_string() });
            }
        }
    }
    out
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\' | '|')
}

/// At least three ranks that are mostly letters of men and digits: no path, no address.
fn looks_like_placement(text: &str) -> bool {
    let separators = text.chars().filter(|&c| is_separator(c)).count();
    let alphabet = Alphabet::of(text);
    let known = text.chars().filter(|&c| alphabet.piece(c).is_some() || c.is_ascii_digit()).count();
    let all = text.chars().count() - separators;
    separators >= 2 && 3 * known >= 2 * all && all > 0
}

fn read_placement(word: &Word, out: &mut LenientReading) {
    let letters: Vec<char> = word.text.chars().collect();
    if let Some(index) = letters.iter().position(|&c| c == '\\' || c == '|') {
        let message = format!("ranks are parted by {:?} instead of '/'", letters[index]);
        out.problems.push(Problem { span: word.start + index..word.start + index + 1, message });
    }
    let mut ranks: Vec<Word> = Vec::new();
    let mut start = 0;
    for (index, &c) in letters.iter().chain(std::iter::once(&'/')).enumerate() {
        if is_separator(c) {
            ranks.push(Word { start: word.start + start, text: letters[start..index].iter().collect() });
            start = index + 1;
        }
    }
    if ranks.len() == 9 && ranks[8].text.is_empty() {
        let last = word.start + letters.len() - 1;
        out.problems
            .push(Problem { span: last..last + 1, message: "a '/' too many after rank 1".to_owned() });
        ranks.pop();
    } else if ranks.len() != 8 {
        let message = format!("{} ranks instead of 8", ranks.len());
        out.problems.push(word.problem(message));
    }
    let alphabet = Alphabet::of(&word.text);
    if let Some((index, message)) = alphabet.complaint(&letters) {
        out.problems.push(Problem { span: word.start + index..word.start + index + 1, message });
    }
    for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
        match ranks.get(row) {
            Some(text) => read_rank(text, rank, &alphabet, out),
            None => out.unknown.extend(File::ALL.map(|file| Square::from_coords(file, rank))),
        }
    }
    // the mark of an empty last rank would reach over the end
    let end = word.span().end;
    out.problems.iter_mut().for_each(|problem| problem.span.end = problem.span.end.min(end));
    for rank in ranks.iter().skip(8) {
        out.problems.push(rank.problem(format!("{:?} comes after rank 1", rank.text)));
    }
}

fn read_rank(word: &Word, rank: Rank, alphabet: &Alphabet, out: &mut LenientReading) {
    // what stands on each square: a man, nothing, or who knows
    let mut squares: Vec<Option<Option<Piece>>> = Vec::new();
    let number = rank.char();
    for (index, c) in word.text.chars().enumerate() {
        let mut complain = |message: String| {
            let at = word.start + index;
            out.problems.push(Problem { span: at..at + 1, message });
        };
        match (alphabet.piece(c), c) {
            (Some(piece), _) => squares.push(Some(Some(piece))),
            (None, '1'..='8') => {
                squares.extend(std::iter::repeat_n(Some(None), c.to_digit(10).unwrap_or(0) as usize));
            }
            (None, '0' | '9') => {
                complain(format!("rank {number} has {c:?}: a rank has 1 to 8 empty squares in a row"));
            }
            (None, '.' | '-' | '_' | '*') => {
                complain(format!("rank {number} has {c:?}: empty squares are written as their number"));
                squares.push(Some(None));
            }
            (None, _) => {
                complain(format!(
                    "rank {number} has {c:?}, which is no piece letter and no digit from 1 to 8"
                ));
                squares.push(None);
            }
        }
    }
    if squares.len() != 8 {
        let message =
            format!("rank {number} ({:?}) adds up to {} squares instead of 8", word.text, squares.len());
        out.problems.push(if word.text.is_empty() {
            let span = word.start.saturating_sub(1)..word.start + 1;
            Problem { span, message: format!("rank {number} is empty: an empty rank is written as 8") }
        } else {
            word.problem(message)
        });
    }
    for (index, file) in File::ALL.into_iter().enumerate() {
        let square = Square::from_coords(file, rank);
        match squares.get(index) {
            Some(Some(man)) => out.fen.placement.set(square, *man),
            _ => out.unknown.push(square),
        }
    }
}

/// The piece letters of a text: FEN's own, or another language's.
enum Alphabet {
    Fen,
    Language { name: &'static str, letters: PieceLetters },
}

/// Languages tried in this order when letters are not FEN's: how often their letters are met in FENs.
const GUESSES: &[(&str, &str)] = &[
    ("de", "German"),
    ("fr", "French"),
    ("es", "Spanish"),
    ("it", "Italian"),
    ("nl", "Dutch"),
    ("pt", "Portuguese"),
    ("pl", "Polish"),
    ("cs", "Czech"),
    ("hu", "Hungarian"),
    ("ro", "Romanian"),
    ("fi", "Finnish"),
    ("sr", "Serbian"),
    ("bg", "Bulgarian"),
    ("tr", "Turkish"),
    ("is", "Icelandic"),
    ("et", "Estonian"),
];

impl Alphabet {
    /// FEN's letters unless there are others and one language knows them all.
    fn of(text: &str) -> Alphabet {
        let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
        if letters.iter().all(|&c| Piece::from_char(c).is_some()) {
            return Alphabet::Fen;
        }
        for &(code, name) in GUESSES {
            let Some(known) = PieceLetters::of_language(code) else {
                continue;
            };
            let alphabet = Alphabet::Language { name, letters: known };
            if letters.iter().all(|&c| alphabet.piece(c).is_some()) && alphabet.one_king_a_side(&letters) {
                return alphabet;
            }
        }
        Alphabet::Fen
    }

    fn one_king_a_side(&self, letters: &[char]) -> bool {
        Color::ALL.into_iter().all(|color| {
            let king = Some(Piece { color, role: Role::King });
            letters.iter().filter(|&&c| self.piece(c) == king).count() == 1
        })
    }

    fn piece(&self, c: char) -> Option<Piece> {
        if let Some(role) = figurine(c) {
            let white = matches!(c, '♔' | '♕' | '♖' | '♗' | '♘' | '♙');
            return Some(Piece { color: Color::from_white(white), role });
        }
        match self {
            Alphabet::Fen => Piece::from_char(c),
            Alphabet::Language { letters, .. } => {
                let color = Color::from_white(c.is_uppercase());
                // the pawn's letter is hardly ever translated
                let role = letters.role_of(c).or(matches!(c, 'p' | 'P').then_some(Role::Pawn))?;
                Some(Piece { color, role })
            }
        }
    }

    /// What to say of letters that are not FEN's, at the first of them.
    fn complaint(&self, text: &[char]) -> Option<(usize, String)> {
        let index = text.iter().position(|&c| {
            figurine(c).is_some()
                || c.is_alphabetic() && Piece::from_char(c).is_none() && self.piece(c).is_some()
        })?;
        let c = text[index];
        Some(match self {
            Alphabet::Language { name, .. } => (
                index,
                format!("{c:?} is no FEN letter: the letters are {name}, FEN takes the English K Q R B N P"),
            ),
            Alphabet::Fen => (index, format!("{c:?} is a chess symbol: FEN takes the letters K Q R B N P")),
        })
    }
}

fn looks_like_castling(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, 'K' | 'Q' | 'k' | 'q'))
}

fn read_fields(words: &[Word], out: &mut LenientReading) {
    let mut words = words.iter().peekable();
    // a field left out in the middle is noticed by the look of the next one
    match words.peek() {
        Some(word) if looks_like_castling(&word.text) => {
            out.problems.push(
                word.problem(format!("side to move is missing before the castling rights {:?}", word.text)),
            );
        }
        _ => read_field(FenField::SideToMove, words.next(), out),
    }
    match words.peek() {
        Some(word) if word.text.parse::<Square>().is_ok() => {
            out.problems.push(word.problem(format!(
                "castling rights are missing before the en passant square {:?}",
                word.text
            )));
        }
        _ => read_field(FenField::Castling, words.next(), out),
    }
    match words.peek() {
        Some(word) if word.text.bytes().all(|b| b.is_ascii_digit()) => {
            out.problems.push(
                word.problem(format!(
                    "en passant square (or -) is missing before the number {:?}",
                    word.text
                )),
            );
        }
        _ => read_field(FenField::EnPassant, words.next(), out),
    }
    read_field(FenField::HalfmoveClock, words.next(), out);
    read_field(FenField::FullmoveNumber, words.next(), out);
    if let Some(first) = words.next() {
        let last = words.last().unwrap_or(first);
        let span = first.start..last.span().end;
        out.problems.push(Problem { span, message: "more than six fields".to_owned() });
    }
}

/// Reads one field by putting it into an otherwise sound FEN, so that the strict reader's messages are used.
fn read_field(field: FenField, word: Option<&Word>, out: &mut LenientReading) {
    let Some(word) = word else {
        out.missing.push(field);
        return;
    };
    let mut fields = ["8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1"].map(str::to_owned);
    let index = FenField::ALL.iter().position(|&f| f == field).unwrap_or(0);
    fields[index] = word.text.clone();
    // an EPD operation would swallow the rest
    let operation = index == 4 && word.text.starts_with(|c: char| c.is_ascii_alphabetic());
    match Fen::parse(&fields.join(" ")) {
        Ok(parsed) if !operation => match field {
            FenField::Placement => {}
            FenField::SideToMove => out.fen.side_to_move = parsed.fen.side_to_move,
            FenField::Castling => out.fen.castling = parsed.fen.castling,
            FenField::EnPassant => out.fen.en_passant = parsed.fen.en_passant,
            FenField::HalfmoveClock => out.fen.halfmove = parsed.fen.halfmove,
            FenField::FullmoveNumber => out.fen.fullmove = parsed.fen.fullmove,
        },
        Ok(_) => out.problems.push(word.problem(format!("{field} is {:?} instead of a number", word.text))),
        Err(error) => {
            let hint = match field {
                FenField::Castling if word.text.bytes().all(|b| b.is_ascii_digit()) => {
                    " (castling rights and en passant square are missing?)"
                }
                FenField::FullmoveNumber | FenField::HalfmoveClock if is_dash(&word.text) => {
                    " (a dash too many?)"
                }
                _ => "",
            };
            out.problems.push(word.problem(format!("{error}{hint}")));
        }
    }
}

#[cfg(test)]
#[path = "lenient_tests.rs"]
mod tests;
