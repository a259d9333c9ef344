//! Set-up of the log, and of progress bars that do not tear it.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use anyhow::Context;
use indicatif::MultiProgress;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::{LogFormat, LogParams, LogTarget};

/// The variable that replaces the setting `log.filter`.
pub const FILTER_VARIABLE: &str = "FENWATCH_LOG";

/// Starts logging. Stages are spans at level debug: with `debug` in the filter, each writes a line
/// with its times when it ends.
///
/// # Errors
/// When the filter cannot be understood, or the journal is asked for and not there.
pub fn start(params: &LogParams) -> anyhow::Result<()> {
    let (origin, text) = match std::env::var(FILTER_VARIABLE) {
        Ok(text) if !text.trim().is_empty() => (FILTER_VARIABLE, text),
        _ => ("setting `log.filter`", params.filter.clone()),
    };
    let filter = EnvFilter::try_new(&text).with_context(|| format!("{origin}: {text:?} is no log filter"))?;
    let journal = match params.target {
        LogTarget::Stderr => false,
        LogTarget::Journald => true,
        LogTarget::Auto => stderr_is_journal(),
    };
    let layer: Box<dyn Layer<_> + Send + Sync> = if journal {
        journal_layer()?
    } else {
        let plain = tracing_subscriber::fmt::layer().with_writer(AboveBars).with_span_events(FmtSpan::CLOSE);
        match params.format {
            LogFormat::Json => plain.json().flatten_event(true).boxed(),
            LogFormat::Text => {
                let colours =
                    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
                plain.with_ansi(colours).with_target(false).boxed()
            }
        }
    };
    // a second start (tests in one process) keeps the first
    let _ = tracing_subscriber::registry().with(layer.with_filter(filter)).try_init();
    Ok(())
}

#[cfg(target_os = "linux")]
fn journal_layer<S>() -> anyhow::Result<Box<dyn Layer<S> + Send + Sync>>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    Ok(tracing_journald::layer().context("the journal cannot be reached")?.boxed())
}

#[cfg(not(target_os = "linux"))]
fn journal_layer<S>() -> anyhow::Result<Box<dyn Layer<S> + Send + Sync>> {
    anyhow::bail!("there is no journal on this system (setting `log.target`)")
}

/// Whether systemd reads our standard error (systemd.exec(5), `JOURNAL_STREAM`).
fn stderr_is_journal() -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::linux::fs::MetadataExt;
        let Ok(stream) = std::env::var("JOURNAL_STREAM") else { return false };
        let Ok(metadata) = std::fs::metadata("/proc/self/fd/2") else { return false };
        stream == format!("{}:{}", metadata.st_dev(), metadata.st_ino())
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// All progress bars of the process; log lines are written above them.
pub fn bars() -> &'static MultiProgress {
    static BARS: OnceLock<MultiProgress> = OnceLock::new();
    BARS.get_or_init(MultiProgress::new)
}

/// Standard error, above the progress bars.
#[derive(Debug, Clone, Copy)]
struct AboveBars;

impl<'a> MakeWriter<'a> for AboveBars {
    type Writer = LineWriter;

    fn make_writer(&'a self) -> LineWriter {
        LineWriter(Vec::new())
    }
}

/// Collects one event's text and writes it at once.
#[derive(Debug)]
struct LineWriter(Vec<u8>);

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LineWriter {
    fn drop(&mut self) {
        // a closed standard error must not stop the daemon
        let _ = bars().suspend(|| io::stderr().lock().write_all(&self.0));
    }
}
