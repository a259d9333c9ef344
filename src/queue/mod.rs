//! The store: books, pages, diagrams, flags and human decisions in SQLite.
//!
//! [`Queue`] is the only door. It has one writer connection and a few readers (WAL), keeps transactions short, and
//! is cheap to clone. What happens to a page or a diagram happens in one transaction together with its line in the
//! event log, so that a kill at any moment leaves either all of it or nothing.
//!
//! ```text
//! pages:     pending -> reading -> read        (a lease that runs out: back to pending)
//!               ^          `-----> failed      (with a reason and its kind)
//!               `--------------------'  retry
//! diagrams:  accepted | needs_review  -> approved | corrected | rejected   (-> undo)
//! ```
//!
//! Three tables speak about one diagram: `readings` is what the program said (older ones are kept as summaries),
//! `decisions` is what people said, `diagrams` is what the collection says now, derived from the two.
//! Nothing ever changes a row of `decisions`; a re-read finds the old diagram by its place on the page and
//! leaves its decision standing.
//!
//! Times are milliseconds since the Unix epoch, UTC.

mod boards;
mod book;
mod claim;
mod clock;
mod decide;
mod detail;
mod drawn;
mod duplicates;
mod effective;
mod enroll;
mod error;
mod event;
mod facts;
mod filter;
mod finish;
mod gaps;
mod ids;
mod insert;
mod list;
mod matching;
pub mod natural;
mod open;
mod pictures;
mod retry;
mod rows;
mod settle;
mod shared;
mod squares;
mod state;
mod verify;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use boards::{PageBoard, PageFile};
pub use book::{BookRow, BookSettings, Counts};
pub use claim::{Claim, Waiting};
pub use clock::Clock;
pub use decide::Decision;
pub use detail::{DecisionRow, DiagramDetail, ReadingSummary};
pub use enroll::{Enrolled, KnownPath, NewSource, Pages};
pub use error::QueueError;
pub use event::{Event, EventKind};
pub use facts::Facts;
pub use filter::{Filter, NumberFilter};
pub use finish::{Crops, Finished, PageOutcome};
pub use gaps::NumberGap;
pub use ids::{BookId, DecisionId, DiagramId, PageId, ReadingId, SourceId};
pub use list::{DiagramRow, FirstMoveRow, PageFilter, PageRow, PictureRef};
pub use open::{Queue, QueueOptions};
pub use pictures::{Picture, PictureFrame, PictureKind, extension};
pub use rows::{ReviewRow, RowFilter};
pub use settle::Settled;
pub use shared::SharedFiles;
pub use squares::{decode_squares, encode_squares};
pub use state::{DiagramState, FailureKind, PageState, Verdict};
pub use verify::Fault;

/// The result of everything the queue does.
pub type Result<T, E = QueueError> = std::result::Result<T, E>;
