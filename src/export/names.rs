//! Names of entries and of picture files.

use std::collections::{HashMap, HashSet};

use super::ascii::ascii;
use super::text::one_line;
use crate::queue::DiagramRow;

/// Where a diagram stands: "Book/scan7.png:1.3" is the third diagram of the file's first page. The same as long as the
/// file keeps its place.
pub fn entry_id(row: &DiagramRow) -> String {
    let path = one_line(&row.path).replace(['"', '\\', ';'], "_");
    format!("{path}:{}.{}", row.page, row.ordinal)
}

/// Makes names unique by a number behind the later ones.
#[derive(Debug, Default)]
pub struct UniqueNames {
    used: HashSet<String>,
    /// The last number given to a name, so that a thousand equal names take no million tries.
    last: HashMap<String, u32>,
}

impl UniqueNames {
    pub fn unique(&mut self, name: &str) -> String {
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let number = self.last.entry(name.to_owned()).or_insert(1);
        loop {
            *number += 1;
            let candidate = format!("{name}~{number}");
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_meet() {
        let mut names = UniqueNames::default();
        let given: Vec<String> = ["a", "a", "a~2", "a", "b"].iter().map(|name| names.unique(name)).collect();
        assert_eq!(given, ["a", "a~2", "a~2~2", "a~3", "b"]);
    }
}
