//! Is the daemon well? For systemd's watchdog, the status line and the health page.

use std::sync::Arc;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;
use tokio::time::{interval, timeout};
use tracing::{debug, error};

use super::lend::Shared;
use super::run::Progress;
use super::worker::Pulse;

/// A worker that is busy with one page for longer hangs: decoding has its own limit of a minute, reading takes seconds.
const HANGS: Duration = Duration::from_secs(900);

/// The database answers within milliseconds.
const DATABASE: Duration = Duration::from_secs(20);

/// Tells systemd, if it started us; it may have asked for nothing.
pub(super) fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        debug!(%error, "cannot tell systemd");
    }
}

/// Feeds systemd's watchdog and status line until the future is dropped. A worker that hangs or a
/// database that does not answer leaves the watchdog hungry: systemd restarts the service, and the page counts one more attempt.
pub(super) async fn watch_health(shared: Arc<Shared>, pulses: Vec<Arc<Pulse>>) {
    let asked = sd_notify::watchdog_enabled();
    let mut tick =
        interval(asked.map_or(Duration::from_secs(10), |limit| limit / 3).max(Duration::from_millis(100)));
    loop {
        tick.tick().await;
        let waiting = match timeout(DATABASE, shared.queue.waiting()).await {
            Ok(Ok(waiting)) => waiting,
            Ok(Err(error)) => {
                error!("health: {error}");
                continue;
            }
            Err(_) => {
                error!("health: the database does not answer");
                continue;
            }
        };
        if let Some(longest) =
            pulses.iter().filter_map(|pulse| pulse.busy()).max().filter(|busy| *busy > HANGS)
        {
            error!("health: a worker has been busy with one page for {} s", longest.as_secs());
            continue;
        }
        let now = shared.counters.now();
        let status = format!(
            "{} pages read, {} failed, {} waiting, {} in work",
            now.pages_read,
            now.pages_failed,
            waiting.ready + waiting.delayed,
            waiting.reading
        );
        tell(&[NotifyState::Watchdog, NotifyState::Status(&status)]);
    }
}

/// Tells how far the daemon is, while somebody listens.
pub(super) async fn tell_progress(shared: Arc<Shared>, progress: watch::Sender<Progress>) {
    // 5 times a second: quick enough for an eye
    let mut tick = interval(Duration::from_millis(200));
    while !progress.is_closed() {
        tick.tick().await;
        let Ok(waiting) = shared.queue.waiting().await else { continue };
        let now = shared.counters.now();
        let told = Progress {
            done: now.pages_read + now.pages_failed,
            failed: now.pages_failed,
            waiting: waiting.ready + waiting.delayed + waiting.reading,
        };
        progress.send_if_modified(|before| {
            let changed = *before != told;
            *before = told;
            changed
        });
    }
}
