//! What requests carry.

use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use crate::queue::{BookId, DiagramState, Filter};

/// A JSON body, which must say that it is one: forms of other sites cannot.
pub(super) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(ApiError::TooLarge),
            Err(rejection) => Err(ApiError::BadRequest(rejection.body_text())),
        }
    }
}

/// A query. Types for it refuse keys that they do not know: a misspelt condition would otherwise be none.
pub(super) struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => Err(ApiError::BadRequest(rejection.body_text())),
        }
    }
}

/// What the address names.
pub(super) struct At<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for At<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(At(named)),
            Err(rejection) => Err(ApiError::BadRequest(rejection.body_text())),
        }
    }
}

/// Who writes, and which version was looked at.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Stamp {
    pub version: i64,
    #[serde(default)]
    pub who: String,
}

/// The name to keep with a decision: what was given, in one line of bounded length.
pub(super) fn name_of(who: &str) -> String {
    let name: String = who.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
    if name.is_empty() { "reviewer".to_owned() } else { name }
}

/// Conditions on diagrams. Several states or flags are joined by commas.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Conditions {
    pub book: Option<BookId>,
    pub state: Option<String>,
    pub flag: Option<String>,
    pub text: Option<String>,
    pub number: Option<String>,
}

/// Conditions on diagrams, and which part of the list. (`serde(flatten)` does not go with a query's numbers.)
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Listing {
    pub book: Option<BookId>,
    pub state: Option<String>,
    pub flag: Option<String>,
    pub text: Option<String>,
    pub number: Option<String>,
    pub limit: Option<u32>,
    pub offset: Option<u64>,
    /// The pages that failed, hold no diagram or are flagged, and gaps in the numbers, are listed too.
    pub troubles: bool,
}

pub(super) fn bad(error: impl std::fmt::Display) -> ApiError {
    ApiError::BadRequest(error.to_string())
}

/// The parts of a list joined by commas.
pub(super) fn parts(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty())
}

impl Listing {
    /// The diagrams asked for.
    pub fn filter(&self) -> Result<Filter, ApiError> {
        let Listing { book, state, flag, text, number, .. } = self.clone();
        Conditions { book, state, flag, text, number }.filter()
    }
}

impl Conditions {
    /// The diagrams asked for.
    pub fn filter(&self) -> Result<Filter, ApiError> {
        let states = parts(self.state.as_deref()).map(|text| text.parse::<DiagramState>());
        let flags = parts(self.flag.as_deref()).map(str::parse);
        let number = self.number.as_deref().map(str::trim).filter(|text| !text.is_empty());
        Ok(Filter {
            book: self.book,
            states: states.collect::<Result<_, _>>().map_err(bad)?,
            flags: flags.collect::<Result<_, _>>().map_err(bad)?,
            text: self.text.clone(),
            number: number.map(str::parse).transpose().map_err(bad)?,
            ..Filter::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_short_line() {
        assert_eq!(name_of("  Ann\nB. "), "Ann B.");
        assert_eq!(name_of(""), "reviewer");
        assert_eq!(name_of(&"x".repeat(500)).len(), 60);
    }

    #[test]
    fn lists_are_split_at_commas() {
        let conditions = Conditions { state: Some("accepted, approved,".into()), ..Conditions::default() };
        assert_eq!(conditions.filter().unwrap().states, [DiagramState::Accepted, DiagramState::Approved]);
        let wrong = Conditions { flag: Some("nonsense".into()), ..Conditions::default() };
        assert!(wrong.filter().is_err());
    }
}
