//! A worker: an operating system thread with a net session and a text recognizer of its own, one page in memory.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use tokio::sync::oneshot;
use tracing::{debug_span, error, warn};

use super::path_text::text_to_path;
use super::pictures::{page_picture, pictures_of};
use crate::chess::Color;
use crate::intake::sha256_file;
use crate::page::{self, Document, Page, PageLimits};
use crate::queue::{Claim, Crops, PageOutcome};
use crate::reading::{BookContext, DiagramReading, DrawnBoard, PageReading, Reader};

/// Reads the diagrams of a page; a [`Reader`], or a fake one in tests.
pub trait PageReader {
    /// # Errors
    /// When the reader itself fails; never because of what is on the page.
    fn read(&mut self, page: &Page, book: &BookContext) -> Result<PageReading, String>;

    /// Name and version of the model.
    fn model_version(&self) -> String;

    /// Reads one board on corners that a person drew.
    ///
    /// # Errors
    /// When the reader fails, or cannot do it.
    fn read_drawn(
        &mut self,
        page: &Page,
        drawn: &DrawnBoard,
        book: &BookContext,
    ) -> Result<DiagramReading, String> {
        let _ = (page, drawn, book);
        Err("this reader reads no drawn boards".to_owned())
    }

    /// The pictures that reviewers will want of each diagram, in the reading's order.
    ///
    /// # Errors
    /// When a picture cannot be encoded.
    fn pictures(&self, page: &Page, reading: &PageReading) -> Result<Vec<Crops>, String> {
        pictures_of(page, reading)
    }
}

impl PageReader for Reader {
    fn read(&mut self, page: &Page, book: &BookContext) -> Result<PageReading, String> {
        self.read_page(page, book, None).map_err(|error| error.to_string())
    }

    fn model_version(&self) -> String {
        Reader::model_version(self).to_owned()
    }

    fn read_drawn(
        &mut self,
        page: &Page,
        drawn: &DrawnBoard,
        book: &BookContext,
    ) -> Result<DiagramReading, String> {
        Reader::read_drawn(self, page, drawn, book).map_err(|error| error.to_string())
    }
}

/// Makes a worker's reader, on the worker's thread.
pub type ReaderFactory = Arc<dyn Fn() -> Result<Box<dyn PageReader>, String> + Send + Sync>;

/// A page to read, and where to send the answer.
pub(super) struct Job {
    pub claim: Claim,
    pub answer: oneshot::Sender<Answer>,
}

/// What came of a page.
#[derive(Debug)]
pub(super) enum Answer {
    Read(Box<PageOutcome>),
    /// `permanent`: the same page would fail again.
    Failed {
        reason: String,
        permanent: bool,
    },
    /// The program broke down on it; the worker was built anew.
    Panicked {
        reason: String,
    },
}

/// The async side's end of a worker.
#[derive(Debug)]
pub(super) struct Worker {
    pub jobs: Sender<Job>,
    pub pulse: Arc<Pulse>,
}

/// Since when a worker has been busy.
#[derive(Debug)]
pub(super) struct Pulse {
    start: Instant,
    /// Milliseconds after `start`, plus 1; 0 when idle.
    since: AtomicU64,
}

impl Pulse {
    fn set(&self, busy: bool) {
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.since.store(if busy { now + 1 } else { 0 }, Ordering::Relaxed);
    }

    /// How long it has been busy with one page.
    pub fn busy(&self) -> Option<Duration> {
        let since = self.since.load(Ordering::Relaxed).checked_sub(1)?;
        Some(self.start.elapsed().saturating_sub(Duration::from_millis(since)))
    }
}

/// What every worker is given.
#[derive(Clone)]
pub(super) struct WorkerMaterial {
    pub factory: ReaderFactory,
    pub limits: PageLimits,
    /// Of books that have none of their own.
    pub default_side: Option<Color>,
}

impl Worker {
    /// Starts a worker's thread; `ready` hears whether its reader could be made. The thread ends when the last sender of
    /// jobs is dropped.
    pub fn start(
        number: usize,
        material: WorkerMaterial,
        ready: oneshot::Sender<Result<(), String>>,
    ) -> std::io::Result<Worker> {
        let (jobs, inbox) = bounded::<Job>(1);
        let pulse = Arc::new(Pulse { start: Instant::now(), since: AtomicU64::new(0) });
        let beat = pulse.clone();
        std::thread::Builder::new()
            .name(format!("worker {number}"))
            .spawn(move || work(&material, &inbox, &beat, ready))?;
        Ok(Worker { jobs, pulse })
    }
}

fn work(
    material: &WorkerMaterial,
    inbox: &Receiver<Job>,
    pulse: &Pulse,
    ready: oneshot::Sender<Result<(), String>>,
) {
    let mut reader = match make_reader(material) {
        Ok(reader) => reader,
        Err(reason) => {
            // nobody waits for it when the daemon is stopping
            let _ = ready.send(Err(reason));
            return;
        }
    };
    let _ = ready.send(Ok(()));
    let mut shelf = Shelf::default();
    for Job { claim, answer } in inbox {
        pulse.set(true);
        let read =
            catch_unwind(AssertUnwindSafe(|| read_page(reader.as_mut(), &mut shelf, material, &claim)));
        let (result, broken) = match read {
            Ok(Ok(outcome)) => (Answer::Read(Box::new(outcome)), false),
            Ok(Err(failure)) => {
                (Answer::Failed { reason: failure.reason, permanent: failure.permanent }, false)
            }
            Err(panic) => {
                let reason = format!("the program broke down on this page: {}", panic_words(panic.as_ref()));
                (Answer::Panicked { reason }, true)
            }
        };
        if broken {
            // both may be in any state
            shelf = Shelf::default();
            match make_reader(material) {
                Ok(new) => reader = new,
                Err(reason) => {
                    error!("a worker cannot be built anew: {reason}");
                    let _ = answer.send(result);
                    return;
                }
            }
        }
        // the daemon may have stopped waiting
        let _ = answer.send(result);
        pulse.set(false);
    }
}

fn make_reader(material: &WorkerMaterial) -> Result<Box<dyn PageReader>, String> {
    match catch_unwind(AssertUnwindSafe(|| (material.factory)())) {
        Ok(made) => made,
        Err(panic) => Err(format!("the reader broke down: {}", panic_words(panic.as_ref()))),
    }
}

pub(super) fn panic_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason was given".to_owned())
}

pub(super) struct Failure {
    pub reason: String,
    pub permanent: bool,
}

/// The file whose pages are being read stays open.
#[derive(Default)]
pub(super) struct Shelf(Option<(String, PathBuf, Document)>);

impl Shelf {
    /// Opens a file, and makes sure that it is the one that was enrolled with this hash.
    pub fn open(
        &mut self,
        root: &str,
        path: &str,
        enrolled: &str,
        limits: &PageLimits,
    ) -> Result<&mut Document, Failure> {
        let path = text_to_path(root).join(text_to_path(path));
        let held = matches!(&self.0, Some((hash, at, _)) if hash == enrolled && *at == path);
        if !held {
            self.0 = None;
            let hash = sha256_file(&path)
                .map_err(|error| Failure { reason: format!("cannot be read: {error}"), permanent: false })?;
            if hash != enrolled {
                let reason = "the file was changed after it joined the queue".to_owned();
                return Err(Failure { reason, permanent: false });
            }
            let document = page::open(&path, limits).map_err(|error| failure_of(&error))?;
            self.0 = Some((hash, path, document));
        }
        // it was put there just now, or held
        match &mut self.0 {
            Some((_, _, document)) => Ok(document),
            None => Err(Failure { reason: "the file could not be opened".to_owned(), permanent: false }),
        }
    }
}

fn failure_of(error: &page::PageError) -> Failure {
    Failure { reason: error.trouble.to_string(), permanent: error.is_permanent() }
}

fn read_page(
    reader: &mut dyn PageReader,
    shelf: &mut Shelf,
    material: &WorkerMaterial,
    claim: &Claim,
) -> Result<PageOutcome, Failure> {
    let span = debug_span!("page", source = claim.path, page = claim.index + 1);
    let _entered = span.enter();
    let start = Instant::now();
    let document = debug_span!("open")
        .in_scope(|| shelf.open(&claim.root, &claim.path, &claim.hash, &material.limits))?;
    let page =
        debug_span!("decode").in_scope(|| document.read(claim.index)).map_err(|error| failure_of(&error))?;
    let book = BookContext {
        default_side: claim.default_side.or(material.default_side),
        language: claim.language.clone(),
        marks_black_only: claim.marks_black_only,
    };
    let reading = debug_span!("read")
        .in_scope(|| reader.read(&page, &book))
        .map_err(|reason| Failure { reason, permanent: false })?;
    let (crops, page) = debug_span!("pictures").in_scope(|| {
        let crops = reader.pictures(&page, &reading).map_err(|reason| Failure { reason, permanent: true })?;
        // a page without its small picture is still a page
        let page =
            page_picture(&page).inspect_err(|reason| warn!("no small picture of the page: {reason}")).ok();
        Ok::<_, Failure>((crops, page))
    })?;
    Ok(PageOutcome { crops, page, model_version: reader.model_version(), took: start.elapsed(), reading })
}
