//! What keeps the page from being served, and what a request may end in.

use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::token::LEAST_LENGTH;
use crate::queue::QueueError;

/// Why the review page is not served.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error("cannot serve the review page on {address}: {reason} (setting `review.address`)")]
    Bind { address: SocketAddr, reason: String },
    #[error(
        "the review page is not served on {0}, which other machines can reach: anybody there could see and decide everything. \
         Set `review.token` to a secret of at least {LEAST_LENGTH} characters, or `review.address` to a loopback address"
    )]
    NoToken(SocketAddr),
    #[error(
        "the review page's token is too short: at least {LEAST_LENGTH} characters (setting `review.token`)"
    )]
    ShortToken,
}

/// How a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ApiError {
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// Somebody else changed it; carries what stands there now.
    #[error("somebody else changed it meanwhile")]
    Outdated { current: Box<Value> },
    #[error("there is no {0}")]
    Missing(&'static str),
    #[error("{0}")]
    BadRequest(String),
    #[error("the request is too large")]
    TooLarge,
    #[error("this address is not asked so")]
    Method,
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("this page needs the token")]
    Unauthorized,
    #[error("the board could not be read: {0}")]
    Unread(String),
    #[error("{0}")]
    Internal(String),
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::Missing(_) | ApiError::Queue(QueueError::NotFound { .. }) => StatusCode::NOT_FOUND,
            ApiError::BadRequest(_) | ApiError::Queue(QueueError::Invalid(_) | QueueError::Nothing(_)) => {
                StatusCode::BAD_REQUEST
            }
            ApiError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Method => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::Outdated { .. } | ApiError::Queue(QueueError::Conflict { .. }) => StatusCode::CONFLICT,
            ApiError::Queue(QueueError::Unacknowledged { .. }) | ApiError::Unread(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            ApiError::Forbidden(_) => StatusCode::FORBIDDEN,
            ApiError::Unauthorized => StatusCode::UNAUTHORIZED,
            ApiError::Queue(error) if error.is_transient() => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Queue(_) | ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A stable word for the page's own texts.
    fn code(&self) -> &'static str {
        match self {
            ApiError::Outdated { .. } | ApiError::Queue(QueueError::Conflict { .. }) => "outdated",
            ApiError::Queue(QueueError::Unacknowledged { .. }) => "unacknowledged",
            ApiError::Queue(QueueError::Nothing(_)) => "nothing",
            ApiError::Queue(QueueError::NotFound { .. }) | ApiError::Missing(_) => "missing",
            ApiError::Queue(QueueError::Invalid(_)) | ApiError::BadRequest(_) | ApiError::Method => "invalid",
            ApiError::TooLarge => "too_large",
            ApiError::Queue(error) if error.is_transient() => "busy",
            ApiError::Queue(_) | ApiError::Internal(_) => "internal",
            ApiError::Forbidden(_) => "forbidden",
            ApiError::Unauthorized => "unauthorized",
            ApiError::Unread(_) => "unread",
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
        let mut body = json!({"error": self.to_string(), "code": self.code()});
        match self {
            ApiError::Outdated { current } => body["current"] = *current,
            ApiError::Queue(QueueError::Unacknowledged { codes, .. }) => body["codes"] = json!(codes),
            _ => {}
        }
        (status, Json(body)).into_response()
    }
}
