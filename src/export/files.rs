//! Files that are there whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

#[derive(Debug, thiserror::Error)]
pub enum ExportFileError {
    #[error("{0} is there already (--force overwrites it)")]
    Exists(PathBuf),
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: io::Error },
}

/// Files being written under temporary names beside their own; [`Files::keep`] gives them their names. Dropped before, they
/// leave nothing.
#[derive(Debug)]
pub struct Files {
    force: bool,
    files: Vec<(PathBuf, BufWriter<NamedTempFile>)>,
}

impl Files {
    /// `force`: files that are there are replaced.
    pub fn new(force: bool) -> Files {
        Files { force, files: Vec::new() }
    }

    /// Begins the next file; what is written from now on goes there.
    pub fn create(&mut self, path: &Path) -> Result<(), ExportFileError> {
        let failed = |source| ExportFileError::Write { path: path.to_owned(), source };
        if !self.force && path.try_exists().map_err(failed)? {
            return Err(ExportFileError::Exists(path.to_owned()));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fenwatch-export-").suffix(".part");
        // as any other new file: what the process's mask leaves of these rights
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(failed)?;
        self.finish_last()?;
        self.files.push((path.to_owned(), BufWriter::with_capacity(1 << 16, file)));
        Ok(())
    }

    /// Writes to the last file that was begun.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), ExportFileError> {
        let Some((path, file)) = self.files.last_mut() else {
            return Ok(());
        };
        file.write_all(bytes).map_err(|source| ExportFileError::Write { path: path.clone(), source })
    }

    /// On the disk before it gets its name: a power cut must not leave an empty file under a good name.
    fn finish_last(&mut self) -> Result<(), ExportFileError> {
        let Some((path, file)) = self.files.last_mut() else {
            return Ok(());
        };
        let done = file.flush().and_then(|()| file.get_ref().as_file().sync_all());
        done.map_err(|source| ExportFileError::Write { path: path.clone(), source })
    }

    /// Gives all files their names. Without `force`, one that appeared in the meantime stops it, and those that have their names already
    /// are taken away again.
    pub fn keep(mut self) -> Result<Vec<PathBuf>, ExportFileError> {
        self.finish_last()?;
        let mut kept: Vec<PathBuf> = Vec::new();
        for (path, file) in self.files {
            let failed = |source| ExportFileError::Write { path: path.clone(), source };
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            let named = if self.force { file.persist(&path) } else { file.persist_noclobber(&path) };
            if let Err(error) = named {
                if !self.force {
                    for done in &kept {
                        // they were made a moment ago by this very call
                        let _ = std::fs::remove_file(done);
                    }
                }
                let exists = error.error.kind() == io::ErrorKind::AlreadyExists;
                return Err(if exists { ExportFileError::Exists(path) } else { failed(error.error) });
            }
            kept.push(path);
        }
        Ok(kept)
    }
}

/// The name of part `number` (from 1) of a split export: "book.pgn" becomes "book-003.pgn".
pub fn split_name(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number:03}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number:03}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_there_until_all_is() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("1.pgn"), folder.path().join("2.pgn"));
        let mut files = Files::new(false);
        files.create(&one).unwrap();
        files.write(b"one").unwrap();
        files.create(&two).unwrap();
        files.write(b"two").unwrap();
        assert!(!one.exists());
        files.keep().unwrap();
        assert_eq!(std::fs::read(&one).unwrap(), b"one");
        assert_eq!(std::fs::read(&two).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["1.pgn", "2.pgn"]);
    }

    #[test]
    fn given_up_it_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::new(true);
        files.create(&folder.path().join("1.pgn")).unwrap();
        files.write(&[b'x'; 100_000]).unwrap();
        drop(files);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn nothing_is_overwritten_without_force() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("1.pgn"), folder.path().join("2.pgn"));
        std::fs::write(&two, "mine").unwrap();
        assert!(matches!(Files::new(false).create(&two), Err(ExportFileError::Exists(_))));
        // one that appears while the export is written
        std::fs::remove_file(&two).unwrap();
        let mut files = Files::new(false);
        files.create(&one).unwrap();
        files.create(&two).unwrap();
        std::fs::write(&two, "mine").unwrap();
        assert!(matches!(files.keep(), Err(ExportFileError::Exists(_))));
        assert_eq!(std::fs::read(&two).unwrap(), b"mine");
        assert_eq!(names(folder.path()), ["2.pgn"]);
        let mut files = Files::new(true);
        files.create(&two).unwrap();
        files.write(b"new").unwrap();
        files.keep().unwrap();
        assert_eq!(std::fs::read(&two).unwrap(), b"new");
    }

    #[test]
    fn parts_are_numbered() {
        assert_eq!(split_name(Path::new("a/b.c.pgn"), 7), Path::new("a/b.c-007.pgn"));
        assert_eq!(split_name(Path::new("book"), 12), Path::new("book-012"));
    }
}
