//! EPD: four fields and operations, in ASCII order of their names.
//!
//! The format has no escapes that all programs know: some split lines at every `;`, some take a backslash for an escape. So a string never
//! holds `"`, `;` or a backslash: they become `'`, `,` and `/`. The exact words are in the CSV and JSON exports.

use super::ExportOptions;
use super::ascii::ascii;
use super::position::{direct_mate, four_fields, known_clocks};
use super::text::{one_line, page_name};
use crate::queue::DiagramRow;

/// One line, with its end.
pub fn line(row: &DiagramRow, id: &str, options: &ExportOptions) -> String {
    let string = |text: &str| operand(text, options.ascii);
    let mut place = page_name(&row.path, &row.book, row.page);
    if let Some(number) = &row.number {
        place = format!("{place}, number {number}");
    }
    let clocks = known_clocks(row);
    let operations: [(&str, Option<String>); 8] = [
        ("c0", row.caption.as_deref().and_then(string)),
        ("c1", string(row.book_title.as_deref().unwrap_or(&row.book))),
        ("c2", string(&place)),
        ("c3", row.players.as_deref().and_then(string)),
        ("dm", direct_mate(row).map(|moves| moves.to_string())),
        ("fmvn", clocks.map(|(_, fullmove)| fullmove.to_string())),
        ("hmvc", clocks.map(|(halfmove, _)| halfmove.to_string())),
        ("id", string(id)),
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
    let text = text.trim();
    (!text.is_empty()).then(|| format!("\"{text}\""))
}
