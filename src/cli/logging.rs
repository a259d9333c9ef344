//! Set-up of the log, and of progress bars that do not tear it.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use anyhow::Context;
use indicatif::MultiProgress;
use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::{FmtSpan, Writer};
use tracing_subscriber::fmt::{FormatFields, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use super::terminal;
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
                plain.fmt_fields(Unrepeated).with_ansi(colours).with_target(false).boxed()
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

/// Fields as text. What the message of an event says in words is not said again; machines read the fields from JSON or the journal.
#[derive(Debug, Clone, Copy)]
struct Unrepeated;

impl<'writer> FormatFields<'writer> for Unrepeated {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, fields: R) -> std::fmt::Result {
        let mut seen = Seen::default();
        fields.record(&mut seen);
        if let Some(message) = &seen.message {
            write!(writer, "{message}")?;
        }
        let mut first = seen.message.is_none();
        for (name, value) in &seen.fields {
            let plain = value.trim_matches('"');
            if seen.message.as_ref().is_some_and(|message| message.contains(plain)) {
                continue;
            }
            let space = if std::mem::take(&mut first) { "" } else { " " };
            write!(writer, "{space}{name}={value}")?;
        }
        Ok(())
    }
}

/// The fields of an event or a span.
#[derive(Debug, Default)]
struct Seen {
    message: Option<String>,
    fields: Vec<(&'static str, String)>,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        match field.name() {
            // a field's text is quoted by its `Debug`, a message is not
            "message" => self.message = Some(terminal::line(&format!("{value:?}")).into_owned()),
            name => self.fields.push((name, terminal::line(&format!("{value:?}")).into_owned())),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What the log writes of the events in `work`.
    fn logged(work: impl FnOnce()) -> String {
        let written = Shared::default();
        let target = written.clone();
        let layer = tracing_subscriber::fmt::layer()
            .fmt_fields(Unrepeated)
            .without_time()
            .with_target(false)
            .with_ansi(false)
            .with_writer(move || target.clone());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), work);
        String::from_utf8(written.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn what_the_message_says_is_not_said_again() {
        let text = logged(|| {
            let _span = tracing::info_span!("page", source = "a.png").entered();
            tracing::info!(path = "tal/1.png", pages = 7, "{} joins", "tal/1.png");
        });
        assert_eq!(text.trim(), "INFO page{source=\"a.png\"}: tal/1.png joins pages=7");
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        let name = "a\u{1b}[2J\u{202e}\n.png";
        let text = logged(|| {
            tracing::info!(path = name, also = %name, "{name} joins");
        });
        assert_eq!(text.trim(), "INFO a\\u{1b}[2J\\u{202e}\\n.png joins");
    }
}
