//! The other side of the intake: who is told of files.

use std::path::{Path, PathBuf};

use super::place::Place;
use super::settle::Stamp;

/// A file that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    pub place: Place,
    /// Where it lies.
    pub path: PathBuf,
    pub stamp: Stamp,
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub hash: String,
    pub content: Content,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Pages that a decoder can be asked for; `format` is its kind in words ("PDF").
    Pages { format: String, count: u32 },
    /// Meant as a scan, and cannot be read; `reason` is for people.
    Broken { reason: String },
}

/// What a probe says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    Pages {
        format: String,
        count: u32,
    },
    /// None of the kinds that are read.
    Foreign {
        reason: String,
    },
    /// One of them, and damaged, incomplete, encrypted or beyond the limits.
    Broken {
        reason: String,
    },
    /// For now it cannot be told (no permission, a busy disk, it vanished).
    Unknown {
        reason: String,
    },
}

/// Looks into a complete file.
pub type Probe = Box<dyn Fn(&Path) -> Probed + Send>;

/// Told of what happens in the watched folders. An error means: ask me again later.
pub trait Desk {
    /// Whether this file, in this state, was taken before: it is then neither hashed nor decoded again.
    fn knows(&mut self, place: &Place, stamp: &Stamp) -> Result<bool, String>;

    /// Takes a file.
    fn arrived(&mut self, arrival: Arrival) -> Result<(), String>;

    /// A file is no longer there.
    fn gone(&mut self, place: &Place) -> Result<(), String>;

    /// A walk of `root` has ended; `files` are all that are there, except below the folders in `unread`. Files of earlier
    /// runs that are not among them are gone.
    fn walked(&mut self, root: &Path, files: &[PathBuf], unread: &[PathBuf]) -> Result<(), String>;
}
