//! JSON: everything, for programs.
//!
//! ```json
//! {"schema": "fenwatch-collection-1", "diagrams": [
//! {"id": "9f86d081884c-1-3", "book": "Tal", "title": null, "author": null,
//!  "path": "Tal/scan7.png", "page": 1, "ordinal": 3, "number": "45",
//!  "fen": "...", "side_to_move": "w", "sources": {"placement": "picture", "side_to_move": "caption", "castling": "assumed",
//!  "en_passant": "assumed", "clocks": "assumed"}, "orientation": "white_bottom",
//!  "players": null, "stipulation": "#2", "caption": "...", "first_move": "1.Qxh7+! Kxh7", "state": "approved", "confidence": 0.9987, "model": "...",
//!  "flags": [{"code": "side_assumed", "severity": "doubt", "squares": [], "message": "..."}],
//!  "decision": {"who": "...", "at": "2026-01-31T12:00:00Z", "reason": null, "acknowledged": ["side_assumed"]},
//!  "pictures": {"board": "file name", "caption": null}}
//! ]}
//! ```
//!
//! One diagram a line. `page` and `ordinal` count from 1. Texts are as read or as corrected; `null` where there is none; `decision` is `null`
//! while no person has decided; `state` is one of `accepted`, `needs_review`, `approved`, `corrected`, `rejected`. New keys may come; the schema's number
//! changes when one changes its meaning or goes.

use serde::Serialize;

use super::PictureFiles;
use super::position::fen;
use crate::chess::{EnPassantStyle, Flag, FlagCode};
use crate::queue::{DiagramRow, DiagramState};
use crate::reading::{Orientation, Sources};

pub const BEGIN: &str = "{\"schema\": \"fenwatch-collection-1\", \"diagrams\": [";

/// The end of the document.
pub fn end(empty: bool) -> &'static str {
    if empty { "]}\n" } else { "\n]}\n" }
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    book: &'a str,
    title: Option<&'a str>,
    author: Option<&'a str>,
    path: &'a str,
    page: u32,
    ordinal: u32,
    number: Option<&'a str>,
    fen: String,
    side_to_move: char,
    sources: Sources,
    orientation: Orientation,
    players: Option<&'a str>,
    stipulation: Option<&'a str>,
    caption: Option<&'a str>,
    first_move: Option<&'a str>,
    state: DiagramState,
    confidence: f32,
    model: &'a str,
    flags: &'a [Flag],
    decision: Option<Decision<'a>>,
    pictures: Pictures<'a>,
}

#[derive(Serialize)]
struct Decision<'a> {
    who: &'a str,
    at: String,
    reason: Option<&'a str>,
    acknowledged: &'a [FlagCode],
}

#[derive(Serialize)]
struct Pictures<'a> {
    board: Option<&'a str>,
    caption: Option<&'a str>,
}

/// One diagram, with the comma before it.
pub fn entry(row: &DiagramRow, pictures: &PictureFiles, first: bool, style: EnPassantStyle) -> String {
    let entry = Entry {
        id: &row.key,
        book: &row.book,
        title: row.book_title.as_deref(),
        author: row.book_author.as_deref(),
        path: &row.path,
        page: row.page,
        ordinal: row.ordinal,
        number: row.number.as_deref(),
        fen: fen(row, style),
        side_to_move: row.side().char(),
        sources: row.sources,
        orientation: row.orientation,
        players: row.players.as_deref(),
        stipulation: row.stipulation.as_deref(),
        caption: row.caption.as_deref(),
        first_move: row.first_move.as_ref().map(|printed| printed.text.as_str()),
        state: row.state,
        confidence: row.confidence,
        model: &row.model_version,
        flags: &row.flags,
        decision: row.decided_by.as_deref().map(|who| Decision {
            who,
            at: row.decided_at.map(time).unwrap_or_default(),
            reason: row.reason.as_deref(),
            acknowledged: &row.acknowledged,
        }),
        pictures: Pictures { board: pictures.board.as_deref(), caption: pictures.caption.as_deref() },
    };
    let separator = if first { "\n" } else { ",\n" };
    // strings, numbers and lists of them cannot fail to be written
    format!("{separator}{}", serde_json::to_string(&entry).unwrap_or_default())
}

/// Milliseconds since the epoch as RFC 3339 in UTC.
fn time(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at).map(|time| time.to_string()).unwrap_or_default()
}

pub fn orientation(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::WhiteBottom => "white_bottom",
        Orientation::BlackBottom => "black_bottom",
    }
}
