//! Where the program writes: state folder, disk space, database, and the address of the review page.

use std::net::TcpListener;
use std::path::Path;

use super::Check;
use crate::config::Settings;
use crate::daemon::{InstanceLock, LockError};
use crate::queue::{Fault, Queue, QueueError};

/// Room below which a check is a note. Some 300 KB a page: 2 GB are a dozen books.
const ROOM: u64 = 2 << 30;

pub(super) fn checks(settings: &Settings, deep: bool) -> Vec<Check> {
    let running = running_daemon(settings);
    let mut out = vec![writable(&settings.state.folder)];
    out.extend(room(&settings.state.folder));
    out.push(database(settings, deep));
    out.extend(address(settings, running.is_some()));
    out.extend(running.map(|words| Check::ok("daemon", words)));
    out
}

/// The folder itself, or the nearest one above it that exists: that is where it will be made.
fn existing(folder: &Path) -> &Path {
    folder.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("/"))
}

fn writable(folder: &Path) -> Check {
    const WHAT: &str = "state folder";
    let at = existing(folder);
    match tempfile::tempfile_in(at) {
        Ok(_) if at == folder => Check::ok(WHAT, format!("{} can be written", folder.display())),
        Ok(_) => Check::ok(WHAT, format!("{} will be made", folder.display())),
        Err(error) => Check::missing(
            WHAT,
            format!("{} cannot be written: {error}", at.display()),
            format!("chown {} {}, or set state.folder to another place", user(), at.display()),
        ),
    }
}

fn user() -> String {
    std::env::var("USER").unwrap_or_else(|_| "\"$(id -un)\"".to_owned())
}

fn room(folder: &Path) -> Option<Check> {
    const WHAT: &str = "disk space";
    let stat = rustix::fs::statvfs(existing(folder)).ok()?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    #[allow(clippy::cast_precision_loss)]
    let found = format!("{:.1} GB free for {}", free as f64 / 1e9, folder.display());
    Some(if free >= ROOM {
        Check::ok(WHAT, found)
    } else {
        Check::note(WHAT, found, "make room, or set state.folder to a larger disk")
    })
}

fn database(settings: &Settings, deep: bool) -> Check {
    const WHAT: &str = "database";
    let path = settings.state.database();
    let looked =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string());
    let looked = looked.and_then(|runtime| {
        runtime
            .block_on(async {
                let queue = Queue::open_existing(&path).await?;
                let counts = queue.counts().await?;
                let version = queue.schema_version().await?;
                let faults = if deep { queue.verify().await? } else { Vec::new() };
                queue.close().await;
                Ok::<_, QueueError>((counts, version, faults))
            })
            .or_else(|error| match error {
                QueueError::Missing(_) => Ok((Default::default(), 0, Vec::new())),
                other => Err(other.to_string()),
            })
    });
    match looked {
        Ok((_, 0, _)) => Check::ok(WHAT, format!("{} will be made", path.display())),
        Ok((counts, version, faults)) if faults.is_empty() => {
            let deep = if deep { ", no contradictions" } else { "" };
            let found = format!(
                "{} (schema {version}{deep}): {} pages, {} diagrams",
                path.display(),
                counts.pages,
                counts.diagrams
            );
            Check::ok(WHAT, found)
        }
        Ok((_, _, faults)) => {
            let words: Vec<String> =
                faults.iter().take(5).map(|Fault { rule, what }| format!("{rule}: {what}")).collect();
            Check::missing(
                WHAT,
                format!("{} contradictions: {}", faults.len(), words.join("; ")),
                format!("stop the daemon and keep a copy of {}; then report this", path.display()),
            )
        }
        Err(error) => Check::missing(WHAT, error, format!("look at {}", path.display())),
    }
}

/// What is said of a daemon that holds the lock.
fn running_daemon(settings: &Settings) -> Option<String> {
    let lock = settings.state.lock();
    if !lock.exists() {
        return None;
    }
    match InstanceLock::take(&lock) {
        Err(LockError::Held { pid, .. }) => {
            Some(pid.map_or("is running".to_owned(), |pid| format!("is running (process {pid})")))
        }
        _ => None,
    }
}

fn address(settings: &Settings, running: bool) -> Option<Check> {
    const WHAT: &str = "review page";
    let address = settings.review.address;
    if !settings.review.enabled {
        return None;
    }
    if !address.ip().is_loopback() && settings.review.token.0.trim().is_empty() {
        return Some(Check::missing(
            WHAT,
            format!("{address} can be reached by other machines, and there is no token"),
            "set review.token to a secret, or review.address = \"127.0.0.1:8064\"",
        ));
    }
    if running {
        return Some(Check::ok(WHAT, format!("http://{address}/")));
    }
    Some(match TcpListener::bind(address) {
        Ok(_) => Check::ok(WHAT, format!("{address} is free")),
        Err(error) => Check::missing(
            WHAT,
            format!("{address} cannot be had: {error}"),
            "stop the program that has it, or set review.address to another port",
        ),
    })
}
