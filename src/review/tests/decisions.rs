//! Decisions, their way back, and two people at once.

use axum::http::StatusCode;
use serde_json::json;

use super::*;

#[tokio::test]
async fn approve_undo_redo_and_reset() {
    let desk = Desk::with_books().await;
    let approved = desk
        .post("/api/diagrams/1/decide", json!({"version": 1, "act": "approve", "who": " Ann "}))
        .await
        .ok();
    assert_eq!(approved["diagram"]["state"], "approved");
    assert_eq!(approved["diagram"]["decided_by"], "Ann");
    // the doubt that stood is acknowledged by it
    assert_eq!(approved["diagram"]["acknowledged"], json!(["side_assumed"]));
    assert_eq!(approved["can_undo"], true);
    let version = approved["diagram"]["version"].as_i64().unwrap();

    let undone = desk.post("/api/diagrams/1/undo", json!({"version": version})).await.ok();
    assert_eq!(undone["diagram"]["state"], "needs_review");
    assert_eq!((undone["can_undo"].as_bool(), undone["can_redo"].as_bool()), (Some(false), Some(true)));
    let version = undone["diagram"]["version"].as_i64().unwrap();
    let redone = desk.post("/api/diagrams/1/redo", json!({"version": version})).await.ok();
    assert_eq!(redone["diagram"]["state"], "approved");
    let version = redone["diagram"]["version"].as_i64().unwrap();
    let reset = desk.post("/api/diagrams/1/reset", json!({"version": version})).await.ok();
    assert_eq!(reset["diagram"]["state"], "needs_review");
    let version = reset["diagram"]["version"].as_i64().unwrap();
    let nothing = desk.post("/api/diagrams/1/undo", json!({"version": version})).await;
    assert_eq!((nothing.status, nothing.json()["code"].as_str()), (StatusCode::BAD_REQUEST, Some("nothing")));
}

#[tokio::test]
async fn a_correction_keeps_its_sources_and_can_be_taken_back_step_by_step() {
    let desk = Desk::with_books().await;
    let first = desk.detail(1).await;
    let mut facts = first["facts"].clone();
    facts["fen"] = json!("6k1/5ppp/8/8/8/8/5PPP/4R1K1 b - - 0 1");
    facts["number"] = json!("  12 ");
    facts["caption"] = json!("   ");
    let body = json!({"version": 1, "act": "correct", "facts": facts, "reason": "misread"});
    let corrected = desk.post("/api/diagrams/1/decide", body).await.ok();
    assert_eq!(corrected["diagram"]["state"], "corrected");
    assert_eq!(corrected["facts"]["number"], "12");
    assert_eq!(corrected["facts"]["caption"], Value::Null);
    assert_eq!(corrected["facts"]["sources"]["placement"], "human");
    assert_eq!(corrected["facts"]["sources"]["side_to_move"], "human");
    assert_eq!(corrected["facts"]["sources"]["castling"], "assumed");
    let version = corrected["diagram"]["version"].as_i64().unwrap();
    let rejected =
        desk.post("/api/diagrams/1/decide", json!({"version": version, "act": "reject"})).await.ok();
    assert_eq!(rejected["diagram"]["state"], "rejected");
    let version = rejected["diagram"]["version"].as_i64().unwrap();
    let back = desk.post("/api/diagrams/1/undo", json!({"version": version})).await.ok();
    assert_eq!(
        (back["diagram"]["state"].as_str(), back["facts"]["number"].as_str()),
        (Some("corrected"), Some("12"))
    );
    let version = back["diagram"]["version"].as_i64().unwrap();
    let back = desk.post("/api/diagrams/1/undo", json!({"version": version})).await.ok();
    assert_eq!(back["facts"], first["facts"]);
    assert_eq!(back["decisions"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_outdated_edit_is_refused_and_shows_what_is_there() {
    let desk = Desk::with_books().await;
    desk.post("/api/diagrams/1/decide", json!({"version": 1, "act": "reject", "who": "Bob"})).await.ok();
    let mut facts = desk.detail(1).await["facts"].clone();
    facts["number"] = json!("99");
    for (path, body) in [
        ("decide", json!({"version": 1, "act": "correct", "facts": facts})),
        ("decide", json!({"version": 1, "act": "approve"})),
        ("undo", json!({"version": 1})),
        ("reset", json!({"version": 1})),
        ("corners", json!({"version": 1, "corners": [[0, 0], [400, 0], [400, 400], [0, 400]]})),
    ] {
        let refused = desk.post(&format!("/api/diagrams/1/{path}"), body).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{path}: {}", refused.text);
        let said = refused.json();
        assert_eq!(said["code"], "outdated");
        assert_eq!(
            (said["current"]["diagram"]["state"].as_str(), said["current"]["diagram"]["decided_by"].as_str()),
            (Some("rejected"), Some("Bob"))
        );
    }
    assert_eq!(desk.detail(1).await["decisions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_impossible_must_be_named() {
    let desk = Desk::with_books().await;
    let refused = desk.post("/api/diagrams/4/decide", json!({"version": 1, "act": "approve"})).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        (refused.json()["code"].as_str(), refused.json()["codes"].clone()),
        (Some("unacknowledged"), json!(["missing_king"]))
    );
    let body = json!({"version": 1, "act": "approve", "acknowledged": ["missing_king"], "reason": "illustration without kings"});
    let approved = desk.post("/api/diagrams/4/decide", body).await.ok();
    assert_eq!(approved["diagram"]["reason"], "illustration without kings");
    assert_eq!(approved["diagram"]["acknowledged"], json!(["missing_king"]));
}

#[tokio::test]
async fn senseless_requests_are_refused_and_change_nothing() {
    let desk = Desk::with_books().await;
    let facts = desk.detail(1).await["facts"].clone();
    let mut broken = facts.clone();
    broken["fen"] = json!("8/8 w");
    let mut long = facts.clone();
    long["caption"] = json!("x".repeat(5000));
    for body in [
        json!({"version": 1, "act": "correct"}),
        json!({"version": 1, "act": "approve", "facts": facts}),
        json!({"version": 1, "act": "correct", "facts": broken}),
        json!({"version": 1, "act": "correct", "facts": long}),
        json!({"version": 1, "act": "burn"}),
        json!({"act": "approve"}),
        json!([]),
    ] {
        let answer = desk.post("/api/diagrams/1/decide", body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.text);
    }
    let huge = json!({"version": 1, "act": "approve", "reason": "x".repeat(400_000)});
    assert!(desk.post("/api/diagrams/1/decide", huge).await.status.is_client_error());
    assert_eq!(desk.detail(1).await["diagram"]["version"], 1);
    assert_eq!(
        desk.post("/api/diagrams/99/decide", json!({"version": 1, "act": "approve"})).await.status,
        StatusCode::NOT_FOUND
    );
}
