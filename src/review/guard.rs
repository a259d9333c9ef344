//! Who may ask, and what the browser may do with the answer.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use super::error::ApiError;
use super::token::Token;

/// Nothing but what this server itself serves.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The header that every write must carry. A page of another origin cannot send it without being asked for leave first
/// (a CORS preflight), and this server gives none.
pub(super) const WRITE_HEADER: &str = "x-fenwatch";

/// Under which names and with which token requests are answered.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    pub port: u16,
    /// Bound to more than the machine itself: addresses are known hosts too. Names stay unknown, for a name can be
    /// made to point here by anybody.
    pub open: bool,
    /// In lower case.
    pub names: Vec<String>,
    pub token: Option<Token>,
}

impl Guard {
    /// Whether a `Host` is this server under one of its own names.
    fn knows_host(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) => {
                (name, port.parse().ok())
            }
            // without a port it is the one of http
            _ => (host, Some(80)),
        };
        let name = name.to_ascii_lowercase();
        if self.names.contains(&name) {
            // behind a proxy it may have another port
            return true;
        }
        let own = matches!(name.as_str(), "localhost" | "127.0.0.1" | "[::1]");
        port == Some(self.port) && (own || self.open && is_address(&name))
    }

    /// The request is for this server, and from no other site's page.
    fn check_source(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), ApiError> {
        // HTTP/2 names the host in the address
        let host = match uri.authority() {
            Some(authority) => Some(authority.as_str()),
            None => headers.get(HOST).and_then(|host| host.to_str().ok()),
        };
        let Some(host) = host.filter(|host| self.knows_host(host)) else {
            return Err(ApiError::Forbidden(
                "this page answers only under the names of its own machine (setting `review.names`)",
            ));
        };
        let same_origin = headers.get(ORIGIN).is_none_or(|origin| {
            let origin = origin.to_str().unwrap_or_default();
            let origin = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
        });
        let same_site = headers
            .get("sec-fetch-site")
            .is_none_or(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
        match same_origin {
            true if same_site => Ok(()),
            // a link from elsewhere may lead here; nothing is done by following it
            true if is_navigation(headers) => Ok(()),
            _ => Err(ApiError::Forbidden("another site's page asked for it")),
        }
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        let headers = request.headers();
        self.check_source(headers, request.uri())?;
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        if !reads && !headers.contains_key(WRITE_HEADER) {
            return Err(ApiError::Forbidden("a write without the header X-Fenwatch"));
        }
        match &self.token {
            Some(token) if !token.is_in(headers, self.port) && !is_public(request.uri().path()) => {
                Err(ApiError::Unauthorized)
            }
            _ => Ok(()),
        }
    }
}

fn is_navigation(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && headers.get("sec-fetch-dest").is_some_and(|dest| dest == "document")
}

/// What is needed to give the token.
fn is_public(path: &str) -> bool {
    path == "/login" || path == "/api/login" || path.starts_with("/assets/") || path == "/healthz"
}

fn is_address(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse::<std::net::IpAddr>().is_ok()
}

/// Refuses what is not allowed, and sends the safety headers with every answer.
pub(super) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/") || request.method() != Method::GET;
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(ApiError::Unauthorized) if !api => Redirect::to("/login").into_response(),
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(CACHE_CONTROL, "no-store");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loopback(port: u16) -> Guard {
        Guard { port, open: false, names: Vec::new(), token: None }
    }

    #[test]
    fn only_this_machine_s_names_are_known() {
        let guard = loopback(8064);
        for host in ["localhost:8064", "127.0.0.1:8064", "[::1]:8064", "LOCALHOST:8064"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in [
            "localhost",
            "127.0.0.1:80",
            "evil.example:8064",
            "localhost.evil.example:8064",
            "127.0.0.1.nip.io:8064",
            "192.168.1.7:8064",
            "",
            ":8064",
            "localhost:8064:8064",
            "::1:8064",
        ] {
            assert!(!guard.knows_host(host), "{host}");
        }
        assert!(loopback(80).knows_host("localhost"));
    }

    #[test]
    fn an_open_server_knows_addresses_and_the_names_it_was_given() {
        let names = vec!["books.example".to_owned()];
        let guard = Guard { open: true, names, ..loopback(8064) };
        for host in ["192.168.1.7:8064", "[fe80::1]:8064", "books.example:8064", "Books.Example"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in ["192.168.1.7", "evil.example:8064", "books.example.evil.example"] {
            assert!(!guard.knows_host(host), "{host}");
        }
    }
}
