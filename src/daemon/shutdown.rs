//! Stopping: the first signal finishes the pages in hand, the second stops at once.

use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// The two degrees of stopping. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    /// Take nothing new; finish what is in hand.
    pub finish: CancellationToken,
    /// Drop everything.
    pub abort: CancellationToken,
}

impl Shutdown {
    /// Listens to SIGINT and SIGTERM for the rest of the process's life. Call within a tokio runtime.
    ///
    /// # Errors
    /// When the operating system refuses a signal handler.
    pub fn on_signals() -> std::io::Result<Shutdown> {
        let shutdown = Shutdown::default();
        let mut signals = Signals::new()?;
        let told = shutdown.clone();
        tokio::spawn(async move {
            let name = signals.next().await;
            info!("{name}: finishing the pages in hand (once more to stop at once)");
            told.finish.cancel();
            let name = signals.next().await;
            warn!("{name} again: stopping at once; the pages in hand go back to the queue");
            told.abort.cancel();
        });
        Ok(shutdown)
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) -> &'static str {
        // without a handler the system ends the process itself
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        "Ctrl-C"
    }
}
