//! What the collection says of a diagram now, derived from its current reading and its current decision.

use sqlx::FromRow;
use unicode_normalization::UnicodeNormalization;

use super::duplicates::Position;
use super::write::Write;
use super::{DecisionId, DiagramId, DiagramState, Facts, QueueError, ReadingId, Result, Verdict, natural};
use crate::board::Quad;
use crate::reading::{Orientation, Sources};

#[derive(Debug, FromRow)]
struct ReadingRow {
    id: ReadingId,
    fen: String,
    sources: String,
    orientation: String,
    caption: String,
    status: DiagramState,
}

/// The current reading as facts.
#[derive(Debug, Clone)]
pub(super) struct CurrentReading {
    pub id: ReadingId,
    pub status: DiagramState,
    pub facts: Facts,
}

/// The decision in force.
#[derive(Debug, Clone)]
pub(super) struct CurrentDecision {
    pub id: DecisionId,
    pub verdict: Verdict,
    pub after: Facts,
}

pub(super) async fn current_reading(write: &mut Write, diagram: DiagramId) -> Result<CurrentReading> {
    let row: ReadingRow = sqlx::query_as(
        "SELECT id, fen, sources, orientation, caption, status FROM readings WHERE diagram_id = ? AND is_current = 1",
    )
    .bind(diagram)
    .fetch_optional(write.conn())
    .await?
    .ok_or_else(|| QueueError::Corrupt(format!("diagram {diagram} has no reading")))?;
    let caption: crate::caption::CaptionFacts = json(&row.caption, "caption")?;
    Ok(CurrentReading {
        id: row.id,
        status: row.status,
        facts: Facts {
            fen: row.fen,
            sources: json::<Sources>(&row.sources, "sources")?,
            orientation: orientation(&row.orientation)?,
            players: caption.players_line(),
            number: caption.number,
            stipulation: caption.stipulation,
            caption: caption.text,
        },
    })
}

pub(super) async fn current_decision(
    write: &mut Write,
    diagram: DiagramId,
) -> Result<Option<CurrentDecision>> {
    let row: Option<(DecisionId, Verdict, String)> = sqlx::query_as(
        "SELECT id, verdict, after FROM decisions WHERE diagram_id = ? AND undone_by_event IS NULL ORDER BY id DESC LIMIT 1",
    )
    .bind(diagram)
    .fetch_optional(write.conn())
    .await?;
    row.map(|(id, verdict, after)| Ok(CurrentDecision { id, verdict, after: Facts::from_json(&after)? }))
        .transpose()
}

/// The facts in force: the decision's, else the reading's.
pub(super) async fn current_facts(write: &mut Write, diagram: DiagramId) -> Result<Facts> {
    match current_decision(write, diagram).await? {
        Some(decision) => Ok(decision.after),
        None => Ok(current_reading(write, diagram).await?.facts),
    }
}

/// Brings the row of `diagrams` up to date and raises its version. Returns its old and its new position, whose duplicates the caller
/// looks at when all is written.
pub(super) async fn refresh(write: &mut Write, diagram: DiagramId) -> Result<[Position; 2]> {
    let reading = current_reading(write, diagram).await?;
    let decision = current_decision(write, diagram).await?;
    let (state, facts) = match decision {
        Some(decision) => (decision.verdict.into(), decision.after),
        None => (reading.status, reading.facts),
    };
    let (placement, side): (String, String) =
        sqlx::query_as("SELECT placement, side FROM diagrams WHERE id = ?")
            .bind(diagram)
            .fetch_one(write.conn())
            .await?;
    sqlx::query(
        "UPDATE diagrams SET version = version + 1, state = ?, fen = ?, placement = ?, side = ?, side_source = ?, number = ?,
             number_key = ?, players = ?, stipulation = ?, caption = ?, search = ? WHERE id = ?",
    )
    .bind(state)
    .bind(&facts.fen)
    .bind(facts.placement())
    .bind(facts.side())
    .bind(facts.sources.side_to_move.as_str())
    .bind(&facts.number)
    .bind(facts.number.as_deref().map(natural::number_key))
    .bind(&facts.players)
    .bind(&facts.stipulation)
    .bind(&facts.caption)
    .bind(search_text(&facts))
    .bind(diagram)
    .execute(write.conn())
    .await?;
    Ok([Position { placement, side }, Position::of(&facts)])
}

/// All words in one folded text, so that a search needs no knowledge of case in any script.
pub(super) fn search_text(facts: &Facts) -> String {
    let words = [&facts.number, &facts.players, &facts.stipulation, &facts.caption];
    let joined = words.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("\n");
    fold(&joined)
}

/// Text as it is compared in searches.
pub(super) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}

pub(super) fn json<T: serde::de::DeserializeOwned>(text: &str, what: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| QueueError::Corrupt(format!("{what} {text:?}: {error}")))
}

pub(super) fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| QueueError::Invalid(error.to_string()))
}

pub(super) fn orientation(text: &str) -> Result<Orientation> {
    json(&format!("{text:?}"), "orientation")
}

pub(super) fn orientation_text(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::WhiteBottom => "white_bottom",
        Orientation::BlackBottom => "black_bottom",
    }
}

pub(super) fn quad(text: &str) -> Result<Quad> {
    json(text, "quad")
}
