//! The same position twice in the collection: a note on the later one, naming the first.

use std::collections::BTreeSet;

use serde::Serialize;
use sqlx::FromRow;

use super::effective::to_json;
use super::write::Write;
use super::{DiagramId, Facts, Result};
use crate::chess::Severity;

/// An empty board is no position; books print many.
const EMPTY: &str = "8/8/8/8/8/8/8/8";

const CODE: &str = "duplicate_position";

/// What makes two diagrams the same: placement and side to move.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(super) struct Position {
    pub placement: String,
    pub side: String,
}

impl Position {
    pub fn of(facts: &Facts) -> Position {
        Position { placement: facts.placement().to_owned(), side: facts.side().to_owned() }
    }
}

/// The first diagram of a position, and what the notes of the later ones say; `None` when no diagram counts.
#[derive(Debug, Serialize)]
struct Group {
    #[serde(flatten)]
    position: Position,
    first: Option<DiagramId>,
    message: String,
}

#[derive(FromRow)]
struct First {
    placement: String,
    side: String,
    id: DiagramId,
    book: String,
    path: String,
    idx: u32,
    number: Option<String>,
}

/// Brings the `duplicate_position` notes of all diagrams that have one of these positions now up to date. The first one taken into
/// the collection has none, each later one names it; what was rejected or retired counts for nothing.
///
/// Three statements whatever the number of positions, and only what changes is written: a book may print the starting position
/// a thousand times.
pub(super) async fn refresh(write: &mut Write, positions: impl IntoIterator<Item = Position>) -> Result<()> {
    let positions: BTreeSet<Position> = positions.into_iter().collect();
    if positions.is_empty() {
        return Ok(());
    }
    let firsts: Vec<First> = sqlx::query_as(
        "SELECT d.placement, d.side, d.id, b.name AS book, s.path, p.idx, d.number FROM
             (SELECT MIN(d.id) AS id FROM json_each(?) j
              JOIN diagrams d ON d.placement = j.value ->> 'placement' AND d.side = j.value ->> 'side'
              WHERE d.retired_at IS NULL AND d.state <> 'rejected' GROUP BY d.placement, d.side) f
         JOIN diagrams d ON d.id = f.id JOIN pages p ON p.id = d.page_id
         JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id",
    )
    .bind(to_json(&positions)?)
    .fetch_all(write.conn())
    .await?;
    let groups: Vec<Group> = positions
        .into_iter()
        .map(|position| {
            let first = firsts.iter().find(|first| {
                first.placement == position.placement
                    && first.side == position.side
                    && first.placement != EMPTY
            });
            Group {
                position,
                first: first.map(|first| first.id),
                message: first.map(message).unwrap_or_default(),
            }
        })
        .collect();
    let groups = to_json(&groups)?;
    sqlx::query(
        "DELETE FROM flags WHERE id IN (SELECT f.id FROM json_each(?1) j
             JOIN diagrams d ON d.placement = j.value ->> 'placement' AND d.side = j.value ->> 'side'
             JOIN flags f ON f.diagram_id = d.id
             WHERE f.code = ?2 AND f.about IS NOT NULL AND (f.about IS NOT j.value ->> 'first'
                 OR f.message <> j.value ->> 'message' OR d.id = j.value ->> 'first' OR d.retired_at IS NOT NULL OR d.state = 'rejected'))",
    )
    .bind(&groups)
    .bind(CODE)
    .execute(write.conn())
    .await?;
    sqlx::query(
        "INSERT INTO flags (page_id, diagram_id, code, severity, squares, message, about)
         SELECT d.page_id, d.id, ?2, ?3, '', j.value ->> 'message', j.value ->> 'first' FROM json_each(?1) j
         JOIN diagrams d ON d.placement = j.value ->> 'placement' AND d.side = j.value ->> 'side'
         WHERE d.retired_at IS NULL AND d.state <> 'rejected' AND d.id <> j.value ->> 'first'
           AND NOT EXISTS (SELECT 1 FROM flags f WHERE f.diagram_id = d.id AND f.code = ?2 AND f.about = j.value ->> 'first')
         ORDER BY d.id",
    )
    .bind(&groups)
    .bind(CODE)
    .bind(Severity::Note.as_str())
    .execute(write.conn())
    .await?;
    Ok(())
}

fn message(first: &First) -> String {
    let number = first.number.as_ref().map(|number| format!(", number {number}")).unwrap_or_default();
    let page = first.idx + 1;
    format!("the same position is already in {}: {}, page {page}{number}", first.book, first.path)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_code_is_the_flags() {
        assert_eq!(super::CODE, crate::chess::FlagCode::DuplicatePosition.as_str());
    }
}
