//! An open file of scans, read a page at a time on a thread of its own.
//!
//! The decoders are libraries that cannot be interrupted and that may panic on a damaged file. Each document
//! therefore has a decoding thread: the caller asks for a page and waits no longer than `max_seconds`. A thread that has
//! not answered by then is abandoned: it ends by itself when its decoder returns, and until then counts
//! against [`MAX_ABANDONED`]. A panic ends as an error about the page. After either the file is opened anew for the next page.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::Page;
use super::deadline::{Deadline, TimeIsOver};
use super::decode::{self, Pages};
use super::error::{PageError, Trouble};
use super::format::Format;
use super::limits::PageLimits;
use super::source::Source;

/// Threads that may hang in a decoder before no new file is opened.
const MAX_ABANDONED: usize = 4;

/// What a decoder that looks at its deadline gets on top of it, so that it can end in order.
const GRACE: Duration = Duration::from_millis(500);

/// Name of the decoding threads.
const THREAD_NAME: &str = "decoder";

/// Stack of a decoding thread. PDF objects nest, and the PDF reader descends into them.
const STACK_BYTES: usize = 32 << 20;

static ABANDONED: AtomicUsize = AtomicUsize::new(0);

/// An open file of scans. Holds at most the file's bytes and the page in work.
#[derive(Debug)]
pub struct Document {
    path: PathBuf,
    limits: PageLimits,
    format: Format,
    pages: u32,
    cut_short: bool,
    thread: Option<Thread>,
}

/// Opens a file of scans; its kind is decided by its content.
pub fn open(path: &Path, limits: &PageLimits) -> Result<Document, PageError> {
    let (thread, opened) = Thread::start(path, limits).map_err(|trouble| about(path, None, trouble))?;
    Ok(Document {
        path: path.into(),
        limits: limits.clone(),
        format: opened.format,
        pages: opened.pages,
        cut_short: opened.cut_short,
        thread: Some(thread),
    })
}

/// What a look at a file tells without decoding a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    pub format: Format,
    /// At least 1.
    pub pages: u32,
    /// The end of the file is missing: perhaps the copy is still running.
    pub cut_short: bool,
}

/// Looks whether a file is one that can be read, how many pages it has, and whether its end is there. Costs the reading
/// of headers and page lists, and for some kinds of the file itself; no page is decoded.
pub fn probe(path: &Path, limits: &PageLimits) -> Result<Probe, PageError> {
    let document = open(path, limits)?;
    Ok(Probe { format: document.format, pages: document.pages, cut_short: document.cut_short })
}

impl Document {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// At least 1.
    pub fn page_count(&self) -> u32 {
        self.pages
    }

    /// Whether the file's own bookkeeping says that its end is missing: a copy that is still running or broke off.
    /// The pages before may be readable.
    pub fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// Decodes the page `index`, counted from 0. Pages may be read in any order and more than once.
    pub fn read(&mut self, index: u32) -> Result<Page, PageError> {
        self.try_read(index).map_err(|trouble| about(&self.path, Some(index.saturating_add(1)), trouble))
    }

    fn try_read(&mut self, index: u32) -> Result<Page, Trouble> {
        if index >= self.pages {
            return Err(Trouble::NoSuchPage(self.pages));
        }
        let seconds = self.limits.max_seconds;
        // The thread of the page before may have ended, or been left alone.
        let thread = match self.thread.take().filter(|thread| thread.ask.send(index).is_ok()) {
            Some(thread) => thread,
            None => {
                let thread = Thread::start(&self.path, &self.limits)?.0;
                // Should it be gone already, the wait below says so.
                let _ = thread.ask.send(index);
                thread
            }
        };
        match wait(&thread.answer, seconds) {
            Some(result) => {
                self.thread = Some(thread);
                result
            }
            None => {
                thread.fate.abandon();
                Err(Trouble::TimedOut(seconds))
            }
        }
    }
}

fn about(path: &Path, page: Option<u32>, trouble: Trouble) -> PageError {
    PageError { path: path.into(), page, trouble }
}

/// The caller's end of a decoding thread, which ends when this is dropped.
#[derive(Debug)]
struct Thread {
    ask: Sender<u32>,
    answer: Receiver<Result<Page, Trouble>>,
    fate: Arc<Fate>,
}

struct Opened {
    format: Format,
    pages: u32,
    cut_short: bool,
}

impl Thread {
    fn start(path: &Path, limits: &PageLimits) -> Result<(Self, Opened), Trouble> {
        let abandoned = ABANDONED.load(Ordering::Relaxed);
        if abandoned >= MAX_ABANDONED {
            return Err(Trouble::Overloaded(abandoned));
        }
        let (ask, asked) = channel();
        let (answer_to, answer) = channel();
        let (opened_to, opened) = channel();
        let fate = Arc::new(Fate::default());
        let (path, limits_, fate_) = (path.to_owned(), limits.clone(), fate.clone());
        std::thread::Builder::new().name(THREAD_NAME.into()).stack_size(STACK_BYTES).spawn(move || {
            let _end = EndOf(fate_);
            let (opening, _) = guarded(limits_.max_seconds, || {
                let deadline = Deadline::after(limits_.max_seconds);
                let source = Source::open(&path, &limits_)?;
                let format = source.format;
                let mut pages = decode::open(source, &limits_, deadline)?;
                let opened =
                    Opened { format, pages: pages.count(), cut_short: pages.is_cut_short(deadline)? };
                Ok((opened, pages))
            });
            match opening {
                Ok((opened, pages)) => {
                    if opened_to.send(Ok(opened)).is_ok() {
                        serve(pages, limits_.max_seconds, &asked, &answer_to);
                    }
                }
                // Nobody waits any longer when this fails.
                Err(trouble) => drop(opened_to.send(Err(trouble))),
            }
        })?;
        match wait(&opened, limits.max_seconds) {
            Some(opened) => Ok((Self { ask, answer, fate }, opened?)),
            None => {
                fate.abandon();
                Err(Trouble::TimedOut(limits.max_seconds))
            }
        }
    }
}

fn serve(
    mut pages: Box<dyn Pages>,
    seconds: u32,
    asked: &Receiver<u32>,
    answer: &Sender<Result<Page, Trouble>>,
) {
    while let Ok(index) = asked.recv() {
        let (result, intact) = guarded(seconds, || pages.read(index, Deadline::after(seconds)));
        if answer.send(result).is_err() || !intact {
            return;
        }
    }
}

/// Runs a decoder; a panic becomes an error. Gives also whether the decoder is still fit for use: it is not after a panic.
fn guarded<T>(seconds: u32, decode: impl FnOnce() -> Result<T, Trouble>) -> (Result<T, Trouble>, bool) {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(result) => (result, true),
        Err(panic) if panic.is::<TimeIsOver>() => (Err(Trouble::TimedOut(seconds)), false),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| said.to_string()));
            (Err(Trouble::BrokeDown(said.unwrap_or_else(|| "no reason given".into()))), false)
        }
    }
}

/// Keeps panics of decoding threads off the terminal: they end as [`Trouble::BrokeDown`], with their message, and are of no use to a person.
/// For programs to call once at their start; the hook that was set before stays in charge of all other threads.
pub fn hush_decoder_panics() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() == Some(THREAD_NAME) {
            tracing::debug!("{info}");
        } else {
            others(info);
        }
    }));
}

/// The answer, or nothing when the time is over. A thread that died without one broke down.
fn wait<T>(answer: &Receiver<Result<T, Trouble>>, seconds: u32) -> Option<Result<T, Trouble>> {
    match answer.recv_timeout(Duration::from_secs(seconds.into()) + GRACE) {
        Ok(Err(Trouble::Io(error))) if error.kind() == std::io::ErrorKind::TimedOut => {
            Some(Err(Trouble::TimedOut(seconds)))
        }
        Ok(result) => Some(result),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(Trouble::BrokeDown("its thread is gone".into()))),
    }
}

/// Whether a thread still runs, was abandoned, or has ended: keeps [`ABANDONED`] right whichever comes first.
#[derive(Debug, Default)]
struct Fate(AtomicU8);

const RUNS: u8 = 0;
const LEFT: u8 = 1;
const ENDED: u8 = 2;

impl Fate {
    fn abandon(&self) {
        if self.0.compare_exchange(RUNS, LEFT, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            ABANDONED.fetch_add(1, Ordering::Relaxed);
        }
    }
}

struct EndOf(Arc<Fate>);

impl Drop for EndOf {
    fn drop(&mut self) {
        if self.0.0.swap(ENDED, Ordering::AcqRel) == LEFT {
            ABANDONED.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
