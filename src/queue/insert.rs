//! Rows of diagrams, readings and flags, many in a statement: between two statements the task waits for the database's thread, and on
//! a machine whose cores are busy reading pages those waits are what a page costs.

use std::collections::HashMap;

use sqlx::{QueryBuilder, Sqlite};

use super::effective::{self, search_text, to_json};
use super::write::Write;
use super::{DiagramId, DiagramState, Facts, PageId, Result, encode_squares, natural};
use crate::chess::Flag;
use crate::reading::DiagramReading;

/// Rows in one statement: SQLite takes 32,766 bound values, and no row here has more than 20.
pub(super) const ROWS: usize = 500;

/// Who a reading is by: the program alone, or the program on corners that a person gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "snake_case")]
pub(super) enum Origin {
    Program,
    Human,
}

/// Inserts diagrams that were not there before, with their readings; each with its ordinal. Their ids, in the same order. Flags, pictures
/// and duplicates are the caller's.
pub(super) async fn diagrams(
    write: &mut Write,
    page: PageId,
    new: &[(u32, &DiagramReading)],
    size: (u32, u32),
    origin: Origin,
) -> Result<Vec<DiagramId>> {
    let mut ids = Vec::with_capacity(new.len());
    for part in new.chunks(ROWS) {
        let now = write.now;
        let mut rows = Vec::with_capacity(part.len());
        for (ordinal, reading) in part {
            let state = DiagramState::from(reading.status());
            rows.push((*ordinal, state, Facts::of(reading).normalized()?));
        }
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT INTO diagrams (page_id, ordinal, state, fen, placement, side, side_source, number, number_key, players,
                 stipulation, caption, search, created_at) ",
        );
        sql.push_values(rows, |mut row, (ordinal, state, facts)| {
            row.push_bind(page).push_bind(ordinal).push_bind(state).push_bind(facts.fen.clone());
            row.push_bind(facts.placement().to_owned()).push_bind(facts.side().to_owned());
            row.push_bind(facts.sources.side_to_move.as_str());
            row.push_bind(facts.number.clone()).push_bind(facts.number.as_deref().map(natural::number_key));
            row.push_bind(facts.players.clone()).push_bind(facts.stipulation.clone());
            row.push_bind(facts.caption.clone()).push_bind(search_text(&facts)).push_bind(now);
        });
        // the order of returned rows is not promised
        sql.push(" RETURNING ordinal, id");
        let returned: Vec<(u32, DiagramId)> =
            sql.build_query_as().persistent(false).fetch_all(write.conn()).await?;
        let by_ordinal: HashMap<u32, DiagramId> = returned.into_iter().collect();
        let with_ids: Vec<(DiagramId, &DiagramReading)> = part
            .iter()
            .filter_map(|(ordinal, reading)| Some((*by_ordinal.get(ordinal)?, *reading)))
            .collect();
        readings(write, &with_ids, size, origin, true).await?;
        ids.extend(with_ids.iter().map(|(id, _)| *id));
    }
    Ok(ids)
}

/// Inserts readings; with `current`, as those in force (the ones before must have been superseded).
pub(super) async fn readings(
    write: &mut Write,
    new: &[(DiagramId, &DiagramReading)],
    size: (u32, u32),
    origin: Origin,
    current: bool,
) -> Result<()> {
    struct Texts {
        fen: String,
        quad: String,
        sources: String,
        caption: String,
        flags: String,
    }
    for part in new.chunks(ROWS) {
        let now = write.now;
        let mut texts = Vec::with_capacity(part.len());
        for (_, reading) in part {
            texts.push(Texts {
                fen: Facts::of(reading).normalized()?.fen,
                quad: to_json(&reading.quad)?,
                sources: to_json(&reading.sources)?,
                caption: to_json(&reading.caption)?,
                flags: to_json(&reading.flags)?,
            });
        }
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT INTO readings (diagram_id, is_current, origin, model_version, read_at, quad, page_width, page_height, squares,
                 raw, legal, placement, orientation, orientation_reason, fen, sources, caption, confidence, status, flags) ",
        );
        sql.push_values(part.iter().zip(texts), |mut row, ((id, reading), texts)| {
            row.push_bind(*id).push_bind(current).push_bind(origin).push_bind(&reading.model_version);
            row.push_bind(now).push_bind(texts.quad).push_bind(size.0).push_bind(size.1);
            row.push_bind(current.then(|| encode_squares(&reading.squares)));
            row.push_bind(reading.raw.to_string()).push_bind(reading.legal.map(|legal| legal.to_string()));
            row.push_bind(reading.placement.to_string());
            row.push_bind(effective::orientation_text(reading.orientation));
            row.push_bind(&reading.orientation_reason).push_bind(texts.fen).push_bind(texts.sources);
            row.push_bind(texts.caption).push_bind(f64::from(reading.confidence));
            row.push_bind(DiagramState::from(reading.status())).push_bind(texts.flags);
        });
        sql.build().persistent(false).execute(write.conn()).await?;
    }
    Ok(())
}

/// The current reading becomes a summary: all but the square probabilities stays.
pub(super) async fn supersede(write: &mut Write, diagram: DiagramId) -> Result<()> {
    sqlx::query("UPDATE readings SET is_current = 0, squares = NULL WHERE diagram_id = ? AND is_current = 1")
        .bind(diagram)
        .execute(write.conn())
        .await?;
    Ok(())
}

/// Replaces the flags of the page itself and of these diagrams by those of a new reading.
pub(super) async fn flags(
    write: &mut Write,
    page: PageId,
    of_page: &[Flag],
    of_diagrams: &[(DiagramId, &[Flag])],
) -> Result<()> {
    sqlx::query("DELETE FROM flags WHERE page_id = ? AND diagram_id IS NULL")
        .bind(page)
        .execute(write.conn())
        .await?;
    let of_page = of_page.iter().map(|flag| (None, flag));
    diagram_flags(write, page, of_page.collect(), of_diagrams).await
}

/// Replaces the flags of these diagrams by those of a new reading, and adds `more`.
pub(super) async fn diagram_flags(
    write: &mut Write,
    page: PageId,
    mut more: Vec<(Option<DiagramId>, &Flag)>,
    of_diagrams: &[(DiagramId, &[Flag])],
) -> Result<()> {
    let ids: Vec<DiagramId> = of_diagrams.iter().map(|(id, _)| *id).collect();
    sqlx::query("DELETE FROM flags WHERE diagram_id IN (SELECT value FROM json_each(?)) AND about IS NULL")
        .bind(to_json(&ids)?)
        .execute(write.conn())
        .await?;
    more.extend(of_diagrams.iter().flat_map(|(id, flags)| flags.iter().map(|flag| (Some(*id), flag))));
    for part in more.chunks(ROWS) {
        let mut sql = QueryBuilder::<Sqlite>::new(
            "INSERT INTO flags (page_id, diagram_id, code, severity, squares, message) ",
        );
        sql.push_values(part, |mut row, (diagram, flag)| {
            let squares = flag.squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            row.push_bind(page).push_bind(*diagram).push_bind(flag.code.as_str());
            row.push_bind(flag.severity.as_str()).push_bind(squares).push_bind(&flag.message);
        });
        sql.build().persistent(false).execute(write.conn()).await?;
    }
    Ok(())
}
