//! The log of all that happened, for the live page and for later questions.

use serde::{Deserialize, Serialize};
use sqlx::{FromRow, SqliteConnection};

use super::{BookId, DiagramId, PageId, Queue, QueueError, Result, SourceId};

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(rename_all = "snake_case")]
pub enum EventKind {
    /// A new file. Detail: path, pages.
    Enrolled,
    /// A known file under one more path. Detail: path, first path.
    Aliased,
    /// A known file under a new path instead of its old one. Detail: from, to.
    Moved,
    /// A file went away. Detail: path.
    Gone,
    /// A file that had gone came back. Detail: path.
    Returned,
    /// Other content under a known path. Detail: path, the old and the new source.
    Replaced,
    /// A page was read. Detail: diagrams, new, matched, kept, retired.
    PageRead,
    /// A page failed for good. Detail: reason, kind.
    PageFailed,
    /// A page goes back to the queue after a failure it may outlive. Detail: reason, attempts.
    PageDelayed,
    /// A lease ran out. Detail: owner, attempts.
    LeaseExpired,
    /// A person wants a page to be read again.
    RereadAsked,
    /// A re-read disagrees with a person's decision, which stands. Detail: decided, read.
    RereadDiffers,
    /// A diagram is no longer found by the newest reading. Detail: retired (true) or kept for its decision (false).
    DiagramLost,
    /// A person decided. Detail: verdict, fen.
    Decided,
    /// A person took a decision back, or put it in force again.
    Undone,
    Redone,
    /// A person drew a board that the program had missed, or moved its corners.
    Drawn,
    /// What other pages of the book say changed who moves, or why. Detail: before, fen, source, evidence.
    SideByBook,
    /// A book's settings changed.
    BookChanged,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    /// Grows; a listener that knows the last id it saw can ask for what it missed.
    pub id: i64,
    pub at: i64,
    pub kind: EventKind,
    pub book: Option<BookId>,
    pub source: Option<SourceId>,
    pub page: Option<PageId>,
    pub diagram: Option<DiagramId>,
    pub who: Option<String>,
    pub detail: serde_json::Value,
}

/// An event before it has an id.
#[derive(Debug, Clone)]
pub(super) struct EventDraft {
    pub kind: EventKind,
    pub book: Option<BookId>,
    pub source: Option<SourceId>,
    pub page: Option<PageId>,
    pub diagram: Option<DiagramId>,
    pub who: Option<String>,
    pub detail: serde_json::Value,
}

impl EventDraft {
    pub fn new(kind: EventKind) -> EventDraft {
        EventDraft {
            kind,
            book: None,
            source: None,
            page: None,
            diagram: None,
            who: None,
            detail: serde_json::json!({}),
        }
    }

    pub fn book(mut self, id: BookId) -> Self {
        self.book = Some(id);
        self
    }

    pub fn source(mut self, id: SourceId) -> Self {
        self.source = Some(id);
        self
    }

    pub fn page(mut self, id: PageId) -> Self {
        self.page = Some(id);
        self
    }

    pub fn diagram(mut self, id: DiagramId) -> Self {
        self.diagram = Some(id);
        self
    }

    pub fn who(mut self, who: &str) -> Self {
        self.who = Some(who.to_owned());
        self
    }

    pub fn detail(mut self, detail: serde_json::Value) -> Self {
        self.detail = detail;
        self
    }
}

#[derive(FromRow)]
struct Row {
    id: i64,
    at: i64,
    kind: EventKind,
    book_id: Option<BookId>,
    source_id: Option<SourceId>,
    page_id: Option<PageId>,
    diagram_id: Option<DiagramId>,
    who: Option<String>,
    detail: String,
}

impl TryFrom<Row> for Event {
    type Error = QueueError;

    fn try_from(row: Row) -> Result<Event> {
        let detail = serde_json::from_str(&row.detail)
            .map_err(|error| QueueError::Corrupt(format!("event {}: {error}", row.id)))?;
        Ok(Event {
            id: row.id,
            at: row.at,
            kind: row.kind,
            book: row.book_id,
            source: row.source_id,
            page: row.page_id,
            diagram: row.diagram_id,
            who: row.who,
            detail,
        })
    }
}

pub(super) async fn insert(conn: &mut SqliteConnection, draft: EventDraft, at: i64) -> Result<Event> {
    let id = sqlx::query_scalar::<_, i64>(
        "INSERT INTO events (at, kind, book_id, source_id, page_id, diagram_id, who, detail)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
    )
    .bind(at)
    .bind(draft.kind)
    .bind(draft.book)
    .bind(draft.source)
    .bind(draft.page)
    .bind(draft.diagram)
    .bind(&draft.who)
    .bind(draft.detail.to_string())
    .fetch_one(conn)
    .await?;
    Ok(Event {
        id,
        at,
        kind: draft.kind,
        book: draft.book,
        source: draft.source,
        page: draft.page,
        diagram: draft.diagram,
        who: draft.who,
        detail: draft.detail,
    })
}

impl Queue {
    /// Hears of everything that this process writes from now on. A listener that falls far behind is told so by
    /// the channel (`Lagged`) and catches up with [`Queue::events_since`].
    pub fn subscribe(&self) -> tokio::sync::broadcast::Receiver<Event> {
        self.inner.events.subscribe()
    }

    /// Events after `id`, oldest first, at most `limit`: also those written by other processes.
    pub async fn events_since(&self, id: i64, limit: u32) -> Result<Vec<Event>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, at, kind, book_id, source_id, page_id, diagram_id, who, detail
             FROM events WHERE id > ? ORDER BY id LIMIT ?",
        )
        .bind(id)
        .bind(limit)
        .fetch_all(&self.inner.read)
        .await?;
        rows.into_iter().map(Event::try_from).collect()
    }

    /// Everything that happened to one diagram, oldest first.
    pub async fn events_of(&self, diagram: DiagramId) -> Result<Vec<Event>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, at, kind, book_id, source_id, page_id, diagram_id, who, detail
             FROM events WHERE diagram_id = ? ORDER BY id",
        )
        .bind(diagram)
        .fetch_all(&self.inner.read)
        .await?;
        rows.into_iter().map(Event::try_from).collect()
    }

    /// The id of the newest event, 0 when there is none.
    pub async fn last_event(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT COALESCE(MAX(id), 0) FROM events").fetch_one(&self.inner.read).await?)
    }
}
