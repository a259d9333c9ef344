//! The watched folders: are they there, do they announce changes, are there watches enough?

use std::path::Path;

use walkdir::WalkDir;

use super::Check;
use crate::config::Settings;
use crate::intake::{Ignore, WatchMode, check_layout, silent_file_system};

/// Folders counted at most: enough to compare with any limit.
const COUNTED: u64 = 2_000_000;

pub(super) fn checks(settings: &Settings) -> Vec<Check> {
    let watch = &settings.watch;
    let mut out = Vec::new();
    let outputs = [("state folder", "state.folder", settings.state.folder.as_path())];
    match check_layout(&watch.folders, &outputs, watch.done()) {
        Ok(()) => {}
        Err(error) => {
            out.push(Check::missing("folders", error.to_string(), "change the setting that it names"))
        }
    }
    let globs = watch.ignore.iter().chain(&watch.ignore_also).map(String::as_str);
    if let Err(error) = Ignore::new(globs) {
        out.push(Check::missing(
            "ignore patterns",
            error.to_string(),
            "correct watch.ignore or watch.ignore_also",
        ));
    }
    out.extend(watch.folders.iter().map(|folder| there(folder, watch.mode)));
    if watch.mode != WatchMode::Poll {
        out.extend(watches(&watch.folders));
    }
    if let Some(done) = watch.done() {
        out.push(match tempfile::tempfile_in(done.ancestors().find(|path| path.is_dir()).unwrap_or(done)) {
            Ok(_) => Check::ok("done folder", done.display().to_string()),
            Err(error) => Check::missing(
                "done folder",
                format!("{} cannot be written: {error}", done.display()),
                "change its owner, or empty the setting watch.done_folder",
            ),
        });
    }
    out
}

fn there(folder: &Path, mode: WatchMode) -> Check {
    const WHAT: &str = "watched folder";
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Check::note(
            WHAT,
            format!("{} is not there; it is waited for", folder.display()),
            format!("mkdir -p {}", folder.display()),
        ),
        Err(error) => Check::missing(
            WHAT,
            format!("{} cannot be read: {error}", folder.display()),
            format!("chmod a+rX {}, or run fenwatch as its owner", folder.display()),
        ),
        Ok(_) => match silent_file_system(folder) {
            Some(kind) if mode == WatchMode::Native => Check::note(
                WHAT,
                format!(
                    "{} lies on {kind}, which does not announce what other machines write",
                    folder.display()
                ),
                "set watch.mode = \"auto\" or \"poll\"",
            ),
            Some(kind) => Check::ok(WHAT, format!("{} (polled: it lies on {kind})", folder.display())),
            None => Check::ok(WHAT, folder.display().to_string()),
        },
    }
}

/// inotify needs a watch a folder.
fn watches(folders: &[std::path::PathBuf]) -> Option<Check> {
    const WHAT: &str = "inotify watches";
    let limit: u64 =
        std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?.trim().parse().ok()?;
    let count: u64 = folders
        .iter()
        .flat_map(|folder| WalkDir::new(folder).follow_root_links(true))
        .take(usize::try_from(COUNTED).unwrap_or(usize::MAX))
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_dir())
        .count() as u64;
    let found = format!("{count} folders of at most {limit}");
    // other programs of the same user need some too
    Some(if count.saturating_mul(2) <= limit {
        Check::ok(WHAT, found)
    } else {
        Check::note(
            WHAT,
            format!("{found}; beyond the limit folders are polled"),
            format!(
                "echo fs.inotify.max_user_watches={} | sudo tee /etc/sysctl.d/60-fenwatch.conf && sudo sysctl --system",
                (count * 4).max(1_048_576)
            ),
        )
    })
}
