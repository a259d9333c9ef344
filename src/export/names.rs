//! Names of picture files.

use super::ascii::ascii;
use crate::queue::DiagramRow;

/// A file name for a picture of a diagram, without extension: letters, digits and dashes only, so that every file system, deck and
/// page can carry it. The diagram's own id makes it unique.
pub fn picture_name(row: &DiagramRow, kind: &str) -> String {
    let mut book = String::new();
    for letter in ascii(&row.book).chars() {
        if letter.is_ascii_alphanumeric() {
            book.push(letter.to_ascii_lowercase());
        } else if !book.is_empty() && !book.ends_with('-') {
            book.push('-');
        }
    }
    // long titles would meet the limit of a file name
    book.truncate(60);
    let book = book.trim_end_matches('-');
    let book = if book.is_empty() { "book" } else { book };
    format!("{book}-{}-p{}-{}-{kind}", row.id, row.page, row.ordinal)
}
