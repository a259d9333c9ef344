//! Books: their settings and how far they are.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::event::{EventDraft, EventKind};
use super::rows::FLAGGED;
use super::{BookId, Queue, QueueError, Result};
use crate::chess::Color;

/// What a person says about a whole book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BookSettings {
    /// The title, for exports; the folder's name stands in for it.
    pub title: Option<String>,
    pub author: Option<String>,
    /// Who moves where nothing says it.
    #[serde(with = "side")]
    pub default_side: Option<Color>,
    /// Code of the captions' language ("de"), for OCR and phrases.
    pub language: Option<String>,
    /// Marks beside the board are printed only where Black moves.
    pub marks_black_only: bool,
}

/// How many of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, FromRow)]
pub struct Counts {
    pub pages: u32,
    pub pending: u32,
    pub reading: u32,
    pub read: u32,
    pub failed: u32,
    /// Read pages without any diagram.
    pub empty: u32,
    /// Read pages that carry a flag of their own that asks for a look.
    pub flagged: u32,
    pub diagrams: u32,
    pub accepted: u32,
    pub needs_review: u32,
    pub approved: u32,
    pub corrected: u32,
    pub rejected: u32,
}

/// A book with its settings and counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BookRow {
    pub id: BookId,
    /// Name of its folder.
    pub name: String,
    pub version: i64,
    pub settings: BookSettings,
    pub files: u32,
    pub counts: Counts,
}

#[derive(FromRow)]
struct Row {
    id: BookId,
    name: String,
    version: i64,
    title: Option<String>,
    author: Option<String>,
    default_side: Option<String>,
    language: Option<String>,
    marks_black_only: bool,
    files: u32,
    #[sqlx(flatten)]
    counts: Counts,
}

/// Counts of the pages of `s` joined by the caller; [`FLAGGED`] comes behind them.
const PAGE_COUNTS: &str = "COUNT(*) AS pages, COUNT(*) FILTER (WHERE p.state = 'pending') AS pending,
    COUNT(*) FILTER (WHERE p.state = 'reading') AS reading, COUNT(*) FILTER (WHERE p.state = 'read') AS read,
    COUNT(*) FILTER (WHERE p.state = 'failed') AS failed,
    COUNT(*) FILTER (WHERE p.state = 'read' AND NOT EXISTS
        (SELECT 1 FROM diagrams d WHERE d.page_id = p.id AND d.retired_at IS NULL)) AS empty,
    COUNT(*) FILTER (WHERE p.state = 'read' AND ";
const DIAGRAM_COUNTS: &str = "COUNT(*) AS diagrams, COUNT(*) FILTER (WHERE d.state = 'accepted') AS accepted,
    COUNT(*) FILTER (WHERE d.state = 'needs_review') AS needs_review, COUNT(*) FILTER (WHERE d.state = 'approved') AS approved,
    COUNT(*) FILTER (WHERE d.state = 'corrected') AS corrected, COUNT(*) FILTER (WHERE d.state = 'rejected') AS rejected";

impl Queue {
    /// All books in natural order.
    pub async fn books(&self) -> Result<Vec<BookRow>> {
        let sql = format!(
            "SELECT b.id, b.name, b.version, b.title, b.author, b.default_side, b.language, b.marks_black_only,
                    (SELECT COUNT(*) FROM sources s WHERE s.book_id = b.id) AS files,
                    COALESCE(pages, 0) AS pages, COALESCE(pending, 0) AS pending, COALESCE(reading, 0) AS reading,
                    COALESCE(read, 0) AS read, COALESCE(failed, 0) AS failed, COALESCE(empty, 0) AS empty, COALESCE(flagged, 0) AS flagged,
                    COALESCE(diagrams, 0) AS diagrams, COALESCE(accepted, 0) AS accepted,
                    COALESCE(needs_review, 0) AS needs_review, COALESCE(approved, 0) AS approved,
                    COALESCE(corrected, 0) AS corrected, COALESCE(rejected, 0) AS rejected
             FROM books b
             LEFT JOIN (SELECT s.book_id, {PAGE_COUNTS}{FLAGGED}) AS flagged FROM pages p JOIN sources s ON s.id = p.source_id GROUP BY s.book_id) pc
                 ON pc.book_id = b.id
             LEFT JOIN (SELECT s.book_id, {DIAGRAM_COUNTS} FROM diagrams d JOIN pages p ON p.id = d.page_id
                 JOIN sources s ON s.id = p.source_id WHERE d.retired_at IS NULL GROUP BY s.book_id) dc ON dc.book_id = b.id
             ORDER BY b.sort_key"
        );
        // put together from literals of this file
        let rows: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.inner.read).await?;
        rows.into_iter().map(BookRow::try_from).collect()
    }

    /// One book.
    pub async fn book(&self, id: BookId) -> Result<BookRow> {
        let books = self.books().await?;
        books.into_iter().find(|book| book.id == id).ok_or_else(|| QueueError::not_found("book", id))
    }

    /// The book with this folder name.
    pub async fn book_by_name(&self, name: &str) -> Result<Option<BookId>> {
        Ok(sqlx::query_scalar("SELECT id FROM books WHERE name = ?")
            .bind(name)
            .fetch_optional(&self.inner.read)
            .await?)
    }

    /// Counts over all books.
    pub async fn counts(&self) -> Result<Counts> {
        let sql = format!(
            "SELECT * FROM (SELECT {PAGE_COUNTS}{FLAGGED}) AS flagged FROM pages p), (SELECT {DIAGRAM_COUNTS} FROM diagrams d WHERE d.retired_at IS NULL)"
        );
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_one(&self.inner.read).await?)
    }

    /// Changes a book's settings. Pages read from now on use them; see [`Queue::reread_book`] for the others.
    /// [`QueueError::Conflict`] when somebody changed them since `expected_version`. Returns the new version.
    pub async fn set_book(
        &self,
        id: BookId,
        expected_version: i64,
        settings: &BookSettings,
        who: &str,
    ) -> Result<i64> {
        let mut write = self.begin().await?;
        let current: i64 = sqlx::query_scalar("SELECT version FROM books WHERE id = ?")
            .bind(id)
            .fetch_optional(write.conn())
            .await?
            .ok_or_else(|| QueueError::not_found("book", id))?;
        if current != expected_version {
            return Err(QueueError::Conflict { kind: "book", id: id.0, expected: expected_version, current });
        }
        sqlx::query(
            "UPDATE books SET title = ?, author = ?, default_side = ?, language = ?, marks_black_only = ?, version = version + 1
             WHERE id = ?",
        )
        .bind(&settings.title)
        .bind(&settings.author)
        .bind(settings.default_side.map(|side| side.char().to_string()))
        .bind(&settings.language)
        .bind(settings.marks_black_only)
        .bind(id)
        .execute(write.conn())
        .await?;
        super::settle::unsettle(&mut write, id).await?;
        let detail =
            super::effective::to_json(settings).and_then(|text| super::effective::json(&text, "settings"))?;
        write.log(EventDraft::new(EventKind::BookChanged).book(id).who(who).detail(detail)).await?;
        write.commit().await?;
        Ok(current + 1)
    }
}

impl TryFrom<Row> for BookRow {
    type Error = QueueError;

    fn try_from(row: Row) -> Result<BookRow> {
        let default_side = row
            .default_side
            .as_deref()
            .map(|side| {
                side.parse::<char>()
                    .ok()
                    .and_then(Color::from_char)
                    .ok_or_else(|| QueueError::Corrupt(format!("book {}: no side {side:?}", row.id)))
            })
            .transpose()?;
        Ok(BookRow {
            id: row.id,
            name: row.name,
            version: row.version,
            settings: BookSettings {
                title: row.title,
                author: row.author,
                default_side,
                language: row.language,
                marks_black_only: row.marks_black_only,
            },
            files: row.files,
            counts: row.counts,
        })
    }
}

mod side {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::chess::Color;

    pub fn serialize<S: Serializer>(side: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        side.map(|side| side.char()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        Option::<char>::deserialize(deserializer)?
            .map(|letter| {
                Color::from_char(letter).ok_or_else(|| D::Error::custom(format!("no side: {letter:?}")))
            })
            .transpose()
    }
}
