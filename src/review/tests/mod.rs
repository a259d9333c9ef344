//! The page's API as a browser would use it, on a queue in memory and without a socket.

mod decisions;
mod drawing;
mod lists;
mod live;
mod safety;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::*;
use crate::caption::PixelRect;
use crate::chess::{Flag, FlagCode, Severity, Square};
use crate::queue::{Crops, NewSource, PageOutcome, Pages, Picture, Queue};
use crate::reading::{DiagramReading, PageReading};

pub(super) const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1";

/// A server on a queue, for requests of its own page.
pub(super) struct Desk {
    pub queue: Queue,
    pub params: ReviewParams,
    pub boards: BoardSource,
    pub stop: CancellationToken,
}

pub(super) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The JSON of an answer that must be a yes.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        self.json()
    }
}

impl Desk {
    pub async fn new() -> Desk {
        let boards: BoardSource = Arc::new(|_| {
            let (answer, heard) = tokio::sync::oneshot::channel();
            let _ = answer.send(Err("nobody reads here".to_owned()));
            heard
        });
        Desk {
            queue: Queue::in_memory().await.unwrap(),
            params: ReviewParams::default(),
            boards,
            stop: CancellationToken::new(),
        }
    }

    /// Two books: "tal" with two pages (two diagrams in doubt, one sound; an empty one) and a file that failed, "euwe" with an impossible one.
    pub async fn with_books() -> Desk {
        let desk = Desk::new().await;
        desk.read(
            "tal/1.png",
            vec![
                diagram(MATE, 0, "1", vec![doubt()]),
                diagram(
                    "8/8/8/3k4/8/3K4/3P4/8",
                    1,
                    "2",
                    vec![Flag::new(FlagCode::UncertainSquare, "d2").on([Square::D2])],
                ),
                diagram(KINGS, 2, "5", vec![]),
            ],
        )
        .await;
        desk.read("tal/2.png", vec![]).await;
        let broken = NewSource {
            pages: Pages::Unreadable { reason: "ends <early>".into() },
            ..file("tal/3.png", "broken", 1)
        };
        desk.queue.enroll(&broken).await.unwrap();
        let kings = vec![Flag::new(FlagCode::MissingKing, "White has no king")];
        desk.read("euwe/1.png", vec![diagram("4k3/8/8/8/8/8/8/8", 0, "7", kings)]).await;
        desk
    }

    pub async fn read(&self, path: &str, diagrams: Vec<DiagramReading>) {
        self.read_flagged(path, diagrams, Vec::new()).await;
    }

    /// `flags` are the page's own.
    pub async fn read_flagged(&self, path: &str, diagrams: Vec<DiagramReading>, flags: Vec<Flag>) {
        self.queue.enroll(&file(path, path, 1)).await.unwrap();
        let claim = self.queue.claim("test", Duration::from_secs(60)).await.unwrap().unwrap();
        assert_eq!(claim.path, path);
        let mut outcome = outcome(diagrams);
        outcome.reading.flags = flags;
        self.queue.finish(&claim, outcome).await.unwrap();
    }

    pub fn router(&self) -> Router {
        let doors = Doors {
            queue: self.queue.clone(),
            health: Arc::new(|| json!({"pages_read": 3})),
            boards: self.boards.clone(),
            stop: self.stop.clone(),
        };
        router(&self.params, doors, 8064)
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), 1 << 22).await.unwrap();
        Answer { status, headers, text: String::from_utf8_lossy(&body).into_owned() }
    }

    pub async fn ask(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask(path, HERE).await
    }

    pub async fn write(&self, method: Method, path: &str, body: Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost:8064")
            .header("origin", "http://localhost:8064")
            .header("content-type", "application/json")
            .header("x-fenwatch", "1");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.write(Method::POST, path, body).await
    }

    /// Everything about a diagram.
    pub async fn detail(&self, id: i64) -> Value {
        self.get(&format!("/api/diagrams/{id}")).await.ok()
    }
}

pub(super) const HERE: &[(&str, &str)] = &[("host", "localhost:8064")];

fn file(path: &str, content: &str, pages: u32) -> NewSource {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(content.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    NewSource {
        book: path.split_once('/').map_or("loose", |(book, _)| book).to_owned(),
        root: "/scans".to_owned(),
        path: path.to_owned(),
        hash,
        bytes: 1,
        modified_ns: None,
        format: "png".to_owned(),
        pages: Pages::Count(pages),
    }
}

pub(super) fn doubt() -> Flag {
    Flag::new(FlagCode::SideAssumed, "nothing says who moves")
}

/// The queue's test diagram with a printed number of its own.
pub(super) fn diagram(placement: &str, at: u32, number: &str, flags: Vec<Flag>) -> DiagramReading {
    let mut diagram = crate::queue::tests::diagram(placement, at, flags);
    diagram.caption.text = Some(format!("Diagram {number}"));
    diagram.caption.number = Some(number.to_owned());
    diagram
}

pub(super) fn picture() -> Picture {
    Picture {
        media_type: "image/png".to_owned(),
        width: 3,
        height: 2,
        area: Some(PixelRect { x: 1, y: 2, width: 3, height: 4 }),
        data: vec![7; 64],
    }
}

fn outcome(diagrams: Vec<DiagramReading>) -> PageOutcome {
    let crop = || Crops { board: Some(picture()), caption: None, squares: Some(picture()) };
    PageOutcome {
        crops: diagrams.iter().map(|_| crop()).collect(),
        reading: PageReading { width: 1000, height: 1500, diagrams, ..PageReading::default() },
        page: Some(picture()),
        model_version: "test-1".to_owned(),
        took: Duration::from_millis(5),
    }
}
