//! What can go wrong in the store.

use std::path::PathBuf;

use super::{DiagramId, PageId};
use crate::chess::FlagCode;

#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// Another process held the database for longer than the busy timeout, or all connections were in use.
    #[error("the database is busy: {0}")]
    Busy(String),
    /// No room for more, or the disk failed for now.
    #[error("the database cannot be written: {0}")]
    Storage(String),
    #[error("cannot open the database {path}: {reason}")]
    Open { path: PathBuf, reason: String },
    #[error("there is no database at {0}: nothing has been read yet")]
    Missing(PathBuf),
    #[error("{0} is not a database of this program")]
    Foreign(PathBuf),
    #[error(
        "the database {path} was made by a newer version of this program (its schema is {found}, this version knows {known}): \
         update the program, or use another database"
    )]
    SchemaNewer { path: PathBuf, found: i64, known: i64 },
    #[error("cannot bring the database {path} up to date: {reason}")]
    Migrate { path: PathBuf, reason: String },
    /// The database's contents contradict each other or cannot be understood.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    #[error("there is no {kind} {id}")]
    NotFound { kind: &'static str, id: String },
    /// The page was given to another worker, retried or removed from under this claim: its outcome is not wanted any more.
    #[error("the claim on page {0} is no longer held")]
    LeaseLost(PageId),
    /// Somebody else changed the row in between.
    #[error("{kind} {id} is now at version {current}, not {expected}: somebody else changed it")]
    Conflict { kind: &'static str, id: i64, expected: i64, current: i64 },
    #[error("diagram {id} cannot be approved without acknowledging: {}", codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", "))]
    Unacknowledged { id: DiagramId, codes: Vec<FlagCode> },
    #[error("nothing to {0}")]
    Nothing(&'static str),
    #[error("{0}")]
    Invalid(String),
    #[error("the database failed: {0}")]
    Sql(#[source] sqlx::Error),
}

impl QueueError {
    /// The same call may succeed later, without anybody doing anything but wait or make room.
    pub fn is_transient(&self) -> bool {
        matches!(self, QueueError::Busy(_) | QueueError::Storage(_))
    }

    pub(super) fn not_found(kind: &'static str, id: impl ToString) -> QueueError {
        QueueError::NotFound { kind, id: id.to_string() }
    }
}

/// SQLite's primary result codes (<https://www.sqlite.org/rescode.html>) that this room tells apart.
mod code {
    pub const BUSY: i32 = 5;
    pub const LOCKED: i32 = 6;
    pub const NO_MEMORY: i32 = 7;
    pub const IO: i32 = 10;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const NOT_A_DATABASE: i32 = 26;
}

impl From<sqlx::Error> for QueueError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::PoolTimedOut => QueueError::Busy("all connections are in use".into()),
            sqlx::Error::Database(database) => {
                // extended codes carry the primary one in their low byte
                let primary =
                    database.code().and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
                let message = database.message().to_owned();
                match primary {
                    Some(code::BUSY | code::LOCKED) => QueueError::Busy(message),
                    Some(code::FULL | code::IO | code::NO_MEMORY) => QueueError::Storage(message),
                    Some(code::CORRUPT | code::NOT_A_DATABASE) => QueueError::Corrupt(message),
                    _ => QueueError::Sql(error),
                }
            }
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                QueueError::Corrupt(error.to_string())
            }
            _ => QueueError::Sql(error),
        }
    }
}
