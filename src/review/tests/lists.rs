//! Rows, books, pages, pictures, downloads.

use axum::http::{Method, StatusCode};
use serde_json::json;

use super::*;

fn kinds(rows: &Value) -> Vec<String> {
    rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| match row["kind"].as_str().unwrap() {
            "diagram" => format!("diagram {}", row["number"].as_str().unwrap()),
            "page" => format!("page {} {}", row["path"].as_str().unwrap(), row["state"].as_str().unwrap()),
            _ => {
                format!("gap {}-{}", row["gap"]["from"].as_str().unwrap(), row["gap"]["to"].as_str().unwrap())
            }
        })
        .collect()
}

#[tokio::test]
async fn rows_hold_diagrams_troubled_pages_and_gaps_in_order() {
    let desk = Desk::with_books().await;
    let all = desk.get("/api/rows?troubles=true").await.ok();
    let want = [
        "diagram 7",
        "diagram 1",
        "diagram 2",
        "gap 2-5",
        "diagram 5",
        "page tal/2.png read",
        "page tal/3.png failed",
    ];
    assert_eq!(kinds(&all), want);
    assert_eq!(all["total"], 7);
    let part = desk.get("/api/rows?troubles=true&limit=2&offset=2").await.ok();
    assert_eq!(
        (kinds(&part), part["total"].as_u64()),
        (vec!["diagram 2".to_owned(), "gap 2-5".to_owned()], Some(7))
    );
    // a gap is seen also where the diagrams beside it are not listed
    let doubts = desk.get("/api/rows?state=needs_review&troubles=true&book=1").await.ok();
    assert_eq!(
        kinds(&doubts),
        ["diagram 1", "diagram 2", "gap 2-5", "page tal/2.png read", "page tal/3.png failed"]
    );
    let pages = desk.get("/api/rows?state=none&troubles=true").await.ok();
    assert_eq!(kinds(&pages), ["gap 2-5", "page tal/2.png read", "page tal/3.png failed"]);
    let flagged = desk.get("/api/rows?flag=missing_king,uncertain_square").await.ok();
    assert_eq!(kinds(&flagged), ["diagram 7", "diagram 2"]);
    assert_eq!(kinds(&desk.get("/api/rows?number=2-5").await.ok()), ["diagram 2", "diagram 5"]);
    assert_eq!(desk.get("/api/rows?state=fine").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(desk.get("/api/ids?state=needs_review").await.ok(), json!([4, 1, 2]));
}

#[tokio::test]
async fn pages_that_are_flagged_themselves_are_listed() {
    let desk = Desk::new().await;
    let light = |code, severity| Flag { severity, ..Flag::new(code, "said") };
    let with = async |path: &str, flags: Vec<Flag>| {
        desk.read_flagged(path, vec![diagram(MATE, 0, path, Vec::new())], flags).await;
    };
    with("a/1.png", vec![Flag::new(FlagCode::DamagedPage, "decoded with losses")]).await;
    with("a/2.png", vec![light(FlagCode::DamagedPage, Severity::Note)]).await;
    with("a/3.png", vec![light(FlagCode::NotChess, Severity::Note)]).await;
    with("a/4.png", Vec::new()).await;
    let rows = desk.get("/api/rows?state=none&troubles=true&book=1").await.ok();
    assert_eq!(kinds(&rows), ["page a/1.png read", "page a/3.png read"]);
    assert_eq!(
        (rows["total"].as_u64(), rows["rows"][0]["flags"][0]["code"].as_str()),
        (Some(2), Some("damaged_page"))
    );
    assert_eq!(desk.get("/api/books").await.ok()[0]["counts"]["flagged"], 2);
}

#[tokio::test]
async fn what_is_not_understood_is_refused_by_name() {
    let desk = Desk::with_books().await;
    for (path, key) in [
        ("/api/rows?sate=rejected", "sate"),
        ("/api/rows?troubles=maybe", "troubles"),
        ("/api/rows?limit=-1", "limit"),
        ("/api/ids?limit=3", "limit"),
        ("/api/diagrams?troubles=true", "troubles"),
        ("/api/pages?text=a", "text"),
        ("/api/pages?state=none", "none"),
        ("/api/check?fem=8", "fem"),
        ("/api/events?since=yesterday", "since"),
        ("/api/export?states=rejected", "states"),
        ("/api/export/file?format=fen&states=rejected", "states"),
        ("/api/export/file?format=fen&en_passant=zz", "en_passant"),
        ("/api/diagrams/seven", "seven"),
        ("/api/books/1e3", "1e3"),
    ] {
        let answer = desk.get(path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {}", answer.text);
        assert_eq!(answer.json()["code"], "invalid");
        assert!(answer.json()["error"].as_str().unwrap().contains(key), "{path}: {}", answer.text);
    }
    let unknown = desk.get("/api/diagram/7").await;
    assert_eq!((unknown.status, unknown.json()["code"].as_str()), (StatusCode::NOT_FOUND, Some("missing")));
    let long = desk.post("/api/books/1/approve", json!({"who": "x".repeat(300 * 1024)})).await;
    assert_eq!(
        (long.status, long.json()["code"].as_str()),
        (StatusCode::PAYLOAD_TOO_LARGE, Some("too_large"))
    );
}

#[tokio::test]
async fn books_have_counts_settings_and_acts() {
    let desk = Desk::with_books().await;
    let books = desk.get("/api/books").await.ok();
    let tal = &books[1];
    assert_eq!((tal["name"].as_str(), tal["counts"]["failed"].as_u64()), (Some("tal"), Some(1)));
    let path = format!("/api/books/{}", tal["id"]);
    let settings = json!({"title": " Tal's games ", "author": "", "default_side": "b", "language": "de", "marks_black_only": true});
    let body = json!({"version": tal["version"], "settings": settings, "who": "Ann"});
    let changed = desk.write(Method::PUT, &path, body.clone()).await.ok();
    assert_eq!(changed["settings"]["title"], "Tal's games");
    assert_eq!(changed["settings"]["author"], Value::Null);
    let mut unknown = body.clone();
    unknown["settings"]["language"] = json!("klingon");
    let refused = desk.write(Method::PUT, &path, unknown).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.json()["error"].as_str().unwrap().contains("known are"), "{}", refused.json());
    // the same again is outdated by now, and shows what is there
    let refused = desk.write(Method::PUT, &path, body).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(refused.json()["current"]["settings"]["default_side"], "b");

    assert_eq!(
        desk.post(&format!("{path}/approve"), json!({"who": "Ann"})).await.ok(),
        json!({"approved": 1})
    );
    assert_eq!(desk.post(&format!("{path}/retry"), json!({})).await.ok(), json!({"pages": 1}));
    assert_eq!(desk.post(&format!("{path}/reread"), json!({})).await.ok(), json!({"pages": 2}));
    let after = desk.get(&path).await.ok();
    assert_eq!(
        (after["book"]["counts"]["approved"].as_u64(), after["gaps"][0]["from"].as_str()),
        (Some(1), Some("2"))
    );
    assert_eq!(desk.post("/api/books/99/reread", json!({})).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_page_shows_its_boards_and_can_be_tried_again() {
    let desk = Desk::with_books().await;
    let failed = desk.get("/api/pages?state=failed").await.ok()[0].clone();
    assert_eq!(failed["failure"], "ends <early>");
    let again = desk.post(&format!("/api/pages/{}/retry", failed["id"]), json!({"who": "Ann"})).await.ok();
    assert_eq!(again["page"]["state"], "pending");
    let page = desk.get("/api/pages/1").await.ok();
    assert_eq!(page["boards"].as_array().unwrap().len(), 3);
    assert_eq!(page["boards"][1]["corners"][0], json!([550.0, 100.0]));
    assert_eq!(page["picture"], json!({"width": 3, "height": 2}));
    assert_eq!((page["previous"].clone(), page["next"].as_i64()), (Value::Null, Some(2)));
    let picture = desk.get("/pictures/pages/1").await;
    assert_eq!(
        (picture.status, picture.headers["content-type"].to_str().unwrap()),
        (StatusCode::OK, "image/png")
    );
    assert_eq!(desk.get("/pictures/pages/99").await.status, StatusCode::NOT_FOUND);
    assert_eq!(desk.get("/pictures/diagrams/1/board").await.status, StatusCode::OK);
    assert_eq!(desk.get("/pictures/diagrams/1/secret").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_diagram_is_told_whole() {
    let desk = Desk::with_books().await;
    let detail = desk.detail(2).await;
    assert_eq!(detail["facts"], detail["read_facts"]);
    assert_eq!(detail["reading"]["classes"], ".PNBRQKpnbrqk");
    let squares = detail["reading"]["squares"].as_array().unwrap();
    assert_eq!((squares.len(), squares[51][1].as_f64()), (64, Some(0.988)));
    assert_eq!(detail["diagram"]["flags"][0]["squares"], json!(["d2"]));
    assert_eq!(detail["crop"]["area"], json!({"x": 1, "y": 2, "width": 3, "height": 4}));
    let [x, y] = [0, 1].map(|axis| detail["reading"]["corners"][0][axis].as_f64().unwrap());
    assert_eq!(detail["crop"]["corners"][0], json!([x - 1.0, y - 2.0]));
    assert_eq!(detail["caption_crop"], Value::Null);
    assert_eq!(detail["page"]["boards"].as_array().unwrap().len(), 3);
    assert_eq!((detail["can_undo"].as_bool(), detail["can_redo"].as_bool()), (Some(false), Some(false)));
    assert_eq!(detail["check"]["is_fen"], true);
    assert_eq!(desk.get("/api/diagrams/99").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_fen_is_checked_as_it_is_typed() {
    let desk = Desk::new().await;
    let said = desk.get("/api/check?fen=4k3%2F8%2F8%2F8%2F8%2F8%2F8%2F4K2R%20w%20K").await.ok();
    assert_eq!(
        (said["castling"].as_str(), said["fen"].as_str()),
        (Some("K"), Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    );
    let long = format!("/api/check?fen={}", "8".repeat(2000));
    assert_eq!(desk.get(&long).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_collection_can_be_downloaded() {
    let desk = Desk::with_books().await;
    let summary = desk.get("/api/export").await.ok();
    assert_eq!((summary["positions"].as_u64(), summary["waiting"].as_u64()), (Some(1), Some(3)));
    let all = desk.get("/api/export?state=accepted,needs_review").await.ok();
    assert_eq!(
        (all["positions"].as_u64(), all["refused"][0]["codes"].clone()),
        (Some(3), json!(["missing_king"]))
    );
    let fen = desk.get("/api/export/file?format=fen&state=accepted,needs_review").await;
    assert_eq!(fen.text.lines().count(), 3);
    assert_eq!(fen.headers["content-disposition"], "attachment; filename=\"tal.fen\"");
    for format in crate::export::Format::ALL {
        assert_eq!(desk.get(&format!("/api/export/file?format={format}")).await.status, StatusCode::OK);
    }
    assert_eq!(desk.get("/api/export/file?format=doc").await.status, StatusCode::BAD_REQUEST);
}
