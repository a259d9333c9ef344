//! Names of files and words of captions come from others: what would steer a terminal, or turn the order of what is read in it, is shown
//! as an escape like `\u{1b}`. JSON has escapes of its own and is not touched.

use std::borrow::Cow;

/// A text that stays within its line.
pub fn line(text: &str) -> Cow<'_, str> {
    escape(text, steers)
}

/// A text whose line ends and tabs are its own.
pub fn lines(text: &str) -> Cow<'_, str> {
    escape(text, |letter| steers(letter) && !matches!(letter, '\n' | '\t'))
}

/// Control characters, line separators, and the marks, embeddings, overrides and isolates of bidirectional text.
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escape(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match hidden(letter) {
            true => out.extend(letter.escape_default()),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert_eq!(line("a\u{1b}[2Jb\r\nc\u{9b}d\u{7f}"), "a\\u{1b}[2Jb\\r\\nc\\u{9b}d\\u{7f}");
        assert_eq!(line("gnp.\u{202e}x\u{2066}y\u{200f}"), "gnp.\\u{202e}x\\u{2066}y\\u{200f}");
        assert_eq!(lines("a\n\tb\u{1b}c"), "a\n\tb\\u{1b}c");
        for plain in ["Шахматы – ย่อ", "👨\u{200d}👩", "שחמט", "a\u{ad}b"] {
            assert_eq!(line(plain), plain);
        }
    }
}
