//! The order in which people number files: "page2" before "page10".
//!
//! A name becomes a key of bytes; comparing keys byte by byte gives the order. So the order can be stored
//! in the database, indexed and sorted by it, without a collation that every tool would need to know.
//!
//! - runs of digits compare by value (of any script: "๒" is 2), a run of any length;
//! - letters compare without case, in Unicode normal form KC (a name decomposed by another file system sorts the same);
//! - folders compare part by part, so that "a/z" comes before "a b/a";
//! - names that are equal so far ("page1", "Page01") are told apart by their exact text: the order is total and stable.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

/// Stands where a run of digits begins, as an ASCII zero would.
const NUMBER: u8 = b'0';
/// Between parts of a path: below everything that a name may hold.
const SEPARATOR: u8 = 0;

/// The key of a path with `/` between its parts.
pub fn key(path: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len() * 2 + 8);
    let mut digits: Vec<u8> = Vec::new();
    for letter in path.nfkc().flat_map(char::to_lowercase) {
        if let Some(digit) = digit_value(letter) {
            digits.push(b'0' + digit);
            continue;
        }
        push_number(&mut out, &mut digits);
        match letter {
            '/' => out.push(SEPARATOR),
            // a name holds no NUL; kept apart from the separator all the same
            '\0' => out.push(1),
            _ => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    push_number(&mut out, &mut digits);
    // equal so far: the exact text decides. Two separators cannot stand inside a normal path.
    out.extend_from_slice(&[SEPARATOR, SEPARATOR]);
    out.extend_from_slice(path.as_bytes());
    out
}

/// The key of a printed number ("45", "1.16", "A12"): like [`key`], without the exact text, so that "7" and "007" are equal.
pub fn number_key(number: &str) -> Vec<u8> {
    let trimmed = number.trim();
    let mut out = key(trimmed);
    out.truncate(out.len() - trimmed.len() - 2);
    out
}

/// Compares two names or paths naturally.
pub fn compare(a: &str, b: &str) -> Ordering {
    key(a).cmp(&key(b))
}

/// Appends a number: its marker, how many digits it has, the digits. More digits: a greater value.
fn push_number(out: &mut Vec<u8>, digits: &mut Vec<u8>) {
    if digits.is_empty() {
        return;
    }
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let value = &digits[zeros..];
    out.push(NUMBER);
    out.extend_from_slice(&u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(value);
    digits.clear();
}

/// Zeros of the decimal digits of scripts that page numbers are written in; nine more follow each.
const ZEROS: [char; 14] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}',
];

fn digit_value(letter: char) -> Option<u8> {
    ZEROS.iter().find_map(|&zero| {
        let value = u32::from(letter).checked_sub(u32::from(zero))?;
        u8::try_from(value).ok().filter(|&value| value < 10)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(mut names: Vec<&str>) -> Vec<&str> {
        names.sort_by(|a, b| compare(a, b));
        names
    }

    #[test]
    fn numbers_by_value() {
        assert_eq!(
            sorted(vec!["page10.png", "page9.png", "Page1.png", "page002.png", "page100.png"]),
            ["Page1.png", "page002.png", "page9.png", "page10.png", "page100.png"]
        );
        assert_eq!(sorted(vec!["1.10", "1.9", "1.2", "2.1"]), ["1.2", "1.9", "1.10", "2.1"]);
        assert_eq!(sorted(vec!["หน้า ๑๐", "หน้า ๒"]), ["หน้า ๒", "หน้า ๑๐"]);
    }

    #[test]
    fn folders_part_by_part() {
        assert_eq!(
            sorted(vec!["b/1", "a 2/1", "a/10", "a/9", "a/9/x", "a"]),
            ["a", "a/9", "a/9/x", "a/10", "a 2/1", "b/1"]
        );
    }

    #[test]
    fn zero_and_huge_numbers() {
        assert_eq!(sorted(vec!["p1", "p0", "p", "p00"]), ["p", "p0", "p00", "p1"]);
        let huge = format!("p{}", "9".repeat(300));
        assert_eq!(sorted(vec![&huge, "p18446744073709551616"]), ["p18446744073709551616", &huge]);
    }

    #[test]
    fn composed_and_decomposed_names_are_neighbours() {
        assert_eq!(number_key("Gru\u{308}nfeld 7"), number_key("Gr\u{fc}nfeld 7"));
        assert_ne!(key("Gru\u{308}nfeld 7"), key("Gr\u{fc}nfeld 7"), "still two different names");
        assert_eq!(number_key(" 007"), number_key("7"));
    }

    proptest! {
        #[test]
        fn values_decide(a in 0u64.., b in 0u64.., pad in 0usize..4, name in "[^0-9/\\PC]{0,6}") {
            let (left, right) = (format!("{name}{}{a}", "0".repeat(pad)), format!("{name}{b}"));
            if a != b {
                prop_assert_eq!(compare(&left, &right), a.cmp(&b));
            }
        }

        #[test]
        fn total_and_only_equal_to_itself(a in "\\PC{0,12}", b in "\\PC{0,12}") {
            prop_assert_eq!(compare(&a, &b) == Ordering::Equal, a == b);
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
        }
    }
}
