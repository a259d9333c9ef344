//! Claims: a page is lent to one worker at a time, for a time.

use std::time::Duration;

use serde::Serialize;
use sqlx::FromRow;

use super::clock::millis;
use super::event::{EventDraft, EventKind};
use super::write::Write;
use super::{BookId, FailureKind, PageId, PageState, Queue, QueueError, Result, SourceId};
use crate::chess::Color;

/// A page lent to a worker. Dropping it does nothing: the page returns when the lease runs out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub page: PageId,
    pub source: SourceId,
    pub book: BookId,
    pub book_name: String,
    /// The watched folder, and the file's path under it.
    pub root: String,
    pub path: String,
    /// SHA-256 of the content that was enrolled.
    pub hash: String,
    pub bytes: u64,
    pub format: String,
    /// 0-based place in the file.
    pub index: u32,
    /// The book's settings, which decide where the page is silent.
    pub default_side: Option<Color>,
    pub language: Option<String>,
    pub marks_black_only: bool,
    /// 1 at the first try.
    pub attempt: u32,
    pub owner: String,
    /// End of the lease, milliseconds since the epoch.
    pub until: i64,
    /// Which claim of this page it is: a later one voids it.
    pub(super) token: i64,
}

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Waiting {
    /// Pages that a worker could have now.
    pub ready: u64,
    /// Pages that failed transiently and wait for their next try.
    pub delayed: u64,
    /// Pages in workers' hands.
    pub reading: u64,
    /// When the next delayed page is due or the next lease ends, milliseconds since the epoch.
    pub next: Option<i64>,
}

#[derive(FromRow)]
struct Row {
    id: PageId,
    source_id: SourceId,
    book_id: BookId,
    name: String,
    root: String,
    path: String,
    hash: String,
    bytes: i64,
    format: String,
    idx: u32,
    default_side: Option<String>,
    language: Option<String>,
    marks_black_only: bool,
    attempts: u32,
    claims: i64,
}

#[derive(FromRow)]
struct Held {
    state: PageState,
    claims: i64,
    lease_owner: Option<String>,
}

impl Queue {
    /// Lends the first page that waits (book by book, in natural order; pages that failed before come last) to `owner`
    /// for the time `lease`. `None`: nothing can be had now, see [`Queue::waiting`].
    pub async fn claim(&self, owner: &str, lease: Duration) -> Result<Option<Claim>> {
        let mut write = self.begin().await?;
        let now = write.now;
        let expired = self.expire(&mut write, "lease_until <= ?1", now, None).await?;
        let row: Option<Row> = sqlx::query_as(
            "SELECT p.id, p.source_id, s.book_id, b.name, s.root, s.path, s.hash, s.bytes, s.format, p.idx,
                    b.default_side, b.language, b.marks_black_only, p.attempts + 1 AS attempts, p.claims + 1 AS claims
             FROM pages p JOIN sources s ON s.id = p.source_id JOIN books b ON b.id = s.book_id
             WHERE p.state = 'pending' AND p.not_before <= ?
             ORDER BY p.setback, p.sort_key, p.idx LIMIT 1",
        )
        .bind(now)
        .fetch_optional(write.conn())
        .await?;
        let Some(row) = row else {
            if expired > 0 {
                write.commit().await?;
            }
            return Ok(None);
        };
        let until = now + millis(lease);
        sqlx::query(
            "UPDATE pages SET state = 'reading', lease_owner = ?, lease_until = ?, attempts = ?, claims = ? WHERE id = ?",
        )
        .bind(owner)
        .bind(until)
        .bind(row.attempts)
        .bind(row.claims)
        .bind(row.id)
        .execute(write.conn())
        .await?;
        write.commit().await?;
        Ok(Some(Claim {
            page: row.id,
            source: row.source_id,
            book: row.book_id,
            book_name: row.name,
            root: row.root,
            path: row.path,
            hash: row.hash,
            bytes: u64::try_from(row.bytes).unwrap_or(0),
            format: row.format,
            index: row.idx,
            default_side: row.default_side.as_deref().and_then(|side| Color::from_char(side.chars().next()?)),
            language: row.language,
            marks_black_only: row.marks_black_only,
            attempt: row.attempts,
            owner: owner.to_owned(),
            until,
            token: row.claims,
        }))
    }

    /// Prolongs the lease to `lease` from now. [`QueueError::LeaseLost`]: stop working on it.
    pub async fn renew(&self, claim: &mut Claim, lease: Duration) -> Result<()> {
        let mut write = self.begin().await?;
        hold(&mut write, claim).await?;
        let until = write.now + millis(lease);
        sqlx::query("UPDATE pages SET lease_until = ? WHERE id = ?")
            .bind(until)
            .bind(claim.page)
            .execute(write.conn())
            .await?;
        write.commit().await?;
        claim.until = until;
        Ok(())
    }

    /// Gives the page back unread, without blame: the program stops.
    pub async fn release(&self, claim: &Claim) -> Result<()> {
        let mut write = self.begin().await?;
        hold(&mut write, claim).await?;
        sqlx::query(
            "UPDATE pages SET state = 'pending', lease_owner = NULL, lease_until = NULL, attempts = attempts - 1 WHERE id = ?",
        )
        .bind(claim.page)
        .execute(write.conn())
        .await?;
        fail_if_gone(&mut write, claim.page).await?;
        write.commit().await
    }

    /// The page could not be read. `permanent`: trying again would end the same way, and it becomes `failed` now.
    /// Otherwise it waits a while and is tried again, up to the limit. Returns the page's new state.
    pub async fn fail(&self, claim: &Claim, reason: &str, permanent: bool) -> Result<PageState> {
        let options = &self.inner.options;
        let mut write = self.begin().await?;
        hold(&mut write, claim).await?;
        let last = claim.attempt >= options.max_attempts;
        let state = if permanent || last {
            let kind = if permanent { FailureKind::Permanent } else { FailureKind::Transient };
            fail_page(&mut write, claim.page, reason, kind).await?;
            PageState::Failed
        } else {
            let doubled = millis(options.retry_after).saturating_mul(1 << (claim.attempt - 1).min(20));
            let not_before = write.now.saturating_add(doubled);
            sqlx::query(
                "UPDATE pages SET state = 'pending', setback = 1, lease_owner = NULL, lease_until = NULL, not_before = ?,
                     failure = ?, failure_kind = 'transient', version = version + 1 WHERE id = ?",
            )
            .bind(not_before)
            .bind(reason)
            .bind(claim.page)
            .execute(write.conn())
            .await?;
            let detail = serde_json::json!({"reason": reason, "attempts": claim.attempt});
            write.log(EventDraft::new(EventKind::PageDelayed).page(claim.page).detail(detail)).await?;
            fail_if_gone(&mut write, claim.page).await?
        };
        write.commit().await?;
        Ok(state)
    }

    /// Takes back every lease that has run out; [`Queue::claim`] does it too. Returns how many.
    pub async fn expire_leases(&self) -> Result<u64> {
        let mut write = self.begin().await?;
        let now = write.now;
        let expired = self.expire(&mut write, "lease_until <= ?1", now, None).await?;
        write.commit().await?;
        Ok(expired)
    }

    /// Takes back every lease whose owner does not begin with `alive`, without waiting for its end: for a daemon that
    /// starts and knows (by its lock) that no other one lives. Returns how many.
    pub async fn void_leases(&self, alive: &str) -> Result<u64> {
        let mut write = self.begin().await?;
        let now = write.now;
        let condition = "substr(lease_owner, 1, length(?2)) <> ?2";
        let voided = self.expire(&mut write, condition, now, Some(alive)).await?;
        write.commit().await?;
        Ok(voided)
    }

    /// Returns pages in `reading` for which `condition` holds to the queue, or fails them when the program died
    /// on them too often.
    async fn expire(
        &self,
        write: &mut Write,
        condition: &'static str,
        now: i64,
        alive: Option<&str>,
    ) -> Result<u64> {
        // both conditions are literals of this file
        let sql = format!(
            "SELECT id, lease_owner, attempts FROM pages
             WHERE state = 'reading' AND (?1 = ?1) AND (?2 IS ?2) AND {condition} ORDER BY id"
        );
        let rows: Vec<(PageId, String, u32)> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(now).bind(alive).fetch_all(write.conn()).await?;
        let count = rows.len() as u64;
        for (page, owner, attempts) in rows {
            let detail = serde_json::json!({"owner": owner, "attempts": attempts});
            write.log(EventDraft::new(EventKind::LeaseExpired).page(page).detail(detail)).await?;
            if attempts >= self.inner.options.max_attempts {
                let times = if attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
                let reason = format!("the program died {times} on this page");
                fail_page(write, page, &reason, FailureKind::Crash).await?;
            } else {
                sqlx::query(
                    "UPDATE pages SET state = 'pending', setback = 1, lease_owner = NULL, lease_until = NULL WHERE id = ?",
                )
                .bind(page)
                .execute(write.conn())
                .await?;
                fail_if_gone(write, page).await?;
            }
        }
        Ok(count)
    }

    /// What waits, and until when.
    pub async fn waiting(&self) -> Result<Waiting> {
        let now = self.inner.options.clock.now();
        let (ready, delayed, reading, due, ends): (i64, i64, i64, Option<i64>, Option<i64>) = sqlx::query_as(
            "SELECT COUNT(*) FILTER (WHERE state = 'pending' AND not_before <= ?1),
                    COUNT(*) FILTER (WHERE state = 'pending' AND not_before > ?1),
                    COUNT(*) FILTER (WHERE state = 'reading'),
                    MIN(not_before) FILTER (WHERE state = 'pending' AND not_before > ?1),
                    MIN(lease_until) FILTER (WHERE state = 'reading')
             FROM pages WHERE state IN ('pending', 'reading')",
        )
        .bind(now)
        .fetch_one(&self.inner.read)
        .await?;
        Ok(Waiting {
            ready: ready.unsigned_abs(),
            delayed: delayed.unsigned_abs(),
            reading: reading.unsigned_abs(),
            next: [due, ends].into_iter().flatten().min(),
        })
    }
}

/// Makes sure that the claim is still held. A lease that ran out is still held until somebody else took the page.
pub(super) async fn hold(write: &mut Write, claim: &Claim) -> Result<()> {
    let row: Option<Held> = sqlx::query_as("SELECT state, claims, lease_owner FROM pages WHERE id = ?")
        .bind(claim.page)
        .fetch_optional(write.conn())
        .await?;
    let held = row.is_some_and(|row| {
        row.state == PageState::Reading
            && row.claims == claim.token
            && row.lease_owner.as_deref() == Some(&claim.owner)
    });
    if held { Ok(()) } else { Err(QueueError::LeaseLost(claim.page)) }
}

/// Moves a page to `failed`.
pub(super) async fn fail_page(
    write: &mut Write,
    page: PageId,
    reason: &str,
    kind: FailureKind,
) -> Result<()> {
    sqlx::query(
        "UPDATE pages SET state = 'failed', setback = 1, lease_owner = NULL, lease_until = NULL, failure = ?,
             failure_kind = ?, version = version + 1 WHERE id = ?",
    )
    .bind(reason)
    .bind(kind)
    .bind(page)
    .execute(write.conn())
    .await?;
    let detail = serde_json::json!({"reason": reason, "kind": kind});
    write.log(EventDraft::new(EventKind::PageFailed).page(page).detail(detail)).await?;
    Ok(())
}

/// A page that goes back to the queue cannot wait there when its file went away in the meantime.
async fn fail_if_gone(write: &mut Write, page: PageId) -> Result<PageState> {
    let gone: bool =
        sqlx::query_scalar("SELECT s.gone FROM pages p JOIN sources s ON s.id = p.source_id WHERE p.id = ?")
            .bind(page)
            .fetch_one(write.conn())
            .await?;
    if !gone {
        return Ok(PageState::Pending);
    }
    let reason = "the file was moved away, deleted or replaced before this page was read";
    fail_page(write, page, reason, FailureKind::Gone).await?;
    Ok(PageState::Failed)
}
