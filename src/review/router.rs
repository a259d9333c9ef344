//! Routes.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};
use axum::{Router, middleware};
use tokio_util::sync::CancellationToken;

use super::draw::BoardSource;
use super::error::ApiError;
use super::guard::{Guard, guard};
use super::token::Token;
use super::{
    Language, ReviewParams, assets, books, check, decide, diagrams, draw, export, live, pages, rows, token,
};
use crate::queue::Queue;

/// What the running daemon says of itself, as JSON.
pub type HealthSource = Arc<dyn Fn() -> serde_json::Value + Send + Sync>;

/// What the page works on.
#[derive(Clone)]
pub struct Doors {
    pub queue: Queue,
    pub health: HealthSource,
    /// Reads the boards that people draw.
    pub boards: BoardSource,
    /// Ends streams that would never end by themselves.
    pub stop: CancellationToken,
}

/// What the handlers share.
#[derive(Clone)]
pub(super) struct App {
    pub queue: Queue,
    pub health: HealthSource,
    pub boards: BoardSource,
    pub stop: CancellationToken,
    pub guard: Arc<Guard>,
    pub language: Language,
}

/// Bytes of the largest request: a long caption many times over.
const MOST_BYTES: usize = 256 * 1024;

/// The whole page, for requests that name `port`.
pub fn router(params: &ReviewParams, doors: Doors, port: u16) -> Router {
    let guarding = Arc::new(Guard {
        port,
        open: !params.address.ip().is_loopback(),
        names: params.names.iter().map(|name| name.trim().to_ascii_lowercase()).collect(),
        token: Some(params.token.0.trim()).filter(|token| !token.is_empty()).map(Token::of),
    });
    let app = App {
        queue: doors.queue,
        health: doors.health,
        boards: doors.boards,
        stop: doors.stop,
        guard: guarding.clone(),
        language: params.language,
    };
    let api = Router::new()
        .route("/about", get(books::about))
        .route("/login", post(token::login))
        .route("/events", get(live::events))
        .route("/rows", get(rows::rows))
        .route("/ids", get(rows::ids))
        .route("/books", get(books::books))
        .route("/books/{id}", get(books::book))
        .route("/books/{id}", put(books::set))
        .route("/books/{id}/approve", post(books::approve))
        .route("/books/{id}/reread", post(books::reread))
        .route("/books/{id}/retry", post(books::retry))
        .route("/pages", get(pages::pages))
        .route("/pages/{id}", get(pages::page))
        .route("/pages/{id}/retry", post(pages::retry))
        .route("/pages/{id}/boards", post(draw::add))
        .route("/diagrams", get(diagrams::diagrams))
        .route("/diagrams/{id}", get(diagrams::diagram))
        .route("/diagrams/{id}/decide", post(decide::decide))
        .route("/diagrams/{id}/undo", post(decide::undo))
        .route("/diagrams/{id}/redo", post(decide::redo))
        .route("/diagrams/{id}/reset", post(decide::reset))
        .route("/diagrams/{id}/corners", post(draw::redraw))
        .route("/check", get(check::check))
        .route("/export", get(export::summary))
        .route("/export/file", get(export::file))
        .fallback(|| async { ApiError::Missing("such address") })
        .method_not_allowed_fallback(|| async { ApiError::Method });
    Router::new()
        .route("/", get(assets::index))
        .route("/d/{id}", get(assets::index))
        .route("/p/{id}", get(assets::index))
        .route("/fen", get(assets::index))
        .route("/login", get(token::login_page))
        .route("/healthz", get(books::health))
        .route("/pictures/diagrams/{id}/{kind}", get(diagrams::picture))
        .route("/pictures/pages/{id}", get(pages::picture))
        .route("/assets/{*path}", get(assets::asset))
        .nest("/api", api)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .with_state(app)
        .layer(middleware::from_fn_with_state(guarding, guard))
}
