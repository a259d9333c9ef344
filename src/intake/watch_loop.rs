//! The intake itself: notifications and walks in, settled and hashed files out to the [`Desk`].
//!
//! Runs on a thread of its own; nothing here is asynchronous.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, never, select};
use tracing::{debug, info, warn};

use super::IntakeError;
use super::desk::{Arrival, Content, Desk, Probe, Probed};
use super::hash::sha256_file;
use super::ignore::Ignore;
use super::kinds::named_as_scan;
use super::mounts::silent_file_system;
use super::params::{WatchMode, WatchParams, seconds};
use super::place::Place;
use super::settle::{Due, Event, SettleParams, Settler, Stamp};
use super::troubles::Troubles;
use super::walk::{Walked, plain, stamp_of, walk};
use super::watcher::{Change, Watcher, is_limit};

/// A watched folder.
#[derive(Debug)]
struct Root {
    folder: PathBuf,
    /// Polled, and not watched natively.
    polled: bool,
    /// The folder that the native watch stands on: another one may be mounted or moved over it.
    watched: Option<FolderId>,
    next_walk: Duration,
}

type FolderId = (u64, u64);

/// What is left after [`Intake::drain`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drained {
    /// Files that were still being written.
    pub unsettled: Vec<PathBuf>,
    /// Files and folders that could not be read, with the reason.
    pub troubles: Vec<(PathBuf, String)>,
}

/// Watches folders and hands complete files to a [`Desk`].
pub struct Intake<D> {
    params: WatchParams,
    ignore: Ignore,
    roots: Vec<Root>,
    desk: D,
    probe: Probe,
    settler: Settler,
    /// Files dealt with, in the state in which they were.
    handled: HashMap<PathBuf, Stamp>,
    troubles: Troubles,
    watcher: Option<Watcher>,
    /// Folders to walk, and when: new ones are walked again, since they were filled before they were watched.
    walks: Vec<(Duration, PathBuf)>,
    start: Instant,
}

/// A new folder is walked again after so long: by then its watch stands.
const SECOND_LOOK: Duration = Duration::from_secs(1);

impl<D: Desk> Intake<D> {
    /// `params.folders` must be absolute. The folders need not exist; they are looked for again.
    pub fn new(params: WatchParams, probe: Probe, desk: D) -> Result<Intake<D>, IntakeError> {
        if params.folders.is_empty() {
            return Err(IntakeError::NoFolder);
        }
        let globs = params.ignore.iter().chain(&params.ignore_also).map(String::as_str);
        let ignore = Ignore::new(globs)?;
        let roots = params
            .folders
            .iter()
            .map(|folder| Root {
                folder: folder.clone(),
                polled: params.mode == WatchMode::Poll,
                watched: None,
                next_walk: Duration::ZERO,
            })
            .collect();
        let settle = SettleParams {
            settle: seconds(params.settle_seconds),
            patience: seconds(params.patience_seconds),
            ..SettleParams::default()
        };
        Ok(Intake {
            ignore,
            roots,
            desk,
            probe,
            settler: Settler::new(settle),
            handled: HashMap::new(),
            troubles: Troubles::default(),
            watcher: None,
            walks: Vec::new(),
            start: Instant::now(),
            params,
        })
    }

    /// Watches until `stop` is closed or sends.
    ///
    /// # Errors
    /// In native mode, when the folders cannot be watched natively.
    pub fn run(&mut self, stop: &Receiver<()>) -> Result<(), IntakeError> {
        self.prepare_watcher()?;
        loop {
            self.watch_roots()?;
            self.walk_due();
            self.settle_due(stop);
            let wait = self.next_due().saturating_sub(self.now());
            let changes = self.watcher.as_ref().map_or_else(never, |watcher| watcher.changes().clone());
            select! {
                recv(stop) -> _ => return Ok(()),
                recv(changes) -> change => {
                    if let Ok(change) = change {
                        self.take(change);
                        // what came along with it, before looking at the clock again
                        for change in changes.try_iter().take(1024) {
                            self.take(change);
                        }
                    }
                }
                default(wait) => {}
            }
            self.rescan_if_lost();
        }
    }

    /// Walks all folders once and hands over everything in them, waiting for files that are being
    /// written as long as they grow, but not longer than `patience_seconds` after the last new one.
    /// A settled file that does not decode is damaged.
    pub fn drain(&mut self, stop: &Receiver<()>) -> Drained {
        for index in 0..self.roots.len() {
            self.walk_root(index);
        }
        let mut progress = self.now();
        let mut stopped = false;
        while !self.settler.is_empty() {
            let before = self.settler.len();
            self.settle_due_once(stop, true);
            if self.settler.len() < before {
                progress = self.now();
            }
            if self.now().saturating_sub(progress) > seconds(self.params.patience_seconds) {
                break;
            }
            let wait = self.settler.next_due().unwrap_or_default().saturating_sub(self.now());
            if !matches!(stop.recv_timeout(wait), Err(RecvTimeoutError::Timeout)) {
                stopped = true;
                break;
            }
        }
        let mut unsettled: Vec<PathBuf> = self.settler.paths().map(Path::to_owned).collect();
        unsettled.sort();
        for path in unsettled.iter().filter(|_| !stopped) {
            warn!(path = %path.display(), "{} is still being written and is left for the next run", path.display());
        }
        let troubles =
            self.troubles.iter().map(|(path, reason)| (path.to_owned(), reason.to_owned())).collect();
        Drained { unsettled, troubles }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn next_due(&self) -> Duration {
        let walks = self.walks.iter().map(|(at, _)| *at);
        let roots = self.roots.iter().map(|root| root.next_walk);
        // the longest anybody waits when nothing is known
        walks.chain(roots).chain(self.settler.next_due()).min().unwrap_or(Duration::from_secs(60))
    }

    fn prepare_watcher(&mut self) -> Result<(), IntakeError> {
        if self.params.mode == WatchMode::Poll {
            return Ok(());
        }
        match Watcher::new(self.params.follow_links) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(error) if self.params.mode == WatchMode::Native => {
                let folder = self.roots[0].folder.clone();
                return Err(IntakeError::Watch { folder, reason: watch_error(&error) });
            }
            Err(error) => {
                warn!("native watching is not available ({}); the folders are polled", watch_error(&error));
                self.roots.iter_mut().for_each(|root| root.polled = true);
            }
        }
        if self.params.mode == WatchMode::Auto {
            for root in &mut self.roots {
                if let Some(kind) = silent_file_system(&root.folder) {
                    info!(
                        folder = %root.folder.display(),
                        "{} lies on {kind}, which does not announce all changes: polled every {} s",
                        root.folder.display(), self.params.poll_seconds
                    );
                    root.polled = true;
                }
            }
        }
        Ok(())
    }

    /// Puts native watches where there are none yet, or where another folder has come in place of the watched one.
    fn watch_roots(&mut self) -> Result<(), IntakeError> {
        let Some(watcher) = &mut self.watcher else { return Ok(()) };
        for root in self.roots.iter_mut().filter(|root| !root.polled) {
            let id = folder_id(&root.folder);
            if root.watched == id {
                continue;
            }
            if root.watched.take().is_some() {
                watcher.unwatch(&root.folder);
            }
            let Some(id) = id else { continue };
            match watcher.watch(&root.folder) {
                Ok(()) => {
                    debug!(folder = %root.folder.display(), "watching");
                    root.watched = Some(id);
                    root.next_walk = Duration::ZERO;
                }
                Err(error) if self.params.mode == WatchMode::Native => {
                    return Err(IntakeError::Watch {
                        folder: root.folder.clone(),
                        reason: watch_error(&error),
                    });
                }
                Err(error) => {
                    warn!(
                        folder = %root.folder.display(),
                        "{} cannot be watched natively ({}): polled every {} s",
                        root.folder.display(), watch_error(&error), self.params.poll_seconds
                    );
                    watcher.unwatch(&root.folder);
                    root.polled = true;
                    root.next_walk = Duration::ZERO;
                }
            }
        }
        Ok(())
    }

    /// Walks what is due to be walked.
    fn walk_due(&mut self) {
        for index in 0..self.roots.len() {
            if self.roots[index].next_walk <= self.now() {
                self.walk_root(index);
            }
        }
        let now = self.now();
        let (due, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.walks).into_iter().partition(|(at, _)| *at <= now);
        self.walks = later;
        for (_, folder) in due {
            self.walk_folder(&folder);
        }
    }

    fn walk_root(&mut self, index: usize) {
        let folder = self.roots[index].folder.clone();
        let walked = walk(&folder, &folder, &self.ignore, self.params.follow_links);
        debug!(folder = %folder.display(), files = walked.files.len(), troubles = walked.troubles.len(), "walked");
        self.take_walk(&folder, &walked);
        let unread: Vec<PathBuf> = walked.troubles.iter().map(|trouble| trouble.path.clone()).collect();
        let files: Vec<PathBuf> = walked.files.into_iter().map(|found| found.path).collect();
        let there: BTreeSet<&Path> = files.iter().map(PathBuf::as_path).collect();
        self.handled.retain(|path, _| {
            !path.starts_with(&folder)
                || there.contains(path.as_path())
                || unread.iter().any(|unread| path.starts_with(unread))
        });
        let told = self.desk.walked(&folder, &files, &unread);
        self.tell_desk_trouble(&folder, told);
        let soon = self.roots[index].polled || !folder.is_dir();
        let pause = seconds(if soon { self.params.poll_seconds } else { self.params.rescan_seconds });
        // a pause of zero would keep a processor busy for nothing
        self.roots[index].next_walk = self.now() + pause.max(Duration::from_millis(100));
    }

    /// Walks a folder that appeared.
    fn walk_folder(&mut self, folder: &Path) {
        let Some(root) = self.root_of(folder) else { return };
        if folder.strip_prefix(&root).is_ok_and(|relative| self.ignore.matches(relative)) || !folder.is_dir()
        {
            return;
        }
        let walked = walk(&root, folder, &self.ignore, self.params.follow_links);
        self.take_walk(folder, &walked);
    }

    fn take_walk(&mut self, start: &Path, walked: &Walked) {
        let files: BTreeSet<&Path> = walked.files.iter().map(|found| found.path.as_path()).collect();
        self.troubles.walked(start, &walked.troubles, &files);
        let now = self.now();
        for found in &walked.files {
            if !self.is_handled(&found.path, &found.stamp) {
                self.settler.note(&found.path, Event::Found { stamp: found.stamp, age: found.age }, now);
            }
        }
    }

    /// Whether the file was dealt with in this state, now or in an earlier run.
    fn is_handled(&mut self, path: &Path, stamp: &Stamp) -> bool {
        match self.handled.get(path) {
            Some(known) => known == stamp,
            None => {
                let Some(place) = self.place(path) else { return true };
                match self.desk.knows(&place, stamp) {
                    Ok(true) => {
                        self.handled.insert(path.to_owned(), *stamp);
                        true
                    }
                    Ok(false) => false,
                    Err(reason) => {
                        debug!(path = %path.display(), reason, "not known whether it is known");
                        false
                    }
                }
            }
        }
    }

    fn take(&mut self, change: Change) {
        let now = self.now();
        match change {
            Change::File(path, event) => {
                if self.is_ignored(&path) {
                    return;
                }
                if event == Event::Gone {
                    self.settler.note(&path, event, now);
                    self.file_gone(&path);
                } else {
                    self.settler.note(&path, event, now);
                }
            }
            Change::Folder(path) => {
                if !self.is_ignored(&path) {
                    self.walks.push((now, path.clone()));
                    self.walks.push((now + SECOND_LOOK, path));
                }
            }
            Change::Rights(path) => {
                if self.troubles.knows(&path) {
                    if path.is_dir() {
                        self.walks.push((now, path));
                    } else {
                        self.settler.note(&path, Event::Changed, now);
                    }
                }
            }
        }
    }

    fn file_gone(&mut self, path: &Path) {
        let mut gone: Vec<PathBuf> = match self.handled.remove(path) {
            Some(_) => vec![path.to_owned()],
            // perhaps a folder
            None => self.handled.keys().filter(|file| file.starts_with(path)).cloned().collect(),
        };
        gone.sort();
        for file in gone {
            self.handled.remove(&file);
            if let Some(place) = self.place(&file) {
                debug!(path = %file.display(), "gone");
                let told = self.desk.gone(&place);
                self.tell_desk_trouble(&file, told);
            }
        }
    }

    fn settle_due(&mut self, stop: &Receiver<()>) {
        self.settle_due_once(stop, false);
    }

    /// Looks at files that are due and hands over those that are ready. `impatient`: what settled and does not decode is
    /// damaged.
    fn settle_due_once(&mut self, stop: &Receiver<()>, impatient: bool) {
        // files that a look makes ready are due at once
        for _ in 0..2 {
            let mut due = self.settler.due(self.now());
            // the order of names is the order of pages
            due.sort_by(|a, b| due_path(a).cmp(due_path(b)));
            for due in due {
                if stopped(stop) {
                    return;
                }
                match due {
                    Due::Look(path) => {
                        let stamp = self.look(&path);
                        let now = self.now();
                        if stamp.is_some_and(|stamp| self.handled.get(&path) == Some(&stamp)) {
                            // a touch that changed nothing
                            self.settler.forget(&path);
                        } else {
                            self.settler.looked(&path, stamp, now);
                        }
                    }
                    Due::Ready { path, stamp, last_try } => self.ready(&path, stamp, last_try || impatient),
                }
            }
        }
    }

    fn look(&mut self, path: &Path) -> Option<Stamp> {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Some(stamp_of(&metadata)),
            Ok(_) => None,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    self.troubles.tell(path, &format!("cannot be read: {}", plain(&error)));
                }
                None
            }
        }
    }

    /// A file is complete: decodes, hashes and hands it over.
    fn ready(&mut self, path: &Path, stamp: Stamp, last_try: bool) {
        let Some(place) = self.place(path) else { return };
        if self.is_handled(path, &stamp) {
            return;
        }
        let probed = (self.probe)(path);
        let content = match probed {
            Probed::Pages { format, count } => Content::Pages { format, count },
            Probed::Foreign { .. } | Probed::Broken { .. } if !last_try => {
                debug!(path = %path.display(), ?probed, "does not decode yet");
                self.settler.undecodable(path, stamp, self.now());
                return;
            }
            Probed::Foreign { reason } if !named_as_scan(path) => {
                info!(path = %path.display(), "{} is left alone: {reason}", path.display());
                self.troubles.over(path);
                self.handled.insert(path.to_owned(), stamp);
                return;
            }
            Probed::Foreign { reason } | Probed::Broken { reason } => Content::Broken { reason },
            Probed::Unknown { reason } => {
                if path.exists() {
                    self.troubles.tell(path, &reason);
                }
                return;
            }
        };
        let hash = match sha256_file(path) {
            Ok(hash) => hash,
            Err(error) => {
                if error.kind() != std::io::ErrorKind::NotFound {
                    self.troubles.tell(path, &format!("cannot be read: {}", plain(&error)));
                }
                return;
            }
        };
        let after = std::fs::metadata(path).ok().map(|metadata| stamp_of(&metadata));
        if after != Some(stamp) {
            debug!(path = %path.display(), "changed while it was hashed");
            let now = self.now();
            self.settler.note(path, Event::Changed, now);
            return;
        }
        self.troubles.over(path);
        let arrival = Arrival { place, path: path.to_owned(), stamp, hash, content };
        match self.desk.arrived(arrival) {
            Ok(()) => {
                self.handled.insert(path.to_owned(), stamp);
            }
            Err(reason) => self.troubles.tell(path, &reason),
        }
    }

    fn rescan_if_lost(&mut self) {
        if self.watcher.as_ref().is_some_and(Watcher::take_lost) {
            info!("notifications were lost: the folders are walked");
            self.roots.iter_mut().for_each(|root| root.next_walk = Duration::ZERO);
        }
    }

    fn tell_desk_trouble(&mut self, path: &Path, told: Result<(), String>) {
        if let Err(reason) = told {
            self.troubles.tell(path, &reason);
        }
    }

    fn root_of(&self, path: &Path) -> Option<PathBuf> {
        self.roots.iter().find(|root| path.starts_with(&root.folder)).map(|root| root.folder.clone())
    }

    fn place(&self, path: &Path) -> Option<Place> {
        Place::new(&self.root_of(path)?, path)
    }

    fn is_ignored(&self, path: &Path) -> bool {
        let relative = self.roots.iter().find_map(|root| path.strip_prefix(&root.folder).ok());
        relative.is_none_or(|relative| self.ignore.matches(relative))
    }
}

fn due_path(due: &Due) -> &Path {
    match due {
        Due::Look(path) | Due::Ready { path, .. } => path,
    }
}

fn stopped(stop: &Receiver<()>) -> bool {
    !matches!(stop.try_recv(), Err(crossbeam_channel::TryRecvError::Empty))
}

fn folder_id(folder: &Path) -> Option<FolderId> {
    let metadata = std::fs::metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        Some((0, 0))
    }
}

fn watch_error(error: &notify::Error) -> String {
    if is_limit(error) {
        return "the system's limit of inotify watches is reached; raise it with `sysctl fs.inotify.max_user_watches=1048576`"
            .to_owned();
    }
    match &error.kind {
        notify::ErrorKind::Io(io) => plain(io),
        _ => error.to_string(),
    }
}
