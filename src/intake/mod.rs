//! Watching folders, settling, hashing, book and page identity.
//!
//! [`Intake`] watches natively or by polling, waits until a file is complete ([`settle`]), looks into it, hashes it
//! and hands it to a [`Desk`]. Originals are opened for reading only.
//!
//! A file whose name or content says scan is handed over, readable or broken; a stranger is left alone with a line in
//! the log. Nothing is ever passed over without one.

mod desk;
mod error;
mod hash;
mod ignore;
mod kinds;
mod layout;
mod mounts;
mod params;
mod place;
pub mod settle;
mod troubles;
mod walk;
mod watch_loop;
mod watcher;

#[cfg(test)]
mod tests;

pub use desk::{Arrival, Content, Desk, Probe, Probed};
pub use error::IntakeError;
pub use hash::{sha256, sha256_file};
pub use ignore::Ignore;
pub use kinds::named_as_scan;
pub use layout::{check_layout, resolve};
pub use mounts::silent_file_system;
pub use params::{DEFAULT_IGNORE, WatchMode, WatchParams};
pub use place::{Place, name_text};
pub use settle::Stamp;
pub use watch_loop::{Drained, Intake};
