//! The move that a book prints at a diagram: its best move where that is certain, else a remark.

use crate::chess::{
    Color, Fen, FieldSource, FirstMove, MoveVerdict, PieceLetters, judge_first_move, parse_first_move,
};
use crate::queue::{DiagramRow, DiagramState, FirstMoveRow};

/// What is printed at a diagram as its solution, or as the move that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookMove {
    /// Legal, unmistakable and praised by the book: in SAN.
    Best(String),
    /// Anything else, as printed.
    Remark(String),
}

/// The printed move of a diagram. It is the best one only if the book says so (a word for "solution" before it, a "!" behind it, or a task at
/// the diagram and the move number 1), if exactly one legal move is meant, in each notation in which it can be read, and if the
/// side to move is not an assumption. `keys`: all moves that solve a proved mate; a printed one that is none of them is only a remark.
pub fn book_move(row: &DiagramRow, keys: &[String]) -> Option<BookMove> {
    let printed = row.first_move.as_ref()?;
    Some(match best(row, printed, keys) {
        Some(san) => BookMove::Best(san),
        None => BookMove::Remark(printed.text.clone()),
    })
}

fn best(row: &DiagramRow, printed: &FirstMoveRow, keys: &[String]) -> Option<String> {
    let settled = !matches!(row.sources.side_to_move, FieldSource::Assumed | FieldSource::BookDefault)
        && !row.is_refused();
    if !settled || matches!(row.state, DiagramState::NeedsReview | DiagramState::Rejected) {
        return None;
    }
    let fen = Fen::parse(&row.fen).ok()?.fen;
    let own = printed.language.as_deref().and_then(PieceLetters::of_language);
    // a page whose language nothing tells may print any: what two alphabets read differently is not certain
    let alphabets: Vec<PieceLetters> = match own {
        Some(own) => vec![own],
        None => PieceLetters::languages().filter_map(PieceLetters::of_language).collect(),
    };
    let mut found: Option<String> = None;
    for letters in alphabets {
        let Ok(first) = parse_first_move(&printed.text, &letters) else { continue };
        match judge(&fen, &first) {
            Some(san) if found.as_ref().is_none_or(|known| *known == san) => found = Some(san),
            Some(_) => return None,
            None => {}
        }
    }
    let san = found.filter(|_| is_praised(row, printed))?;
    (keys.is_empty() || keys.contains(&san)).then_some(san)
}

/// The move in SAN when exactly one is meant, by the side that moves.
fn judge(fen: &Fen, first: &FirstMove) -> Option<String> {
    let side: Color = fen.side_to_move;
    if first.side.is_some_and(|said| said != side) {
        return None;
    }
    match judge_first_move(fen, first, side) {
        MoveVerdict::Legal { san, check_missing: false } => Some(san),
        _ => None,
    }
}

/// The book says that it is good, and not that it is bad.
fn is_praised(row: &DiagramRow, printed: &FirstMoveRow) -> bool {
    let number: String =
        printed.text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    // the first move's own token, behind its number: "1... Rd1+!"
    let behind = printed.text.trim_start_matches(|c: char| c.is_ascii_digit() || ".… ".contains(c));
    let token = behind.split_whitespace().next().unwrap_or_default();
    let task = row.stipulation.is_some() && number == "1";
    !token.contains('?') && (printed.solution || token.contains('!') || task)
}
