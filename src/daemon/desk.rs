//! The intake's desk in the daemon: files become sources and pages of the queue.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tracing::{info, warn};

use super::counters::Counters;
use super::path_text::path_to_text;
use crate::intake::{Arrival, Content, Desk, Place, Stamp};
use crate::queue::{Enrolled, NewSource, Pages, Queue, QueueError};

/// Enrolls files. Lives on the intake's thread, which it blocks while the database works.
#[derive(Debug)]
pub(super) struct QueueDesk {
    queue: Queue,
    runtime: Handle,
    counters: Arc<Counters>,
    /// Told when there may be new pages.
    news: Arc<Notify>,
    /// What the store knew of each watched folder when it was first asked, and has learnt since.
    known: HashMap<String, HashMap<String, (u64, Option<i64>)>>,
}

impl QueueDesk {
    pub fn new(queue: Queue, runtime: Handle, counters: Arc<Counters>, news: Arc<Notify>) -> QueueDesk {
        QueueDesk { queue, runtime, counters, news, known: HashMap::new() }
    }

    fn known_under(&mut self, root: &str) -> Result<&mut HashMap<String, (u64, Option<i64>)>, String> {
        if !self.known.contains_key(root) {
            let rows = self.runtime.block_on(self.queue.known_paths(root)).map_err(words)?;
            let there = rows.into_iter().filter(|row| !row.gone);
            let map = there.map(|row| (row.path, (row.bytes, row.modified_ns))).collect();
            self.known.insert(root.to_owned(), map);
        }
        // it was put there just now
        self.known.get_mut(root).ok_or_else(|| "unknown folder".to_owned())
    }

    fn mark_gone(&mut self, root: &str, path: &str) -> Result<(), String> {
        if self.runtime.block_on(self.queue.mark_gone(root, path)).map_err(words)? {
            info!(path, "{path} is gone");
            // the rest of its book is looked at again
            self.news.notify_waiters();
        }
        self.known_under(root)?.remove(path);
        Ok(())
    }
}

impl Desk for QueueDesk {
    fn knows(&mut self, place: &Place, stamp: &Stamp) -> Result<bool, String> {
        let path = path_to_text(&place.relative);
        let known = self.known_under(&path_to_text(&place.root))?.get(&path).copied();
        // a file system that tells no times leaves only the content to go by
        Ok(known.is_some_and(|(bytes, modified)| {
            bytes == stamp.size && modified.is_some() && modified == nanoseconds(stamp.modified)
        }))
    }

    fn arrived(&mut self, arrival: Arrival) -> Result<(), String> {
        let Arrival { place, stamp, hash, content, .. } = arrival;
        let (root, path) = (path_to_text(&place.root), path_to_text(&place.relative));
        let (format, pages) = match content {
            Content::Pages { format, count } => (format, Pages::Count(count)),
            Content::Broken { reason } => ("unreadable".to_owned(), Pages::Unreadable { reason }),
        };
        let modified_ns = nanoseconds(stamp.modified);
        let broken = match &pages {
            Pages::Count(_) => None,
            Pages::Unreadable { reason } => Some(reason.clone()),
        };
        let count = if let Pages::Count(count) = pages { count } else { 0 };
        let source = NewSource {
            book: place.book.clone(),
            root: root.clone(),
            path: path.clone(),
            hash,
            bytes: stamp.size,
            modified_ns,
            format,
            pages,
        };
        let enrolled = self.runtime.block_on(self.queue.enroll(&source)).map_err(words)?;
        if let Enrolled::New { replaced: Some(_), .. } = enrolled {
            warn!(
                book = place.book,
                path,
                "{path} is another scan than before: what was read from the old one stays in the collection"
            );
        }
        match (&enrolled, broken) {
            (Enrolled::New { .. }, Some(reason)) => {
                self.counters.file_new(true);
                warn!(book = place.book, path, "{path} cannot be read: {reason}");
            }
            (Enrolled::New { .. }, None) => {
                self.counters.file_new(false);
                let pages = if count == 1 { "1 page".to_owned() } else { format!("{count} pages") };
                info!(book = place.book, path, "{path} joins the queue: {pages}");
            }
            (Enrolled::Moved { from, .. }, _) => info!(path, "{path} was {from} before"),
            (Enrolled::Returned { .. }, _) => info!(path, "{path} is back"),
            (Enrolled::Alias { first, .. }, _) => {
                info!(path, "{path} is the same scan as {first}: not read again");
            }
            (Enrolled::Known { .. }, _) => {}
        }
        self.known_under(&root)?.insert(path, (stamp.size, modified_ns));
        self.news.notify_waiters();
        Ok(())
    }

    fn gone(&mut self, place: &Place) -> Result<(), String> {
        self.mark_gone(&path_to_text(&place.root), &path_to_text(&place.relative))
    }

    fn walked(&mut self, root: &Path, files: &[PathBuf], unread: &[PathBuf]) -> Result<(), String> {
        let root_text = path_to_text(root);
        let below = |path: &PathBuf| path.strip_prefix(root).map(path_to_text).unwrap_or_default();
        let there: BTreeSet<String> = files.iter().map(below).collect();
        // "" is the folder itself: nothing of it was seen
        let unread: Vec<String> = unread.iter().map(below).collect();
        let unseen = |path: &str| {
            unread.iter().any(|folder| {
                folder.is_empty()
                    || path == folder
                    || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let known = self.known_under(&root_text)?;
        let mut gone: Vec<String> =
            known.keys().filter(|path| !there.contains(*path) && !unseen(path)).cloned().collect();
        gone.sort();
        gone.iter().try_for_each(|path| self.mark_gone(&root_text, path))
    }
}

fn words(error: QueueError) -> String {
    error.to_string()
}

/// Nanoseconds since the epoch, as the store keeps them; `None` beyond the years 1678 to 2262.
fn nanoseconds(time: Option<SystemTime>) -> Option<i64> {
    let time = time?;
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|nanos| -nanos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::{PageFilter, PageState};

    fn arrival(root: &Path, name: &str, hash: char) -> Arrival {
        let path = root.join(name);
        Arrival {
            place: Place::new(root, &path).unwrap(),
            path,
            stamp: Stamp { size: 5, modified: Some(UNIX_EPOCH) },
            hash: hash.to_string().repeat(64),
            content: Content::Pages { format: "PNG".into(), count: 2 },
        }
    }

    #[test]
    fn files_are_enrolled_known_and_missed() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let queue = runtime.block_on(Queue::in_memory()).unwrap();
        let desk = || QueueDesk::new(queue.clone(), runtime.handle().clone(), Arc::default(), Arc::default());
        let root = Path::new("/scans");
        let mut first = desk();
        for (name, hash) in [("tal/1.png", 'a'), ("tal/2.png", 'b'), ("closed/3.png", 'c')] {
            first.arrived(arrival(root, name, hash)).unwrap();
        }
        let broken = Content::Broken { reason: "ends early".into() };
        first.arrived(Arrival { content: broken, ..arrival(root, "tal/4.png", 'd') }).unwrap();
        assert_eq!(first.counters.now().files_new, 4);
        assert_eq!(first.counters.now().files_broken, 1);

        // a later run
        let mut later = desk();
        let one = arrival(root, "tal/1.png", 'a');
        assert!(later.knows(&one.place, &one.stamp).unwrap());
        let touched = Stamp { size: 5, modified: Some(SystemTime::now()) };
        assert!(!later.knows(&one.place, &touched).unwrap());
        let files = [root.join("tal/1.png"), root.join("tal/4.png")];
        later.walked(root, &files, &[root.join("closed")]).unwrap();
        let failed = PageFilter { states: vec![PageState::Failed], ..PageFilter::default() };
        let pages = runtime.block_on(queue.pages(&failed, 100, 0)).unwrap();
        let names: Vec<_> = pages.iter().map(|page| (page.path.as_str(), page.page)).collect();
        assert_eq!(names, [("tal/2.png", 1), ("tal/2.png", 2), ("tal/4.png", 1)]);
        // the whole folder could not be read: nothing is said of its files
        later.walked(root, &[], &[root.to_owned()]).unwrap();
        assert!(later.knows(&one.place, &one.stamp).unwrap());
        later.gone(&one.place).unwrap();
        assert!(!later.knows(&one.place, &one.stamp).unwrap());
    }
}
