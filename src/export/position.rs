//! The position of a row, and what its words say in fixed forms.

use crate::chess::{EnPassantStyle, Fen, FieldSource, MateParams, MateVerdict, Stipulation, mates};
use crate::queue::DiagramRow;

/// What a proof may cost in an export: some 4 ms, so that a book of a thousand problems takes seconds. Enough for every
/// mate in two and for most in three.
const PROOF: MateParams = MateParams { max_positions: 100_000, max_moves: 3 };

/// All six fields. A FEN that the chess room cannot read (there is none in a sound database) is given as it stands.
pub fn fen(row: &DiagramRow, style: EnPassantStyle) -> String {
    match Fen::parse(&row.fen) {
        Ok(parsed) => parsed.fen.text(style),
        Err(_) => row.fen.clone(),
    }
}

/// The first four fields.
pub fn four_fields(row: &DiagramRow, style: EnPassantStyle) -> String {
    let fen = fen(row, style);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Halfmove clock and move number, if anything says them.
pub fn known_clocks(row: &DiagramRow) -> Option<(u32, u32)> {
    if row.sources.clocks == FieldSource::Assumed {
        return None;
    }
    let fen = Fen::parse(&row.fen).ok()?.fen;
    Some((fen.halfmove, fen.fullmove))
}

/// The number of the move to be played.
pub fn move_number(row: &DiagramRow) -> u32 {
    Fen::parse(&row.fen).map_or(1, |parsed| parsed.fen.fullmove.max(1))
}

/// Moves of a direct mate, and the first moves of its solution where they are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectMate {
    pub moves: u32,
    /// All first moves that force it, in SAN; empty when it was not worked out.
    pub keys: Vec<String>,
}

/// The direct mate of a diagram whose caption prints one ("#3"). It is proved where that costs little: then with its keys and with the
/// moves that it really takes. A mate that provably is not there is not given, a printed one that is too long to prove is.
pub fn direct_mate(row: &DiagramRow) -> Option<DirectMate> {
    let printed: Stipulation = row.stipulation.as_deref()?.parse().ok()?;
    let moves = printed.direct_mate_in()?;
    let fen = Fen::parse(&row.fen).ok()?.fen;
    match mates(&fen, moves, &PROOF) {
        MateVerdict::Mate { moves, keys } => Some(DirectMate { moves: moves.into(), keys }),
        MateVerdict::None => None,
        MateVerdict::Unknown if fen.playable().is_err() => None,
        MateVerdict::Unknown => Some(DirectMate { moves: moves.into(), keys: Vec::new() }),
    }
}

/// Why this side moves, when that needs saying: a sentence without full stop.
pub fn side_remark(row: &DiagramRow) -> Option<&'static str> {
    match row.sources.side_to_move {
        FieldSource::Assumed => Some("side to move assumed"),
        FieldSource::BookDefault => Some("side to move by the book's default"),
        _ => None,
    }
}

/// The words of the caption about the players, split where they are two: ("Tal", "Botvinnik"). What follows
/// a comma or stands in brackets (place, year) is left out.
pub fn players(row: &DiagramRow) -> Option<(String, String)> {
    let text = row.players.as_deref()?;
    let separators = [" - ", " – ", " — ", "–", "—", " vs. ", " vs "];
    let (white, black) = separators.iter().find_map(|separator| text.split_once(separator))?;
    let end = black.find([',', '(', ';', '/']).unwrap_or(black.len());
    let (white, black) = (white.trim(), black[..end].trim());
    let several = separators.iter().any(|separator| black.contains(separator));
    let plain = !white.is_empty() && !black.is_empty() && !several;
    plain.then(|| (white.to_owned(), black.to_owned()))
}

/// The one year (1400 to 2099) in the words about the players, if there is exactly one.
pub fn year(row: &DiagramRow) -> Option<u32> {
    let text = row.players.as_deref()?;
    let mut years = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1400..2100).contains(year));
    let year = years.next()?;
    years.next().is_none().then_some(year)
}
