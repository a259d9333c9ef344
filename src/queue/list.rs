//! Lists of diagrams and pages.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{FromRow, QueryBuilder, Sqlite, SqliteConnection};

use super::effective::{json, to_json};
use super::{
    BookId, DiagramId, DiagramState, FailureKind, Filter, PageId, PageState, PictureKind, Queue, QueueError,
    Result, SourceId,
};
use crate::chess::{Color, Flag, FlagCode, Severity};
use crate::reading::{Orientation, Sources};

/// A diagram as the collection has it now: a decision's facts where there is one, else the reading's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiagramRow {
    pub id: DiagramId,
    /// The diagram's name outside this database: first twelve digits of the file's hash, page, and the how manyth diagram found on that
    /// page it was. Nothing that happens to other diagrams, and no re-read or rename, changes it.
    pub key: String,
    /// Raised by every change; to be given back when deciding.
    pub version: i64,
    pub book_id: BookId,
    pub book: String,
    pub book_title: Option<String>,
    pub book_author: Option<String>,
    pub source_id: SourceId,
    /// Path of the file under its watched folder.
    pub path: String,
    pub page_id: PageId,
    /// 1-based page in the file.
    pub page: u32,
    /// 1-based place in the page's reading order.
    pub ordinal: u32,
    pub state: DiagramState,
    pub fen: String,
    pub sources: Sources,
    pub orientation: Orientation,
    pub number: Option<String>,
    pub players: Option<String>,
    pub stipulation: Option<String>,
    pub caption: Option<String>,
    /// The move that is printed at the diagram, as the current reading has it.
    pub first_move: Option<FirstMoveRow>,
    pub confidence: f32,
    pub model_version: String,
    /// The newest reading of the page sees it (or a person drew it).
    pub seen: bool,
    pub flags: Vec<Flag>,
    /// The pictures that were kept of it.
    pub pictures: Vec<PictureRef>,
    /// Who decided, when (milliseconds since the epoch), why, and which flags were acknowledged.
    pub decided_by: Option<String>,
    pub decided_at: Option<i64>,
    pub reason: Option<String>,
    pub acknowledged: Vec<FlagCode>,
}

impl DiagramRow {
    /// The side to move of the FEN.
    pub fn side(&self) -> Color {
        match self.fen.split(' ').nth(1) {
            Some("b") => Color::Black,
            _ => Color::White,
        }
    }

    /// A flag says that the position cannot be, and no person has accepted it all the same.
    pub fn is_refused(&self) -> bool {
        !matches!(self.state, DiagramState::Approved | DiagramState::Corrected)
            && self.flags.iter().any(|flag| flag.severity == Severity::Impossible)
    }
}

/// A printed move: the solution's first, or the one that follows in the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstMoveRow {
    /// As printed, with its number and what follows in its line.
    pub text: String,
    /// Code of the caption's language, where a phrase told it.
    pub language: Option<String>,
    /// A word before it says that it is the solution.
    pub solution: bool,
}

/// A picture that can be had with [`Queue::picture`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PictureRef {
    pub kind: PictureKind,
    pub media_type: String,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageRow {
    pub id: PageId,
    pub version: i64,
    pub book_id: BookId,
    pub book: String,
    pub source_id: SourceId,
    pub root: String,
    pub path: String,
    /// The file is no longer there.
    pub gone: bool,
    /// 1-based page in the file.
    pub page: u32,
    pub state: PageState,
    pub attempts: u32,
    /// Why it failed, or why its next try is delayed.
    pub failure: Option<String>,
    pub failure_kind: Option<FailureKind>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub model_version: Option<String>,
    pub read_at: Option<i64>,
    pub read_ms: Option<i64>,
    pub times_read: u32,
    /// Diagrams on it now.
    pub diagrams: u32,
    pub flags: Vec<Flag>,
}

/// Which pages; conditions must all hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageFilter {
    pub book: Option<BookId>,
    pub source: Option<SourceId>,
    /// Any of these.
    pub states: Vec<PageState>,
    /// The page itself carries one of these flags.
    pub flags: Vec<FlagCode>,
    pub page: Option<PageId>,
    /// Only these.
    pub ids: Option<Vec<PageId>>,
}

#[derive(FromRow)]
struct DiagramSql {
    id: DiagramId,
    key: String,
    version: i64,
    book_id: BookId,
    book: String,
    book_title: Option<String>,
    book_author: Option<String>,
    source_id: SourceId,
    path: String,
    page_id: PageId,
    page: u32,
    ordinal: u32,
    state: DiagramState,
    fen: String,
    number: Option<String>,
    players: Option<String>,
    stipulation: Option<String>,
    caption: Option<String>,
    move_text: Option<String>,
    move_language: Option<String>,
    move_solution: Option<bool>,
    confidence: f64,
    model_version: String,
    seen: bool,
    sources: String,
    orientation: String,
    decided_after: Option<String>,
    decided_by: Option<String>,
    decided_at: Option<i64>,
    reason: Option<String>,
    acknowledged: Option<String>,
}

const FROM: &str = " FROM diagrams d JOIN pages p ON p.id = d.page_id JOIN sources s ON s.id = p.source_id \
                    JOIN books b ON b.id = s.book_id";
const ORDER: &str = " ORDER BY p.sort_key, p.idx, p.id, d.ordinal, d.id";
const COLUMNS: &str = "SELECT d.id, substr(s.hash, 1, 12) || '-' || (p.idx + 1) || '-' || \
     (SELECT COUNT(*) FROM diagrams e WHERE e.page_id = d.page_id AND e.id <= d.id) AS key, d.version, b.id AS book_id, b.name AS book, b.title AS book_title, b.author AS book_author, \
     s.id AS source_id, s.path, p.id AS page_id, p.idx + 1 AS page, d.ordinal, d.state, d.fen, d.number, d.players, \
     d.stipulation, d.caption, r.caption ->> '$.first_move' AS move_text, r.caption ->> '$.language' AS move_language, \
     r.caption ->> '$.solution' AS move_solution, r.confidence, r.model_version, d.seen, r.sources, r.orientation, x.after AS decided_after, \
     x.who AS decided_by, x.at AS decided_at, x.reason, x.acknowledged";
const MORE: &str = " JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1 LEFT JOIN decisions x ON x.id = \
     (SELECT MAX(y.id) FROM decisions y WHERE y.diagram_id = d.id AND y.undone_by_event IS NULL)";

impl Queue {
    /// The ids of the diagrams of a filter, in the order of the book. Cheap also for ten thousands.
    pub async fn diagram_ids(&self, filter: &Filter) -> Result<Vec<DiagramId>> {
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT d.id");
        sql.push(FROM);
        filter.push(&mut sql);
        sql.push(ORDER);
        Ok(sql.build_query_scalar().fetch_all(&self.inner.read).await?)
    }

    /// How many diagrams a filter finds.
    pub async fn diagram_count(&self, filter: &Filter) -> Result<u64> {
        let mut sql = QueryBuilder::<Sqlite>::new("SELECT COUNT(*)");
        sql.push(FROM);
        filter.push(&mut sql);
        let count: i64 = sql.build_query_scalar().fetch_one(&self.inner.read).await?;
        Ok(count.unsigned_abs())
    }

    /// Diagrams of a filter in the order of the book: books and files by natural order, pages, reading order.
    pub async fn diagrams(&self, filter: &Filter, limit: u32, offset: u64) -> Result<Vec<DiagramRow>> {
        let mut connection = self.inner.read.acquire().await?;
        diagrams(&mut connection, filter, limit, offset).await
    }

    /// One diagram, also a retired one.
    pub async fn diagram_row(&self, id: DiagramId) -> Result<DiagramRow> {
        let mut connection = self.inner.read.acquire().await?;
        let mut sql = QueryBuilder::<Sqlite>::new(COLUMNS);
        sql.push(FROM).push(MORE).push(" WHERE d.id = ").push_bind(id);
        let rows: Vec<DiagramSql> = sql.build_query_as().fetch_all(&mut *connection).await?;
        let mut rows = complete(&mut connection, rows).await?;
        rows.pop().ok_or_else(|| QueueError::not_found("diagram", id))
    }

    /// These diagrams, in no order worth knowing; those that are not there are left out.
    pub async fn diagram_rows(&self, ids: &[DiagramId]) -> Result<Vec<DiagramRow>> {
        let mut connection = self.inner.read.acquire().await?;
        let mut sql = QueryBuilder::<Sqlite>::new(COLUMNS);
        sql.push(FROM).push(MORE).push(" WHERE d.id IN (SELECT value FROM json_each(");
        sql.push_bind(to_json(&ids)?).push("))");
        let rows: Vec<DiagramSql> = sql.build_query_as().fetch_all(&mut *connection).await?;
        complete(&mut connection, rows).await
    }

    /// Calls `visit` with all diagrams of a filter, a few hundred at a time, as they were at one moment: what is written meanwhile
    /// is not seen. Memory stays flat whatever the size of the collection.
    pub async fn visit<E: From<QueueError>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(Vec<DiagramRow>) -> Result<(), E>,
    ) -> Result<(), E> {
        const CHUNK: u32 = 500;
        let mut tx = self.inner.read.begin().await.map_err(QueueError::from)?;
        let mut offset = 0;
        loop {
            let rows = diagrams(&mut tx, filter, CHUNK, offset).await?;
            let count = rows.len();
            if count > 0 {
                visit(rows)?;
            }
            if count < CHUNK as usize {
                return Ok(());
            }
            offset += u64::from(CHUNK);
        }
    }

    /// Pages of a filter in the order of the book.
    pub async fn pages(&self, filter: &PageFilter, limit: u32, offset: u64) -> Result<Vec<PageRow>> {
        let mut connection = self.inner.read.acquire().await?;
        let mut sql = QueryBuilder::<Sqlite>::new(
            "SELECT p.id, p.version, b.id AS book_id, b.name AS book, s.id AS source_id, s.root, s.path, s.gone, p.idx + 1 AS page,
                    p.state, p.attempts, p.failure, p.failure_kind, p.width, p.height, p.model_version, p.read_at, p.read_ms,
                    p.times_read, (SELECT COUNT(*) FROM diagrams d WHERE d.page_id = p.id AND d.retired_at IS NULL) AS diagrams
             FROM pages p JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id WHERE 1 = 1",
        );
        if let Some(book) = filter.book {
            sql.push(" AND b.id = ").push_bind(book);
        }
        if let Some(source) = filter.source {
            sql.push(" AND s.id = ").push_bind(source);
        }
        if let Some(page) = filter.page {
            sql.push(" AND p.id = ").push_bind(page);
        }
        if let Some(ids) = &filter.ids {
            sql.push(" AND p.id IN (SELECT value FROM json_each(").push_bind(to_json(ids)?).push("))");
        }
        if !filter.states.is_empty() {
            let mut list = sql.push(" AND p.state IN (").separated(", ");
            for &state in &filter.states {
                list.push_bind(state);
            }
            sql.push(")");
        }
        if !filter.flags.is_empty() {
            sql.push(" AND EXISTS (SELECT 1 FROM flags f WHERE f.page_id = p.id AND f.diagram_id IS NULL AND f.code IN (");
            let mut list = sql.separated(", ");
            for code in &filter.flags {
                list.push_bind(code.as_str());
            }
            sql.push("))");
        }
        sql.push(" ORDER BY p.sort_key, p.idx, p.id LIMIT ").push_bind(limit);
        sql.push(" OFFSET ").push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
        let rows: Vec<PageSql> = sql.build_query_as().fetch_all(&mut *connection).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id.0).collect();
        let mut flags = flags_of(&mut connection, FlagOwner::Pages, &ids).await?;
        Ok(rows.into_iter().map(|row| row.with(&mut flags)).collect())
    }

    /// One page.
    pub async fn page(&self, id: PageId) -> Result<PageRow> {
        let filter = PageFilter { page: Some(id), ..PageFilter::default() };
        self.pages(&filter, 1, 0).await?.pop().ok_or_else(|| QueueError::not_found("page", id))
    }
}

async fn diagrams(
    connection: &mut SqliteConnection,
    filter: &Filter,
    limit: u32,
    offset: u64,
) -> Result<Vec<DiagramRow>> {
    let mut sql = QueryBuilder::<Sqlite>::new(COLUMNS);
    sql.push(FROM).push(MORE);
    filter.push(&mut sql);
    sql.push(ORDER);
    sql.push(" LIMIT ").push_bind(limit);
    sql.push(" OFFSET ").push_bind(i64::try_from(offset).unwrap_or(i64::MAX));
    let rows: Vec<DiagramSql> = sql.build_query_as().fetch_all(&mut *connection).await?;
    complete(connection, rows).await
}

/// Whether the text of a caption holds that of a move, blanks aside.
fn prints(caption: &str, printed: &str) -> bool {
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    without_blanks(caption).contains(&without_blanks(printed))
}

async fn complete(connection: &mut SqliteConnection, rows: Vec<DiagramSql>) -> Result<Vec<DiagramRow>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id.0).collect();
    let mut flags = flags_of(connection, FlagOwner::Diagrams, &ids).await?;
    let mut pictures = pictures_of(connection, &ids).await?;
    rows.into_iter()
        .map(|row| {
            let (sources, orientation) = match &row.decided_after {
                Some(after) => {
                    let facts = super::Facts::from_json(after)?;
                    (facts.sources, facts.orientation)
                }
                None => (json(&row.sources, "sources")?, super::effective::orientation(&row.orientation)?),
            };
            // A caption that a person corrected no longer prints what it had been misread to print.
            let move_text = row.move_text.filter(|text| {
                row.decided_after.is_none()
                    || row.caption.as_deref().is_some_and(|caption| prints(caption, text))
            });
            Ok(DiagramRow {
                id: row.id,
                key: row.key,
                version: row.version,
                book_id: row.book_id,
                book: row.book,
                book_title: row.book_title,
                book_author: row.book_author,
                source_id: row.source_id,
                path: row.path,
                page_id: row.page_id,
                page: row.page,
                ordinal: row.ordinal,
                state: row.state,
                fen: row.fen,
                sources,
                orientation,
                number: row.number,
                players: row.players,
                stipulation: row.stipulation,
                caption: row.caption,
                first_move: move_text.map(|text| FirstMoveRow {
                    text,
                    language: row.move_language,
                    solution: row.move_solution.unwrap_or(false),
                }),
                confidence: row.confidence as f32,
                model_version: row.model_version,
                seen: row.seen,
                flags: flags.remove(&row.id.0).unwrap_or_default(),
                pictures: pictures.remove(&row.id.0).unwrap_or_default(),
                decided_by: row.decided_by,
                decided_at: row.decided_at,
                reason: row.reason,
                acknowledged: row
                    .acknowledged
                    .map(|text| json(&text, "flags"))
                    .transpose()?
                    .unwrap_or_default(),
            })
        })
        .collect()
}

#[derive(FromRow)]
struct PageSql {
    id: PageId,
    version: i64,
    book_id: BookId,
    book: String,
    source_id: SourceId,
    root: String,
    path: String,
    gone: bool,
    page: u32,
    state: PageState,
    attempts: u32,
    failure: Option<String>,
    failure_kind: Option<FailureKind>,
    width: Option<u32>,
    height: Option<u32>,
    model_version: Option<String>,
    read_at: Option<i64>,
    read_ms: Option<i64>,
    times_read: u32,
    diagrams: u32,
}

impl PageSql {
    fn with(self, flags: &mut HashMap<i64, Vec<Flag>>) -> PageRow {
        PageRow {
            flags: flags.remove(&self.id.0).unwrap_or_default(),
            id: self.id,
            version: self.version,
            book_id: self.book_id,
            book: self.book,
            source_id: self.source_id,
            root: self.root,
            path: self.path,
            gone: self.gone,
            page: self.page,
            state: self.state,
            attempts: self.attempts,
            failure: self.failure,
            failure_kind: self.failure_kind,
            width: self.width,
            height: self.height,
            model_version: self.model_version,
            read_at: self.read_at,
            read_ms: self.read_ms,
            times_read: self.times_read,
            diagrams: self.diagrams,
        }
    }
}

async fn pictures_of(
    connection: &mut SqliteConnection,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<PictureRef>>> {
    let ids = serde_json::to_string(ids).map_err(|error| QueueError::Invalid(error.to_string()))?;
    let rows: Vec<(i64, PictureKind, String)> = sqlx::query_as(
        "SELECT diagram_id, kind, media_type FROM pictures WHERE diagram_id IN (SELECT value FROM json_each(?)) ORDER BY id",
    )
    .bind(ids)
    .fetch_all(connection)
    .await?;
    let mut out: HashMap<i64, Vec<PictureRef>> = HashMap::new();
    for (id, kind, media_type) in rows {
        out.entry(id).or_default().push(PictureRef { kind, media_type });
    }
    Ok(out)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlagOwner {
    Pages,
    Diagrams,
}

/// The flags of pages or diagrams, by their ids.
pub(super) async fn flags_of(
    connection: &mut SqliteConnection,
    owner: FlagOwner,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<Flag>>> {
    let ids = serde_json::to_string(ids).map_err(|error| QueueError::Invalid(error.to_string()))?;
    let sql = match owner {
        FlagOwner::Diagrams => {
            "SELECT diagram_id, code, severity, squares, message FROM flags
             WHERE diagram_id IN (SELECT value FROM json_each(?)) ORDER BY id"
        }
        FlagOwner::Pages => {
            "SELECT page_id, code, severity, squares, message FROM flags
             WHERE page_id IN (SELECT value FROM json_each(?)) AND diagram_id IS NULL ORDER BY id"
        }
    };
    let rows: Vec<(i64, String, String, String, String)> =
        sqlx::query_as(sql).bind(ids).fetch_all(connection).await?;
    let mut out: HashMap<i64, Vec<Flag>> = HashMap::new();
    for (id, code, severity, squares, message) in rows {
        let corrupt = |what: &str| QueueError::Corrupt(format!("a flag of {owner:?} {id}: {what}"));
        let flag = Flag {
            code: code.parse().map_err(|_| corrupt(&code))?,
            severity: json(&format!("{severity:?}"), "severity")?,
            squares: squares
                .split_whitespace()
                .map(|name| name.parse().map_err(|_| corrupt(&squares)))
                .collect::<Result<_>>()?,
            message,
        };
        out.entry(id).or_default().push(flag);
    }
    Ok(out)
}
