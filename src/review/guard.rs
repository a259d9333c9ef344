//! Who may ask, and what the browser may do with the answer.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Nothing but what this server itself serves.
const POLICY: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The port that requests must name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard {
    pub port: u16,
}

impl Guard {
    /// Whether a `Host` is this server under one of this machine's own names.
    fn knows_host(self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|c| c.is_ascii_digit()) => {
                (name, port.parse().ok())
            }
            // without a port it is the one of http
            _ => (host, Some(80)),
        };
        port == Some(self.port)
            && matches!(name.to_ascii_lowercase().as_str(), "localhost" | "127.0.0.1" | "[::1]")
    }

    fn allows(self, headers: &HeaderMap, uri: &Uri) -> bool {
        // HTTP/2 names the host in the address
        let host = match uri.authority() {
            Some(authority) => Some(authority.as_str()),
            None => headers.get(HOST).and_then(|host| host.to_str().ok()),
        };
        let origin_known = headers.get(ORIGIN).is_none_or(|origin| {
            let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            host.is_some_and(|host| self.knows_host(host))
        });
        host.is_some_and(|host| self.knows_host(host)) && origin_known
    }
}

/// Refuses requests for other hosts and from other sites, and sends the safety headers with every answer.
pub(super) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = if guard.allows(request.headers(), request.uri()) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "this page answers only under the name of this machine itself\n")
            .into_response()
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

    #[test]
    fn only_this_machine_s_names_are_known() {
        let guard = Guard { port: 8064 };
        for host in ["localhost:8064", "127.0.0.1:8064", "[::1]:8064", "LOCALHOST:8064"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in [
            "localhost",
            "127.0.0.1:80",
            "evil.example:8064",
            "localhost.evil.example:8064",
            "127.0.0.1.nip.io:8064",
            "",
            ":8064",
            "localhost:8064:8064",
            "::1:8064",
        ] {
            assert!(!guard.knows_host(host), "{host}");
        }
        assert!(Guard { port: 80 }.knows_host("localhost"));
    }
}
