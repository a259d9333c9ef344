//! The daemon's life: start everything, wait, stop everything.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use sd_notify::NotifyState;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

use super::counters::{Counters, CountersNow};
use super::desk::QueueDesk;
use super::done::DoneFolder;
use super::drawing::start_drawing;
use super::health::{tell, tell_progress, watch_health};
use super::lend::{Shared, serve};
use super::lock::{InstanceLock, LockError};
use super::params::WorkerParams;
use super::shutdown::Shutdown;
use super::worker::{ReaderFactory, Worker, WorkerMaterial};
use crate::chess::Color;
use crate::intake::{Drained, Intake, IntakeError, Probe, Probed, WatchParams, check_layout};
use crate::page::{self, PageLimits, Trouble};
use crate::queue::{Queue, QueueError, QueueOptions};
use crate::review::{self, ReviewParams};

/// Whether the daemon watches on, or reads what is there and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Watch,
    Once,
}

/// Everything the daemon needs to know. Paths are absolute.
#[derive(Debug, Clone)]
pub struct DaemonParams {
    pub mode: Mode,
    pub watch: WatchParams,
    pub workers: WorkerParams,
    pub limits: PageLimits,
    pub review: ReviewParams,
    pub state_folder: PathBuf,
    pub database: PathBuf,
    pub lock: PathBuf,
    /// The side that moves where neither the page nor the book's own settings say it.
    pub default_side: Option<Color>,
}

/// How far the daemon is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Pages read or failed since the start.
    pub done: u64,
    pub failed: u64,
    /// Pages that wait or are in work.
    pub waiting: u64,
}

/// How the daemon ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    pub counters: CountersNow,
    /// What the intake left (only after [`Mode::Once`]).
    pub drained: Drained,
    /// Pages that an earlier run failed to read and that are still failed.
    pub failed_earlier: u32,
    /// Stopped at once, with pages in hand.
    pub aborted: bool,
}

impl Ended {
    /// Everything that came was read. What failed in an earlier run did not come now.
    pub fn all_read(&self) -> bool {
        self.counters.pages_failed == 0
            && self.counters.files_broken == 0
            && self.drained == Drained::default()
            && !self.aborted
    }
}

/// Why the daemon could not start, or could not go on.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    #[error(transparent)]
    Intake(#[from] IntakeError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Review(#[from] review::ReviewError),
    #[error("cannot start the reader: {0}")]
    Reader(String),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    #[error("a worker's thread ended unexpectedly")]
    WorkerLost,
    #[error("the intake's thread ended unexpectedly")]
    IntakeLost,
}

/// How long the intake may take to put down what it is doing. It never leaves a file half enrolled.
const INTAKE_STOP: Duration = Duration::from_secs(2);

/// How long open requests of the review page may take at the end.
const REVIEW_STOP: Duration = Duration::from_secs(2);

/// Runs the daemon until `shutdown`, or until everything is read ([`Mode::Once`]).
///
/// `progress` is told a few times a second how far it is.
///
/// # Errors
/// When it cannot start (a watched folder holds the state folder, another daemon runs, the reader cannot be made), or when the
/// database or a worker fails for good.
pub async fn run(
    params: DaemonParams,
    factory: ReaderFactory,
    shutdown: Shutdown,
    progress: watch::Sender<Progress>,
) -> Result<Ended, DaemonError> {
    let outputs = [("state folder", "state.folder", params.state_folder.as_path())];
    check_layout(&params.watch.folders, &outputs, params.watch.done())?;
    // held to the end of this function
    let _lock = InstanceLock::take(&params.lock)?;
    let queue = open_queue(&params).await?;
    let owner = format!("{}:{}", std::process::id(), jiff::Timestamp::now().as_millisecond());
    let returned = queue.void_leases(&owner).await?;
    if returned > 0 {
        info!("{returned} pages that a killed daemon had in hand are back in the queue");
    }
    let failed_before = queue.counts().await?.failed;
    let counters = Arc::new(Counters::default());
    let news = Arc::new(Notify::new());
    let (read_sources, done_folder) = match params.watch.done() {
        Some(folder) => {
            let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
            let folder = DoneFolder { queue: queue.clone(), folder: folder.to_owned() };
            (Some(sender), Some((folder, receiver)))
        }
        None => (None, None),
    };
    let shared = Arc::new(Shared {
        queue: queue.clone(),
        counters: counters.clone(),
        shutdown: shutdown.clone(),
        news: news.clone(),
        lease: Duration::from_secs_f64(params.workers.lease_seconds.clamp(1.0, 86_400.0)),
        default_side: params.default_side,
        owner,
        drain: params.mode == Mode::Once,
        intake_done: AtomicBool::new(false),
        read_sources,
    });

    // the review page first: what was read is there at once, and a taken port is told before the net is loaded
    let review_stop = CancellationToken::new();
    let review = match params.review.enabled && params.mode == Mode::Watch {
        true => {
            let doors = review::Doors {
                queue: queue.clone(),
                health: health_of(counters.clone()),
                boards: start_drawing(material(&params, &factory)).map_err(DaemonError::Thread)?,
                stop: review_stop.clone(),
            };
            Some(review::start(&params.review, doors).await?)
        }
        false => None,
    };
    let workers = start_workers(&params, factory).await?;
    let desk = QueueDesk::new(queue.clone(), Handle::current(), counters.clone(), news.clone());
    let intake = Intake::new(params.watch.clone(), probe_with(params.limits.clone()), desk)?;
    let (intake_stop, mut intake_end) = start_intake(intake, params.mode, shared.clone())?;
    let mut intake_stop = Some(intake_stop);

    let pulses = workers.iter().map(|worker| worker.pulse.clone()).collect();
    let health = tokio::spawn(watch_health(shared.clone(), pulses));
    let told = tokio::spawn(tell_progress(shared.clone(), progress));
    tell(&[NotifyState::Ready]);
    if params.mode == Mode::Watch {
        let folders: Vec<String> =
            params.watch.folders.iter().map(|folder| folder.display().to_string()).collect();
        info!("watching {} with {} workers", folders.join(", "), workers.len());
    }
    let mut tasks = JoinSet::new();
    for (number, worker) in workers.into_iter().enumerate() {
        tasks.spawn(serve(number + 1, worker, shared.clone()));
    }
    let all_read = CancellationToken::new();
    let done_task = done_folder.map(|(folder, receiver)| {
        tokio::spawn(move_done(folder, receiver, params.watch.folders.clone(), all_read.clone()))
    });

    let mut outcome = Ok(());
    let mut drained = Drained::default();
    let mut watching = true;
    loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                None => break,
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(error))) => {
                    error!("{error}; stopping");
                    outcome = outcome.and(Err(error));
                    shutdown.finish.cancel();
                }
                Some(Err(error)) => {
                    error!("{error}; stopping");
                    outcome = outcome.and(Err(DaemonError::WorkerLost));
                    shutdown.finish.cancel();
                }
            },
            ended = &mut intake_end, if watching => {
                watching = false;
                match ended {
                    Ok(Ok(left)) => drained = left,
                    Ok(Err(error)) => {
                        error!("{error}; stopping");
                        outcome = outcome.and(Err(error.into()));
                        shutdown.finish.cancel();
                    }
                    Err(_) => {
                        outcome = outcome.and(Err(DaemonError::IntakeLost));
                        shutdown.finish.cancel();
                    }
                }
            }
            () = shutdown.finish.cancelled(), if intake_stop.is_some() => {
                tell(&[NotifyState::Stopping]);
                intake_stop = None;
            }
        }
    }
    tell(&[NotifyState::Stopping]);
    drop(intake_stop);
    if watching && timeout(INTAKE_STOP, intake_end).await.is_err() {
        debug!("the intake is still busy with a file");
    }
    health.abort();
    told.abort();
    all_read.cancel();
    if let Some(task) = done_task
        && let Err(error) = task.await
    {
        warn!("the done folder: {error}");
    }
    review_stop.cancel();
    if let Some(server) = review
        && timeout(REVIEW_STOP, server).await.is_err()
    {
        debug!("requests to the review page were cut off");
    }
    let aborted = shutdown.abort.is_cancelled();
    let mut failed_earlier = failed_before;
    if !aborted {
        // a person may have sent some of them back meanwhile
        if let Ok(counts) = queue.counts().await {
            failed_earlier = failed_earlier.min(counts.failed);
        }
        queue.close().await;
    }
    outcome.map(|()| Ended { counters: counters.now(), drained, failed_earlier, aborted })
}

async fn open_queue(params: &DaemonParams) -> Result<Queue, DaemonError> {
    let retry = Duration::from_secs_f64(params.workers.retry_seconds.clamp(0.0, 86_400.0));
    let options = QueueOptions {
        max_attempts: params.workers.max_attempts.max(1),
        retry_after: match params.mode {
            Mode::Watch => retry,
            // somebody waits for the end
            Mode::Once => retry.min(Duration::from_secs(1)),
        },
        ..QueueOptions::default()
    };
    Ok(Queue::open_with(&params.database, options, true).await?)
}

fn health_of(counters: Arc<Counters>) -> review::HealthSource {
    // plain numbers: they always become JSON
    Arc::new(move || serde_json::to_value(counters.now()).unwrap_or_default())
}

fn material(params: &DaemonParams, factory: &ReaderFactory) -> WorkerMaterial {
    WorkerMaterial {
        factory: factory.clone(),
        limits: params.limits.clone(),
        default_side: params.default_side,
    }
}

/// Starts all workers and waits until each has its reader.
async fn start_workers(params: &DaemonParams, factory: ReaderFactory) -> Result<Vec<Worker>, DaemonError> {
    let material = material(params, &factory);
    let mut workers = Vec::new();
    let mut waits = Vec::new();
    for number in 1..=params.workers.count() {
        let (ready, wait) = oneshot::channel();
        workers.push(Worker::start(number, material.clone(), ready).map_err(DaemonError::Thread)?);
        waits.push(wait);
    }
    for wait in waits {
        wait.await.map_err(|_| DaemonError::WorkerLost)?.map_err(DaemonError::Reader)?;
    }
    Ok(workers)
}

/// What the intake's thread says at its end.
type IntakeEnd = oneshot::Receiver<Result<Drained, IntakeError>>;

/// Starts the intake; dropping the sender stops it.
fn start_intake(
    mut intake: Intake<QueueDesk>,
    mode: Mode,
    shared: Arc<Shared>,
) -> Result<(Sender<()>, IntakeEnd), DaemonError> {
    let (stop, stopped): (Sender<()>, Receiver<()>) = bounded(0);
    let (told, end) = oneshot::channel();
    std::thread::Builder::new()
        .name("intake".to_owned())
        .spawn(move || {
            let result = match mode {
                Mode::Watch => intake.run(&stopped).map(|()| Drained::default()),
                Mode::Once => Ok(intake.drain(&stopped)),
            };
            shared.intake_done.store(true, Ordering::Release);
            shared.news.notify_waiters();
            // the daemon may have stopped waiting
            let _ = told.send(result);
        })
        .map_err(DaemonError::Thread)?;
    Ok((stop, end))
}

async fn move_done(
    folder: DoneFolder,
    mut sources: tokio::sync::mpsc::UnboundedReceiver<crate::queue::SourceId>,
    roots: Vec<PathBuf>,
    all_read: CancellationToken,
) {
    let told = |result: Result<(), QueueError>| {
        if let Err(error) = result {
            warn!("the done folder: {error}");
        }
    };
    told(folder.sweep(&roots).await);
    loop {
        let source = tokio::select! {
            biased;
            source = sources.recv() => source,
            () = all_read.cancelled() => None,
        };
        let Some(source) = source else { return };
        told(folder.take(source).await);
    }
}

/// The probe of the page room: opens a file and counts its pages.
pub fn probe_with(limits: PageLimits) -> Probe {
    Box::new(move |path: &Path| match page::open(path, &limits) {
        Ok(document) => Probed::Pages { format: document.format().to_string(), count: document.page_count() },
        Err(error) => {
            let reason = error.trouble.to_string();
            match error.trouble {
                Trouble::Foreign(_) => Probed::Foreign { reason },
                _ if error.is_permanent() => Probed::Broken { reason },
                _ => Probed::Unknown { reason },
            }
        }
    })
}
