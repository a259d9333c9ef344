//! What people decide, and how they take it back.

use super::effective::{self, to_json};
use super::event::{EventDraft, EventKind};
use super::write::Write;
use super::{BookId, DiagramId, Facts, PageId, Queue, QueueError, Result, Verdict, duplicates, settle};
use crate::chess::{FlagCode, Severity, check_position};

/// A person's word on a diagram.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Right as it stands now. Flags of severity `impossible` must be named in `acknowledged`.
    Approve { reason: Option<String>, acknowledged: Vec<FlagCode> },
    /// These facts instead. FEN fields that differ get the source `human`; so do those that the caller marks so, because
    /// the person confirmed them. What is impossible about the new position must be named in `acknowledged` too.
    Correct { facts: Facts, reason: Option<String>, acknowledged: Vec<FlagCode> },
    /// No diagram, or not wanted in the collection.
    Reject { reason: Option<String> },
}

impl Decision {
    /// Approval without a word.
    pub fn approve() -> Decision {
        Decision::Approve { reason: None, acknowledged: Vec::new() }
    }

    /// Correction without a word.
    pub fn correct(facts: Facts) -> Decision {
        Decision::Correct { facts, reason: None, acknowledged: Vec::new() }
    }

    /// Rejection without a word.
    pub fn reject() -> Decision {
        Decision::Reject { reason: None }
    }
}

impl Queue {
    /// Records a decision of `who`. `expected_version` is the version of the diagram that the person looked at; when it
    /// changed since, [`QueueError::Conflict`]. Returns the new version.
    pub async fn decide(
        &self,
        diagram: DiagramId,
        expected_version: i64,
        who: &str,
        decision: Decision,
    ) -> Result<i64> {
        let mut write = self.begin().await?;
        let page = check_version(&mut write, diagram, expected_version).await?;
        let version = record(&mut write, page, diagram, who, decision).await?;
        write.commit().await?;
        Ok(version)
    }

    /// Approves everything that the program accepted and nobody decided, in one book or all. Returns how many.
    pub async fn approve_accepted(&self, book: Option<BookId>, who: &str) -> Result<u64> {
        let mut write = self.begin().await?;
        let rows: Vec<(DiagramId, PageId)> = sqlx::query_as(
            "SELECT d.id, d.page_id FROM diagrams d JOIN pages p ON p.id = d.page_id JOIN sources s ON s.id = p.source_id
             WHERE d.state = 'accepted' AND d.retired_at IS NULL AND (?1 IS NULL OR s.book_id = ?1) ORDER BY d.id",
        )
        .bind(book)
        .fetch_all(write.conn())
        .await?;
        let mut approved = 0;
        for (diagram, page) in rows {
            match record(&mut write, page, diagram, who, Decision::approve()).await {
                Ok(_) => approved += 1,
                // an older program accepted what today's checks call impossible: a person has to look at it
                Err(QueueError::Unacknowledged { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        write.commit().await?;
        Ok(approved)
    }

    /// Takes the decision in force back; the one before it, or the reading, is in force again. Can be repeated to any depth.
    pub async fn undo(&self, diagram: DiagramId, expected_version: i64, who: &str) -> Result<i64> {
        let mut write = self.begin().await?;
        let page = check_version(&mut write, diagram, expected_version).await?;
        let Some(decision) = effective::current_decision(&mut write, diagram).await? else {
            return Err(QueueError::Nothing("undo"));
        };
        let detail = serde_json::json!({"verdict": decision.verdict});
        let event = write
            .log(EventDraft::new(EventKind::Undone).page(page).diagram(diagram).who(who).detail(detail))
            .await?;
        sqlx::query("UPDATE decisions SET undone_by_event = ? WHERE id = ?")
            .bind(event)
            .bind(decision.id)
            .execute(write.conn())
            .await?;
        self.taken_back(write, page, diagram).await
    }

    /// Puts the decision that was taken back last in force again.
    pub async fn redo(&self, diagram: DiagramId, expected_version: i64, who: &str) -> Result<i64> {
        let mut write = self.begin().await?;
        let page = check_version(&mut write, diagram, expected_version).await?;
        // only what came after the decision in force: a newer decision ends the way back
        let found: Option<(i64, Verdict)> = sqlx::query_as(
            "SELECT id, verdict FROM decisions WHERE diagram_id = ?1 AND undone_by_event IS NOT NULL
               AND id > COALESCE((SELECT MAX(id) FROM decisions WHERE diagram_id = ?1 AND undone_by_event IS NULL), 0)
             ORDER BY undone_by_event DESC, id LIMIT 1",
        )
        .bind(diagram)
        .fetch_optional(write.conn())
        .await?;
        let Some((decision, verdict)) = found else {
            return Err(QueueError::Nothing("redo"));
        };
        sqlx::query("UPDATE decisions SET undone_by_event = NULL WHERE id = ?")
            .bind(decision)
            .execute(write.conn())
            .await?;
        let detail = serde_json::json!({"verdict": verdict});
        write
            .log(EventDraft::new(EventKind::Redone).page(page).diagram(diagram).who(who).detail(detail))
            .await?;
        self.taken_back(write, page, diagram).await
    }

    /// Takes all decisions on a diagram back: what was read is in force again.
    pub async fn reset(&self, diagram: DiagramId, expected_version: i64, who: &str) -> Result<i64> {
        let mut write = self.begin().await?;
        let page = check_version(&mut write, diagram, expected_version).await?;
        if effective::current_decision(&mut write, diagram).await?.is_none() {
            return Err(QueueError::Nothing("undo"));
        }
        let event =
            write.log(EventDraft::new(EventKind::Undone).page(page).diagram(diagram).who(who)).await?;
        sqlx::query(
            "UPDATE decisions SET undone_by_event = ? WHERE diagram_id = ? AND undone_by_event IS NULL",
        )
        .bind(event)
        .bind(diagram)
        .execute(write.conn())
        .await?;
        self.taken_back(write, page, diagram).await
    }

    /// Another word, or none, is in force: what the book says for the diagram, and it for the book, is heard anew.
    async fn taken_back(&self, mut write: Write, page: PageId, diagram: DiagramId) -> Result<i64> {
        settle::unsettle_page(&mut write, page).await?;
        let positions = effective::refresh(&mut write, diagram).await?;
        duplicates::refresh(&mut write, positions.map(|position| (diagram, position))).await?;
        let version = version_of(&mut write, diagram).await?.1;
        write.commit().await?;
        Ok(version)
    }
}

async fn version_of(write: &mut Write, diagram: DiagramId) -> Result<(PageId, i64)> {
    sqlx::query_as("SELECT page_id, version FROM diagrams WHERE id = ?")
        .bind(diagram)
        .fetch_optional(write.conn())
        .await?
        .ok_or_else(|| QueueError::not_found("diagram", diagram))
}

/// Refuses work on an outdated version; returns the diagram's page.
pub(super) async fn check_version(write: &mut Write, diagram: DiagramId, expected: i64) -> Result<PageId> {
    let (page, current) = version_of(write, diagram).await?;
    if current != expected {
        return Err(QueueError::Conflict { kind: "diagram", id: diagram.0, expected, current });
    }
    Ok(page)
}

async fn record(
    write: &mut Write,
    page: PageId,
    diagram: DiagramId,
    who: &str,
    decision: Decision,
) -> Result<i64> {
    let reading = effective::current_reading(write, diagram).await?;
    let before = effective::current_facts(write, diagram).await?;
    let standing: Vec<(String, String)> =
        sqlx::query_as("SELECT code, severity FROM flags WHERE diagram_id = ? ORDER BY id")
            .bind(diagram)
            .fetch_all(write.conn())
            .await?;
    let (after, rejected, reason, mut acknowledged) = match decision {
        Decision::Approve { reason, acknowledged } => (before.clone(), false, reason, acknowledged),
        Decision::Correct { facts, reason, acknowledged } => {
            (facts.normalized()?.with_sources_from(&before), false, reason, acknowledged)
        }
        Decision::Reject { reason } => (before.clone(), true, reason, Vec::new()),
    };
    if !rejected {
        acknowledge(diagram, &standing, &mut acknowledged, &after, &reading.facts)?;
    }
    let verdict = match rejected {
        true => Verdict::Rejected,
        false if after.says_the_same(&reading.facts) => Verdict::Approved,
        false => Verdict::Corrected,
    };
    let now = write.now;
    sqlx::query(
        "INSERT INTO decisions (diagram_id, reading_id, verdict, before, after, who, at, reason, acknowledged)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(diagram)
    .bind(reading.id)
    .bind(verdict)
    .bind(before.to_json()?)
    .bind(after.to_json()?)
    .bind(who)
    .bind(now)
    .bind(reason)
    .bind(to_json(&acknowledged)?)
    .execute(write.conn())
    .await?;
    let positions = effective::refresh(write, diagram).await?;
    duplicates::refresh(write, positions.map(|position| (diagram, position))).await?;
    let detail = serde_json::json!({"verdict": verdict, "fen": after.fen});
    write
        .log(EventDraft::new(EventKind::Decided).page(page).diagram(diagram).who(who).detail(detail))
        .await?;
    Ok(version_of(write, diagram).await?.1)
}

/// Completes the codes that a decision acknowledges: those that the person named, and every doubt that stood on a position that
/// stays as it was read. What is impossible about the position must have been named.
fn acknowledge(
    diagram: DiagramId,
    standing: &[(String, String)],
    named: &mut Vec<FlagCode>,
    after: &Facts,
    read: &Facts,
) -> Result<()> {
    let mut impossible: Vec<FlagCode> = check_position(&after.position()?)
        .into_iter()
        .filter(|flag| flag.severity == Severity::Impossible)
        .map(|flag| flag.code)
        .collect();
    // the reading's flags speak of the position as read only
    if after.fen == read.fen {
        for (code, severity) in standing {
            let Ok(code) = code.parse::<FlagCode>() else {
                continue;
            };
            if severity == Severity::Impossible.as_str() {
                impossible.push(code);
            } else if severity == Severity::Doubt.as_str() {
                named.push(code);
            }
        }
    }
    impossible.retain(|code| !named.contains(code));
    impossible.sort();
    impossible.dedup();
    if !impossible.is_empty() {
        return Err(QueueError::Unacknowledged { id: diagram, codes: impossible });
    }
    named.sort();
    named.dedup();
    Ok(())
}
