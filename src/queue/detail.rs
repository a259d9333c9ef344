//! Everything about one diagram, for the reviewer.

use serde::Serialize;
use sqlx::FromRow;

use super::effective::{json, orientation, quad};
use super::{
    DecisionId, DiagramId, DiagramRow, DiagramState, Facts, Queue, QueueError, ReadingId, Result, Verdict,
    decode_squares,
};
use crate::chess::{FlagCode, Placement};
use crate::reading::DiagramReading;

/// One diagram with its reading and its history.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramDetail {
    /// What the collection says now.
    pub row: DiagramRow,
    /// What the program said last, with all probabilities and evidence.
    pub reading: DiagramReading,
    /// Pixels of the page at that reading.
    pub page_size: (u32, u32),
    /// All decisions, oldest first, also those taken back.
    pub decisions: Vec<DecisionRow>,
    /// Earlier readings, oldest first, without their probabilities.
    pub earlier: Vec<ReadingSummary>,
}

/// A decision of a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionRow {
    pub id: DecisionId,
    pub reading: ReadingId,
    pub verdict: Verdict,
    pub before: Facts,
    pub after: Facts,
    pub who: String,
    pub at: i64,
    pub reason: Option<String>,
    pub acknowledged: Vec<FlagCode>,
    pub undone: bool,
}

/// What is kept of a superseded reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadingSummary {
    pub id: ReadingId,
    pub model_version: String,
    pub read_at: i64,
    pub fen: String,
    pub confidence: f32,
    pub status: DiagramState,
}

#[derive(FromRow)]
struct Row {
    is_current: bool,
    id: ReadingId,
    model_version: String,
    read_at: i64,
    quad: String,
    page_width: u32,
    page_height: u32,
    squares: Option<Vec<u8>>,
    raw: String,
    legal: Option<String>,
    placement: String,
    orientation: String,
    orientation_reason: String,
    fen: String,
    sources: String,
    caption: String,
    confidence: f64,
    status: DiagramState,
    flags: String,
}

#[derive(FromRow)]
struct DecisionSql {
    id: DecisionId,
    reading_id: ReadingId,
    verdict: Verdict,
    before: String,
    after: String,
    who: String,
    at: i64,
    reason: Option<String>,
    acknowledged: String,
    undone: bool,
}

impl Queue {
    /// Everything about one diagram.
    pub async fn diagram(&self, id: DiagramId) -> Result<DiagramDetail> {
        let row = self.diagram_row(id).await?;
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT is_current, id, model_version, read_at, quad, page_width, page_height, squares, raw, legal, placement,
                    orientation, orientation_reason, fen, sources, caption, confidence, status, flags
             FROM readings WHERE diagram_id = ? ORDER BY id",
        )
        .bind(id)
        .fetch_all(&self.inner.read)
        .await?;
        let mut current = None;
        let mut earlier = Vec::new();
        for reading in rows {
            if reading.is_current {
                current =
                    Some(((reading.page_width, reading.page_height), reading.into_reading(row.ordinal)?));
            } else {
                earlier.push(reading.into_summary());
            }
        }
        let (page_size, reading) =
            current.ok_or_else(|| QueueError::Corrupt(format!("diagram {id} has no reading")))?;
        Ok(DiagramDetail { row, reading, page_size, decisions: self.decisions(id).await?, earlier })
    }

    /// All decisions on a diagram, oldest first, also those taken back.
    pub async fn decisions(&self, id: DiagramId) -> Result<Vec<DecisionRow>> {
        let rows: Vec<DecisionSql> = sqlx::query_as(
            "SELECT id, reading_id, verdict, before, after, who, at, reason, acknowledged, undone_by_event IS NOT NULL AS undone
             FROM decisions WHERE diagram_id = ? ORDER BY id",
        )
        .bind(id)
        .fetch_all(&self.inner.read)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(DecisionRow {
                    id: row.id,
                    reading: row.reading_id,
                    verdict: row.verdict,
                    before: Facts::from_json(&row.before)?,
                    after: Facts::from_json(&row.after)?,
                    who: row.who,
                    at: row.at,
                    reason: row.reason,
                    acknowledged: json(&row.acknowledged, "flags")?,
                    undone: row.undone,
                })
            })
            .collect()
    }
}

impl Row {
    fn into_reading(self, ordinal: u32) -> Result<DiagramReading> {
        let squares = self
            .squares
            .as_deref()
            .ok_or_else(|| QueueError::Corrupt(format!("reading {} has no probabilities", self.id)))?;
        Ok(DiagramReading {
            ordinal,
            quad: quad(&self.quad)?,
            squares: decode_squares(squares)?,
            raw: placement(&self.raw)?,
            legal: self.legal.as_deref().map(placement).transpose()?,
            placement: placement(&self.placement)?,
            orientation: orientation(&self.orientation)?,
            orientation_reason: self.orientation_reason,
            fen: self.fen,
            sources: json(&self.sources, "sources")?,
            caption: json(&self.caption, "caption")?,
            confidence: self.confidence as f32,
            flags: json(&self.flags, "flags")?,
            model_version: self.model_version,
        })
    }

    fn into_summary(self) -> ReadingSummary {
        ReadingSummary {
            id: self.id,
            model_version: self.model_version,
            read_at: self.read_at,
            fen: self.fen,
            confidence: self.confidence as f32,
            status: self.status,
        }
    }
}

fn placement(text: &str) -> Result<Placement> {
    text.parse().map_err(|error| QueueError::Corrupt(format!("placement {text:?}: {error}")))
}
