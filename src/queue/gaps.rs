//! Numbers that are missing in a book: how a missed exercise is noticed.

use serde::Serialize;

use super::{BookId, DiagramId, Queue, Result};

/// A jump in the printed numbers of consecutive diagrams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberGap {
    pub after: DiagramId,
    pub before: DiagramId,
    /// The numbers on both sides, as printed.
    pub from: String,
    pub to: String,
    /// How many numbers are missing between them.
    pub missing: u64,
    /// Diagrams without a number that lie between them and may be the missing ones.
    pub unnumbered: u32,
}

/// A jump wider than this is a new chapter's numbering or a misread number, not so many missed diagrams.
const WIDEST: u64 = 50;

impl Queue {
    /// Gaps in the numbers of a book, in its order. Rejected diagrams do not count. Only whole
    /// numbers and numbers with a whole last part ("1.16") are compared, each with the one before it with the same first part.
    pub async fn number_gaps(&self, book: BookId) -> Result<Vec<NumberGap>> {
        let rows: Vec<(DiagramId, Option<String>)> = sqlx::query_as(
            "SELECT d.id, d.number FROM diagrams d JOIN pages p ON p.id = d.page_id JOIN sources s ON s.id = p.source_id
             WHERE s.book_id = ? AND d.retired_at IS NULL AND d.state <> 'rejected' ORDER BY p.sort_key, p.idx, p.id, d.ordinal",
        )
        .bind(book)
        .fetch_all(&self.inner.read)
        .await?;
        Ok(find_gaps(&rows))
    }
}

fn find_gaps(rows: &[(DiagramId, Option<String>)]) -> Vec<NumberGap> {
    let mut gaps = Vec::new();
    let mut last: Option<(DiagramId, &str, &str, u64)> = None;
    let mut unnumbered = 0;
    for (id, number) in rows {
        let Some((number, (head, value))) =
            number.as_deref().and_then(|number| Some((number, split(number)?)))
        else {
            unnumbered += 1;
            continue;
        };
        if let Some((after, from, last_head, last_value)) = last {
            let missing = value.saturating_sub(last_value).saturating_sub(1);
            if head == last_head && (1..=WIDEST).contains(&missing) {
                gaps.push(NumberGap {
                    after,
                    before: *id,
                    from: from.to_owned(),
                    to: number.to_owned(),
                    missing,
                    unnumbered,
                });
            }
        }
        last = Some((*id, number, head, value));
        unnumbered = 0;
    }
    gaps
}

/// "1.16" as ("1.", 16).
fn split(number: &str) -> Option<(&str, u64)> {
    let number = number.trim();
    let digits = number.len() - number.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (head, tail) = number.split_at(number.len() - digits);
    tail.parse().ok().map(|value| (head, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(numbers: &[&str]) -> Vec<(String, String, u64, u32)> {
        let rows: Vec<_> = numbers
            .iter()
            .enumerate()
            .map(|(i, n)| (DiagramId(i as i64), (!n.is_empty()).then(|| (*n).to_owned())))
            .collect();
        find_gaps(&rows).into_iter().map(|gap| (gap.from, gap.to, gap.missing, gap.unnumbered)).collect()
    }

    #[test]
    fn jumps_are_found() {
        assert_eq!(gaps(&["1", "2", "4", "5"]), [("2".into(), "4".into(), 1, 0)]);
        assert_eq!(gaps(&["1.15", "", "1.18", "2.1", "2.2"]), [("1.15".into(), "1.18".into(), 2, 1)]);
    }

    #[test]
    fn new_chapters_and_odd_numbers_are_no_gaps() {
        assert!(gaps(&["98", "99", "1", "2", "a", "3", "300"]).is_empty());
        assert!(gaps(&["7", "7", "6"]).is_empty());
        assert!(gaps(&[]).is_empty());
    }
}
