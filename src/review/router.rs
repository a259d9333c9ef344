//! Routes.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::get;

use super::guard::{Guard, guard};
use super::{api, assets, page};
use crate::queue::Queue;

/// What the running daemon says of itself, as JSON.
pub type HealthSource = Arc<dyn Fn() -> serde_json::Value + Send + Sync>;

/// What the handlers share.
#[derive(Clone)]
pub(super) struct App {
    pub queue: Queue,
    pub health: HealthSource,
}

/// The whole page, for requests that name `port`.
pub fn router(queue: Queue, health: HealthSource, port: u16) -> Router {
    Router::new()
        .route("/", get(page::index))
        .route("/healthz", get(api::health))
        .route("/api/books", get(api::books))
        .route("/api/diagrams", get(api::diagrams))
        .route("/api/pages", get(api::pages))
        .route("/diagrams/{id}/{kind}", get(api::picture))
        .route("/assets/{*path}", get(assets::asset))
        .with_state(App { queue, health })
        .layer(middleware::from_fn_with_state(Guard { port }, guard))
}
