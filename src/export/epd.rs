//! EPD: four fields and operations, in ASCII order of their names.
//!
//! | operation | what it holds |
//! |---|---|
//! | `bm` | all first moves of a direct mate, when it was proved |
//! | `c0` | caption |
//! | `c1` | title of the book, or name of its folder |
//! | `c2` | page and printed number |
//! | `c3` | players and year, or the composer |
//! | `dm` | moves of a direct mate: proved, or printed and too long to prove |
//! | `fmvn`, `hmvc` | move number and halfmove clock, when something says them |
//! | `id` | path, page and place on it; unique in an export |
//!
//! The format has no escapes that all programs know: some split lines at every `;`, some take a backslash for an escape. So a string never
//! holds `"`, `;` or a backslash: they become `'`, `,` and `/`. The exact words are in the CSV and JSON exports.

use super::ExportOptions;
use super::ascii::ascii;
use super::names::entry_id;
use super::position::{direct_mate, four_fields, known_clocks};
use super::text::{one_line, page_name};
use crate::queue::DiagramRow;

/// The name of an entry as EPD can hold it: what makes it unique must be done after this, since two paths may look the same in ASCII.
pub fn id(row: &DiagramRow, options: &ExportOptions) -> String {
    clean(&entry_id(row), options.ascii)
}

/// One line, with its end. `id` comes from [`id`], made unique.
pub fn line(row: &DiagramRow, id: &str, options: &ExportOptions) -> String {
    let string = |text: &str| operand(text, options.ascii);
    let mut place = page_name(&row.path, &row.book, row.page);
    if let Some(number) = row.number.as_deref().map(one_line).filter(|number| !number.is_empty()) {
        place = format!("{place}, number {number}");
    }
    let clocks = known_clocks(row);
    let mate = direct_mate(row);
    let keys = mate.as_ref().map(|mate| mate.keys.join(" ")).filter(|keys| !keys.is_empty());
    let operations: [(&str, Option<String>); 9] = [
        ("bm", keys),
        ("c0", row.caption.as_deref().and_then(string)),
        ("c1", string(row.book_title.as_deref().unwrap_or(&row.book))),
        ("c2", string(&place)),
        ("c3", row.players.as_deref().and_then(string)),
        ("dm", mate.map(|mate| mate.moves.to_string())),
        ("fmvn", clocks.map(|(_, fullmove)| fullmove.to_string())),
        ("hmvc", clocks.map(|(halfmove, _)| halfmove.to_string())),
        ("id", Some(format!("\"{id}\""))),
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
