//! Pages: lists, one with its boards, its picture, reading it again.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::books::Asker;
use super::diagrams::{board_json, picture_response};
use super::error::ApiError;
use super::input::{Asked, At, Body, bad, name_of, parts};
use super::router::App;
use crate::queue::{BookId, PageFilter, PageId, PageRow, PageState};

const MOST: u32 = 500;

/// Conditions on pages. Several states or flags are joined by commas.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PageListing {
    book: Option<BookId>,
    state: Option<String>,
    flag: Option<String>,
    limit: Option<u32>,
    offset: Option<u64>,
}

/// `GET /api/pages?book=&state=&flag=&limit=&offset=`.
pub(super) async fn pages(
    State(app): State<App>,
    Asked(listing): Asked<PageListing>,
) -> Result<Json<Vec<PageRow>>, ApiError> {
    let states = parts(listing.state.as_deref()).map(|text| text.parse::<PageState>());
    let flags = parts(listing.flag.as_deref()).map(str::parse);
    let filter = PageFilter {
        book: listing.book,
        states: states.collect::<Result<_, _>>().map_err(bad)?,
        flags: flags.collect::<Result<_, _>>().map_err(bad)?,
        ..PageFilter::default()
    };
    let limit = listing.limit.unwrap_or(100).min(MOST);
    Ok(Json(app.queue.pages(&filter, limit, listing.offset.unwrap_or(0)).await?))
}

/// `GET /api/pages/{id}`: the page, its boards, the size of its small picture, its neighbours in the file.
pub(super) async fn page(State(app): State<App>, At(id): At<PageId>) -> Result<Json<Value>, ApiError> {
    let page = app.queue.page(id).await?;
    let boards = app.queue.boards_of(id).await?;
    let picture = app.queue.page_picture(id).await?.map(|p| json!({"width": p.width, "height": p.height}));
    let (previous, next) = app.queue.neighbours(id).await?;
    Ok(Json(json!({
        "page": page,
        "boards": boards.iter().map(board_json).collect::<Vec<_>>(),
        "picture": picture,
        "previous": previous,
        "next": next,
    })))
}

/// `GET /pictures/pages/{id}`: the whole page, small.
pub(super) async fn picture(State(app): State<App>, At(id): At<PageId>) -> Result<Response, ApiError> {
    let picture = app.queue.page_picture(id).await?.ok_or(ApiError::Missing("picture of this page"))?;
    Ok(picture_response(picture))
}

/// `POST /api/pages/{id}/retry`: a failed page gets a fresh start, one that was read is read again; decisions stay.
pub(super) async fn retry(
    State(app): State<App>,
    At(id): At<PageId>,
    Body(asker): Body<Asker>,
) -> Result<Json<Value>, ApiError> {
    let who = name_of(&asker.who);
    match app.queue.page(id).await?.state {
        PageState::Failed | PageState::Pending => app.queue.retry(id, &who).await?,
        PageState::Read | PageState::Reading => app.queue.reread_page(id, &who).await?,
    }
    Ok(Json(json!({"page": app.queue.page(id).await?})))
}
