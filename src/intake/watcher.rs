//! Native notifications of the watched folders, put into the few words that settling needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RenameMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::settle::Event;

/// One change in a watched folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    File(PathBuf, Event),
    /// A folder appeared: files may have been put into it before it was watched.
    Folder(PathBuf),
    /// Rights or owner changed: what could not be read may be readable now.
    Rights(PathBuf),
}

/// Watches folders natively.
pub struct Watcher {
    inner: RecommendedWatcher,
    changes: Receiver<Change>,
    lost: Arc<AtomicBool>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").finish_non_exhaustive()
    }
}

/// Changes that may wait. A burst beyond it costs a rescan and loses nothing.
const WAITING: usize = 16_384;

impl Watcher {
    pub fn new(follow_links: bool) -> notify::Result<Watcher> {
        let (sender, changes) = bounded(WAITING);
        let lost = Arc::new(AtomicBool::new(false));
        let flag = lost.clone();
        let handler = move |result: notify::Result<notify::Event>| match result {
            Ok(event) => {
                if event.need_rescan() {
                    flag.store(true, Ordering::Release);
                    // wakes the reader; when the channel is full it is awake
                    let _ = sender.try_send(Change::Rights(PathBuf::new()));
                }
                for change in changes_of(&event) {
                    send(&sender, &flag, change);
                }
            }
            Err(error) => {
                tracing::debug!(%error, "the file system's watcher reports an error");
                flag.store(true, Ordering::Release);
            }
        };
        let config = notify::Config::default().with_follow_symlinks(follow_links);
        Ok(Watcher { inner: RecommendedWatcher::new(handler, config)?, changes, lost })
    }

    /// Watches `folder` and everything below it.
    pub fn watch(&mut self, folder: &Path) -> notify::Result<()> {
        self.inner.watch(folder, RecursiveMode::Recursive)
    }

    pub fn unwatch(&mut self, folder: &Path) {
        // it fails when the folder is gone, and with it the watch
        let _ = self.inner.unwatch(folder);
    }

    pub fn changes(&self) -> &Receiver<Change> {
        &self.changes
    }

    /// True once after changes were lost: the folders must be walked.
    pub fn take_lost(&self) -> bool {
        self.lost.swap(false, Ordering::AcqRel)
    }
}

fn send(sender: &Sender<Change>, lost: &AtomicBool, change: Change) {
    if let Err(TrySendError::Full(_)) = sender.try_send(change) {
        lost.store(true, Ordering::Release);
    }
}

/// What a notification says. The reading of files, which we do ourselves, says nothing.
fn changes_of(event: &notify::Event) -> Vec<Change> {
    let each = |kind: Event| event.paths.iter().map(move |path| Change::File(path.clone(), kind)).collect();
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => each(Event::Completed),
        EventKind::Access(_) => Vec::new(),
        EventKind::Create(CreateKind::Folder) => event.paths.iter().cloned().map(Change::Folder).collect(),
        // not yet `Writing`: a hard link appears without ever being written and closed
        EventKind::Create(_) => each(Event::Changed),
        EventKind::Modify(ModifyKind::Name(mode)) => match (mode, event.paths.as_slice()) {
            (RenameMode::From, paths) => {
                paths.iter().map(|path| Change::File(path.clone(), Event::Gone)).collect()
            }
            (RenameMode::To, paths) => paths.iter().map(|path| arrived(path)).collect(),
            (RenameMode::Both, [from, to]) => vec![Change::File(from.clone(), Event::Gone), arrived(to)],
            (_, paths) => paths
                .iter()
                .map(|path| match path.symlink_metadata() {
                    Ok(_) => arrived(path),
                    Err(_) => Change::File(path.clone(), Event::Gone),
                })
                .collect(),
        },
        EventKind::Modify(ModifyKind::Metadata(_)) => {
            event.paths.iter().cloned().map(Change::Rights).collect()
        }
        // inotify announces every closing after a write; other systems do not
        EventKind::Modify(_) if cfg!(target_os = "linux") => each(Event::Writing),
        EventKind::Modify(_) | EventKind::Any => each(Event::Changed),
        EventKind::Remove(_) => each(Event::Gone),
        EventKind::Other => Vec::new(),
    }
}

fn arrived(path: &Path) -> Change {
    if path.is_dir() {
        Change::Folder(path.to_owned())
    } else {
        Change::File(path.to_owned(), Event::Completed)
    }
}

/// Whether an error of the watcher says that the system's limit of watches is reached.
pub fn is_limit(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => true,
        // EMFILE and ENOSPC: inotify's limits of instances and of watches
        notify::ErrorKind::Io(io) => matches!(io.raw_os_error(), Some(24 | 28)),
        _ => false,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::{Duration, Instant};

    /// Changes until `last` comes, or all within five seconds.
    fn until(watcher: &Watcher, last: &Change) -> Vec<Change> {
        let end = Instant::now() + Duration::from_secs(5);
        let mut out = Vec::new();
        while let Ok(change) = watcher.changes().recv_deadline(end) {
            let done = &change == last;
            out.push(change);
            if done {
                return out;
            }
        }
        panic!("{last:?} never came: {out:?}");
    }

    #[test]
    fn writing_is_told_before_closing() {
        let dir = tempfile::tempdir().unwrap();
        let mut watcher = Watcher::new(true).unwrap();
        watcher.watch(dir.path()).unwrap();
        let path = dir.path().join("1.png");
        let mut file = std::fs::File::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        let writing = Change::File(path.clone(), Event::Writing);
        let seen = until(&watcher, &writing);
        assert!(!seen.contains(&Change::File(path.clone(), Event::Completed)), "{seen:?}");
        drop(file);
        until(&watcher, &Change::File(path.clone(), Event::Completed));
        // our own reading is no change
        std::fs::read(&path).unwrap();
        std::fs::rename(&path, dir.path().join("2.png")).unwrap();
        let seen = until(&watcher, &Change::File(dir.path().join("2.png"), Event::Completed));
        assert_eq!(seen[0], Change::File(path, Event::Gone), "{seen:?}");
        std::fs::remove_file(dir.path().join("2.png")).unwrap();
        until(&watcher, &Change::File(dir.path().join("2.png"), Event::Gone));
    }

    #[test]
    fn new_folders_are_told_and_watched() {
        let dir = tempfile::tempdir().unwrap();
        let mut watcher = Watcher::new(true).unwrap();
        watcher.watch(dir.path()).unwrap();
        let book = dir.path().join("tal");
        std::fs::create_dir(&book).unwrap();
        until(&watcher, &Change::Folder(book.clone()));
        // the new folder is watched soon after it was announced
        std::thread::sleep(Duration::from_millis(200));
        std::fs::write(book.join("1.png"), "x").unwrap();
        until(&watcher, &Change::File(book.join("1.png"), Event::Completed));
        let other = tempfile::tempdir().unwrap();
        std::fs::create_dir(other.path().join("euwe")).unwrap();
        if std::fs::rename(other.path().join("euwe"), dir.path().join("euwe")).is_ok() {
            until(&watcher, &Change::Folder(dir.path().join("euwe")));
        }
    }
}
