//! `fenwatch run`: the daemon.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::watch;
use tracing::{info, warn};

use super::{Outcome, logging};
use crate::config::Settings;
use crate::daemon::{self, DaemonParams, Ended, Mode, PageReader, Progress, ReaderFactory, Shutdown};
use crate::intake::{WatchMode, WatchParams};
use crate::reading::{Reader, ReadingParams};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders to watch, instead of the setting watch.folders
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Read everything that is there, then stop: exit code 0 when all that was waiting was read, 1 when
    /// some of it failed. Pages that failed in an earlier run are counted, not tried (`fenwatch queue retry` does)
    #[arg(long)]
    once: bool,
    /// Worker threads; as many as there are processors without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Walk the folders every few seconds instead of waiting for notifications (network mounts)
    #[arg(long)]
    poll: bool,
    /// Leave captions unread (every side to move is then assumed)
    #[arg(long)]
    no_captions: bool,
    /// Serve no review page
    #[arg(long)]
    no_review: bool,
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let mut settings = Settings::load(config)?;
    apply(&args, &mut settings)?;
    logging::start(&settings.log)?;
    lay_default_folder(&settings.watch);

    let factory = factory(settings.reading.clone());
    let once = args.once;
    let params = params(settings, once);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        // only waiting and SQLite's short transactions happen here
        .worker_threads(2)
        .thread_name("daemon")
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let ended = runtime.block_on(async {
        let shutdown = Shutdown::on_signals().context("cannot listen to signals")?;
        let (progress, seen) = watch::channel(Progress::default());
        let bar = (once && std::io::stderr().is_terminal()).then(|| tokio::spawn(show(seen)));
        let ended = daemon::run(params, factory, shutdown, progress).await;
        if let Some(bar) = bar {
            // the sender is gone: it clears itself and ends
            let _ = bar.await;
        }
        anyhow::Ok(ended?)
    })?;
    // a thread may still be in a decoder: it must not hold up the end
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(conclude(&ended, once))
}

fn apply(args: &Args, settings: &mut Settings) -> anyhow::Result<()> {
    if !args.folders.is_empty() {
        let absolute = |folder: &PathBuf| {
            std::path::absolute(folder).with_context(|| format!("cannot watch {}", folder.display()))
        };
        settings.watch.folders = args.folders.iter().map(absolute).collect::<anyhow::Result<_>>()?;
    }
    if args.poll {
        settings.watch.mode = WatchMode::Poll;
    }
    if let Some(workers) = args.workers {
        settings.workers.threads = workers;
    }
    settings.reading.captions &= !args.no_captions;
    settings.review.enabled &= !args.no_review;
    Ok(())
}

/// Makes the folder that is watched when nobody named one. A named folder that is missing may be a disk that is not there yet,
/// and is waited for.
fn lay_default_folder(watch: &WatchParams) {
    let unnamed =
        WatchParams::default().folders.iter().map(std::path::absolute).collect::<Result<Vec<_>, _>>();
    if unnamed.is_ok_and(|folders| folders == watch.folders) {
        for folder in watch.folders.iter().filter(|folder| !folder.exists()) {
            match std::fs::create_dir(folder) {
                Ok(()) => info!("made the folder {}", folder.display()),
                Err(error) => warn!("cannot make the folder {}: {error}", folder.display()),
            }
        }
    }
}

fn params(settings: Settings, once: bool) -> DaemonParams {
    DaemonParams {
        mode: if once { Mode::Once } else { Mode::Watch },
        database: settings.state.database(),
        lock: settings.state.lock(),
        state_folder: settings.state.folder,
        default_side: settings.books.default_side.color(),
        watch: settings.watch,
        workers: settings.workers,
        limits: settings.pages,
        review: settings.review,
    }
}

/// Each worker makes a reader of its own, on its own thread.
fn factory(params: ReadingParams) -> ReaderFactory {
    Arc::new(move || {
        let reader = Reader::open(&params)
            .map_err(|error| format!("{error} (`fenwatch doctor` tells what is missing)"))?;
        Ok(Box::new(reader) as Box<dyn PageReader>)
    })
}

/// A bar that follows the daemon until it ends.
async fn show(mut seen: watch::Receiver<Progress>) {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages {msg}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = logging::bars().add(ProgressBar::new(0).with_style(style));
    bar.enable_steady_tick(Duration::from_millis(500));
    while seen.changed().await.is_ok() {
        let now = *seen.borrow_and_update();
        bar.set_length(now.done + now.waiting);
        bar.set_position(now.done);
        if now.failed > 0 {
            bar.set_message(format!("({} failed)", now.failed));
        }
    }
    bar.finish_and_clear();
}

fn conclude(ended: &Ended, once: bool) -> Outcome {
    let n = &ended.counters;
    let earlier = match ended.failed_earlier {
        0 => String::new(),
        pages => {
            format!("; {pages} failed earlier (`fenwatch queue list --pages --state failed` shows them)")
        }
    };
    info!(
        "{} pages read with {} diagrams, {} of them in doubt; {} pages and {} files failed{earlier}",
        n.pages_read, n.diagrams, n.diagrams_in_doubt, n.pages_failed, n.files_broken
    );
    if once && !ended.all_read() || ended.aborted { Outcome::SomeFailed } else { Outcome::Done }
}
