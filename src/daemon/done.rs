//! The done folder: files whose every page was read are moved there, when a person wants it.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};

use tracing::{info, warn};

use super::path_text::{path_to_text, text_to_path};
use crate::intake::sha256_file;
use crate::queue::{NewSource, PageFilter, PageState, Pages, Queue, QueueError, SourceId};

/// Moves read files.
#[derive(Debug, Clone)]
pub(super) struct DoneFolder {
    pub queue: Queue,
    pub folder: PathBuf,
}

impl DoneFolder {
    /// Moves the file of `source` if all its pages were read. A file that cannot be moved stays, with a line in the log.
    pub async fn take(&self, source: SourceId) -> Result<(), QueueError> {
        let unread = PageFilter {
            source: Some(source),
            states: vec![PageState::Pending, PageState::Reading, PageState::Failed],
            ..PageFilter::default()
        };
        if !self.queue.pages(&unread, 1, 0).await?.is_empty() {
            return Ok(());
        }
        let any = PageFilter { source: Some(source), ..PageFilter::default() };
        let Some(page) = self.queue.pages(&any, 1, 0).await?.into_iter().next() else { return Ok(()) };
        let done_root = path_to_text(&self.folder);
        if page.gone || page.root == done_root {
            return Ok(());
        }
        let Some(known) = self.queue.known_path(&page.root, &page.path).await? else { return Ok(()) };
        let from = text_to_path(&page.root).join(text_to_path(&page.path));
        let wanted = wanted_place(&page.path, &page.book);
        let (folder, hash) = (self.folder.clone(), known.hash.clone());
        let moved = tokio::task::spawn_blocking(move || move_file(&from, &folder, &wanted, &hash)).await;
        let to = match moved {
            Ok(Ok(to)) => to,
            Ok(Err(error)) => {
                warn!(path = page.path, "{} stays where it is: {error}", page.path);
                return Ok(());
            }
            Err(error) => {
                warn!(path = page.path, "{} stays where it is: {error}", page.path);
                return Ok(());
            }
        };
        info!(path = page.path, "{} is done and lies in {} now", page.path, to.display());
        // the new place first: the source is never without one
        self.queue
            .enroll(&NewSource {
                book: page.book,
                root: done_root,
                path: path_to_text(to.strip_prefix(&self.folder).unwrap_or(&to)),
                hash: known.hash,
                bytes: known.bytes,
                modified_ns: known.modified_ns,
                format: "done".to_owned(),
                pages: Pages::Count(0),
            })
            .await?;
        self.queue.mark_gone(&page.root, &page.path).await?;
        Ok(())
    }

    /// Moves whatever was read before the setting was made, or before a crash.
    pub async fn sweep(&self, roots: &[PathBuf]) -> Result<(), QueueError> {
        for root in roots {
            for known in self.queue.known_paths(&path_to_text(root)).await? {
                if !known.gone {
                    self.take(known.source).await?;
                }
            }
        }
        Ok(())
    }
}

/// The path below the done folder: the book's name stands first.
fn wanted_place(path: &str, book: &str) -> PathBuf {
    let relative = text_to_path(path);
    let in_book = relative.components().count() > 1;
    if in_book { relative } else { text_to_path(book).join(relative) }
}

/// Moves `from` to `folder/wanted`, or to a free name beside it when that is taken. Across file systems it is copied, the
/// copy compared with `hash`, and only then is the original removed.
fn move_file(from: &Path, folder: &Path, wanted: &Path, hash: &str) -> io::Result<PathBuf> {
    let to = free_name(&folder.join(wanted))?;
    let parent = to.parent().unwrap_or(folder);
    fs::create_dir_all(parent)?;
    match fs::rename(from, &to) {
        Ok(()) => return Ok(to),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        Err(error) => return Err(error),
    }
    let mut copy = tempfile::Builder::new().prefix(".fenwatch-").suffix(".part").tempfile_in(parent)?;
    let mut original = File::open(from)?;
    io::copy(&mut original, copy.as_file_mut())?;
    if let Ok(modified) = original.metadata().and_then(|metadata| metadata.modified()) {
        copy.as_file().set_times(FileTimes::new().set_modified(modified))?;
    }
    copy.as_file().sync_all()?;
    if sha256_file(copy.path())? != hash {
        return Err(io::Error::other("the copy differs from what was read"));
    }
    let kept = copy.persist_noclobber(&to).map_err(|error| error.error)?;
    kept.sync_all()?;
    fs::remove_file(from)?;
    Ok(to)
}

/// `path`, or `stem (2).ending` and so on, whichever is free.
fn free_name(path: &Path) -> io::Result<PathBuf> {
    let stem = path.file_stem().unwrap_or_default();
    for number in 1..10_000 {
        let mut name = stem.to_owned();
        if number > 1 {
            name.push(format!(" ({number})"));
        }
        if let Some(ending) = path.extension() {
            name.push(".");
            name.push(ending);
        }
        let candidate = path.with_file_name(name);
        // also a dangling link is in the way
        if candidate.symlink_metadata().is_err() {
            return Ok(candidate);
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is taken", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_stands_first_and_nothing_is_overwritten() {
        assert_eq!(wanted_place("tal/part 1/1.png", "tal"), Path::new("tal/part 1/1.png"));
        assert_eq!(wanted_place("tal.pdf", "scans"), Path::new("scans/tal.pdf"));
        let dir = tempfile::tempdir().unwrap();
        let done = dir.path().join("done");
        for (number, name) in [(1, "1.png"), (2, "1 (2).png"), (3, "1 (3).png")] {
            let from = dir.path().join("1.png");
            fs::write(&from, number.to_string()).unwrap();
            let to = move_file(&from, &done, Path::new("tal/1.png"), "").unwrap();
            assert_eq!(to, done.join("tal").join(name));
            assert!(!from.exists());
            assert_eq!(fs::read_to_string(to).unwrap(), number.to_string());
        }
    }
}
