//! The JSON side.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::router::App;
use crate::queue::{
    BookId, BookRow, DiagramId, DiagramRow, DiagramState, Filter, PageFilter, PageRow, PageState, PictureKind,
};

/// Rows a request may ask for at once.
const MOST: u32 = 500;

/// `GET /healthz`: version, what waits, what was done since the start.
pub(super) async fn health(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    let waiting = app.queue.waiting().await?;
    Ok(Json(json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "waiting": waiting,
        "since_start": (app.health)(),
    })))
}

/// `GET /api/books`.
pub(super) async fn books(State(app): State<App>) -> Result<Json<Vec<BookRow>>, ApiError> {
    Ok(Json(app.queue.books().await?))
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Listing {
    pub book: Option<BookId>,
    pub state: Option<String>,
    pub flag: Option<String>,
    pub text: Option<String>,
    pub limit: Option<u32>,
    pub offset: Option<u64>,
}

fn bad(error: impl std::fmt::Display) -> ApiError {
    ApiError::BadRequest(error.to_string())
}

impl Listing {
    pub fn limit(&self) -> u32 {
        self.limit.unwrap_or(100).min(MOST)
    }

    /// The diagrams asked for.
    pub fn filter(&self) -> Result<Filter, ApiError> {
        let states = self.state.iter().map(|text| text.parse::<DiagramState>()).collect::<Result<_, _>>();
        let flags = self.flag.iter().map(|text| text.parse()).collect::<Result<_, _>>();
        Ok(Filter {
            book: self.book,
            states: states.map_err(bad)?,
            flags: flags.map_err(bad)?,
            text: self.text.clone(),
            ..Filter::default()
        })
    }
}

/// `GET /api/diagrams?book=&state=&flag=&text=&limit=&offset=`, in the order of the books.
pub(super) async fn diagrams(
    State(app): State<App>,
    Query(listing): Query<Listing>,
) -> Result<Json<Vec<DiagramRow>>, ApiError> {
    let filter = listing.filter()?;
    Ok(Json(app.queue.diagrams(&filter, listing.limit(), listing.offset.unwrap_or(0)).await?))
}

/// `GET /api/pages?book=&state=&flag=&limit=&offset=`.
pub(super) async fn pages(
    State(app): State<App>,
    Query(listing): Query<Listing>,
) -> Result<Json<Vec<PageRow>>, ApiError> {
    let states = listing.state.iter().map(|text| text.parse::<PageState>()).collect::<Result<_, _>>();
    let flags = listing.flag.iter().map(|text| text.parse()).collect::<Result<_, _>>();
    let filter = PageFilter {
        book: listing.book,
        states: states.map_err(bad)?,
        flags: flags.map_err(bad)?,
        ..PageFilter::default()
    };
    Ok(Json(app.queue.pages(&filter, listing.limit(), listing.offset.unwrap_or(0)).await?))
}

/// `GET /diagrams/{id}/{kind}`: the picture of a board, of its squares or of its caption.
pub(super) async fn picture(
    State(app): State<App>,
    Path((id, kind)): Path<(DiagramId, String)>,
) -> Result<Response, ApiError> {
    let kind = match kind.as_str() {
        "board" => PictureKind::Board,
        "squares" => PictureKind::Squares,
        "caption" => PictureKind::Caption,
        _ => return Err(ApiError::Missing("such kind of picture")),
    };
    let picture = app.queue.picture(id, kind).await?.ok_or(ApiError::Missing("such picture"))?;
    Ok(([(CONTENT_TYPE, picture.media_type)], picture.data).into_response())
}
