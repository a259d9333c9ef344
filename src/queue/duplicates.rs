//! The same position twice in the collection: a note on the later one, naming the first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sqlx::FromRow;

use super::effective::to_json;
use super::write::Write;
use super::{DiagramId, Facts, PageId, Result};
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

/// A diagram whose note is looked at, with the notes that it has.
#[derive(FromRow)]
struct Looked {
    id: DiagramId,
    page_id: PageId,
    placement: String,
    side: String,
    /// In the collection, and not rejected.
    counts: bool,
    flag: Option<i64>,
    about: Option<DiagramId>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Note<'a> {
    page: PageId,
    diagram: DiagramId,
    first: DiagramId,
    message: &'a str,
}

/// Brings the `duplicate_position` notes up to date after these diagrams changed; each is given with the position that it had and with the
/// one that it has now. The first one taken into the collection has none, each later one names it; what was rejected or
/// retired counts for nothing.
///
/// The later ones of a position are looked at only when their first one changed: a book may print the starting position a thousand times, and
/// taking in one more must not cost a thousand looks. A few statements whatever the number of positions, and only what changes is written.
pub(super) async fn refresh(
    write: &mut Write,
    changed: impl IntoIterator<Item = (DiagramId, Position)>,
) -> Result<()> {
    let (changed, mut positions): (BTreeSet<DiagramId>, BTreeSet<Position>) = changed.into_iter().unzip();
    if changed.is_empty() {
        return Ok(());
    }
    let mut looked = changed.clone();
    // who names one of the changed as the first
    let named: Vec<(DiagramId, String, String)> = sqlx::query_as(
        "SELECT d.id, d.placement, d.side FROM json_each(?) j JOIN flags f ON f.about = j.value AND f.code = ?
         JOIN diagrams d ON d.id = f.diagram_id",
    )
    .bind(to_json(&changed)?)
    .bind(CODE)
    .fetch_all(write.conn())
    .await?;
    for (id, placement, side) in named {
        looked.insert(id);
        positions.insert(Position { placement, side });
    }
    let firsts = firsts(write, &positions).await?;
    let moved: Vec<&Position> = firsts
        .iter()
        .filter(|(_, first)| changed.contains(&first.id))
        .map(|(position, _)| position)
        .collect();
    if !moved.is_empty() {
        let all: Vec<DiagramId> = sqlx::query_scalar(
            "SELECT d.id FROM json_each(?) j
             JOIN diagrams d ON d.placement = j.value ->> 'placement' AND d.side = j.value ->> 'side'",
        )
        .bind(to_json(&moved)?)
        .fetch_all(write.conn())
        .await?;
        looked.extend(all);
    }
    let looked: Vec<Looked> = sqlx::query_as(
        "SELECT d.id, d.page_id, d.placement, d.side, d.retired_at IS NULL AND d.state <> 'rejected' AS counts,
                f.id AS flag, f.about, f.message
         FROM json_each(?) j JOIN diagrams d ON d.id = j.value
         LEFT JOIN flags f ON f.diagram_id = d.id AND f.code = ? AND f.about IS NOT NULL ORDER BY d.id, f.id",
    )
    .bind(to_json(&looked)?)
    .bind(CODE)
    .fetch_all(write.conn())
    .await?;
    write_notes(write, &looked, &firsts).await
}

/// The first diagram of each position that has one.
async fn firsts(write: &mut Write, positions: &BTreeSet<Position>) -> Result<BTreeMap<Position, First>> {
    // the index ends with the diagram's id, so that the inner query stops at the first one that counts
    let firsts: Vec<First> = sqlx::query_as(
        "SELECT d.placement, d.side, d.id, b.name AS book, s.path, p.idx, d.number FROM
             (SELECT (SELECT d.id FROM diagrams d WHERE d.placement = j.value ->> 'placement' AND d.side = j.value ->> 'side'
                      AND d.retired_at IS NULL AND d.state <> 'rejected' ORDER BY d.id LIMIT 1) AS id FROM json_each(?) j) f
         JOIN diagrams d ON d.id = f.id JOIN pages p ON p.id = d.page_id
         JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id",
    )
    .bind(to_json(positions)?)
    .fetch_all(write.conn())
    .await?;
    let position = |first: &First| Position { placement: first.placement.clone(), side: first.side.clone() };
    Ok(firsts
        .into_iter()
        .filter(|first| first.placement != EMPTY)
        .map(|first| (position(&first), first))
        .collect())
}

async fn write_notes(write: &mut Write, looked: &[Looked], firsts: &BTreeMap<Position, First>) -> Result<()> {
    let messages: BTreeMap<DiagramId, String> =
        firsts.values().map(|first| (first.id, message(first))).collect();
    let mut stale: Vec<i64> = Vec::new();
    let mut missing: BTreeMap<DiagramId, Note> = BTreeMap::new();
    let mut right: BTreeSet<DiagramId> = BTreeSet::new();
    for row in looked {
        let position = Position { placement: row.placement.clone(), side: row.side.clone() };
        let first =
            firsts.get(&position).map(|first| first.id).filter(|first| row.counts && *first != row.id);
        let wanted = first.and_then(|first| Some((first, messages.get(&first)?.as_str())));
        let has = row.about.zip(row.message.as_deref());
        if wanted.is_some() && has == wanted && !right.contains(&row.id) {
            right.insert(row.id);
            continue;
        }
        stale.extend(row.flag);
        if let Some((first, message)) = wanted {
            missing.insert(row.id, Note { page: row.page_id, diagram: row.id, first, message });
        }
    }
    missing.retain(|id, _| !right.contains(id));
    if !stale.is_empty() {
        sqlx::query("DELETE FROM flags WHERE id IN (SELECT value FROM json_each(?))")
            .bind(to_json(&stale)?)
            .execute(write.conn())
            .await?;
    }
    if !missing.is_empty() {
        let notes: Vec<&Note> = missing.values().collect();
        sqlx::query(
            "INSERT INTO flags (page_id, diagram_id, code, severity, squares, message, about)
             SELECT j.value ->> 'page', j.value ->> 'diagram', ?2, ?3, '', j.value ->> 'message', j.value ->> 'first'
             FROM json_each(?1) j ORDER BY j.key",
        )
        .bind(to_json(&notes)?)
        .bind(CODE)
        .bind(Severity::Note.as_str())
        .execute(write.conn())
        .await?;
    }
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
