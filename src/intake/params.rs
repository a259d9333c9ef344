//! What a person may set about watching.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How changes in the watched folders are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WatchMode {
    /// Native notifications, polling where the file system gives none (network mounts) or the system's limit is reached.
    #[default]
    Auto,
    /// Native notifications (inotify), an error when they cannot be had.
    Native,
    /// Walk the folders every `poll_seconds`.
    Poll,
}

/// Parameters of the watch. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WatchParams {
    /// Folders to watch, with everything below them.
    #[serde(deserialize_with = "one_or_many")]
    pub folders: Vec<PathBuf>,
    pub mode: WatchMode,
    /// Time between two walks of a polled folder. 5: a person who drops a file does not wait, and
    /// a walk over a network mount of some thousand files takes well under a second.
    pub poll_seconds: f64,
    /// Time between two walks of a natively watched folder, which find what notifications missed. 600: they miss little.
    pub rescan_seconds: f64,
    /// A file is complete when its size and time stood still for so long. 2: a copy over a slow link
    /// pauses for fractions of a second.
    pub settle_seconds: f64,
    /// A file that does not decode is given so long, standing still, before it counts as damaged.
    /// 30: longer than a copying program's retry after a stalled link.
    pub patience_seconds: f64,
    /// Follow symbolic links to files and folders (loops are noticed and left).
    pub follow_links: bool,
    /// Names never looked at: globs, case ignored. Without a slash they match the name of a file or folder at any
    /// depth; with one, the path below the watched folder.
    #[serde(deserialize_with = "one_or_many")]
    pub ignore: Vec<String>,
    /// More names to ignore, besides `ignore`.
    #[serde(deserialize_with = "one_or_many")]
    pub ignore_also: Vec<String>,
    /// Files whose every page was read are moved here, below their book's name. Empty: they stay.
    pub done_folder: PathBuf,
}

impl Default for WatchParams {
    fn default() -> Self {
        WatchParams {
            folders: vec![PathBuf::from("scans")],
            mode: WatchMode::Auto,
            poll_seconds: 5.0,
            rescan_seconds: 600.0,
            settle_seconds: 2.0,
            patience_seconds: 30.0,
            follow_links: true,
            ignore: DEFAULT_IGNORE.iter().map(|glob| (*glob).to_owned()).collect(),
            ignore_also: Vec::new(),
            done_folder: PathBuf::new(),
        }
    }
}

impl WatchParams {
    /// The done folder, when one is set.
    pub fn done(&self) -> Option<&std::path::Path> {
        (!self.done_folder.as_os_str().is_empty()).then_some(self.done_folder.as_path())
    }
}

/// Seconds as a duration; negative and absurd values become the nearest sensible ones.
pub(crate) fn seconds(value: f64) -> Duration {
    // a year: beyond it, adding to a clock could overflow
    Duration::from_secs_f64(if value.is_finite() { value.clamp(0.0, 31_557_600.0) } else { 31_557_600.0 })
}

/// Names that programs leave behind while they write, synchronize or browse.
pub const DEFAULT_IGNORE: &[&str] = &[
    // hidden: also .DS_Store, ._resource forks, .~lock, .syncthing, .stfolder, .nfs, rsync's temporary names
    ".*",
    // editors and office programs
    "~$*",
    "*~",
    "*.tmp",
    "*.temp",
    "*.swp",
    "*.bak",
    // downloads and transfers on their way
    "*.part",
    "*.partial",
    "*.crdownload",
    "*.download",
    "*.opdownload",
    "*.filepart",
    "*.aria2",
    "*.!ut",
    "*.!qb",
    "*.!sync",
    "~syncthing~*",
    // file managers and operating systems
    "Thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "Icon\r",
    "__MACOSX",
    "lost+found",
    "System Volume Information",
    "$RECYCLE.BIN",
    // network storage boxes
    "@eaDir",
    "@Recycle",
    "#recycle",
    "#snapshot",
    "Network Trash Folder",
    "Temporary Items",
];

/// A list, or a single text for a list of one (handy in environment variables).
fn one_or_many<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany<T> {
        Many(Vec<T>),
        One(T),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(list) => list,
        OneOrMany::One(item) => vec![item],
    })
}
