//! One daemon a state folder: a lock that ends with its process, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The held lock.
#[derive(Debug)]
pub struct InstanceLock {
    _file: File,
}

/// Why the lock is not ours.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another fenwatch{} works on {}; stop it first, or give this one a state folder of its own (setting `state.folder`)",
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default(), folder.display())]
    Held { folder: PathBuf, pid: Option<u32> },
    #[error("cannot lock {}: {reason}", path.display())]
    Io { path: PathBuf, reason: String },
}

impl InstanceLock {
    /// Takes the lock at `path`, making its folder when it is not there. The file stays when the process ends; only the lock
    /// on it counts.
    pub fn take(path: &Path) -> Result<InstanceLock, LockError> {
        let io = |error: std::io::Error| LockError::Io { path: path.to_owned(), reason: error.to_string() };
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(io)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // the number is a courtesy
                let _ = file.read_to_string(&mut text);
                return Err(LockError::Held { folder: folder.to_owned(), pid: text.trim().parse().ok() });
            }
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        if let Err(error) = written {
            tracing::debug!(%error, "cannot write the process number into the lock");
        }
        Ok(InstanceLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_holds_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("var/fenwatch.lock");
        let first = InstanceLock::take(&path).unwrap();
        let error = InstanceLock::take(&path).unwrap_err();
        assert!(
            matches!(error, LockError::Held { pid: Some(pid), .. } if pid == std::process::id()),
            "{error}"
        );
        drop(first);
        InstanceLock::take(&path).unwrap();
    }
}
