//! The time as the queue sees it; tests turn the hands.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    #[default]
    System,
    /// Stands still until it is set.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at an arbitrary fixed time.
    pub fn manual() -> Clock {
        Clock::Manual(Arc::new(AtomicI64::new(1_000_000)))
    }

    pub fn now(&self) -> i64 {
        match self {
            Clock::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
            Clock::Manual(at) => at.load(Ordering::SeqCst),
        }
    }

    /// Moves a manual clock on; the system's clock does not listen.
    pub fn advance(&self, by: Duration) {
        if let Clock::Manual(at) = self {
            at.fetch_add(millis(by), Ordering::SeqCst);
        }
    }
}

/// A duration in milliseconds, capped.
pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 4).min(i64::MAX / 4)
}
