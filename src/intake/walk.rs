//! Walking a watched folder.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use walkdir::WalkDir;

use super::ignore::Ignore;
use super::settle::Stamp;

/// A regular file found by a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub path: PathBuf,
    pub stamp: Stamp,
    /// How long ago it was last changed by the wall clock; `None` when its time lies ahead.
    pub age: Option<Duration>,
}

/// What could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trouble {
    pub path: PathBuf,
    pub reason: String,
}

/// What a walk saw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Walked {
    /// In order of names, folder by folder.
    pub files: Vec<Found>,
    pub troubles: Vec<Trouble>,
}

/// The state of a file as the disk tells it.
pub fn stamp_of(metadata: &Metadata) -> Stamp {
    Stamp { size: metadata.len(), modified: metadata.modified().ok() }
}

/// Walks `start`, which is `root` or a folder below it, for regular files. Pipes, sockets and devices are never opened or
/// returned. A link that leads back above itself is left, with a trouble; files and folders that vanish on
/// the way are no trouble.
pub fn walk(root: &Path, start: &Path, ignore: &Ignore, follow_links: bool) -> Walked {
    let mut out = Walked::default();
    let now = SystemTime::now();
    let entries = WalkDir::new(start)
        .follow_links(follow_links)
        // the watched folder itself may be a link
        .follow_root_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| {
            entry.path().strip_prefix(root).map_or(true, |relative| !ignore.matches(relative))
        });
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                out.troubles.extend(trouble(start, &error));
                continue;
            }
        };
        if !entry.file_type().is_file() {
            continue;
        }
        match entry.metadata() {
            Ok(metadata) => out.files.push(Found {
                stamp: stamp_of(&metadata),
                age: metadata.modified().ok().and_then(|time| now.duration_since(time).ok()),
                path: entry.into_path(),
            }),
            Err(error) => out.troubles.extend(trouble(start, &error)),
        }
    }
    out
}

fn trouble(start: &Path, error: &walkdir::Error) -> Option<Trouble> {
    let path = error.path().unwrap_or(start).to_owned();
    let reason = match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => format!("is a link back to {} and is left out", ancestor.display()),
        // a dangling link too; the start itself must be there
        (None, Some(io)) if io.kind() == std::io::ErrorKind::NotFound && path != start => return None,
        (None, Some(io)) => format!("cannot be read: {}", plain(io)),
        (None, None) => error.to_string(),
    };
    Some(Trouble { path, reason })
}

/// An error of the operating system in words, without its number.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::DEFAULT_IGNORE;
    use super::*;
    use std::fs;

    fn names(root: &Path, walked: &Walked) -> Vec<String> {
        let relative = |found: &Found| found.path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        walked.files.iter().map(relative).collect()
    }

    fn default_ignore() -> Ignore {
        Ignore::new(DEFAULT_IGNORE.iter().copied()).unwrap()
    }

    #[test]
    fn finds_files_and_leaves_what_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        // the folder's own name is hidden: only what is below it counts
        let root = dir.path().join(".scans");
        fs::create_dir_all(root.join("tal/@eaDir")).unwrap();
        for name in ["1.png", "tal/2.png", "tal/.hidden.png", "tal/@eaDir/2.png", "tal/3.png.part"] {
            fs::write(root.join(name), name).unwrap();
        }
        let walked = walk(&root, &root, &default_ignore(), true);
        assert_eq!(names(&root, &walked), ["1.png", "tal/2.png"]);
        assert_eq!(walked.troubles, []);
        assert_eq!(walked.files[0].stamp.size, 5);
        assert!(walked.files[0].age.unwrap() < Duration::from_secs(600));
        let below = walk(&root, &root.join("tal"), &default_ignore(), true);
        assert_eq!(names(&root, &below), ["tal/2.png"]);
    }

    #[cfg(unix)]
    #[test]
    fn link_loops_end_and_dangling_links_and_pipes_are_left() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("scans");
        fs::create_dir_all(root.join("tal")).unwrap();
        fs::write(root.join("tal/1.png"), "x").unwrap();
        symlink(&root, root.join("tal/loop")).unwrap();
        symlink("nowhere", root.join("tal/dangling.png")).unwrap();
        symlink("1.png", root.join("tal/again.png")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("tal/socket.png")).unwrap();
        let walked = walk(&root, &root, &default_ignore(), true);
        assert_eq!(names(&root, &walked), ["tal/1.png", "tal/again.png"]);
        assert_eq!(walked.troubles.len(), 1, "{:?}", walked.troubles);
        assert!(walked.troubles[0].reason.contains("link back"));
        let unfollowed = walk(&root, &root, &default_ignore(), false);
        assert_eq!(names(&root, &unfollowed), ["tal/1.png"]);
    }

    #[test]
    fn a_missing_folder_is_a_trouble() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("gone");
        let walked = walk(&root, &root, &default_ignore(), true);
        assert_eq!(walked.troubles.len(), 1);
        assert_eq!(walked.troubles[0].reason, "cannot be read: no such file or directory");
    }
}
