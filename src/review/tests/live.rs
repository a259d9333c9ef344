//! The live connection.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use tokio_stream::StreamExt;

use super::*;

#[tokio::test]
async fn events_come_as_they_happen_and_end_with_the_server() {
    let desk = Desk::with_books().await;
    let since = desk.queue.last_event().await.unwrap();
    let request = Request::get(format!("/api/events?since={since}")).header("host", "localhost:8064");
    let response = desk.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut stream = response.into_body().into_data_stream();
    desk.post("/api/diagrams/2/decide", json!({"version": 1, "act": "approve", "who": "Ann"})).await.ok();
    let line = tokio::time::timeout(Duration::from_secs(10), stream.next()).await.unwrap().unwrap().unwrap();
    let line = String::from_utf8_lossy(&line).into_owned();
    assert!(line.contains(&format!("id: {}", since + 1)), "{line}");
    let data = line.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let event: Value = serde_json::from_str(data).unwrap();
    assert_eq!(
        (event["kind"].as_str(), event["diagram"].as_i64(), event["who"].as_str()),
        (Some("decided"), Some(2), Some("Ann"))
    );
    desk.stop.cancel();
    let end =
        tokio::time::timeout(Duration::from_secs(10), async { while stream.next().await.is_some() {} }).await;
    assert!(end.is_ok());
}
