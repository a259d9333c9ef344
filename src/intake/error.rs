//! What keeps the intake from starting.

use std::path::PathBuf;

/// Why folders cannot be watched as the settings say.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    #[error("no folder to watch (setting `watch.folders`)")]
    NoFolder,
    #[error("bad ignore pattern {glob:?}: {reason}")]
    Glob { glob: String, reason: String },
    #[error(
        "the {what} {} lies inside the watched folder {}: what is written there would be read again; move it elsewhere (setting `{setting}`)",
        inner.display(), watched.display()
    )]
    OutputInside { what: &'static str, setting: &'static str, inner: PathBuf, watched: PathBuf },
    #[error(
        "the watched folder {} lies inside the done folder {}: what is moved there could be read again (setting `watch.done_folder`)",
        watched.display(), done.display()
    )]
    InsideDone { watched: PathBuf, done: PathBuf },
    #[error("the watched folders {} and {} overlap: each page would belong to two books", outer.display(), inner.display())]
    Nested { outer: PathBuf, inner: PathBuf },
    #[error("cannot watch {}: {reason}", folder.display())]
    Watch { folder: PathBuf, reason: String },
}
