//! A page was read: everything that was read of it enters the collection in one transaction.

use std::time::Duration;

use serde::Serialize;
use sqlx::FromRow;

use super::claim::hold;
use super::duplicates::{self, Position};
use super::effective::{self, to_json};
use super::event::{EventDraft, EventKind};
use super::insert::{self, Origin};
use super::matching::{Place, match_boards};
use super::pictures::{self, NewPicture};
use super::settle;
use super::write::Write;
use super::{Claim, DiagramId, Facts, PageId, Picture, PictureKind, Queue, QueueError, Result};
use crate::chess::Flag;
use crate::reading::{DiagramReading, PageReading};

/// The pictures of one diagram; those that are `None` are not kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Crops {
    pub board: Option<Picture>,
    pub squares: Option<Picture>,
    pub caption: Option<Picture>,
}

impl Crops {
    pub(super) fn pictures(&self, diagram: DiagramId) -> impl Iterator<Item = NewPicture<'_>> {
        let all = [
            (PictureKind::Board, &self.board),
            (PictureKind::Squares, &self.squares),
            (PictureKind::Caption, &self.caption),
        ];
        all.into_iter().filter_map(move |(kind, picture)| Some((Some(diagram), kind, picture.as_ref()?)))
    }
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
        if !old.is_empty() {
            sqlx::query("UPDATE diagrams SET ordinal = -id WHERE page_id = ? AND retired_at IS NULL")
                .bind(page)
                .execute(write.conn())
                .await?;
        }
        let size = (reading.width, reading.height);
        let mut changed: Vec<(DiagramId, Position)> = Vec::new();
        let fresh: Vec<(u32, &DiagramReading)> = (1..)
            .zip(&reading.diagrams)
            .zip(&matched)
            .filter(|(_, old)| old.is_none())
            .map(|(new, _)| new)
            .collect();
        let fresh_ids = insert::diagrams(&mut write, page, &fresh, size, Origin::Program).await?;
        let fresh_positions = fresh.iter().map(|(_, diagram)| Position::of(&Facts::of(diagram)));
        changed.extend(fresh_ids.iter().copied().zip(fresh_positions));
        let mut fresh_ids = fresh_ids.into_iter();

        let mut finished = Finished::default();
        // what the diagrams that show this reading get from it
        let mut shown: Vec<usize> = Vec::new();
        for (index, diagram) in reading.diagrams.iter().enumerate() {
            let Some(row) = matched[index].map(|at| &old[at].0) else {
                finished.new += 1;
                // as many as there are readings without an old diagram
                finished.diagrams.extend(fresh_ids.next());
                shown.push(index);
                continue;
            };
            finished.matched += 1;
            finished.diagrams.push(row.id);
            // first, since a retired one is in the collection again from here on
            set_ordinal(&mut write, row.id, index as u32 + 1, true).await?;
            if row.origin == Origin::Program {
                shown.push(index);
            }
            let positions = reread(&mut write, page, row, diagram, size).await?;
            changed.extend(positions.into_iter().map(|position| (row.id, position)));
        }
        let flags: Vec<(DiagramId, &[Flag])> = shown
            .iter()
            .map(|&index| (finished.diagrams[index], reading.diagrams[index].flags.as_slice()))
            .collect();
        insert::flags(&mut write, page, &reading.flags, &flags).await?;
        let mut new_pictures: Vec<NewPicture> =
            page_picture.iter().map(|picture| (None, PictureKind::Page, picture)).collect();
        for &index in &shown {
            if let Some(crops) = crops.get(index) {
                new_pictures.extend(crops.pictures(finished.diagrams[index]));
            }
        }
        pictures::put(write.conn(), page, &new_pictures).await?;
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
                changed.push((row.id, retire(&mut write, row.id).await?));
            }
            let detail = serde_json::json!({"retired": !keep});
            write
                .log(EventDraft::new(EventKind::DiagramLost).page(page).diagram(row.id).detail(detail))
                .await?;
        }
        duplicates::refresh(&mut write, changed).await?;
        let now = write.now;
        sqlx::query(
            "UPDATE pages SET state = 'read', setback = 0, attempts = 0, not_before = 0, lease_owner = NULL, lease_until = NULL,
                 failure = NULL, failure_kind = NULL, width = ?, height = ?, model_version = ?, read_at = ?, read_ms = ?,
                 headings = ?, times_read = times_read + 1, version = version + 1 WHERE id = ?",
        )
        .bind(reading.width)
        .bind(reading.height)
        .bind(&model_version)
        .bind(now)
        .bind(i64::try_from(took.as_millis()).unwrap_or(i64::MAX))
        .bind(to_json(&reading.headings)?)
        .bind(page)
        .execute(write.conn())
        .await?;
        // its file may have moved to another book in the meantime
        settle::unsettle_page(&mut write, page).await?;
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

/// A known diagram was read again; its flags and pictures are the caller's.
async fn reread(
    write: &mut Write,
    page: PageId,
    row: &OldRow,
    reading: &DiagramReading,
    size: (u32, u32),
) -> Result<[Position; 2]> {
    // where a person moved the corners, theirs stay in force and the new reading is kept beside them
    let current = row.origin == Origin::Program;
    if current {
        insert::supersede(write, row.id).await?;
    }
    insert::readings(write, &[(row.id, reading)], size, Origin::Program, current).await?;
    let positions = effective::refresh(write, row.id).await?;
    if let Some(decision) = effective::current_decision(write, row.id).await? {
        let read = Facts::of(reading);
        if decision.verdict != super::Verdict::Rejected && read.fen != decision.after.fen {
            let detail = serde_json::json!({"decided": decision.after.fen, "read": read.fen});
            write
                .log(EventDraft::new(EventKind::RereadDiffers).page(page).diagram(row.id).detail(detail))
                .await?;
        }
    }
    Ok(positions)
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

/// Takes a diagram out of the collection. Returns the position that it had.
async fn retire(write: &mut Write, diagram: DiagramId) -> Result<Position> {
    let now = write.now;
    let (placement, side): (String, String) = sqlx::query_as(
        "UPDATE diagrams SET retired_at = ?, seen = 0, version = version + 1 WHERE id = ? RETURNING placement, side",
    )
    .bind(now)
    .bind(diagram)
    .fetch_one(write.conn())
    .await?;
    Ok(Position { placement, side })
}
