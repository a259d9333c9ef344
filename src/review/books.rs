//! Books: counts, settings, acts on a whole book.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ApiError;
use super::input::{At, Body, Stamp, name_of};
use super::router::App;
use crate::caption::Lexicon;
use crate::chess::FlagCode;
use crate::queue::{BookId, BookRow, BookSettings, NumberGap, QueueError};

/// `GET /healthz`: version, what waits, what was done since the start.
pub(super) async fn health(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    let waiting = app.queue.waiting().await?;
    Ok(Json(json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "waiting": waiting,
        "since_start": (app.health)(),
    })))
}

/// `GET /api/about`: what the page needs to know before anything else.
pub(super) async fn about(State(app): State<App>) -> Result<Json<Value>, ApiError> {
    let flags: Vec<Value> =
        FlagCode::ALL.iter().map(|code| json!({"code": code, "severity": code.severity()})).collect();
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "language": app.language,
        "caption_languages": Lexicon::built_in().languages(),
        "flags": flags,
        "last_event": app.queue.last_event().await?,
    })))
}

/// `GET /api/books`.
pub(super) async fn books(State(app): State<App>) -> Result<Json<Vec<BookRow>>, ApiError> {
    Ok(Json(app.queue.books().await?))
}

/// `GET /api/books/{id}`: with the gaps in its numbers.
pub(super) async fn book(State(app): State<App>, At(id): At<BookId>) -> Result<Json<Value>, ApiError> {
    let book = app.queue.book(id).await?;
    let gaps: Vec<NumberGap> = app.queue.number_gaps(id).await?;
    Ok(Json(json!({"book": book, "gaps": gaps})))
}

#[derive(Debug, Deserialize)]
pub(super) struct NewSettings {
    #[serde(flatten)]
    stamp: Stamp,
    settings: BookSettings,
}

/// `PUT /api/books/{id}`: its settings; they hold for pages read from then on.
pub(super) async fn set(
    State(app): State<App>,
    At(id): At<BookId>,
    Body(new): Body<NewSettings>,
) -> Result<Json<BookRow>, ApiError> {
    let mut settings = new.settings;
    for text in [&mut settings.title, &mut settings.author, &mut settings.language] {
        *text = text.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    if let Some(code) = &settings.language {
        let known = Lexicon::built_in().languages();
        if !known.contains(&code.as_str()) {
            let known = known.join(", ");
            return Err(ApiError::BadRequest(format!("no language is called {code:?}; known are {known}")));
        }
    }
    match app.queue.set_book(id, new.stamp.version, &settings, &name_of(&new.stamp.who)).await {
        Ok(_) => Ok(Json(app.queue.book(id).await?)),
        Err(QueueError::Conflict { .. }) => {
            Err(ApiError::Outdated { current: Box::new(json!(app.queue.book(id).await?)) })
        }
        Err(error) => Err(error.into()),
    }
}

/// Who asks for an act that looks at no version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asker {
    pub who: String,
}

/// `POST /api/books/{id}/approve`: everything that is without doubt and undecided.
pub(super) async fn approve(
    State(app): State<App>,
    At(id): At<BookId>,
    Body(asker): Body<Asker>,
) -> Result<Json<Value>, ApiError> {
    app.queue.book(id).await?;
    let count = app.queue.approve_accepted(Some(id), &name_of(&asker.who)).await?;
    Ok(Json(json!({"approved": count})))
}

/// `POST /api/books/{id}/reread`: all its pages go back to the queue; decisions stay.
pub(super) async fn reread(
    State(app): State<App>,
    At(id): At<BookId>,
    Body(asker): Body<Asker>,
) -> Result<Json<Value>, ApiError> {
    app.queue.book(id).await?;
    Ok(Json(json!({"pages": app.queue.reread_book(id, &name_of(&asker.who)).await?})))
}

/// `POST /api/books/{id}/retry`: its failed pages.
pub(super) async fn retry(
    State(app): State<App>,
    At(id): At<BookId>,
    Body(asker): Body<Asker>,
) -> Result<Json<Value>, ApiError> {
    app.queue.book(id).await?;
    Ok(Json(json!({"pages": app.queue.retry_failed(Some(id), &name_of(&asker.who)).await?})))
}
