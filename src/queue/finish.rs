//! A page was read: everything that was read of it enters the collection in one transaction.

use std::time::Duration;

use serde::Serialize;
use sqlx::FromRow;

use super::claim::hold;
use super::effective::{self, to_json};
use super::event::{EventDraft, EventKind};
use super::matching::{Place, match_boards};
use super::write::Write;
use super::{
    Claim, DiagramId, Facts, PageId, Picture, PictureKind, Queue, QueueError, Result, duplicates,
    encode_squares, pictures,
};
use crate::chess::Flag;
use crate::reading::{DiagramReading, PageReading, Status};

/// The pictures of one diagram; those that are `None` are not kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Crops {
    pub board: Option<Picture>,
    pub squares: Option<Picture>,
    pub caption: Option<Picture>,
}

/// All that a worker knows of a page after reading it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageOutcome {
    pub reading: PageReading,
    /// One for each diagram of the reading, in the same order; or none at all.
    pub crops: Vec<Crops>,
    /// The whole page, small.
    pub page: Option<Picture>,
    /// Name and version of the model (also when the page has no diagram).
    pub model_version: String,
    /// How long the reading took.
    pub took: Duration,
}

/// What became of the diagrams of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Finished {
    /// The page's diagrams in reading order, as they are now.
    pub diagrams: Vec<DiagramId>,
    /// Diagrams that were not there before.
    pub new: u32,
    /// Diagrams that were there and were read again.
    pub matched: u32,
    /// Diagrams that this reading does not see and that stay, because a person decided them or drew them.
    pub kept: u32,
    /// Diagrams that this reading does not see and nobody decided: retired.
    pub retired: u32,
}

/// Who a reading is by: the program alone, or the program on corners that a person gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "snake_case")]
pub(super) enum Origin {
    Program,
    Human,
}

#[derive(FromRow)]
struct OldRow {
    id: DiagramId,
    quad: String,
    page_width: u32,
    page_height: u32,
    origin: Origin,
    decided: bool,
    retired: bool,
}

impl Queue {
    /// Takes a page's reading into the collection. One transaction; refused with [`QueueError::LeaseLost`] when the
    /// claim is not held any more (also a second time with the same claim).
    ///
    /// A page that was read before keeps its diagrams: a board at the same place is the same diagram, with its
    /// decisions; a decided one that is no longer seen stays, an undecided one is retired.
    pub async fn finish(&self, claim: &Claim, outcome: PageOutcome) -> Result<Finished> {
        let PageOutcome { reading, crops, page: page_picture, model_version, took } = outcome;
        if !crops.is_empty() && crops.len() != reading.diagrams.len() {
            return Err(QueueError::Invalid(format!(
                "{} crops for {} diagrams",
                crops.len(),
                reading.diagrams.len()
            )));
        }
        let mut write = self.begin().await?;
        hold(&mut write, claim).await?;
        let page = claim.page;
        let old = old_diagrams(&mut write, page).await?;
        let matched = match_reading(&old, &reading);

        // out of the way of the new numbering
        sqlx::query("UPDATE diagrams SET ordinal = -id WHERE page_id = ? AND retired_at IS NULL")
            .bind(page)
            .execute(write.conn())
            .await?;
        sqlx::query("DELETE FROM flags WHERE page_id = ? AND diagram_id IS NULL")
            .bind(page)
            .execute(write.conn())
            .await?;
        insert_flags(&mut write, page, None, &reading.flags).await?;

        let mut finished = Finished::default();
        let mut crops = crops.into_iter();
        for (index, diagram) in reading.diagrams.iter().enumerate() {
            let ordinal = index as u32 + 1;
            let crops = crops.next().unwrap_or_default();
            let size = (reading.width, reading.height);
            let id = match matched[index].map(|at| &old[at].0) {
                Some(row) => {
                    finished.matched += 1;
                    // first, since a retired one is in the collection again from here on
                    set_ordinal(&mut write, row.id, ordinal, true).await?;
                    reread(&mut write, page, row, diagram, size, &crops).await?;
                    row.id
                }
                None => {
                    finished.new += 1;
                    insert_diagram(&mut write, page, ordinal, diagram, size, Origin::Program, &crops).await?
                }
            };
            finished.diagrams.push(id);
        }
        for (at, (row, _)) in old.iter().enumerate() {
            if row.retired || matched.contains(&Some(at)) {
                continue;
            }
            let keep = row.decided || row.origin == Origin::Human;
            if keep {
                finished.kept += 1;
                finished.diagrams.push(row.id);
                let ordinal = finished.diagrams.len() as u32;
                set_ordinal(&mut write, row.id, ordinal, false).await?;
            } else {
                finished.retired += 1;
                retire(&mut write, row.id).await?;
            }
            let detail = serde_json::json!({"retired": !keep});
            write
                .log(EventDraft::new(EventKind::DiagramLost).page(page).diagram(row.id).detail(detail))
                .await?;
        }
        if let Some(picture) = &page_picture {
            pictures::put(write.conn(), page, None, PictureKind::Page, picture).await?;
        }
        let now = write.now;
        sqlx::query(
            "UPDATE pages SET state = 'read', setback = 0, attempts = 0, not_before = 0, lease_owner = NULL, lease_until = NULL,
                 failure = NULL, failure_kind = NULL, width = ?, height = ?, model_version = ?, read_at = ?, read_ms = ?,
                 times_read = times_read + 1, version = version + 1 WHERE id = ?",
        )
        .bind(reading.width)
        .bind(reading.height)
        .bind(&model_version)
        .bind(now)
        .bind(i64::try_from(took.as_millis()).unwrap_or(i64::MAX))
        .bind(page)
        .execute(write.conn())
        .await?;
        let detail = serde_json::json!({
            "diagrams": finished.diagrams.len(), "new": finished.new, "matched": finished.matched,
            "kept": finished.kept, "retired": finished.retired, "model": model_version,
        });
        write
            .log(
                EventDraft::new(EventKind::PageRead)
                    .book(claim.book)
                    .source(claim.source)
                    .page(page)
                    .detail(detail),
            )
            .await?;
        write.commit().await?;
        Ok(finished)
    }

    /// Adds a board that the program had missed, read on corners that a person drew, at `reading.ordinal` of its page; those
    /// from there on move up by one. Later re-reads keep it.
    pub async fn add_drawn(
        &self,
        page: PageId,
        reading: &DiagramReading,
        page_size: (u32, u32),
        crops: &Crops,
        who: &str,
    ) -> Result<DiagramId> {
        let mut write = self.begin().await?;
        let there: Vec<(DiagramId, u32)> = sqlx::query_as(
            "SELECT id, ordinal FROM diagrams WHERE page_id = ? AND retired_at IS NULL ORDER BY ordinal DESC",
        )
        .bind(page)
        .fetch_all(write.conn())
        .await?;
        let ordinal = reading.ordinal.clamp(1, there.first().map_or(1, |last| last.1 + 1));
        for (id, at) in there.into_iter().filter(|(_, at)| *at >= ordinal) {
            sqlx::query("UPDATE diagrams SET ordinal = ? WHERE id = ?")
                .bind(at + 1)
                .bind(id)
                .execute(write.conn())
                .await?;
        }
        let id = insert_diagram(&mut write, page, ordinal, reading, page_size, Origin::Human, crops).await?;
        write.log(EventDraft::new(EventKind::Drawn).page(page).diagram(id).who(who)).await?;
        write.commit().await?;
        Ok(id)
    }

    /// Replaces the reading of a diagram by one on corners that a person moved. Decisions stay. Later re-reads do not replace it.
    pub async fn redraw(
        &self,
        diagram: DiagramId,
        expected_version: i64,
        reading: &DiagramReading,
        page_size: (u32, u32),
        crops: &Crops,
        who: &str,
    ) -> Result<()> {
        let mut write = self.begin().await?;
        let page = super::decide::check_version(&mut write, diagram, expected_version).await?;
        supersede(&mut write, diagram).await?;
        insert_reading(&mut write, diagram, reading, page_size, Origin::Human, true).await?;
        set_flags(&mut write, page, diagram, &reading.flags).await?;
        put_crops(&mut write, page, diagram, crops).await?;
        effective::refresh(&mut write, diagram).await?;
        write.log(EventDraft::new(EventKind::Drawn).page(page).diagram(diagram).who(who)).await?;
        write.commit().await
    }
}

async fn old_diagrams(write: &mut Write, page: PageId) -> Result<Vec<(OldRow, Place)>> {
    let rows: Vec<OldRow> = sqlx::query_as(
        "SELECT d.id, r.quad, r.page_width, r.page_height, r.origin, EXISTS (SELECT 1 FROM decisions x
             WHERE x.diagram_id = d.id AND x.undone_by_event IS NULL) AS decided, d.retired_at IS NOT NULL AS retired
         FROM diagrams d JOIN readings r ON r.diagram_id = d.id AND r.is_current = 1
         WHERE d.page_id = ? ORDER BY d.retired_at IS NOT NULL, d.ordinal, d.id",
    )
    .bind(page)
    .fetch_all(write.conn())
    .await?;
    rows.into_iter()
        .map(|row| {
            let quad = effective::quad(&row.quad)?;
            let place = Place { quad, width: row.page_width, height: row.page_height };
            Ok((row, place))
        })
        .collect()
}

/// Which old diagram each new one is, by its index. Diagrams that were retired come back only to places that no other one has.
fn match_reading(old: &[(OldRow, Place)], reading: &PageReading) -> Vec<Option<usize>> {
    let new: Vec<Place> = reading
        .diagrams
        .iter()
        .map(|diagram| Place { quad: diagram.quad, width: reading.width, height: reading.height })
        .collect();
    let places: Vec<Place> = old.iter().map(|(_, place)| *place).collect();
    // sorted: those in the collection first
    let live = old.iter().take_while(|(row, _)| !row.retired).count();
    let mut matched = match_boards(&places[..live], &new);
    let open: Vec<usize> = (0..new.len()).filter(|&index| matched[index].is_none()).collect();
    let open_places: Vec<Place> = open.iter().map(|&index| new[index]).collect();
    for (index, found) in open.into_iter().zip(match_boards(&places[live..], &open_places)) {
        matched[index] = found.map(|at| live + at);
    }
    matched
}

/// A known diagram was read again.
async fn reread(
    write: &mut Write,
    page: PageId,
    row: &OldRow,
    reading: &DiagramReading,
    size: (u32, u32),
    crops: &Crops,
) -> Result<()> {
    if row.origin == Origin::Human {
        // a person moved these corners: theirs stay in force, the new reading is kept beside them
        insert_reading(write, row.id, reading, size, Origin::Program, false).await?;
    } else {
        supersede(write, row.id).await?;
        insert_reading(write, row.id, reading, size, Origin::Program, true).await?;
        set_flags(write, page, row.id, &reading.flags).await?;
        put_crops(write, page, row.id, crops).await?;
    }
    effective::refresh(write, row.id).await?;
    if let Some(decision) = effective::current_decision(write, row.id).await? {
        let read = Facts::of(reading);
        if decision.verdict != super::Verdict::Rejected && read.fen != decision.after.fen {
            let detail = serde_json::json!({"decided": decision.after.fen, "read": read.fen});
            write
                .log(EventDraft::new(EventKind::RereadDiffers).page(page).diagram(row.id).detail(detail))
                .await?;
        }
    }
    Ok(())
}

async fn insert_diagram(
    write: &mut Write,
    page: PageId,
    ordinal: u32,
    reading: &DiagramReading,
    size: (u32, u32),
    origin: Origin,
    crops: &Crops,
) -> Result<DiagramId> {
    let facts = Facts::of(reading).normalized()?;
    let now = write.now;
    let id: DiagramId = sqlx::query_scalar(
        "INSERT INTO diagrams (page_id, ordinal, version, state, fen, placement, side, side_source, search, created_at)
         VALUES (?, ?, 0, 'needs_review', ?, ?, ?, ?, '', ?) RETURNING id",
    )
    .bind(page)
    .bind(ordinal)
    .bind(&facts.fen)
    .bind(facts.placement())
    .bind(facts.side())
    .bind(facts.sources.side_to_move.as_str())
    .bind(now)
    .fetch_one(write.conn())
    .await?;
    insert_reading(write, id, reading, size, origin, true).await?;
    set_flags(write, page, id, &reading.flags).await?;
    put_crops(write, page, id, crops).await?;
    effective::refresh(write, id).await?;
    Ok(id)
}

async fn insert_reading(
    write: &mut Write,
    diagram: DiagramId,
    reading: &DiagramReading,
    size: (u32, u32),
    origin: Origin,
    current: bool,
) -> Result<()> {
    let fen = Facts::of(reading).normalized()?.fen;
    let now = write.now;
    let status = match reading.status() {
        Status::Accepted => "accepted",
        Status::NeedsReview => "needs_review",
    };
    sqlx::query(
        "INSERT INTO readings (diagram_id, is_current, origin, model_version, read_at, quad, page_width, page_height, squares, raw,
             legal, placement, orientation, orientation_reason, fen, sources, caption, confidence, status, flags)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(diagram)
    .bind(current)
    .bind(origin)
    .bind(&reading.model_version)
    .bind(now)
    .bind(to_json(&reading.quad)?)
    .bind(size.0)
    .bind(size.1)
    .bind(current.then(|| encode_squares(&reading.squares)))
    .bind(reading.raw.to_string())
    .bind(reading.legal.map(|placement| placement.to_string()))
    .bind(reading.placement.to_string())
    .bind(effective::orientation_text(reading.orientation))
    .bind(&reading.orientation_reason)
    .bind(fen)
    .bind(to_json(&reading.sources)?)
    .bind(to_json(&reading.caption)?)
    .bind(f64::from(reading.confidence))
    .bind(status)
    .bind(to_json(&reading.flags)?)
    .execute(write.conn())
    .await?;
    Ok(())
}

/// The current reading becomes a summary: all but the square probabilities stays.
async fn supersede(write: &mut Write, diagram: DiagramId) -> Result<()> {
    sqlx::query("UPDATE readings SET is_current = 0, squares = NULL WHERE diagram_id = ? AND is_current = 1")
        .bind(diagram)
        .execute(write.conn())
        .await?;
    Ok(())
}

/// Replaces the flags that came with the last reading of a diagram.
async fn set_flags(write: &mut Write, page: PageId, diagram: DiagramId, flags: &[Flag]) -> Result<()> {
    sqlx::query("DELETE FROM flags WHERE diagram_id = ? AND about IS NULL")
        .bind(diagram)
        .execute(write.conn())
        .await?;
    insert_flags(write, page, Some(diagram), flags).await
}

async fn insert_flags(
    write: &mut Write,
    page: PageId,
    diagram: Option<DiagramId>,
    flags: &[Flag],
) -> Result<()> {
    for flag in flags {
        let squares = flag.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        sqlx::query(
            "INSERT INTO flags (page_id, diagram_id, code, severity, squares, message) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(page)
        .bind(diagram)
        .bind(flag.code.as_str())
        .bind(flag.severity.as_str())
        .bind(squares)
        .bind(&flag.message)
        .execute(write.conn())
        .await?;
    }
    Ok(())
}

async fn put_crops(write: &mut Write, page: PageId, diagram: DiagramId, crops: &Crops) -> Result<()> {
    let all = [
        (PictureKind::Board, &crops.board),
        (PictureKind::Squares, &crops.squares),
        (PictureKind::Caption, &crops.caption),
    ];
    for (kind, picture) in all {
        if let Some(picture) = picture {
            pictures::put(write.conn(), page, Some(diagram), kind, picture).await?;
        }
    }
    Ok(())
}

async fn set_ordinal(write: &mut Write, diagram: DiagramId, ordinal: u32, seen: bool) -> Result<()> {
    sqlx::query("UPDATE diagrams SET ordinal = ?, seen = ?, retired_at = NULL WHERE id = ?")
        .bind(ordinal)
        .bind(seen)
        .bind(diagram)
        .execute(write.conn())
        .await?;
    Ok(())
}

async fn retire(write: &mut Write, diagram: DiagramId) -> Result<()> {
    let now = write.now;
    let (placement, side): (String, String) = sqlx::query_as(
        "UPDATE diagrams SET retired_at = ?, seen = 0, version = version + 1 WHERE id = ? RETURNING placement, side",
    )
    .bind(now)
    .bind(diagram)
    .fetch_one(write.conn())
    .await?;
    duplicates::refresh(write, &placement, &side).await
}
