//! Files of `web/`, embedded in the binary.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use super::error::ApiError;

#[derive(Embed)]
#[folder = "web/"]
struct Files;

/// `GET /assets/{path}`.
pub(super) async fn asset(Path(path): Path<String>) -> Result<Response, ApiError> {
    let file = Files::get(&path).ok_or(ApiError::Missing("such file"))?;
    let kind = match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], file.data.into_owned()).into_response())
}
