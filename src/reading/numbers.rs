//! Printed numbers of a page's diagrams: they settle the reading order, and a jump in them may be a missed diagram.

use crate::board::Quad;
use crate::board::find::order::{column_order, row_order};
use crate::chess::{Flag, FlagCode};

/// A wider jump is another numbering or a misread number.
const WIDEST: u64 = 12;
/// Fewer numbers than this settle no order.
const LEAST: usize = 3;

/// The order in which the printed numbers run, when the order as given does not and rows or columns do.
pub fn order_by_numbers(quads: &[Quad], numbers: &[Option<&str>]) -> Option<Vec<usize>> {
    let values: Vec<Option<u64>> = numbers.iter().map(|n| n.and_then(|n| split(n)).map(|(_, v)| v)).collect();
    if values.iter().flatten().count() < LEAST {
        return None;
    }
    let runs = |order: &[usize]| {
        let seen: Vec<u64> = order.iter().filter_map(|&i| values[i]).collect();
        seen.is_sorted_by(|a, b| a < b)
    };
    let given: Vec<usize> = (0..quads.len()).collect();
    if runs(&given) {
        return None;
    }
    [row_order(quads), column_order(quads)].into_iter().find(|order| runs(order))
}

/// A note on each jump in the numbers of a page, in its order.
pub fn number_gaps(numbers: &[Option<&str>]) -> Vec<Flag> {
    let mut out = Vec::new();
    let mut last: Option<(&str, u64, usize)> = None;
    for (place, number) in (1..).zip(numbers) {
        let Some((head, value)) = number.and_then(split) else { continue };
        if let Some((last_head, last_value, last_place)) = last {
            let missing = value.saturating_sub(last_value).saturating_sub(1);
            let unnumbered = (place - last_place - 1) as u64;
            if head == last_head && (1..=WIDEST).contains(&missing) && missing > unnumbered {
                let message = format!(
                    "the numbers jump from {last_head}{last_value} to {head}{value}: a diagram may have been missed"
                );
                out.push(Flag::new(FlagCode::NumberGap, message));
            }
        }
        last = Some((head, value, place));
    }
    out
}

/// "1.16" as ("1.", 16).
fn split(number: &str) -> Option<(&str, u64)> {
    let number = number.trim();
    let head = number.trim_end_matches(|c: char| c.is_ascii_digit());
    number[head.len()..].parse().ok().map(|value| (head, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Vec<Quad> {
        [(0.0, 0.0), (200.0, 0.0), (0.0, 200.0), (200.0, 200.0)]
            .map(|(x, y)| Quad::from_bounds(x, y, x + 100.0, y + 100.0))
            .to_vec()
    }

    #[test]
    fn numbers_that_run_down_the_columns_settle_the_order() {
        let order = order_by_numbers(&grid(), &[Some("5"), Some("7"), Some("6"), Some("8")]);
        assert_eq!(order.unwrap(), [0, 2, 1, 3]);
        assert_eq!(order_by_numbers(&grid(), &[Some("5"), Some("6"), Some("7"), Some("8")]), None);
        // a misread number, or too few of them
        assert_eq!(order_by_numbers(&grid(), &[Some("5"), Some("1"), Some("6"), Some("3")]), None);
        assert_eq!(order_by_numbers(&grid(), &[Some("7"), Some("6"), None, None]), None);
    }

    #[test]
    fn jumps_are_noted_unless_unnumbered_boards_fill_them() {
        let said = |numbers: &[Option<&str>]| number_gaps(numbers).len();
        assert_eq!(said(&[Some("12"), Some("14")]), 1);
        assert_eq!(said(&[Some("1.12"), None, Some("1.14")]), 0);
        assert_eq!(said(&[Some("12"), Some("13"), Some("140")]), 0);
        assert_eq!(said(&[Some("1.9"), Some("2.1"), None]), 0);
    }
}
