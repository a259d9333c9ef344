//! Troubles with files and folders, each told once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::walk::Trouble;

/// Remembers what was told, so that a rescan repeats nothing.
#[derive(Debug, Default)]
pub struct Troubles {
    told: BTreeMap<PathBuf, String>,
}

impl Troubles {
    /// Tells a trouble, unless it was told before in the same words.
    pub fn tell(&mut self, path: &Path, reason: &str) {
        let before = self.told.insert(path.to_owned(), reason.to_owned());
        if before.as_deref() != Some(reason) {
            tracing::warn!(path = %path.display(), "{} {reason}", path.display());
        }
    }

    /// The trouble is over, if there was one.
    pub fn over(&mut self, path: &Path) {
        if self.told.remove(path).is_some() {
            tracing::info!(path = %path.display(), "{} can be read now", path.display());
        }
    }

    /// Tells what a walk below `start` met; earlier walk troubles below it that it did not meet are over.
    pub fn walked(&mut self, start: &Path, met: &[Trouble], files: &BTreeSet<&Path>) {
        for trouble in met {
            self.tell(&trouble.path, &trouble.reason);
        }
        // troubles of files that are still there end when the file is read
        let over: Vec<PathBuf> = self
            .told
            .keys()
            .filter(|path| path.starts_with(start))
            .filter(|path| {
                !files.contains(path.as_path()) && !met.iter().any(|trouble| &trouble.path == *path)
            })
            .cloned()
            .collect();
        for path in over {
            self.told.remove(&path);
        }
    }

    pub fn knows(&self, path: &Path) -> bool {
        self.told.contains_key(path)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.told.iter().map(|(path, reason)| (path.as_path(), reason.as_str()))
    }
}
