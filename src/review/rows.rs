//! The queue as one list.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::error::ApiError;
use super::input::{Asked, Conditions, Listing};
use super::router::App;
use crate::queue::{DiagramId, RowFilter};

/// Rows that a request gets at once, and at most.
const AT_ONCE: u32 = 120;
const MOST: u32 = 500;

/// `GET /api/rows?book=&state=&flag=&text=&number=&troubles=true&limit=&offset=`: diagrams and, where asked for, the pages that failed,
/// hold none or are flagged themselves and the gaps in the printed numbers, in the order of the books. `state=none`: no diagrams.
pub(super) async fn rows(
    State(app): State<App>,
    Asked(listing): Asked<Listing>,
) -> Result<Json<Value>, ApiError> {
    let diagrams = match listing.state.as_deref() {
        Some("none") => None,
        _ => Some(listing.filter()?),
    };
    let filter = RowFilter { diagrams, troubles: listing.troubles, book: listing.book };
    let limit = listing.limit.unwrap_or(AT_ONCE).min(MOST);
    let (rows, total) = app.queue.review_rows(&filter, limit, listing.offset.unwrap_or(0)).await?;
    Ok(Json(json!({"total": total, "rows": rows})))
}

/// `GET /api/ids?...`: the ids of all diagrams of the same conditions, in order; the list that a reviewer works through.
pub(super) async fn ids(
    State(app): State<App>,
    Asked(conditions): Asked<Conditions>,
) -> Result<Json<Vec<DiagramId>>, ApiError> {
    Ok(Json(app.queue.diagram_ids(&conditions.filter()?).await?))
}
