//! Pages go back to the queue because a person wants it.

use super::event::{EventDraft, EventKind};
use super::write::Write;
use super::{BookId, PageId, PageState, Queue, QueueError, Result, SourceId};

impl Queue {
    /// Gives a failed page (or one that waits for its next try) a fresh start. A page that is being read is left alone, one
    /// that was read is not touched: see [`Queue::reread_page`].
    pub async fn retry(&self, page: PageId, who: &str) -> Result<()> {
        let mut write = self.begin().await?;
        match state_of(&mut write, page).await? {
            PageState::Failed | PageState::Pending => restart(&mut write, page, who).await?,
            PageState::Reading => return Err(QueueError::Nothing("retry: the page is being read")),
            PageState::Read => {
                return Err(QueueError::Nothing("retry: the page was read (re-read it instead)"));
            }
        }
        write.commit().await
    }

    /// [`Queue::retry`] for all failed pages, or those of one book. Pages whose file is gone stay as they are.
    pub async fn retry_failed(&self, book: Option<BookId>, who: &str) -> Result<u64> {
        self.restart_all("p.state = 'failed' AND p.failure_kind <> 'gone'", book, who).await
    }

    /// Reads a page again, with today's model and settings. Its diagrams stay visible until then, and decisions stay for ever.
    pub async fn reread_page(&self, page: PageId, who: &str) -> Result<()> {
        let mut write = self.begin().await?;
        match state_of(&mut write, page).await? {
            PageState::Reading => return Err(QueueError::Nothing("re-read: the page is being read")),
            _ => restart(&mut write, page, who).await?,
        }
        write.commit().await
    }

    /// Reads a whole book again. Returns the number of pages that wait now.
    pub async fn reread_book(&self, book: BookId, who: &str) -> Result<u64> {
        self.restart_all("p.state IN ('read', 'failed')", Some(book), who).await
    }

    /// A file that could not be opened can be now: it has `count` pages, which wait to be read (those that were read stay read).
    pub async fn set_page_count(&self, source: SourceId, count: u32, who: &str) -> Result<()> {
        let mut write = self.begin().await?;
        super::enroll::insert_pages(&mut write, source, &super::Pages::Count(count)).await?;
        let failed: Vec<PageId> = sqlx::query_scalar(
            "SELECT id FROM pages WHERE source_id = ? AND state = 'failed' AND failure_kind = 'permanent' AND idx < ?",
        )
        .bind(source)
        .bind(count)
        .fetch_all(write.conn())
        .await?;
        for page in failed {
            restart(&mut write, page, who).await?;
        }
        write.commit().await
    }

    /// `condition` is a literal of this file.
    async fn restart_all(&self, condition: &'static str, book: Option<BookId>, who: &str) -> Result<u64> {
        let mut write = self.begin().await?;
        let sql = format!(
            "SELECT p.id FROM pages p JOIN sources s ON s.id = p.source_id
             WHERE {condition} AND (?1 IS NULL OR s.book_id = ?1) AND s.gone = 0 ORDER BY p.sort_key, p.idx"
        );
        let pages: Vec<PageId> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(book).fetch_all(write.conn()).await?;
        for &page in &pages {
            restart(&mut write, page, who).await?;
        }
        write.commit().await?;
        Ok(pages.len() as u64)
    }
}

async fn state_of(write: &mut Write, page: PageId) -> Result<PageState> {
    sqlx::query_scalar("SELECT state FROM pages WHERE id = ?")
        .bind(page)
        .fetch_optional(write.conn())
        .await?
        .ok_or_else(|| QueueError::not_found("page", page))
}

async fn restart(write: &mut Write, page: PageId, who: &str) -> Result<()> {
    let gone: bool =
        sqlx::query_scalar("SELECT s.gone FROM pages p JOIN sources s ON s.id = p.source_id WHERE p.id = ?")
            .bind(page)
            .fetch_one(write.conn())
            .await?;
    if gone {
        return Err(QueueError::Invalid(format!(
            "page {page} cannot be read: its file is gone; put it back first"
        )));
    }
    sqlx::query(
        "UPDATE pages SET state = 'pending', setback = 0, attempts = 0, not_before = 0, failure = NULL, failure_kind = NULL,
             version = version + 1 WHERE id = ?",
    )
    .bind(page)
    .execute(write.conn())
    .await?;
    write.log(EventDraft::new(EventKind::RereadAsked).page(page).who(who)).await?;
    Ok(())
}
