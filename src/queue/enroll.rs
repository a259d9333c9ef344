//! Files come, move, change and go.

use sqlx::{FromRow, SqliteConnection};

use super::effective::fold;
use super::event::{EventDraft, EventKind};
use super::write::Write;
use super::{BookId, Queue, QueueError, Result, SourceId, natural, settle};

/// The pages of a file, as far as is known before reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    Count(u32),
    /// The file cannot be opened: it is enrolled with one failed page that carries the reason.
    Unreadable {
        reason: String,
    },
}

/// A file as the intake found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSource {
    /// Name of the book: the first subfolder of the watched folder.
    pub book: String,
    /// The watched folder.
    pub root: String,
    /// Path under `root`, with `/` between its parts.
    pub path: String,
    /// SHA-256 of the content, as 64 lower-case hexadecimal digits.
    pub hash: String,
    pub bytes: u64,
    /// Time of the last change in nanoseconds since the epoch, if the file system tells.
    pub modified_ns: Option<i64>,
    /// What the content is ("png", "pdf"), from its bytes.
    pub format: String,
    pub pages: Pages,
}

/// What a file turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enrolled {
    /// New content: its pages wait to be read. `replaced`: other content was known under this path.
    New { source: SourceId, replaced: Option<SourceId> },
    /// Known content under its known path.
    Known { source: SourceId },
    /// Known content that had gone and is back under its old path.
    Returned { source: SourceId },
    /// Known content that now lies here; its old path is gone.
    Moved { source: SourceId, from: String },
    /// Known content under one more path: no second reading.
    Alias { source: SourceId, first: String },
}

impl Enrolled {
    pub fn source(&self) -> SourceId {
        match *self {
            Enrolled::New { source, .. }
            | Enrolled::Known { source }
            | Enrolled::Returned { source }
            | Enrolled::Moved { source, .. }
            | Enrolled::Alias { source, .. } => source,
        }
    }
}

/// A path that is in the store, for comparing with a folder without hashing it again.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct KnownPath {
    pub path: String,
    pub source: SourceId,
    pub hash: String,
    #[sqlx(try_from = "i64")]
    pub bytes: u64,
    pub modified_ns: Option<i64>,
    /// The path was seen to be gone.
    pub gone: bool,
}

#[derive(FromRow)]
struct PathRow {
    source_id: SourceId,
    gone_at: Option<i64>,
}

#[derive(FromRow)]
struct SourceRow {
    id: SourceId,
    root: String,
    path: String,
    gone: bool,
}

impl Queue {
    /// Takes a file into the store, once per content. Safe to repeat.
    pub async fn enroll(&self, new: &NewSource) -> Result<Enrolled> {
        if new.hash.len() != 64 || !new.hash.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(QueueError::Invalid(format!("{}: {:?} is no SHA-256", new.path, new.hash)));
        }
        let bytes = i64::try_from(new.bytes)
            .map_err(|_| QueueError::Invalid(format!("{}: {} bytes are too many", new.path, new.bytes)))?;
        let mut write = self.begin().await?;
        let book = book_of(&mut write, &new.book).await?;
        let here: Option<PathRow> =
            sqlx::query_as("SELECT source_id, gone_at FROM source_paths WHERE root = ? AND path = ?")
                .bind(&new.root)
                .bind(&new.path)
                .fetch_optional(write.conn())
                .await?;
        let source: Option<SourceRow> =
            sqlx::query_as("SELECT id, root, path, gone FROM sources WHERE hash = ?")
                .bind(&new.hash)
                .fetch_optional(write.conn())
                .await?;
        let id = match &source {
            Some(source) => source.id,
            None => insert_source(&mut write, new, book, bytes).await?,
        };
        let replaced = here.as_ref().map(|path| path.source_id).filter(|&old| old != id);
        put_path(&mut write, new, id, book, bytes).await?;
        insert_pages(&mut write, id, &new.pages).await?;
        if let Some(old) = replaced {
            choose_path(&mut write, old, "the file was replaced by another before this page was read")
                .await?;
        }
        let draft = |kind| EventDraft::new(kind).book(book).source(id);
        let enrolled = match source {
            None => {
                let pages = match new.pages {
                    Pages::Count(count) => count,
                    Pages::Unreadable { .. } => 0,
                };
                write
                    .log(
                        draft(EventKind::Enrolled)
                            .detail(serde_json::json!({"path": new.path, "pages": pages})),
                    )
                    .await?;
                Enrolled::New { source: id, replaced }
            }
            Some(source) => {
                choose_path(&mut write, id, "").await?;
                let same = source.root == new.root && source.path == new.path;
                let was_gone = here.as_ref().is_some_and(|path| path.gone_at.is_some());
                if same && (source.gone || was_gone) {
                    write
                        .log(draft(EventKind::Returned).detail(serde_json::json!({"path": new.path})))
                        .await?;
                    Enrolled::Returned { source: id }
                } else if source.gone {
                    let detail = serde_json::json!({"from": source.path, "to": new.path});
                    write.log(draft(EventKind::Moved).detail(detail)).await?;
                    Enrolled::Moved { source: id, from: source.path }
                } else if same || (here.is_some() && replaced.is_none() && !was_gone) {
                    // nothing is new but the time of the last look
                    Enrolled::Known { source: id }
                } else {
                    let detail = serde_json::json!({"path": new.path, "first": source.path});
                    write.log(draft(EventKind::Aliased).detail(detail)).await?;
                    Enrolled::Alias { source: id, first: source.path }
                }
            }
        };
        if let Some(old) = replaced {
            let detail = serde_json::json!({"path": new.path, "old": old, "new": id});
            write.log(draft(EventKind::Replaced).detail(detail)).await?;
        }
        write.commit().await?;
        Ok(enrolled)
    }

    /// The file at this path is no longer there. Its readings stay; pages that were not read yet fail with the kind
    /// `gone` unless the content lies under another path. `false`: the path was not known, or known as gone.
    pub async fn mark_gone(&self, root: &str, path: &str) -> Result<bool> {
        let mut write = self.begin().await?;
        let now = write.now;
        let source: Option<SourceId> = sqlx::query_scalar(
            "UPDATE source_paths SET gone_at = ? WHERE root = ? AND path = ? AND gone_at IS NULL RETURNING source_id",
        )
        .bind(now)
        .bind(root)
        .bind(path)
        .fetch_optional(write.conn())
        .await?;
        let Some(source) = source else {
            return Ok(false);
        };
        let why = format!("the file {path} was moved away or deleted before this page was read");
        choose_path(&mut write, source, &why).await?;
        let detail = serde_json::json!({"path": path});
        write.log(EventDraft::new(EventKind::Gone).source(source).detail(detail)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// A file was renamed: same content, another path, perhaps another book. `false`: `from` was not known;
    /// enroll `to` instead.
    pub async fn rename(&self, root: &str, from: &str, to: &str, book: &str) -> Result<bool> {
        let mut write = self.begin().await?;
        let now = write.now;
        let old: Option<(SourceId, i64, Option<i64>)> = sqlx::query_as(
            "UPDATE source_paths SET gone_at = ? WHERE root = ? AND path = ? AND gone_at IS NULL
             RETURNING source_id, bytes, modified_ns",
        )
        .bind(now)
        .bind(root)
        .bind(from)
        .fetch_optional(write.conn())
        .await?;
        let Some((source, bytes, modified_ns)) = old else {
            return Ok(false);
        };
        let book = book_of(&mut write, book).await?;
        let there: Option<SourceId> =
            sqlx::query_scalar("SELECT source_id FROM source_paths WHERE root = ? AND path = ?")
                .bind(root)
                .bind(to)
                .fetch_optional(write.conn())
                .await?;
        upsert_path(&mut write, root, to, source, book, bytes, modified_ns).await?;
        choose_path(&mut write, source, "").await?;
        if let Some(replaced) = there.filter(|&other| other != source) {
            choose_path(&mut write, replaced, "the file was replaced by another before this page was read")
                .await?;
        }
        let detail = serde_json::json!({"from": from, "to": to});
        write.log(EventDraft::new(EventKind::Moved).book(book).source(source).detail(detail)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// What the store knows of the files under a watched folder, also of those gone. Sorted by path.
    pub async fn known_paths(&self, root: &str) -> Result<Vec<KnownPath>> {
        Ok(sqlx::query_as(
            "SELECT p.path, p.source_id AS source, s.hash, p.bytes, p.modified_ns, p.gone_at IS NOT NULL AS gone
             FROM source_paths p JOIN sources s ON s.id = p.source_id WHERE p.root = ? ORDER BY p.path",
        )
        .bind(root)
        .fetch_all(&self.inner.read)
        .await?)
    }

    /// What the store knows of one path.
    pub async fn known_path(&self, root: &str, path: &str) -> Result<Option<KnownPath>> {
        Ok(sqlx::query_as(
            "SELECT p.path, p.source_id AS source, s.hash, p.bytes, p.modified_ns, p.gone_at IS NOT NULL AS gone
             FROM source_paths p JOIN sources s ON s.id = p.source_id WHERE p.root = ? AND p.path = ?",
        )
        .bind(root)
        .bind(path)
        .fetch_optional(&self.inner.read)
        .await?)
    }

    /// The source with this content.
    pub async fn source_by_hash(&self, hash: &str) -> Result<Option<SourceId>> {
        Ok(sqlx::query_scalar("SELECT id FROM sources WHERE hash = ?")
            .bind(hash)
            .fetch_optional(&self.inner.read)
            .await?)
    }
}

async fn book_of(write: &mut Write, name: &str) -> Result<BookId> {
    let found: Option<BookId> = sqlx::query_scalar("SELECT id FROM books WHERE name = ?")
        .bind(name)
        .fetch_optional(write.conn())
        .await?;
    if let Some(id) = found {
        return Ok(id);
    }
    let now = write.now;
    Ok(sqlx::query_scalar("INSERT INTO books (name, sort_key, created_at) VALUES (?, ?, ?) RETURNING id")
        .bind(name)
        .bind(natural::key(name))
        .bind(now)
        .fetch_one(write.conn())
        .await?)
}

async fn insert_source(write: &mut Write, new: &NewSource, book: BookId, bytes: i64) -> Result<SourceId> {
    settle::unsettle(write, book).await?;
    let now = write.now;
    Ok(sqlx::query_scalar(
        "INSERT INTO sources (book_id, hash, bytes, format, root, path, sort_key, search, enrolled_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
    )
    .bind(book)
    .bind(&new.hash)
    .bind(bytes)
    .bind(&new.format)
    .bind(&new.root)
    .bind(&new.path)
    .bind(natural::key(&new.path))
    .bind(fold(&new.path))
    .bind(now)
    .fetch_one(write.conn())
    .await?)
}

async fn put_path(
    write: &mut Write,
    new: &NewSource,
    source: SourceId,
    book: BookId,
    bytes: i64,
) -> Result<()> {
    upsert_path(write, &new.root, &new.path, source, book, bytes, new.modified_ns).await
}

async fn upsert_path(
    write: &mut Write,
    root: &str,
    path: &str,
    source: SourceId,
    book: BookId,
    bytes: i64,
    modified_ns: Option<i64>,
) -> Result<()> {
    let now = write.now;
    sqlx::query(
        "INSERT INTO source_paths (root, path, source_id, book_id, bytes, modified_ns, seen_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (root, path) DO UPDATE SET source_id = excluded.source_id, book_id = excluded.book_id,
             bytes = excluded.bytes, modified_ns = excluded.modified_ns, seen_at = excluded.seen_at, gone_at = NULL",
    )
    .bind(root)
    .bind(path)
    .bind(source)
    .bind(book)
    .bind(bytes)
    .bind(modified_ns)
    .bind(now)
    .execute(write.conn())
    .await?;
    Ok(())
}

/// Adds the pages that are not there yet; never takes one away.
pub(super) async fn insert_pages(write: &mut Write, source: SourceId, pages: &Pages) -> Result<()> {
    match pages {
        Pages::Count(count) => {
            let known: u32 = sqlx::query_scalar("SELECT COUNT(*) FROM pages WHERE source_id = ?")
                .bind(source)
                .fetch_one(write.conn())
                .await?;
            if known < *count {
                sqlx::query(
                    "INSERT INTO pages (source_id, idx, sort_key, state)
                     WITH RECURSIVE n (idx) AS (SELECT ?2 UNION ALL SELECT idx + 1 FROM n WHERE idx + 1 < ?3)
                     SELECT ?1, idx, x'', 'pending' FROM n",
                )
                .bind(source)
                .bind(known)
                .bind(count)
                .execute(write.conn())
                .await?;
                let book: BookId = sqlx::query_scalar("SELECT book_id FROM sources WHERE id = ?")
                    .bind(source)
                    .fetch_one(write.conn())
                    .await?;
                settle::unsettle(write, book).await?;
            }
        }
        Pages::Unreadable { reason } => {
            sqlx::query(
                "INSERT INTO pages (source_id, idx, sort_key, state, failure, failure_kind)
                 VALUES (?, 0, x'', 'failed', ?, 'permanent') ON CONFLICT (source_id, idx) DO NOTHING",
            )
            .bind(source)
            .bind(reason)
            .execute(write.conn())
            .await?;
        }
    }
    sort_pages(write.conn(), source).await
}

/// Gives the pages of a source their place: book, then path (the page in the file comes after it).
async fn sort_pages(conn: &mut SqliteConnection, source: SourceId) -> Result<()> {
    let (mut key, path): (Vec<u8>, Vec<u8>) = sqlx::query_as(
        "SELECT b.sort_key, s.sort_key FROM sources s JOIN books b ON b.id = s.book_id WHERE s.id = ?",
    )
    .bind(source)
    .fetch_one(&mut *conn)
    .await?;
    // a book's key ends with its exact name, which no other book has, so that books never mix
    key.push(0);
    key.extend_from_slice(&path);
    sqlx::query("UPDATE pages SET sort_key = ?1 WHERE source_id = ?2 AND sort_key <> ?1")
        .bind(key)
        .bind(source)
        .execute(conn)
        .await?;
    Ok(())
}

/// Reads a source from the first of its paths that still lies there, and moves it to that path's book. When there is
/// none, its unread pages fail with the kind `gone` and the reason `why`; when there is one again, they return.
async fn choose_path(write: &mut Write, source: SourceId, why: &str) -> Result<()> {
    let before = place_of(write, source).await?;
    follow_path(write, source, why).await?;
    let after = place_of(write, source).await?;
    if before != after {
        settle::unsettle(write, before.0).await?;
        settle::unsettle(write, after.0).await?;
    }
    Ok(())
}

/// The place of a source among the others: its book, the key in it, and whether it is gone.
async fn place_of(write: &mut Write, source: SourceId) -> Result<(BookId, Vec<u8>, bool)> {
    Ok(sqlx::query_as("SELECT book_id, sort_key, gone FROM sources WHERE id = ?")
        .bind(source)
        .fetch_one(write.conn())
        .await?)
}

async fn follow_path(write: &mut Write, source: SourceId, why: &str) -> Result<()> {
    let path: Option<(String, String, BookId)> = sqlx::query_as(
        "SELECT root, path, book_id FROM source_paths WHERE source_id = ? AND gone_at IS NULL ORDER BY id LIMIT 1",
    )
    .bind(source)
    .fetch_optional(write.conn())
    .await?;
    match path {
        Some((root, path, book)) => {
            sqlx::query(
                "UPDATE sources SET root = ?, path = ?, book_id = ?, sort_key = ?, search = ?, gone = 0 WHERE id = ?",
            )
            .bind(root)
            .bind(&path)
            .bind(book)
            .bind(natural::key(&path))
            .bind(fold(&path))
            .bind(source)
            .execute(write.conn())
            .await?;
            sqlx::query(
                "UPDATE pages SET state = 'pending', failure = NULL, failure_kind = NULL, version = version + 1
                 WHERE source_id = ? AND state = 'failed' AND failure_kind = 'gone'",
            )
            .bind(source)
            .execute(write.conn())
            .await?;
            sort_pages(write.conn(), source).await
        }
        None => {
            sqlx::query("UPDATE sources SET gone = 1 WHERE id = ?")
                .bind(source)
                .execute(write.conn())
                .await?;
            sqlx::query(
                "UPDATE pages SET state = 'failed', failure = ?, failure_kind = 'gone', version = version + 1
                 WHERE source_id = ? AND state = 'pending'",
            )
            .bind(why)
            .bind(source)
            .execute(write.conn())
            .await?;
            Ok(())
        }
    }
}
