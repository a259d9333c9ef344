//! The same position twice in the collection: a note on the later one, naming the first.

use super::write::Write;
use super::{DiagramId, Result};
use crate::chess::Severity;

/// An empty board is no position; books print many.
const EMPTY: &str = "8/8/8/8/8/8/8/8";

const CODE: &str = "duplicate_position";

/// Brings the `duplicate_position` notes of all diagrams that have this position now up to date. The first one taken into
/// the collection has none, each later one names it; what was rejected or retired counts for nothing.
///
/// Writes only what changes: a book may print the starting position a thousand times.
pub(super) async fn refresh(write: &mut Write, placement: &str, side: &str) -> Result<()> {
    let first: Option<(DiagramId, String, String, u32, Option<String>)> = sqlx::query_as(
        "SELECT d.id, b.name, s.path, p.idx, d.number FROM diagrams d JOIN pages p ON p.id = d.page_id
         JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id
         WHERE d.placement = ? AND d.side = ? AND d.retired_at IS NULL AND d.state <> 'rejected' ORDER BY d.id LIMIT 1",
    )
    .bind(placement)
    .bind(side)
    .fetch_optional(write.conn())
    .await?;
    let (first, message) = match first {
        Some((id, book, path, index, number)) if placement != EMPTY => {
            let number = number.map(|number| format!(", number {number}")).unwrap_or_default();
            let page = index + 1;
            (Some(id), format!("the same position is already in {book}: {path}, page {page}{number}"))
        }
        _ => (None, String::new()),
    };
    sqlx::query(
        "DELETE FROM flags WHERE about IS NOT NULL AND code = ?1
         AND diagram_id IN (SELECT id FROM diagrams WHERE placement = ?2 AND side = ?3)
         AND (about IS NOT ?4 OR message <> ?5 OR diagram_id = ?4 OR EXISTS (SELECT 1 FROM diagrams d
             WHERE d.id = flags.diagram_id AND (d.retired_at IS NOT NULL OR d.state = 'rejected')))",
    )
    .bind(CODE)
    .bind(placement)
    .bind(side)
    .bind(first)
    .bind(&message)
    .execute(write.conn())
    .await?;
    let Some(first) = first else {
        return Ok(());
    };
    sqlx::query(
        "INSERT INTO flags (page_id, diagram_id, code, severity, squares, message, about)
         SELECT d.page_id, d.id, ?1, ?2, '', ?3, ?4 FROM diagrams d
         WHERE d.placement = ?5 AND d.side = ?6 AND d.retired_at IS NULL AND d.state <> 'rejected' AND d.id <> ?4
           AND NOT EXISTS (SELECT 1 FROM flags f WHERE f.diagram_id = d.id AND f.code = ?1 AND f.about = ?4)",
    )
    .bind(CODE)
    .bind(Severity::Note.as_str())
    .bind(&message)
    .bind(first)
    .bind(placement)
    .bind(side)
    .execute(write.conn())
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_code_is_the_flags() {
        assert_eq!(super::CODE, crate::chess::FlagCode::DuplicatePosition.as_str());
    }
}
