//! What the daemon did since it started, for health checks and the status line.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Counters that all parts of the daemon add to.
#[derive(Debug)]
pub struct Counters {
    start: Instant,
    files_new: AtomicU64,
    files_broken: AtomicU64,
    pages_read: AtomicU64,
    pages_failed: AtomicU64,
    pages_delayed: AtomicU64,
    diagrams: AtomicU64,
    diagrams_in_doubt: AtomicU64,
    read_ms: AtomicU64,
    panics: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CountersNow {
    pub uptime_seconds: u64,
    pub files_new: u64,
    /// New files that could not be opened.
    pub files_broken: u64,
    pub pages_read: u64,
    pub pages_failed: u64,
    /// Failures that will be tried again.
    pub pages_delayed: u64,
    pub diagrams: u64,
    pub diagrams_in_doubt: u64,
    /// Time that workers spent on pages that were read.
    pub read_ms: u64,
    /// Pages on which a worker broke down.
    pub panics: u64,
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            start: Instant::now(),
            files_new: AtomicU64::new(0),
            files_broken: AtomicU64::new(0),
            pages_read: AtomicU64::new(0),
            pages_failed: AtomicU64::new(0),
            pages_delayed: AtomicU64::new(0),
            diagrams: AtomicU64::new(0),
            diagrams_in_doubt: AtomicU64::new(0),
            read_ms: AtomicU64::new(0),
            panics: AtomicU64::new(0),
        }
    }
}

impl Counters {
    pub fn file_new(&self, broken: bool) {
        self.files_new.fetch_add(1, Ordering::Relaxed);
        self.files_broken.fetch_add(u64::from(broken), Ordering::Relaxed);
    }

    pub fn page_read(&self, diagrams: u64, in_doubt: u64, took: Duration) {
        self.pages_read.fetch_add(1, Ordering::Relaxed);
        self.diagrams.fetch_add(diagrams, Ordering::Relaxed);
        self.diagrams_in_doubt.fetch_add(in_doubt, Ordering::Relaxed);
        self.read_ms.fetch_add(u64::try_from(took.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub fn page_failed(&self) {
        self.pages_failed.fetch_add(1, Ordering::Relaxed);
    }

    pub fn page_delayed(&self) {
        self.pages_delayed.fetch_add(1, Ordering::Relaxed);
    }

    pub fn panicked(&self) {
        self.panics.fetch_add(1, Ordering::Relaxed);
    }

    pub fn now(&self) -> CountersNow {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CountersNow {
            uptime_seconds: self.start.elapsed().as_secs(),
            files_new: of(&self.files_new),
            files_broken: of(&self.files_broken),
            pages_read: of(&self.pages_read),
            pages_failed: of(&self.pages_failed),
            pages_delayed: of(&self.pages_delayed),
            diagrams: of(&self.diagrams),
            diagrams_in_doubt: of(&self.diagrams_in_doubt),
            read_ms: of(&self.read_ms),
            panics: of(&self.panics),
        }
    }
}
