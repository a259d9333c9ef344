//! One list of what a reviewer goes through: diagrams, and between them the pages that failed, hold no diagram or are flagged themselves and the
//! gaps in the printed numbers, which are how a missed exercise is noticed.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{FromRow, QueryBuilder, Sqlite};

use super::effective::to_json;
use super::{BookId, DiagramId, DiagramRow, Filter, NumberGap, PageFilter, PageId, PageRow, Queue, Result};

/// What is listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowFilter {
    /// `None`: no diagrams at all.
    pub diagrams: Option<Filter>,
    /// The pages that failed, hold no diagram or carry a flag of their own that asks for a look, and the gaps in the numbers, are listed too.
    pub troubles: bool,
    /// The book of those.
    pub book: Option<BookId>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ReviewRow {
    Diagram(Box<DiagramRow>),
    Page(Box<PageRow>),
    /// Numbers are missing between these two diagrams.
    Gap {
        gap: NumberGap,
        after: Box<DiagramRow>,
        before: Option<Box<DiagramRow>>,
    },
}

#[derive(FromRow)]
struct Reference {
    /// 0: a diagram, 1: a page, 2: a gap after the diagram `id`.
    what: i64,
    id: i64,
}

/// The page `p` itself carries a flag that asks for a look. What was left out of it is in no diagram, however lightly it is flagged.
pub(super) const FLAGGED: &str =
    "EXISTS (SELECT 1 FROM flags f WHERE f.page_id = p.id AND f.diagram_id IS NULL
    AND (f.severity <> 'note' OR f.code IN ('not_chess', 'board_doubted')))";

const JOIN: &str = " FROM diagrams d JOIN pages p ON p.id = d.page_id JOIN sources s ON s.id = p.source_id \
                    JOIN books b ON b.id = s.book_id";

impl Queue {
    /// Rows in the order of the books, and how many there are without the limit.
    pub async fn review_rows(
        &self,
        filter: &RowFilter,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<ReviewRow>, u64)> {
        let gaps = self.gaps_in(filter).await?;
        let after: Vec<DiagramId> = gaps.iter().map(|gap| gap.after).collect();
        let after = to_json(&after)?;
        let mut count = QueryBuilder::<Sqlite>::new("SELECT COUNT(*) FROM (");
        references(filter, &after, &mut count);
        count.push(")");
        let total: i64 = count.build_query_scalar().fetch_one(&self.inner.read).await?;
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT what, id FROM (");
        references(filter, &after, &mut sql);
        sql.push(") ORDER BY sort_key, idx, page_id, ordinal, id, what LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
        let found: Vec<Reference> = sql.build_query_as().fetch_all(&self.inner.read).await?;
        let gaps: HashMap<i64, NumberGap> = gaps.into_iter().map(|gap| (gap.after.0, gap)).collect();
        let mut diagrams: Vec<DiagramId> =
            found.iter().filter(|row| row.what != 1).map(|row| DiagramId(row.id)).collect();
        let ends = found.iter().filter(|row| row.what == 2).filter_map(|row| gaps.get(&row.id));
        diagrams.extend(ends.map(|gap| gap.before));
        let pages: Vec<PageId> = found.iter().filter(|row| row.what == 1).map(|row| PageId(row.id)).collect();
        let diagrams: HashMap<i64, DiagramRow> =
            self.diagram_rows(&diagrams).await?.into_iter().map(|row| (row.id.0, row)).collect();
        let filter = PageFilter { ids: Some(pages), ..PageFilter::default() };
        let mut pages: HashMap<i64, PageRow> =
            self.pages(&filter, u32::MAX, 0).await?.into_iter().map(|row| (row.id.0, row)).collect();
        let boxed = |id: i64| diagrams.get(&id).cloned().map(Box::new);
        let rows = found
            .iter()
            .filter_map(|row| match row.what {
                0 => boxed(row.id).map(ReviewRow::Diagram),
                1 => pages.remove(&row.id).map(|row| ReviewRow::Page(Box::new(row))),
                _ => {
                    let gap = gaps.get(&row.id)?.clone();
                    Some(ReviewRow::Gap { before: boxed(gap.before.0), after: boxed(row.id)?, gap })
                }
            })
            .collect();
        Ok((rows, total.unsigned_abs()))
    }

    async fn gaps_in(&self, filter: &RowFilter) -> Result<Vec<NumberGap>> {
        if !filter.troubles {
            return Ok(Vec::new());
        }
        let books: Vec<BookId> = match filter.book {
            Some(book) => vec![book],
            None => sqlx::query_scalar("SELECT id FROM books").fetch_all(&self.inner.read).await?,
        };
        let mut gaps = Vec::new();
        for book in books {
            gaps.extend(self.number_gaps(book).await?);
        }
        Ok(gaps)
    }
}

/// `gaps`: the ids of the diagrams after which numbers are missing, as JSON.
fn references(filter: &RowFilter, gaps: &str, sql: &mut QueryBuilder<Sqlite>) {
    match &filter.diagrams {
        Some(diagrams) => {
            sql.push("SELECT 0 AS what, d.id AS id, p.sort_key AS sort_key, p.idx AS idx, p.id AS page_id, d.ordinal AS ordinal").push(JOIN);
            diagrams.push(sql);
        }
        None => {
            // gives the columns their names and no row
            sql.push("SELECT 0 AS what, 0 AS id, x'' AS sort_key, 0 AS idx, 0 AS page_id, 0 AS ordinal WHERE 0 = 1");
        }
    }
    if filter.troubles {
        sql.push(
            " UNION ALL SELECT 1, p.id, p.sort_key, p.idx, p.id, 0 FROM pages p JOIN sources s ON s.id = p.source_id
              WHERE (p.state = 'failed' OR p.state = 'read' AND (NOT EXISTS
                  (SELECT 1 FROM diagrams d WHERE d.page_id = p.id AND d.retired_at IS NULL) OR ",
        );
        sql.push(FLAGGED).push("))");
        if let Some(book) = filter.book {
            sql.push(" AND s.book_id = ").push_bind(book);
        }
        sql.push(" UNION ALL SELECT 2, d.id, p.sort_key, p.idx, p.id, d.ordinal").push(JOIN);
        sql.push(" WHERE d.id IN (SELECT value FROM json_each(").push_bind(gaps.to_owned()).push("))");
    }
}
