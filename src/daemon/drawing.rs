//! Reads boards that a person drew on the review page: a thread of its own, so that nobody waits behind a book.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use tokio::sync::oneshot;
use tracing::warn;

use super::worker::{PageReader, Shelf, WorkerMaterial, panic_words};
use crate::page::Page;
use crate::queue::PageFile;
use crate::reading::{BookContext, PageReading};
use crate::review::{BoardRead, BoardRequest, BoardSource};

/// Drawn boards that may wait at once; more than a few is no person.
const WAITING: usize = 8;

/// A reader that nobody needed for so long gives its memory back.
const KEPT: Duration = Duration::from_secs(300);

struct Job {
    request: BoardRequest,
    answer: oneshot::Sender<Result<BoardRead, String>>,
}

/// Starts the thread, which ends when the last clone of the source is dropped. It makes its reader when the first board comes.
pub(super) fn start_drawing(material: WorkerMaterial) -> std::io::Result<BoardSource> {
    let (jobs, inbox): (Sender<Job>, Receiver<Job>) = bounded(WAITING);
    std::thread::Builder::new().name("drawn boards".to_owned()).spawn(move || work(&material, &inbox))?;
    Ok(Arc::new(move |request| {
        let (answer, heard) = oneshot::channel();
        if let Err(TrySendError::Full(job) | TrySendError::Disconnected(job)) =
            jobs.try_send(Job { request, answer })
        {
            // the request may have been given up meanwhile
            let _ = job.answer.send(Err("other drawn boards are still being read; try again".to_owned()));
        }
        heard
    }))
}

fn work(material: &WorkerMaterial, inbox: &Receiver<Job>) {
    let mut reader: Option<Box<dyn PageReader>> = None;
    let mut shelf = Shelf::default();
    loop {
        let Job { request, answer } = match inbox.recv_timeout(KEPT) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                reader = None;
                shelf = Shelf::default();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if answer.is_closed() {
            continue;
        }
        let read = catch_unwind(AssertUnwindSafe(|| read(&mut reader, &mut shelf, material, &request)));
        let result = read.unwrap_or_else(|panic| {
            let words = panic_words(panic.as_ref());
            warn!("the program broke down on a drawn board: {words}");
            // both may be in any state
            reader = None;
            shelf = Shelf::default();
            Err(format!("the program broke down on this board: {words}"))
        });
        // the browser may have stopped waiting
        let _ = answer.send(result);
    }
}

fn read(
    reader: &mut Option<Box<dyn PageReader>>,
    shelf: &mut Shelf,
    material: &WorkerMaterial,
    request: &BoardRequest,
) -> Result<BoardRead, String> {
    let BoardRequest { file, drawn } = request;
    let document =
        shelf.open(&file.root, &file.path, &file.hash, &material.limits).map_err(|failure| failure.reason)?;
    let page = document.read(file.index).map_err(|error| error.trouble.to_string())?;
    let reader = match reader {
        Some(reader) => reader,
        none => none.insert((material.factory)()?),
    };
    let context = context(file, material);
    let reading = reader.read_drawn(&page, drawn, &context)?;
    let crops = crops(reader.as_ref(), &page, &reading)?;
    Ok(BoardRead { page_size: (page.gray.width(), page.gray.height()), reading, crops })
}

fn context(file: &PageFile, material: &WorkerMaterial) -> BookContext {
    BookContext {
        default_side: file.default_side.or(material.default_side),
        language: file.language.clone(),
        marks_black_only: file.marks_black_only,
    }
}

fn crops(
    reader: &dyn PageReader,
    page: &Page,
    reading: &crate::reading::DiagramReading,
) -> Result<crate::queue::Crops, String> {
    let alone = PageReading {
        width: page.gray.width(),
        height: page.gray.height(),
        diagrams: vec![reading.clone()],
        ..PageReading::default()
    };
    Ok(reader.pictures(page, &alone)?.pop().unwrap_or_default())
}
