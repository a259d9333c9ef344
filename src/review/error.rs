//! What keeps the page from being served, and what a request may end in.

use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::queue::QueueError;

/// Why the review page is not served.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error("cannot serve the review page on {address}: {reason} (setting `review.address`)")]
    Bind { address: SocketAddr, reason: String },
    #[error(
        "the review page may only be served on a loopback address, and {0} is none: anybody who reaches it could \
         see and decide everything (setting `review.address`)"
    )]
    NotLoopback(SocketAddr),
}

/// How a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error("there is no {0}")]
    Missing(&'static str),
    #[error("{0}")]
    BadRequest(String),
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::Missing(_) | ApiError::Queue(QueueError::NotFound { .. }) => StatusCode::NOT_FOUND,
            ApiError::BadRequest(_) | ApiError::Queue(QueueError::Invalid(_) | QueueError::Nothing(_)) => {
                StatusCode::BAD_REQUEST
            }
            ApiError::Queue(QueueError::Conflict { .. } | QueueError::Unacknowledged { .. }) => {
                StatusCode::CONFLICT
            }
            ApiError::Queue(error) if error.is_transient() => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Queue(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status.is_server_error() {
            tracing::error!("review page: {self}");
        } else {
            tracing::debug!("review page: {self}");
        }
        (status, Json(serde_json::json!({"error": self.to_string()}))).into_response()
    }
}
