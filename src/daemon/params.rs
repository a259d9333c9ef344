//! What a person may set about the workers.

use serde::{Deserialize, Serialize};

/// Parameters of the threads that read pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerParams {
    /// Threads that read pages, each with one page in memory. 0: one a processor.
    pub threads: u16,
    /// A page whose worker gave no sign of life for so long goes to another one. Workers give one every third of it.
    /// 60: far above any hiccup, and a crashed machine's pages wait no longer than a minute (a
    /// restarted daemon takes its own back at once).
    pub lease_seconds: f64,
    /// A page that failed so many times for reasons that may pass, or on which the program died, is failed for good.
    /// 3: once may be somebody else's fault, twice is suspicious.
    pub max_attempts: u32,
    /// Wait before the second attempt at a page that failed for a reason that may pass; doubles with each. 30: long enough for a
    /// copy or a burst of load to end.
    pub retry_seconds: f64,
}

impl Default for WorkerParams {
    fn default() -> Self {
        WorkerParams { threads: 0, lease_seconds: 60.0, max_attempts: 3, retry_seconds: 30.0 }
    }
}

impl WorkerParams {
    /// Threads to start.
    pub fn count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => usize::from(threads),
        }
    }
}
