//! Runs intake, workers and review; start, stop, health.
//!
//! ```text
//! intake thread ──▶ queue ◀── lend (one task a worker) ◀──▶ worker thread (decode, read)
//!                     ▲
//! review server ──────┘
//! ```
//!
//! All that must survive is in the queue: a kill at any moment loses at most the pages in hand, whose leases the
//! next start takes back. CPU work runs on threads of its own; the tasks only wait and talk to the database.

mod counters;
mod desk;
mod done;
mod drawing;
mod health;
mod lend;
mod lock;
mod params;
mod path_text;
mod pictures;
mod run;
mod shutdown;
mod worker;

#[cfg(test)]
mod tests;

pub use counters::{Counters, CountersNow};
pub use lock::{InstanceLock, LockError};
pub use params::WorkerParams;
pub use path_text::{path_to_text, text_to_path};
pub use run::{DaemonError, DaemonParams, Ended, Mode, Progress, probe_with, run};
pub use shutdown::Shutdown;
pub use worker::{PageReader, ReaderFactory};
