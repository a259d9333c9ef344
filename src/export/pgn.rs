//! PGN: one game without moves for each position, as the standard's import format and today's study tools take it.
//!
//! Two things that the standard allows are avoided, because widespread readers stumble over them. Quotes and backslashes in tags have
//! escapes, which some readers take for the end of the value (chess.js) and some leave standing (python-chess): they become `'` and `/`.
//! A move number without a move ("1... *") is no movetext to chess.js: where Black is to move, the comment begins with it.
//! The exact words are in the CSV and JSON exports.

use super::ExportOptions;
use super::ascii::ascii;
use super::position::{fen, move_number, players, side_remark, year};
use super::text::{one_line, page_name};
use crate::chess::Color;
use crate::queue::DiagramRow;

/// Lines of the comment are broken before this column, as the standard's export format does.
const WIDTH: usize = 80;

/// One game with the empty line after it.
pub fn game(row: &DiagramRow, options: &ExportOptions) -> String {
    let clean = |text: &str| {
        let text = one_line(text);
        if options.ascii { ascii(&text) } else { text }
    };
    let event = clean(row.book_title.as_deref().unwrap_or(&row.book));
    let site = clean(&page_name(&row.path, &row.book, row.page));
    let date = year(row).map_or_else(|| "????.??.??".to_owned(), |year| format!("{year}.??.??"));
    let round = row.number.as_deref().map(clean);
    let (white, black) = match players(row) {
        Some((white, black)) => (Some(clean(&white)), Some(clean(&black))),
        None => (None, None),
    };
    let chapter = match &round {
        Some(round) if !round.is_empty() => format!("{event} {round}"),
        _ => format!("{event}, {site}, diagram {}", row.ordinal),
    };
    let chapter = shortened(chapter);
    let or_unknown =
        |text: Option<String>| text.filter(|text| !text.is_empty()).unwrap_or_else(|| "?".into());
    let mut out = String::new();
    tag(&mut out, "Event", &or_unknown(Some(event)));
    tag(&mut out, "Site", &site);
    tag(&mut out, "Date", &date);
    tag(&mut out, "Round", &or_unknown(round));
    tag(&mut out, "White", &or_unknown(white));
    tag(&mut out, "Black", &or_unknown(black));
    tag(&mut out, "Result", "*");
    // the rest in ASCII order
    if let Some(author) = row.book_author.as_deref().map(clean).filter(|author| !author.is_empty()) {
        tag(&mut out, "Annotator", &author);
    }
    tag(&mut out, "ChapterName", &chapter);
    tag(&mut out, "FEN", &fen(row, options.en_passant));
    tag(&mut out, "SetUp", "1");
    out.push('\n');
    match comment(row, &clean) {
        Some(comment) => out.push_str(&wrap(&format!("{{ {comment} }} *"))),
        None => out.push('*'),
    }
    out.push_str("\n\n");
    out
}

/// Study tools take names of chapters up to 80 characters; all of the words are in the other tags.
fn shortened(name: String) -> String {
    match name.char_indices().nth(80) {
        None => name,
        Some(_) => name.chars().take(77).chain("...".chars()).collect(),
    }
}

fn tag(out: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "/").replace('"', "'");
    out.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// The move number where Black is to move, caption, players, stipulation, the printed move, and where the side to move comes from when it was
/// not read. A comment ends at the first `}` whatever stands before it, so braces become brackets.
fn comment(row: &DiagramRow, clean: &impl Fn(&str) -> String) -> Option<String> {
    let caption = row.caption.as_deref().map(clean).unwrap_or_default();
    let said = |text: &Option<String>| {
        text.as_deref().map(clean).filter(|text| !text.is_empty() && !caption.contains(text.as_str()))
    };
    let stipulation = said(&row.stipulation);
    let players = said(&row.players);
    let printed = said(&row.first_move.as_ref().map(|printed| printed.text.clone()));
    let remark = side_remark(row).map(str::to_owned);
    let start = (row.side() == Color::Black).then(|| format!("{}... Black to move", move_number(row)));
    let caption = Some(caption.clone()).filter(|text| !text.is_empty());
    let parts: Vec<String> =
        [start, caption, players, stipulation, printed, remark].into_iter().flatten().collect();
    let text = parts.join(" / ").replace('{', "(").replace('}', ")");
    (!text.is_empty()).then_some(text)
}

/// Breaks at spaces. A line never begins with `%` (the standard's escape, which would hide it), `[` or `;`
/// (which simple readers take for a tag or a comment).
fn wrap(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / WIDTH);
    let mut column = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = word.chars().count();
        if column > 0 {
            let breaks = column + 1 + width >= WIDTH && !word.starts_with(['%', '[', ';']);
            out.push(if breaks { '\n' } else { ' ' });
            column = if breaks { 0 } else { column + 1 };
        }
        out.push_str(word);
        column += width;
    }
    out
}
