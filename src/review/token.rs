//! The token that opens the page where other machines can reach it.
//!
//! A browser gives it once (a form, or `?token=` in the address) and gets a cookie that holds a hash of it; programs send it as
//! `Authorization: Bearer`. What is compared are hashes, so that the time it takes tells nothing about the token.

use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::error::ApiError;
use super::guard::Guard;
use super::input::Body;
use super::router::App;

/// Characters of the shortest token that is taken: beyond guessing over a network.
pub(super) const LEAST_LENGTH: usize = 16;

/// What a wrong token costs the one who tried it.
const PENALTY: Duration = Duration::from_millis(700);

/// How long a browser stays known, in seconds: thirty days.
const COOKIE_SECONDS: u32 = 30 * 24 * 60 * 60;

/// The token's hash, hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    pub fn of(secret: &str) -> Token {
        let digest = Sha256::digest(format!("fenwatch review page {secret}").as_bytes());
        Token(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether a request carries it.
    pub fn is_in(&self, headers: &HeaderMap, port: u16) -> bool {
        let bearer = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "))
            .is_some_and(|secret| Token::of(secret.trim()) == *self);
        let name = cookie_name(port);
        let cookie = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).any(|cookies| {
            cookies
                .split(';')
                .filter_map(|cookie| cookie.trim().split_once('='))
                .any(|(key, value)| key == name && same(value, &self.0))
        });
        bearer || cookie
    }

    fn cookie(&self, port: u16) -> String {
        let name = cookie_name(port);
        format!("{name}={}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict", self.0)
    }
}

/// Cookies know no ports: two daemons on one machine would take each other's.
fn cookie_name(port: u16) -> String {
    format!("fenwatch_{port}")
}

/// In a time that depends on the lengths only.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

#[derive(Debug, Deserialize)]
pub(super) struct Login {
    token: String,
}

/// `POST /api/login {"token": "..."}`.
pub(super) async fn login(State(app): State<App>, Body(login): Body<Login>) -> Result<Response, ApiError> {
    match accept(&app.guard, &login.token).await {
        Some(cookie) => Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response()),
        None => Err(ApiError::Unauthorized),
    }
}

/// `GET /login?token=...`: the address to hand out; without a token, the form.
pub(super) async fn login_page(
    State(app): State<App>,
    Query(query): Query<std::collections::HashMap<String, String>>,
) -> Result<Response, ApiError> {
    if let Some(secret) = query.get("token")
        && let Some(cookie) = accept(&app.guard, secret).await
    {
        return Ok(([(SET_COOKIE, cookie)], Redirect::to("/")).into_response());
    }
    super::assets::file("login.html", &HeaderMap::new())
}

async fn accept(guard: &Guard, secret: &str) -> Option<String> {
    let token = guard.token.as_ref()?;
    if Token::of(secret.trim()) == *token {
        return Some(token.cookie(guard.port));
    }
    tracing::warn!("the review page was asked for with a wrong token");
    tokio::time::sleep(PENALTY).await;
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_cookie_are_known() {
        let token = Token::of("correct horse battery");
        let with = |name: &'static str, value: String| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            token.is_in(&headers, 8064)
        };
        assert!(with("authorization", "Bearer correct horse battery".into()));
        assert!(!with("authorization", "Bearer wrong".into()));
        assert!(!with("authorization", "correct horse battery".into()));
        let cookie = token.cookie(8064);
        let pair = cookie.split(';').next().unwrap();
        assert!(with("cookie", format!("other=1; {pair}; more=2")));
        assert!(!with("cookie", pair.replace("8064", "8065")));
        assert!(!with("cookie", format!("{pair}0")));
        // the cookie does not hold the token itself
        assert!(
            !cookie.contains("horse") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict")
        );
    }
}
