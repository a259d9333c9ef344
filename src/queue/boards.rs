//! The boards of one page with their places, and where the page lies: for drawing and moving corners.

use serde::Serialize;
use sqlx::FromRow;

use super::{BookId, DiagramId, DiagramState, PageId, Queue, QueueError, Result, effective};
use crate::board::Quad;
use crate::chess::Color;

/// A board of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageBoard {
    pub id: DiagramId,
    /// 1-based place in the page's reading order.
    pub ordinal: u32,
    pub number: Option<String>,
    pub state: DiagramState,
    /// Corners in page pixels, clockwise from the picture's top left.
    pub quad: Quad,
}

/// Where a page's scan lies, and what its book says about reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    pub page: PageId,
    pub book: BookId,
    /// The watched folder, and the file's path under it.
    pub root: String,
    pub path: String,
    /// SHA-256 of the content that was enrolled.
    pub hash: String,
    /// 0-based place in the file.
    pub index: u32,
    pub gone: bool,
    pub default_side: Option<Color>,
    pub language: Option<String>,
    pub marks_black_only: bool,
}

#[derive(FromRow)]
struct BoardSql {
    id: DiagramId,
    ordinal: u32,
    number: Option<String>,
    state: DiagramState,
    quad: String,
}

#[derive(FromRow)]
struct FileSql {
    book_id: BookId,
    root: String,
    path: String,
    hash: String,
    idx: u32,
    gone: bool,
    default_side: Option<String>,
    language: Option<String>,
    marks_black_only: bool,
}

impl Queue {
    /// The boards of a page in reading order.
    pub async fn boards_of(&self, page: PageId) -> Result<Vec<PageBoard>> {
        let rows: Vec<BoardSql> = sqlx::query_as(
            "SELECT d.id, d.ordinal, d.number, d.state, r.quad FROM diagrams d
             JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1
             WHERE d.page_id = ? AND d.retired_at IS NULL ORDER BY d.ordinal",
        )
        .bind(page)
        .fetch_all(&self.inner.read)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(PageBoard {
                    id: row.id,
                    ordinal: row.ordinal,
                    number: row.number,
                    state: row.state,
                    quad: effective::quad(&row.quad)?,
                })
            })
            .collect()
    }

    /// Where a page's scan lies.
    pub async fn page_file(&self, page: PageId) -> Result<PageFile> {
        let row: Option<FileSql> = sqlx::query_as(
            "SELECT s.book_id, s.root, s.path, s.hash, p.idx, s.gone, b.default_side, b.language, b.marks_black_only
             FROM pages p JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id WHERE p.id = ?",
        )
        .bind(page)
        .fetch_optional(&self.inner.read)
        .await?;
        let row = row.ok_or_else(|| QueueError::not_found("page", page))?;
        Ok(PageFile {
            page,
            book: row.book_id,
            root: row.root,
            path: row.path,
            hash: row.hash,
            index: row.idx,
            gone: row.gone,
            default_side: row.default_side.and_then(|side| side.chars().next()).and_then(Color::from_char),
            language: row.language,
            marks_black_only: row.marks_black_only,
        })
    }

    /// The pages before and after one, in the order of its book.
    pub async fn neighbours(&self, page: PageId) -> Result<(Option<PageId>, Option<PageId>)> {
        let (before, after): (Option<PageId>, Option<PageId>) = sqlx::query_as(
            "SELECT (SELECT q.id FROM pages q JOIN sources t ON t.id = q.source_id
                     WHERE t.book_id = s.book_id AND (q.sort_key, q.idx, q.id) < (p.sort_key, p.idx, p.id)
                     ORDER BY q.sort_key DESC, q.idx DESC, q.id DESC LIMIT 1),
                    (SELECT q.id FROM pages q JOIN sources t ON t.id = q.source_id
                     WHERE t.book_id = s.book_id AND (q.sort_key, q.idx, q.id) > (p.sort_key, p.idx, p.id)
                     ORDER BY q.sort_key, q.idx, q.id LIMIT 1)
             FROM pages p JOIN sources s ON s.id = p.source_id WHERE p.id = ?",
        )
        .bind(page)
        .fetch_optional(&self.inner.read)
        .await?
        .ok_or_else(|| QueueError::not_found("page", page))?;
        Ok((before, after))
    }
}
