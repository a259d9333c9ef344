//! The async side of a worker: claims pages for it, keeps the lease while it reads, and brings home what it read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tracing::{error, info, warn};

use super::DaemonError;
use super::counters::Counters;
use super::shutdown::Shutdown;
use super::worker::{Answer, Job, Worker};
use crate::chess::Color;
use crate::queue::{Claim, PageOutcome, PageState, Queue, QueueError, Waiting};
use crate::reading::Status;

/// What all workers share.
pub(super) struct Shared {
    pub queue: Queue,
    pub counters: Arc<Counters>,
    pub shutdown: Shutdown,
    /// New pages may have come.
    pub news: Arc<Notify>,
    pub lease: Duration,
    /// Of books that have none of their own.
    pub default_side: Option<Color>,
    /// Begins the owner of every lease of this process.
    pub owner: String,
    /// End when nothing waits any more (`--once`) ...
    pub drain: bool,
    /// ... and nothing more comes.
    pub intake_done: AtomicBool,
    /// Hears of sources with a page just read.
    pub read_sources: Option<tokio::sync::mpsc::UnboundedSender<crate::queue::SourceId>>,
}

/// The longest an idle worker waits before it asks again: another process (`fenwatch queue retry`) tells nobody.
const IDLE: Duration = Duration::from_secs(3);

/// Wait before the database is asked again after an error that may pass.
const DATABASE_PAUSE: Duration = Duration::from_secs(1);

/// How long the database may take to give a page back when everything is being dropped.
const LAST_WORD: Duration = Duration::from_secs(1);

/// Keeps a worker busy until shutdown, or until nothing waits when draining.
pub(super) async fn serve(number: usize, worker: Worker, shared: Arc<Shared>) -> Result<(), DaemonError> {
    let owner = format!("{}/{number}", shared.owner);
    let mut database_trouble = false;
    loop {
        // before asking, so that news between the question and the wait is not missed
        let news = shared.news.notified();
        tokio::pin!(news);
        news.as_mut().enable();
        if shared.shutdown.finish.is_cancelled() {
            return Ok(());
        }
        let pause = match next(&shared, &owner).await {
            Ok(Next::Page(claim)) => {
                database_trouble = false;
                lend(&worker, *claim, &shared).await?;
                continue;
            }
            Ok(Next::Nothing) => return Ok(()),
            Ok(Next::Wait(pause)) => {
                database_trouble = false;
                pause
            }
            Err(error) if error.is_transient() => {
                if !database_trouble {
                    warn!("{error}; trying again");
                    database_trouble = true;
                }
                DATABASE_PAUSE
            }
            Err(error) => return Err(error.into()),
        };
        tokio::select! {
            () = shared.shutdown.finish.cancelled() => {}
            () = news => {}
            () = sleep(pause) => {}
        }
    }
}

enum Next {
    Page(Box<Claim>),
    Wait(Duration),
    /// Nothing waits, and nothing more comes.
    Nothing,
}

async fn next(shared: &Shared, owner: &str) -> Result<Next, QueueError> {
    // read before the question: what came in between is found by it
    let intake_done = shared.intake_done.load(Ordering::Acquire);
    if let Some(claim) = shared.queue.claim(owner, shared.lease).await? {
        return Ok(Next::Page(Box::new(claim)));
    }
    settle(shared).await?;
    let waiting: Waiting = shared.queue.waiting().await?;
    if shared.drain && intake_done && waiting.ready + waiting.delayed + waiting.reading == 0 {
        // the others look once more and end too
        shared.news.notify_waiters();
        return Ok(Next::Nothing);
    }
    let now = jiff::Timestamp::now().as_millisecond();
    let due = waiting.next.map(|at| u64::try_from(at.saturating_sub(now)).unwrap_or(0));
    // a lease of the past is taken back by the next claim; without a floor it would be asked for without a pause
    Ok(Next::Wait(due.map_or(IDLE, Duration::from_millis).clamp(Duration::from_millis(50), IDLE)))
}

/// Carries over the pages of books that are read to their end what one says for another.
async fn settle(shared: &Shared) -> Result<(), QueueError> {
    for book in shared.queue.settle_books(shared.default_side).await? {
        if book.changed > 0 {
            info!(
                book = book.name,
                changed = book.changed,
                "{}: other pages say who moves in {}",
                book.name,
                diagram_words(book.changed as usize, 0)
            );
        }
    }
    Ok(())
}

/// Lends a page to the worker and brings the answer into the queue.
async fn lend(worker: &Worker, mut claim: Claim, shared: &Shared) -> Result<(), DaemonError> {
    let (answer, mut heard) = oneshot::channel();
    let name = format!("{}, page {}", claim.path, claim.index + 1);
    if worker.jobs.try_send(Job { claim: claim.clone(), answer }).is_err() {
        // the channel holds one job and the worker is idle: its thread is gone
        let _ = shared.queue.release(&claim).await;
        return Err(DaemonError::WorkerLost);
    }
    let mut renewal = interval((shared.lease / 3).max(Duration::from_millis(10)));
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    renewal.tick().await;
    let answer = loop {
        tokio::select! {
            answer = &mut heard => break answer,
            _ = renewal.tick() => match shared.queue.renew(&mut claim, shared.lease).await {
                Ok(()) => {}
                Err(QueueError::LeaseLost(_)) => {
                    warn!("{name}: was taken from its worker; what it reads is dropped");
                    let _ = heard.await;
                    return Ok(());
                }
                // the next renewal comes well before the end of the lease
                Err(error) => warn!("{name}: the lease cannot be renewed: {error}"),
            },
            () = shared.shutdown.abort.cancelled() => {
                if let Ok(Err(error)) = timeout(LAST_WORD, shared.queue.release(&claim)).await {
                    warn!("{name}: {error}");
                }
                return Ok(());
            }
        }
    };
    match answer {
        Ok(Answer::Read(outcome)) => finish(&claim, *outcome, &name, shared).await,
        Ok(Answer::Failed { reason, permanent }) => fail(&claim, &reason, permanent, &name, shared).await,
        Ok(Answer::Panicked { reason }) => {
            shared.counters.panicked();
            fail(&claim, &reason, true, &name, shared).await
        }
        Err(_) => {
            fail(&claim, "its worker ended without an answer", false, &name, shared).await?;
            Err(DaemonError::WorkerLost)
        }
    }
}

async fn finish(claim: &Claim, outcome: PageOutcome, name: &str, shared: &Shared) -> Result<(), DaemonError> {
    let diagrams = outcome.reading.diagrams.len();
    let in_doubt = outcome.reading.diagrams.iter().filter(|d| d.status() == Status::NeedsReview).count();
    let took = outcome.took;
    // kept until it is safe: the database may be busy or full for a while
    let mut told = false;
    let stored = loop {
        match hear(shared.queue.finish(claim, outcome.clone()).await, name, &mut told)? {
            Said::Done(_) => break true,
            Said::Refused(reason) => return fail(claim, &reason, true, name, shared).await,
            Said::Lost => break false,
            Said::Later if wait_for_database(shared).await => {}
            Said::Later => break false,
        }
    };
    if stored {
        shared.counters.page_read(diagrams as u64, in_doubt as u64, took);
        info!(
            source = claim.path,
            page = claim.index + 1,
            diagrams,
            in_doubt,
            ms = took.as_millis() as u64,
            "{name}: {}, {} ms",
            diagram_words(diagrams, in_doubt),
            took.as_millis()
        );
        if let Err(error) = settle(shared).await {
            // it stays due, and an idle worker tries again
            warn!("{name}: the book cannot be settled yet: {error}");
        }
        if let Some(sender) = &shared.read_sources {
            // nobody listens when the daemon is stopping
            let _ = sender.send(claim.source);
        }
    }
    Ok(())
}

fn diagram_words(diagrams: usize, in_doubt: usize) -> String {
    let count = match diagrams {
        0 => return "no diagram".to_owned(),
        1 => "1 diagram".to_owned(),
        count => format!("{count} diagrams"),
    };
    if in_doubt == 0 { count } else { format!("{count}, {in_doubt} in doubt") }
}

async fn fail(
    claim: &Claim,
    reason: &str,
    permanent: bool,
    name: &str,
    shared: &Shared,
) -> Result<(), DaemonError> {
    let mut told = false;
    let state = loop {
        match hear(shared.queue.fail(claim, reason, permanent).await, name, &mut told)? {
            Said::Done(state) => break Some(state),
            Said::Refused(reason) => return Err(QueueError::Invalid(reason).into()),
            Said::Lost => break None,
            Said::Later if wait_for_database(shared).await => {}
            Said::Later => break None,
        }
    };
    match state {
        Some(PageState::Failed) => {
            shared.counters.page_failed();
            warn!(source = claim.path, page = claim.index + 1, "{name}: failed: {reason}");
        }
        Some(_) => {
            shared.counters.page_delayed();
            warn!(source = claim.path, page = claim.index + 1, "{name}: {reason}; it will be tried again");
        }
        None => {}
    }
    Ok(())
}

/// What the database said to something that must be done.
enum Said<T> {
    Done(T),
    /// It makes no sense to the database, and never will.
    Refused(String),
    /// The claim was lost, and it is not wanted any more.
    Lost,
    /// Busy or full for now.
    Later,
}

/// `told`: whether the trouble was told before.
fn hear<T>(result: Result<T, QueueError>, name: &str, told: &mut bool) -> Result<Said<T>, DaemonError> {
    match result {
        Ok(done) => Ok(Said::Done(done)),
        Err(error @ QueueError::LeaseLost(_)) => {
            warn!("{name}: {error}; what was read is dropped");
            Ok(Said::Lost)
        }
        Err(QueueError::Invalid(reason)) => Ok(Said::Refused(reason)),
        Err(error) if error.is_transient() => {
            if !*told {
                error!("{name}: {error}; what was read is kept until it can be written");
                *told = true;
            }
            Ok(Said::Later)
        }
        Err(error) => Err(error.into()),
    }
}

/// Waits before the next try; `false` when everything is being dropped.
async fn wait_for_database(shared: &Shared) -> bool {
    tokio::select! {
        () = sleep(DATABASE_PAUSE) => true,
        () = shared.shutdown.abort.cancelled() => false,
    }
}
