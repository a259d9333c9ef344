//! What happens, as it happens: server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Line, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tracing::debug;

use super::error::ApiError;
use super::input::Asked;
use super::router::App;
use crate::queue::Queue;

/// How often the log is looked at for what other processes wrote (`fenwatch queue approve`).
const GLANCE: Duration = Duration::from_secs(2);

/// Events sent at once after a reconnection.
const CATCH_UP: u32 = 500;

/// A sign of life, so that neither side keeps a dead connection.
const HEARTBEAT: Duration = Duration::from_secs(20);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    since: Option<i64>,
}

/// `GET /api/events?since=ID`: every event after `since` (or after the browser's `Last-Event-ID`; without either, from now on), as one
/// JSON object each.
pub(super) async fn events(
    State(app): State<App>,
    Asked(query): Asked<Since>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let resumed = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let from: i64 = match resumed.or(query.since) {
        Some(id) => id,
        None => app.queue.last_event().await?,
    };
    let (sender, stream) = mpsc::channel(64);
    let (queue, stop) = (app.queue.clone(), app.stop.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = follow(queue, from, &sender) => {}
            () = stop.cancelled() => {}
            () = sender.closed() => {}
        }
    });
    let stream = Sse::new(ReceiverStream::new(stream));
    Ok(stream.keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response())
}

/// Sends what the log has after `last`; the channel of this process's own writes is only the bell.
async fn follow(queue: Queue, mut last: i64, sender: &mpsc::Sender<Result<Line, Infallible>>) {
    let mut bell = queue.subscribe();
    loop {
        match queue.events_since(last, CATCH_UP).await {
            Ok(events) if events.is_empty() => match timeout(GLANCE, bell.recv()).await {
                Ok(Err(RecvError::Closed)) => return,
                Ok(Ok(_) | Err(RecvError::Lagged(_))) | Err(_) => {}
            },
            Ok(events) => {
                for event in events {
                    last = event.id;
                    let Ok(line) = Line::default().id(event.id.to_string()).json_data(&event) else {
                        continue;
                    };
                    if sender.send(Ok(line)).await.is_err() {
                        return;
                    }
                }
            }
            Err(error) => {
                debug!("live events: {error}");
                tokio::time::sleep(GLANCE).await;
            }
        }
    }
}
