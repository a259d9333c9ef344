//! Decisions of a person, and their way back.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use super::diagrams::detail;
use super::error::ApiError;
use super::input::{At, Body, Stamp, name_of};
use super::router::App;
use crate::chess::FlagCode;
use crate::queue::{Decision, DiagramId, Facts, QueueError};

/// Characters of the longest text that is kept in a fact or a reason.
const LONGEST: usize = 4000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Act {
    Approve,
    Correct,
    Reject,
}

#[derive(Debug, Deserialize)]
pub(super) struct Decided {
    #[serde(flatten)]
    stamp: Stamp,
    act: Act,
    /// For a correction.
    facts: Option<Facts>,
    reason: Option<String>,
    /// Flags that the person accepts; what is impossible about the position must be among them.
    #[serde(default)]
    acknowledged: Vec<FlagCode>,
}

impl Decided {
    fn decision(self) -> Result<Decision, ApiError> {
        let reason = text(self.reason)?;
        let acknowledged = self.acknowledged;
        match (self.act, self.facts) {
            (Act::Approve, None) => Ok(Decision::Approve { reason, acknowledged }),
            (Act::Reject, None) => Ok(Decision::Reject { reason }),
            (Act::Correct, Some(facts)) => {
                Ok(Decision::Correct { facts: tidy(facts)?, reason, acknowledged })
            }
            (Act::Correct, None) => Err(ApiError::BadRequest("a correction without facts".to_owned())),
            (_, Some(_)) => Err(ApiError::BadRequest("only a correction has facts".to_owned())),
        }
    }
}

/// Texts without blank ends; an empty one is none.
fn tidy(mut facts: Facts) -> Result<Facts, ApiError> {
    for field in [&mut facts.number, &mut facts.players, &mut facts.stipulation, &mut facts.caption] {
        *field = text(field.take())?;
    }
    Ok(facts)
}

fn text(text: Option<String>) -> Result<Option<String>, ApiError> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST) {
        return Err(ApiError::BadRequest(format!("a text of more than {LONGEST} characters")));
    }
    if text.as_ref().is_some_and(|text| text.contains('\0')) {
        return Err(ApiError::BadRequest("a text with a zero character".to_owned()));
    }
    Ok(text)
}

/// `POST /api/diagrams/{id}/decide`: returns the diagram as it is then.
pub(super) async fn decide(
    State(app): State<App>,
    At(id): At<DiagramId>,
    Body(decided): Body<Decided>,
) -> Result<Json<Value>, ApiError> {
    let stamp = decided.stamp.clone();
    let decision = decided.decision()?;
    let result = app.queue.decide(id, stamp.version, &name_of(&stamp.who), decision).await;
    answer(&app, id, result).await
}

/// `POST /api/diagrams/{id}/undo`.
pub(super) async fn undo(
    State(app): State<App>,
    At(id): At<DiagramId>,
    Body(stamp): Body<Stamp>,
) -> Result<Json<Value>, ApiError> {
    let result = app.queue.undo(id, stamp.version, &name_of(&stamp.who)).await;
    answer(&app, id, result).await
}

/// `POST /api/diagrams/{id}/redo`.
pub(super) async fn redo(
    State(app): State<App>,
    At(id): At<DiagramId>,
    Body(stamp): Body<Stamp>,
) -> Result<Json<Value>, ApiError> {
    let result = app.queue.redo(id, stamp.version, &name_of(&stamp.who)).await;
    answer(&app, id, result).await
}

/// `POST /api/diagrams/{id}/reset`: what was read is in force again.
pub(super) async fn reset(
    State(app): State<App>,
    At(id): At<DiagramId>,
    Body(stamp): Body<Stamp>,
) -> Result<Json<Value>, ApiError> {
    let result = app.queue.reset(id, stamp.version, &name_of(&stamp.who)).await;
    answer(&app, id, result).await
}

/// The diagram as it is now; after a conflict with the refusal.
pub(super) async fn answer<T>(
    app: &App,
    id: DiagramId,
    result: Result<T, QueueError>,
) -> Result<Json<Value>, ApiError> {
    match result {
        Ok(_) => Ok(Json(detail(&app.queue, id).await?)),
        Err(QueueError::Conflict { .. }) => {
            let current = detail(&app.queue, id).await.unwrap_or(Value::Null);
            Err(ApiError::Outdated { current: Box::new(current) })
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_trimmed_and_bounded() {
        assert_eq!(text(Some("  ".into())).unwrap(), None);
        assert_eq!(text(Some(" #2 ".into())).unwrap().as_deref(), Some("#2"));
        assert!(text(Some("x".repeat(LONGEST + 1))).is_err());
        assert!(text(Some("a\0b".into())).is_err());
    }
}
