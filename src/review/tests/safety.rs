//! Who may ask and who may write.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;

use super::*;

#[tokio::test]
async fn health_tells_version_and_counts() {
    let health = Desk::new().await.get("/healthz").await.ok();
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(health["waiting"]["ready"], 0);
    assert_eq!(health["since_start"]["pages_read"], 3);
}

#[tokio::test]
async fn other_hosts_and_other_sites_are_refused() {
    let desk = Desk::new().await;
    for headers in [
        &[("host", "evil.example")][..],
        &[],
        &[("host", "localhost:8064"), ("origin", "http://evil.example")],
        &[("host", "localhost:8064"), ("origin", "null")],
        // this machine, but another server's page on it
        &[("host", "localhost:8064"), ("origin", "http://localhost:3000")],
        &[("host", "localhost:8064"), ("origin", "http://127.0.0.1:8064")],
        &[("host", "localhost:8064"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")],
        &[("host", "localhost:8064"), ("sec-fetch-site", "same-site")],
    ] {
        assert_eq!(desk.ask("/api/books", headers).await.status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    for headers in [
        &[("host", "127.0.0.1:8064"), ("origin", "http://127.0.0.1:8064")][..],
        &[("host", "localhost:8064"), ("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")],
        // a link on another site is followed; nothing is done by it
        &[
            ("host", "localhost:8064"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ],
    ] {
        assert_eq!(desk.ask("/", headers).await.status, StatusCode::OK, "{headers:?}");
    }
}

#[tokio::test]
async fn a_write_needs_the_page_s_own_header_and_a_json_body() {
    let desk = Desk::with_books().await;
    let id = desk.queue.diagram_ids(&Default::default()).await.unwrap()[0];
    let path = format!("/api/diagrams/{id}/decide");
    let body = json!({"version": 1, "act": "approve"}).to_string();
    let attempts: [&[(&str, &str)]; 4] = [
        // what a form of another site can send, should the origin be missing
        &[("content-type", "text/plain")],
        &[("content-type", "application/x-www-form-urlencoded"), ("x-fenwatch", "1")],
        &[("content-type", "application/json")],
        &[("content-type", "application/json"), ("x-fenwatch", "1"), ("origin", "http://evil.example")],
    ];
    for headers in attempts {
        let mut request = Request::post(&path).header("host", "localhost:8064");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = desk.send(request.body(Body::from(body.clone())).unwrap()).await;
        assert!(answer.status.is_client_error(), "{headers:?}: {}", answer.status);
    }
    assert_eq!(desk.queue.diagram_row(id).await.unwrap().version, 1);
    // no leave is given to other origins either
    let preflight = Request::options(&path)
        .header("host", "localhost:8064")
        .header("origin", "http://evil.example")
        .header("access-control-request-headers", "x-fenwatch");
    let answer = desk.send(preflight.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn the_page_carries_no_inline_script_or_style() {
    let desk = Desk::new().await;
    for path in ["/", "/d/1", "/p/1", "/fen", "/login"] {
        let answer = desk.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(!answer.text.contains("style=") && !answer.text.contains("://"), "{path}");
        assert!(!answer.text.contains("<script>"), "{path}");
    }
}

#[tokio::test]
async fn files_are_served_with_their_types_and_kept_by_browsers() {
    let desk = Desk::new().await;
    let style = desk.get("/assets/css/base.css").await;
    assert_eq!(
        (style.status, style.headers["content-type"].to_str().unwrap()),
        (StatusCode::OK, "text/css; charset=utf-8")
    );
    let tag = style.headers["etag"].to_str().unwrap().to_owned();
    let again =
        desk.ask("/assets/css/base.css", &[("host", "localhost:8064"), ("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.text.as_str()), (StatusCode::NOT_MODIFIED, ""));
    for path in ["/assets/../Cargo.toml", "/assets/nothing.js", "/nothing"] {
        assert_eq!(desk.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn both_languages_have_the_same_texts() {
    let desk = Desk::new().await;
    let keys = |text: &str| -> Vec<String> {
        let texts: serde_json::Map<String, Value> = serde_json::from_str(text).unwrap();
        texts.keys().cloned().collect()
    };
    let (en, de) = (desk.get("/assets/texts/en.json").await, desk.get("/assets/texts/de.json").await);
    assert_eq!(keys(&en.text), keys(&de.text));
    for code in FlagCode::ALL {
        assert!(keys(&en.text).contains(&format!("flag.{code}")), "{code}");
    }
}

#[tokio::test]
async fn elsewhere_nothing_is_served_without_the_token() {
    let mut desk = Desk::with_books().await;
    desk.params.address = "0.0.0.0:8064".parse().unwrap();
    desk.params.token = Secret("correct horse battery".to_owned());
    let host = ("host", "192.168.1.7:8064");
    assert_eq!(desk.ask("/api/books", &[host]).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(desk.ask("/pictures/pages/1", &[host]).await.headers["location"], "/login");
    let page = desk.ask("/", &[host]).await;
    assert_eq!((page.status, page.headers["location"].to_str().unwrap()), (StatusCode::SEE_OTHER, "/login"));
    assert_eq!(desk.ask("/login", &[host]).await.status, StatusCode::OK);
    let bearer = ("authorization", "Bearer correct horse battery");
    assert_eq!(desk.ask("/api/books", &[host, bearer]).await.status, StatusCode::OK);

    let wrong = desk.post("/api/login", json!({"token": "wrong"})).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    let right = desk.post("/api/login", json!({"token": "correct horse battery"})).await;
    assert_eq!(right.status, StatusCode::NO_CONTENT);
    let cookie = right.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(desk.ask("/api/books", &[host, ("cookie", &cookie)]).await.status, StatusCode::OK);
    // the address to hand out
    let link = desk.ask("/login?token=correct%20horse%20battery", &[host]).await;
    assert_eq!((link.status, link.headers["location"].to_str().unwrap()), (StatusCode::SEE_OTHER, "/"));
    // the token does not open the door to names that anybody could point here
    assert_eq!(desk.ask("/", &[("host", "evil.example:8064"), bearer]).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn other_addresses_are_served_with_a_token_only() {
    let desk = Desk::new().await;
    let doors = || Doors {
        queue: desk.queue.clone(),
        health: Arc::new(|| Value::Null),
        boards: desk.boards.clone(),
        stop: desk.stop.clone(),
    };
    let open = ReviewParams { address: "0.0.0.0:0".parse().unwrap(), ..ReviewParams::default() };
    let error = start(&open, doors()).await.unwrap_err();
    assert!(matches!(error, ReviewError::NoToken(_)), "{error}");
    let short = ReviewParams { token: Secret("short".into()), ..open.clone() };
    assert!(matches!(start(&short, doors()).await.unwrap_err(), ReviewError::ShortToken));
    let own = ReviewParams { address: "127.0.0.1:0".parse().unwrap(), ..ReviewParams::default() };
    let server = start(&own, doors()).await.unwrap();
    desk.stop.cancel();
    server.await.unwrap();
}
