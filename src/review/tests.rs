use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use tower::ServiceExt;

use super::*;
use crate::queue::{NewSource, Pages, Queue};

async fn ask(
    queue: &Queue,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, axum::http::HeaderMap, String) {
    let app = router(queue.clone(), Arc::new(|| serde_json::json!({"pages_read": 3})), 8064);
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, headers, String::from_utf8_lossy(&body).into_owned())
}

const HERE: &[(&str, &str)] = &[("host", "localhost:8064")];

async fn with_a_failed_page() -> Queue {
    let queue = Queue::in_memory().await.unwrap();
    let source = NewSource {
        book: "<b>Tal & \"co\"</b>".into(),
        root: "/scans".into(),
        path: "tal/<script>.png".into(),
        hash: "a".repeat(64),
        bytes: 1,
        modified_ns: None,
        format: "png".into(),
        pages: Pages::Unreadable { reason: "ends <early>".into() },
    };
    queue.enroll(&source).await.unwrap();
    queue
}

#[tokio::test]
async fn health_tells_version_and_counts() {
    let (status, _, body) = ask(&Queue::in_memory().await.unwrap(), "/healthz", HERE).await;
    assert_eq!(status, StatusCode::OK);
    let health: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(health["waiting"]["ready"], 0);
    assert_eq!(health["since_start"]["pages_read"], 3);
}

#[tokio::test]
async fn other_hosts_and_other_sites_are_refused() {
    let queue = Queue::in_memory().await.unwrap();
    for headers in [
        &[("host", "evil.example")][..],
        &[],
        &[("host", "localhost:8064"), ("origin", "http://evil.example")],
        &[("host", "localhost:8064"), ("origin", "null")],
    ] {
        let (status, _, _) = ask(&queue, "/healthz", headers).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{headers:?}");
    }
    let own = [("host", "127.0.0.1:8064"), ("origin", "http://127.0.0.1:8064")];
    assert_eq!(ask(&queue, "/", &own).await.0, StatusCode::OK);
}

#[tokio::test]
async fn the_page_escapes_and_forbids_scripts_from_elsewhere() {
    let queue = with_a_failed_page().await;
    let (status, headers, body) = ask(&queue, "/", HERE).await;
    assert_eq!(status, StatusCode::OK);
    assert!(body.contains("&lt;b&gt;Tal &amp; &quot;co&quot;&lt;/b&gt;"), "{body}");
    assert!(body.contains("ends &lt;early&gt;") && !body.contains("<script"), "{body}");
    let policy = headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(!body.contains("style=") && !body.contains("http"), "{body}");
}

#[tokio::test]
async fn pictures_assets_and_lists() {
    let queue = with_a_failed_page().await;
    assert_eq!(ask(&queue, "/diagrams/1/board", HERE).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&queue, "/diagrams/1/secret", HERE).await.0, StatusCode::NOT_FOUND);
    let (status, headers, _) = ask(&queue, "/assets/style.css", HERE).await;
    assert_eq!(
        (status, headers["content-type"].to_str().unwrap()),
        (StatusCode::OK, "text/css; charset=utf-8")
    );
    assert_eq!(ask(&queue, "/assets/../Cargo.toml", HERE).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&queue, "/api/diagrams?state=fine", HERE).await.0, StatusCode::BAD_REQUEST);
    let (_, _, body) = ask(&queue, "/api/pages?state=failed", HERE).await;
    let pages: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(pages[0]["failure"], "ends <early>");
    let (_, _, body) = ask(&queue, "/api/books", HERE).await;
    assert!(body.contains("\"failed\":1"), "{body}");
}

#[tokio::test]
async fn only_a_loopback_address_is_served() {
    let queue = Queue::in_memory().await.unwrap();
    let health: HealthSource = Arc::new(|| serde_json::Value::Null);
    let open = ReviewParams { address: "0.0.0.0:0".parse().unwrap(), ..ReviewParams::default() };
    let stop = tokio_util::sync::CancellationToken::new();
    let error = start(&open, queue.clone(), health.clone(), stop.clone()).await.unwrap_err();
    assert!(matches!(error, ReviewError::NotLoopback(_)), "{error}");
    let own = ReviewParams { address: "127.0.0.1:0".parse().unwrap(), ..ReviewParams::default() };
    let server = start(&own, queue, health, stop.clone()).await.unwrap();
    stop.cancel();
    server.await.unwrap();
}
