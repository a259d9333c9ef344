//! EPD: four fields and operations, in ASCII order of their names.
//!
//! | operation | what it holds |
//! |---|---|
//! | `bm` | all first moves of a direct mate, when it was proved; a printed move is not taken on trust |
//! | `c0` | caption |
//! | `c1` | title of the book, or name of its folder |
//! | `c2` | file, page and printed number, or without one the place on the page |
//! | `c3` | players and year, or the composer |
//! | `c4` | the printed move, as printed |
//! | `dm` | moves of a direct mate: proved, or printed and too long to prove |
//! | `fmvn`, `hmvc` | move number and halfmove clock, when something says them |
//! | `id` | the diagram's key: the same in every export, unique in the collection |
//!
//! The format has no escapes that all programs know: some split lines at every `;`, some take a backslash for an escape. So a string never
//! holds `"`, `;` or a backslash: they become `'`, `,` and `/`. The exact words are in the CSV and JSON exports.

use super::ExportOptions;
use super::ascii::ascii;
use super::position::{direct_mate, four_fields, known_clocks};
use super::text::{one_line, page_name};
use crate::queue::DiagramRow;

/// One line, with its end.
pub fn line(row: &DiagramRow, options: &ExportOptions) -> String {
    let string = |text: &str| operand(text, options.ascii);
    let mut place = page_name(&row.path, &row.book, row.page);
    match row.number.as_deref().map(one_line).filter(|number| !number.is_empty()) {
        Some(number) => place.push_str(&format!(", number {number}")),
        None => place.push_str(&format!(", diagram {}", row.ordinal)),
    }
    let clocks = known_clocks(row);
    let mate = direct_mate(row);
    let keys = mate.as_ref().map(|mate| mate.keys.join(" ")).filter(|keys| !keys.is_empty());
    let remark = row.first_move.as_ref().and_then(|printed| string(&printed.text));
    let operations: [(&str, Option<String>); 10] = [
        ("bm", keys),
        ("c0", row.caption.as_deref().and_then(string)),
        ("c1", string(row.book_title.as_deref().unwrap_or(&row.book))),
        ("c2", string(&place)),
        ("c3", row.players.as_deref().and_then(string)),
        ("c4", remark),
        ("dm", mate.map(|mate| mate.moves.to_string())),
        ("fmvn", clocks.map(|(_, fullmove)| fullmove.to_string())),
        ("hmvc", clocks.map(|(halfmove, _)| halfmove.to_string())),
        ("id", Some(format!("\"{}\"", row.key))),
    ];
    let mut out = four_fields(row, options.en_passant);
    for (name, operand) in operations {
        if let Some(operand) = operand {
            out.push_str(&format!(" {name} {operand};"));
        }
    }
    out.push('\n');
    out
}

/// A string operand; `None` when nothing is left of it.
fn operand(text: &str, only_ascii: bool) -> Option<String> {
    let text = clean(text, only_ascii);
    (!text.is_empty()).then(|| format!("\"{text}\""))
}

fn clean(text: &str, only_ascii: bool) -> String {
    let text = one_line(text);
    let text = if only_ascii { ascii(&text) } else { text };
    let text: String = text
        .chars()
        .map(|letter| match letter {
            '"' => '\'',
            ';' => ',',
            '\\' => '/',
            other => other,
        })
        .collect();
    text.trim().to_owned()
}
