//! Words from books in lines of text formats.

/// One line: line breaks and other white space become single spaces, control characters and invisible marks that would turn
/// the line round go.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !letter.is_control() && !is_direction_mark(letter) {
            out.push(letter);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Marks that set the direction of text, and the byte order mark. Joiners stay: several scripts need them.
fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The page as people find it: the file (without its book's folder) and, in a file of several pages, the page.
pub fn page_name(path: &str, book: &str, page: u32) -> String {
    let file = path.strip_prefix(book).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path);
    format!("{file}, page {page}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_lines() {
        assert_eq!(one_line("  White\r\n\tto\u{a0}move \u{2028} now\0\u{7} "), "White to move now");
        assert_eq!(one_line("เดิน\u{200b}ก่อน"), "เดิน\u{200b}ก่อน");
        assert_eq!(one_line("a\u{202e}b"), "ab");
        assert_eq!(one_line("\n"), "");
    }

    #[test]
    fn pages_are_named_without_their_book() {
        assert_eq!(page_name("Tal/scan 7.png", "Tal", 1), "scan 7.png, page 1");
        assert_eq!(page_name("loose.pdf", "scans", 12), "loose.pdf, page 12");
    }
}
