//! States of pages and diagrams, verdicts of people. The texts are stable: they stand in the database, in settings
//! and in exports.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that names no value of the kind asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} {text:?} (known: {known})")]
pub struct UnknownState {
    kind: &'static str,
    text: String,
    known: String,
}

macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident ($kind:literal) { $($(#[$vdoc:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, sqlx::Type)]
        #[serde(rename_all = "snake_case")]
        #[sqlx(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$vdoc])* $variant,)*
        }

        impl $name {
            /// All values, in the order of the life of a row.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The stable name, snake_case.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownState;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $name::ALL.iter().copied().find(|value| value.as_str() == text).ok_or_else(|| UnknownState {
                    kind: $kind,
                    text: text.to_owned(),
                    known: $name::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

text_enum! {
    /// Where a page is on its way.
    PageState("page state") {
        /// Waits for a worker.
        Pending "pending",
        /// A worker has it (see its lease).
        Reading "reading",
        /// Its diagrams are in the collection.
        Read "read",
        /// Could not be read; has a reason.
        Failed "failed",
    }
}

text_enum! {
    /// What kind of failure a page met.
    FailureKind("kind of failure") {
        /// Trying again would end the same way (a damaged file, a limit).
        Permanent "permanent",
        /// Tried several times without success (the disk was full, a tool did not answer).
        Transient "transient",
        /// The program died on it several times.
        Crash "crash",
        /// The file was moved away, deleted or replaced before the page was read. Ends by itself when it comes back.
        Gone "gone",
    }
}

text_enum! {
    /// What the collection says of a diagram now.
    DiagramState("diagram state") {
        /// The program's own word: no flag above `note`.
        Accepted "accepted",
        /// Something is in doubt; nobody has looked yet.
        NeedsReview "needs_review",
        /// A person said: right as read.
        Approved "approved",
        /// A person changed it.
        Corrected "corrected",
        /// A person said: not a diagram, or not wanted.
        Rejected "rejected",
    }
}

text_enum! {
    /// A person's word on a diagram.
    Verdict("verdict") {
        Approved "approved",
        Corrected "corrected",
        Rejected "rejected",
    }
}

impl DiagramState {
    /// A person has spoken.
    pub fn is_decided(self) -> bool {
        matches!(self, DiagramState::Approved | DiagramState::Corrected | DiagramState::Rejected)
    }
}

impl From<Verdict> for DiagramState {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Approved => DiagramState::Approved,
            Verdict::Corrected => DiagramState::Corrected,
            Verdict::Rejected => DiagramState::Rejected,
        }
    }
}

impl From<crate::reading::Status> for DiagramState {
    fn from(status: crate::reading::Status) -> Self {
        match status {
            crate::reading::Status::Accepted => DiagramState::Accepted,
            crate::reading::Status::NeedsReview => DiagramState::NeedsReview,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_round_trip_and_agree_with_serde() {
        for &state in DiagramState::ALL {
            assert_eq!(state.as_str().parse::<DiagramState>(), Ok(state));
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{state}\""));
        }
        for &state in PageState::ALL {
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{state}\""));
        }
        let error = "fine".parse::<PageState>().unwrap_err().to_string();
        assert_eq!(error, "unknown page state \"fine\" (known: pending, reading, read, failed)");
    }
}
