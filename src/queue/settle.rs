//! A book is settled when all of its pages are read: what a page says for later ones (a heading "Black to move") is carried to their
//! diagrams, in the order of the book. Whoever read which page when, the same pages give the same result.
//!
//! A file of several pages is a book of its own here: no heading enters it, none leaves it. So is a file of one page that lies without a
//! folder and could hold several (PDF, TIFF, DjVu). A file that is gone has no place in the
//! book: it says nothing for others, and its diagrams keep what they were told while it was there.
//!
//! Decided diagrams are never touched; they are heard, as the surest of what a page says. A diagram that changes gets a new reading beside
//! its old one and a line in the event log.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::FromRow;

use super::duplicates::{self, Position};
use super::effective::{self, json, to_json};
use super::event::{EventDraft, EventKind};
use super::insert;
use super::write::Write;
use super::{BookId, DiagramId, DiagramState, Facts, PageId, Queue, QueueError, Result, SourceId, Verdict};
use crate::caption::{CaptionFacts, SideEvidence};
use crate::chess::{Color, Fen, FieldSource, Flag, Placement, Severity};
use crate::page::holds_books;
use crate::reading::book::{follow, keep};
use crate::reading::{BookSoFar, Heading, Mover, Sources};

/// A book that was walked through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settled {
    pub book: BookId,
    pub name: String,
    /// Diagrams whose side, or its evidence, changed by what other pages say.
    pub changed: u32,
}

#[derive(FromRow)]
struct PageSql {
    id: PageId,
    source_id: SourceId,
    gone: bool,
    /// Its file has other pages too.
    of_many: bool,
    format: String,
    path: String,
    headings: Option<String>,
}

#[derive(FromRow)]
struct DiagramSql {
    id: DiagramId,
    page_id: PageId,
    placement: String,
    fen: String,
    sources: String,
    caption: String,
    flags: String,
    verdict: Option<Verdict>,
    after: Option<String>,
}

/// A diagram as the walk sees it.
struct Walked {
    id: DiagramId,
    page: PageId,
    /// Nobody decided it: only the program's own word may change. Corners that a person moved say nothing about who moves.
    open: bool,
    placement: Placement,
    fen: String,
    sources: Sources,
    caption: CaptionFacts,
    flags: Vec<Flag>,
}

impl Queue {
    /// Settles the books that changed since they were settled last and of which no page waits or is being read now. `fallback` is the
    /// default side of books without one of their own.
    pub async fn settle_books(&self, fallback: Option<Color>) -> Result<Vec<Settled>> {
        const DUE: &str = "SELECT b.id FROM books b WHERE b.unsettled = 1 AND NOT EXISTS (SELECT 1 FROM pages p
             JOIN sources s ON s.id = p.source_id WHERE s.book_id = b.id AND p.state IN ('pending', 'reading')) ORDER BY b.sort_key";
        let due: Vec<BookId> = sqlx::query_scalar(DUE).fetch_all(&self.inner.read).await?;
        let mut settled = Vec::new();
        for book in due {
            let mut write = self.begin().await?;
            // another worker may have been faster, or new pages have come
            let still: Vec<BookId> = sqlx::query_scalar(DUE).fetch_all(write.conn()).await?;
            if still.contains(&book) {
                settled.push(settle(&mut write, book, fallback).await?);
                write.commit().await?;
            }
        }
        Ok(settled)
    }
}

/// Pages of the book were read, its files came, went or moved, its settings changed, or a decision was taken back: it wants to be walked
/// through. New decisions alone do not move other diagrams under the hands of who decides.
pub(super) async fn unsettle(write: &mut Write, book: BookId) -> Result<()> {
    sqlx::query("UPDATE books SET unsettled = 1 WHERE id = ? AND unsettled = 0")
        .bind(book)
        .execute(write.conn())
        .await?;
    Ok(())
}

/// [`unsettle`] for the book of a page, wherever that lies now.
pub(super) async fn unsettle_page(write: &mut Write, page: PageId) -> Result<()> {
    let book: BookId = sqlx::query_scalar(
        "SELECT s.book_id FROM pages p JOIN sources s ON s.id = p.source_id WHERE p.id = ?",
    )
    .bind(page)
    .fetch_one(write.conn())
    .await?;
    unsettle(write, book).await
}

async fn settle(write: &mut Write, book: BookId, fallback: Option<Color>) -> Result<Settled> {
    let (name, side): (String, Option<String>) =
        sqlx::query_as("UPDATE books SET unsettled = 0 WHERE id = ? RETURNING name, default_side")
            .bind(book)
            .fetch_one(write.conn())
            .await?;
    let default = side.as_deref().and_then(|side| Color::from_char(side.chars().next()?)).or(fallback);
    let pages: Vec<PageSql> = sqlx::query_as(
        "SELECT p.id, p.source_id, s.gone, p.headings, s.format, s.path,
             EXISTS (SELECT 1 FROM pages q WHERE q.source_id = p.source_id AND q.idx > 0) AS of_many
         FROM pages p JOIN sources s ON s.id = p.source_id WHERE s.book_id = ? ORDER BY p.sort_key, p.idx, p.id",
    )
    .bind(book)
    .fetch_all(write.conn())
    .await?;
    let mut diagrams = diagrams_of(write, book).await?;
    let mut folder = BookSoFar::default();
    let mut files: HashMap<SourceId, BookSoFar> = HashMap::new();
    let mut changed: Vec<(DiagramId, Position)> = Vec::new();
    let mut count = 0;
    for page in pages {
        let headings: Vec<Heading> = match &page.headings {
            Some(text) => json(text, "headings")?,
            None => Vec::new(),
        };
        let mut on_page = diagrams.remove(&page.id).unwrap_or_default();
        let before: Vec<String> = on_page.iter().map(|diagram| diagram.fen.clone()).collect();
        let movers = on_page.iter_mut().map(Walked::mover);
        let moved = if page.gone {
            keep(movers, default)
        } else {
            let so_far = if page.is_of_a_book_of_its_own() {
                files.entry(page.source_id).or_default()
            } else {
                &mut folder
            };
            follow(so_far, &headings, movers, default)
        };
        for ((diagram, before), moved) in on_page.iter().zip(before).zip(moved) {
            if moved && diagram.open {
                changed.extend(store(write, book, diagram, &before).await?);
                count += 1;
            }
        }
    }
    duplicates::refresh(write, changed).await?;
    Ok(Settled { book, name, changed: count })
}

async fn diagrams_of(write: &mut Write, book: BookId) -> Result<HashMap<PageId, Vec<Walked>>> {
    let rows: Vec<DiagramSql> = sqlx::query_as(
        "SELECT d.id, d.page_id, r.placement, r.fen, r.sources, r.caption, r.flags, x.verdict, x.after
         FROM diagrams d JOIN pages p ON p.id = d.page_id JOIN sources s ON s.id = p.source_id
         JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1
         LEFT JOIN decisions x ON x.id =
             (SELECT MAX(y.id) FROM decisions y WHERE y.diagram_id = d.id AND y.undone_by_event IS NULL)
         WHERE s.book_id = ? AND d.retired_at IS NULL ORDER BY d.page_id, d.ordinal, d.id",
    )
    .bind(book)
    .fetch_all(write.conn())
    .await?;
    let mut out: HashMap<PageId, Vec<Walked>> = HashMap::new();
    for row in rows {
        if row.verdict == Some(Verdict::Rejected) {
            continue;
        }
        out.entry(row.page_id).or_default().push(row.walked()?);
    }
    Ok(out)
}

impl DiagramSql {
    fn walked(self) -> Result<Walked> {
        let corrupt =
            |what: String| QueueError::Corrupt(format!("the reading of diagram {}: {what}", self.id));
        let mut caption: CaptionFacts = json(&self.caption, "caption")?;
        if let Some(after) = &self.after {
            let decided = Facts::from_json(after)?;
            caption.evidence.insert(
                0,
                SideEvidence {
                    side: if decided.side() == "b" { Color::Black } else { Color::White },
                    source: FieldSource::Human,
                    text: "a person's decision".to_owned(),
                    area: None,
                    weight: 1.0,
                },
            );
        }
        Ok(Walked {
            id: self.id,
            page: self.page_id,
            open: self.after.is_none(),
            placement: self.placement.parse().map_err(|_| corrupt(format!("{:?}", self.placement)))?,
            sources: json(&self.sources, "sources")?,
            flags: json(&self.flags, "flags")?,
            caption,
            fen: self.fen,
        })
    }
}

impl PageSql {
    fn is_of_a_book_of_its_own(&self) -> bool {
        self.of_many || (!self.path.contains('/') && holds_books(&self.format))
    }
}

impl Walked {
    fn mover(&mut self) -> Mover<'_> {
        Mover {
            placement: &self.placement,
            caption: &mut self.caption,
            fen: &mut self.fen,
            sources: &mut self.sources,
            flags: &mut self.flags,
        }
    }

    fn status(&self) -> DiagramState {
        match self.flags.iter().any(|flag| flag.severity > Severity::Note) {
            true => DiagramState::NeedsReview,
            false => DiagramState::Accepted,
        }
    }
}

/// Puts a new reading with what changed in place of the current one, which stays as a summary.
async fn store(
    write: &mut Write,
    book: BookId,
    diagram: &Walked,
    before: &str,
) -> Result<[(DiagramId, Position); 2]> {
    let now = write.now;
    let fen = Fen::parse(&diagram.fen)
        .map_err(|error| QueueError::Corrupt(format!("diagram {}: {error}", diagram.id)))?
        .fen
        .text(crate::chess::EnPassantStyle::DoubleStep);
    let old: i64 = sqlx::query_scalar(
        "UPDATE readings SET is_current = 0 WHERE diagram_id = ? AND is_current = 1 RETURNING id",
    )
    .bind(diagram.id)
    .fetch_one(write.conn())
    .await?;
    sqlx::query(
        "INSERT INTO readings (diagram_id, is_current, origin, model_version, read_at, quad, page_width, page_height, squares,
             raw, legal, placement, orientation, orientation_reason, fen, sources, caption, confidence, status, flags)
         SELECT diagram_id, 1, origin, model_version, ?, quad, page_width, page_height, squares,
             raw, legal, placement, orientation, orientation_reason, ?, ?, ?, confidence, ?, ? FROM readings WHERE id = ?",
    )
    .bind(now)
    .bind(&fen)
    .bind(to_json(&diagram.sources)?)
    .bind(to_json(&diagram.caption)?)
    .bind(diagram.status())
    .bind(to_json(&diagram.flags)?)
    .bind(old)
    .execute(write.conn())
    .await?;
    sqlx::query("UPDATE readings SET squares = NULL WHERE id = ?").bind(old).execute(write.conn()).await?;
    insert::diagram_flags(write, diagram.page, Vec::new(), &[(diagram.id, &diagram.flags)]).await?;
    let evidence = diagram.caption.evidence.iter().rfind(|e| e.source == FieldSource::BookDefault);
    let detail = serde_json::json!({
        "before": before, "fen": fen, "source": diagram.sources.side_to_move, "evidence": evidence.map(|e| &e.text),
    });
    write
        .log(
            EventDraft::new(EventKind::SideByBook)
                .book(book)
                .page(diagram.page)
                .diagram(diagram.id)
                .detail(detail),
        )
        .await?;
    let positions = effective::refresh(write, diagram.id).await?;
    Ok(positions.map(|position| (diagram.id, position)))
}
