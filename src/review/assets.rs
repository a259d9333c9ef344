//! Files of `web/`, embedded in the binary.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use super::error::ApiError;

#[derive(Embed)]
#[folder = "web/"]
struct Files;

/// `GET /`, and the other addresses that the page gives its views.
pub(super) async fn index(headers: HeaderMap) -> Result<Response, ApiError> {
    file("index.html", &headers)
}

/// `GET /assets/{path}`.
pub(super) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    file(&path, &headers)
}

/// A file, or "not modified" for a browser that has it.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Result<Response, ApiError> {
    let file = Files::get(path).ok_or(ApiError::Missing("such file"))?;
    let hash: String =
        file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{hash}\"");
    let known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let kind = match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    };
    // asked for each time, so that a new version of the program is never mixed with an old page
    let headers = [(CONTENT_TYPE, kind.to_owned()), (CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
    Ok(match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, file.data.into_owned()).into_response(),
    })
}
