//! Boards that people draw.

use std::sync::Mutex;

use axum::http::StatusCode;
use serde_json::json;

use super::*;

/// A reader that answers with bare kings where it was asked to look, and keeps what it was asked.
fn reader(asked: Arc<Mutex<Vec<BoardRequest>>>) -> BoardSource {
    Arc::new(move |request| {
        let (answer, heard) = tokio::sync::oneshot::channel();
        let mut reading = diagram(KINGS, 0, "3", vec![doubt()]);
        reading.quad = request.drawn.quad;
        reading.ordinal = request.drawn.ordinal;
        asked.lock().unwrap().push(request);
        let crops = Crops { board: Some(picture()), ..Crops::default() };
        let _ = answer.send(Ok(BoardRead { reading, page_size: (1000, 1500), crops }));
        heard
    })
}

#[tokio::test]
async fn a_missed_board_takes_its_place() {
    let mut desk = Desk::with_books().await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    desk.boards = reader(asked.clone());
    let corners = json!([[560, 960], [110, 560], [510, 555], [100, 950]]);
    let refused =
        desk.post("/api/pages/1/boards", json!({"corners": [[0, 0], [1, 0], [1, 1], [0, 1]]})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let new = desk.post("/api/pages/1/boards", json!({"corners": corners, "who": "Ann"})).await.ok();
    assert_eq!(new["diagram"]["state"], "needs_review");
    let request = asked.lock().unwrap()[0].clone();
    assert_eq!(request.drawn.quad.0.map(|p| p.x), [110.0, 510.0, 560.0, 100.0]);
    assert_eq!(
        (request.drawn.others.len(), request.drawn.snap, request.file.path.as_str()),
        (3, true, "tal/1.png")
    );
    let page = desk.get("/api/pages/1").await.ok();
    assert_eq!(page["boards"].as_array().unwrap().len(), 4);
    assert_eq!(page["boards"][request.drawn.ordinal as usize - 1]["id"], new["diagram"]["id"]);
}

#[tokio::test]
async fn moved_corners_are_read_anew_and_decisions_stay() {
    let mut desk = Desk::with_books().await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    desk.boards = reader(asked.clone());
    let approved = desk.post("/api/diagrams/1/decide", json!({"version": 1, "act": "approve"})).await.ok();
    let version = approved["diagram"]["version"].as_i64().unwrap();
    let corners = json!([[90, 95], [505, 100], [500, 505], [95, 500]]);
    let moved =
        desk.post("/api/diagrams/1/corners", json!({"version": version, "corners": corners})).await.ok();
    assert_eq!(moved["reading"]["corners"][0], json!([90.0, 95.0]));
    assert_eq!(
        (moved["diagram"]["state"].as_str(), moved["facts"]["fen"].as_str()),
        (Some("approved"), approved["facts"]["fen"].as_str())
    );
    assert_eq!(moved["read_facts"]["fen"], format!("{KINGS} w - - 0 1"));
    let request = asked.lock().unwrap()[0].clone();
    assert_eq!((request.drawn.others.len(), request.drawn.snap), (2, false));
}

#[tokio::test]
async fn a_board_that_cannot_be_read_is_told_and_adds_nothing() {
    let desk = Desk::with_books().await;
    let body = json!({"corners": [[100, 950], [500, 950], [500, 1350], [100, 1350]]});
    let answer = desk.post("/api/pages/1/boards", body).await;
    assert_eq!(
        (answer.status, answer.json()["code"].as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, Some("unread"))
    );
    assert_eq!(desk.get("/api/pages/1").await.ok()["boards"].as_array().unwrap().len(), 3);
}
