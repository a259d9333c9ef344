//! The collection as a download.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::input::{Asked, Conditions, bad};
use super::router::App;
use crate::chess::Severity;
use crate::export::{ExportOptions, Exporter, Format, PictureFiles};
use crate::queue::{BookId, DiagramRow, DiagramState, Filter};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    format: Option<String>,
    #[serde(default)]
    ascii: bool,
    // `serde(flatten)` does not go with a query's numbers
    book: Option<BookId>,
    state: Option<String>,
    flag: Option<String>,
    text: Option<String>,
    number: Option<String>,
}

impl Wanted {
    /// What was asked for; without states, everything that the collection stands for.
    fn filter(&self) -> Result<Filter, ApiError> {
        let conditions = Conditions {
            book: self.book,
            state: self.state.clone(),
            flag: self.flag.clone(),
            text: self.text.clone(),
            number: self.number.clone(),
        };
        let mut filter = conditions.filter()?;
        if filter.states.is_empty() {
            filter.states = Filter::exportable().states;
        }
        Ok(filter)
    }
}

/// `GET /api/export?book=&state=&flag=&number=&text=`: how many positions a download would hold, which are left out (impossible, and
/// nobody has accepted them), and how many wait for review.
pub(super) async fn summary(
    State(app): State<App>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Value>, ApiError> {
    let filter = wanted.filter()?;
    let mut positions = 0u64;
    let mut refused: Vec<Value> = Vec::new();
    app.queue
        .visit::<ApiError>(&filter, |rows| {
            for row in &rows {
                if row.is_refused() {
                    refused.push(refused_json(row));
                } else {
                    positions += 1;
                }
            }
            Ok(())
        })
        .await?;
    let waiting = Filter { states: vec![DiagramState::NeedsReview], ..filter };
    let waiting = app.queue.diagram_count(&waiting).await?;
    Ok(Json(json!({"positions": positions, "refused": refused, "waiting": waiting})))
}

fn refused_json(row: &DiagramRow) -> Value {
    let codes: Vec<_> =
        row.flags.iter().filter(|flag| flag.severity == Severity::Impossible).map(|flag| flag.code).collect();
    json!({"id": row.id, "path": row.path, "page": row.page, "ordinal": row.ordinal, "codes": codes})
}

/// `GET /api/export/file?format=epd&...`: the text itself, as an attachment.
pub(super) async fn file(State(app): State<App>, Asked(wanted): Asked<Wanted>) -> Result<Response, ApiError> {
    let format: Format =
        wanted.format.as_deref().ok_or_else(|| bad("which format?"))?.parse().map_err(bad)?;
    let filter = wanted.filter()?;
    let options = ExportOptions { ascii: wanted.ascii, ..ExportOptions::default() };
    let mut exporter = Exporter::new(format, options);
    let mut text = exporter.begin();
    let (none, mut names) = (PictureFiles::default(), HashMap::new());
    app.queue
        .visit::<ApiError>(&filter, |rows| {
            for row in rows.iter().filter(|row| !row.is_refused()) {
                text.push_str(&exporter.entry(row, &none));
                *names.entry(row.book.clone()).or_insert(0u64) += 1;
            }
            Ok(())
        })
        .await?;
    text.push_str(&exporter.end());
    let name = match (names.len(), names.keys().next()) {
        (1, Some(book)) => file_name(book),
        _ => "fenwatch".to_owned(),
    };
    let disposition = format!("attachment; filename=\"{name}.{}\"", format.extension());
    Ok(([(CONTENT_TYPE, format.media_type().to_owned()), (CONTENT_DISPOSITION, disposition)], text)
        .into_response())
}

/// A name that every system takes and that cannot break out of a header.
fn file_name(book: &str) -> String {
    let name: String =
        book.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(60).collect();
    if name.is_empty() { "fenwatch".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        assert_eq!(file_name("Tal & \"co\"\r\n; filename=x"), "tal-co-filename-x");
        assert_eq!(file_name("Шахматы"), "fenwatch");
    }
}
