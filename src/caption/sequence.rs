//! The row of a page's numbers as evidence: one that falls out of an otherwise consecutive row was probably misread.

/// So many numbers must run on to speak against another.
const LEAST: usize = 3;

/// What the other numbers of a page let expect where one does not fit: index and number. `numbers` are in reading
/// order, `None` for boards without one. Nothing where the others do not run on by themselves, one a board.
pub fn odd_numbers(numbers: &[Option<&str>]) -> Vec<(usize, String)> {
    let values: Vec<Option<(&str, i64)>> = numbers.iter().map(|n| n.and_then(split)).collect();
    let start = |i: usize| values[i].map(|(head, value)| (head, value - i as i64));
    let starts: Vec<_> = (0..values.len()).filter_map(start).collect();
    let count = |wanted: &(&str, i64)| starts.iter().filter(|s| *s == wanted).count();
    let Some(&(head, first)) = starts.iter().max_by_key(|s| count(s)) else { return Vec::new() };
    let agree = count(&(head, first));
    let numbered = numbers.iter().flatten().count();
    // Most of the numbers, not just more than any other row of them.
    if agree < LEAST || 3 * agree < 2 * numbered {
        return Vec::new();
    }
    let odd = |i: &usize| numbers[*i].is_some() && start(*i) != Some((head, first));
    (0..numbers.len()).filter(odd).map(|i| (i, format!("{head}{}", first + i as i64))).collect()
}

/// "1.16" as ("1.", 16). "39A" has no place in a row.
fn split(number: &str) -> Option<(&str, i64)> {
    let number = number.trim();
    let head = number.trim_end_matches(|c: char| c.is_ascii_digit());
    let value: u32 = number[head.len()..].parse().ok()?;
    Some((head, value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd(numbers: &[&str]) -> Vec<(usize, String)> {
        let numbers: Vec<Option<&str>> = numbers.iter().map(|n| Some(*n).filter(|n| !n.is_empty())).collect();
        odd_numbers(&numbers)
    }

    #[test]
    fn one_that_falls_out_of_a_row_is_odd() {
        assert_eq!(odd(&["43", "44", "5", "46"]), [(2, "45".to_owned())]);
        assert_eq!(odd(&["1.7", "1.8", "19", "1.10"]), [(2, "1.9".to_owned())]);
        assert_eq!(odd(&["", "12", "13", "74", "", "16"]), [(3, "14".to_owned())]);
    }

    #[test]
    fn no_row_no_oddity() {
        assert!(odd(&["43", "44", "45", "46"]).is_empty());
        // Too few, or too many that do not fit: another order of the boards, numbers of chapters.
        assert!(odd(&["43", "44", "5"]).is_empty());
        assert!(odd(&["43", "46", "44", "47", "45", "48"]).is_empty());
        assert!(odd(&["39", "39A", "40", "40A"]).is_empty());
        // A board without a number is no misread one.
        assert!(odd(&["43", "44", "45", ""]).is_empty());
    }
}
