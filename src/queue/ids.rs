//! Ids of rows, one type each, so that a page is never taken for a diagram.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type)]
        #[sqlx(transparent)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map($name)
            }
        }
    )*};
}

id! {
    /// A book: the first subfolder of a watched folder.
    BookId;
    /// A file, identified by its content.
    SourceId;
    /// One page of a source.
    PageId;
    /// One diagram of a page; the same through all re-reads.
    DiagramId;
    /// What was read of a diagram at one time.
    ReadingId;
    /// What a person decided at one time.
    DecisionId;
}
