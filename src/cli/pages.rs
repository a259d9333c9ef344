//! Reading the pages of many files with several workers, results in the order of the files.
//!
//! A worker holds one page at a time, and a slow page holds back only a bounded number of finished ones.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};

use super::terminal;
use crate::intake::named_as_scan;
use crate::page::{self, Document, Page, PageLimits, Trouble};
use crate::queue::natural;
use crate::reading::{Reader, ReadingParams};

/// A file whose pages are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub path: PathBuf,
    /// Only this page, counted from 1; all pages without it.
    pub page: Option<u32>,
    /// Found in a folder and not named itself: when it is no picture and does not claim to be one, it is passed over.
    pub found: bool,
    /// The book that it is of, when found in a folder: the folder's first subfolder, the folder itself for files at its top.
    pub book: Option<PathBuf>,
}

/// One page, or the file that gave none.
pub struct PageOf<'a> {
    /// Which of the wanted files, counted from 0.
    pub file: usize,
    pub path: &'a Path,
    /// Counted from 1.
    pub page: u32,
    /// How many pages the file has; 1 where that is unknown.
    pub of: u32,
    pub content: Content<'a>,
}

/// What there is of a page.
pub enum Content<'a> {
    Page(&'a Page),
    /// It cannot be read, and why.
    Failed(String),
    /// The file is none of ours, and what it looks like.
    PassedOver(String),
}

/// A page to read, or a file that gave none.
enum Job {
    Page { file: usize, index: u32, of: u32 },
    Failed { file: usize, reason: String },
    PassedOver { file: usize, reason: String },
}

/// Readers for `workers` threads, made before the first page is read, so that a missing library is told at once.
pub fn readers(params: &ReadingParams, workers: usize) -> anyhow::Result<Vec<Reader>> {
    (0..workers)
        .map(|_| Reader::open(params))
        .collect::<Result<_, _>>()
        .context("cannot start the reader (`fenwatch doctor` tells what is missing)")
}

/// Files in the order given; a folder stands for the files in it, by natural order of names.
pub fn expand(files: &[PathBuf]) -> Vec<Wanted> {
    let mut out = Vec::new();
    for file in files {
        if !file.is_dir() {
            out.push(Wanted { path: file.clone(), page: None, found: false, book: None });
            continue;
        }
        let pass_over = |what: &str| eprintln!("passed over: {}", terminal::lines(what));
        let mut inside: Vec<PathBuf> = walkdir::WalkDir::new(file)
            .follow_links(true)
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.'))
            .filter_map(|entry| match entry {
                Ok(entry) if entry.file_type().is_file() => Some(entry.into_path()),
                Ok(entry) if entry.file_type().is_dir() => None,
                Ok(entry) => {
                    pass_over(&format!("{}: not a regular file", entry.path().display()));
                    None
                }
                Err(error) => {
                    pass_over(&error.to_string());
                    None
                }
            })
            .collect();
        inside.sort_by_cached_key(|path| natural::key(&path.to_string_lossy()));
        out.extend(inside.into_iter().map(|path| {
            let book = Some(book_of(file, &path));
            Wanted { path, page: None, found: true, book }
        }));
    }
    out
}

/// Files at a folder's top are a book, and each folder in it is another with all that is below, as in a watched folder.
fn book_of(folder: &Path, path: &Path) -> PathBuf {
    let mut below = path.strip_prefix(folder).unwrap_or(path).components();
    match (below.next(), below.next()) {
        (Some(first), Some(_)) => folder.join(first),
        _ => folder.to_owned(),
    }
}

/// Calls `make` with each page on one of the readers' threads, and `take` with what it made, in the order of the files, on this thread.
/// `take` may end it all early.
///
/// # Errors
/// The first error of `take`.
pub fn read_in_order<T: Send>(
    files: &[Wanted],
    limits: &PageLimits,
    readers: Vec<Reader>,
    make: impl Fn(&mut Reader, PageOf<'_>) -> T + Sync,
    mut take: impl FnMut(T) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let workers = readers.len();
    let bar = progress(files.len() as u64);
    // Finished pages that wait for a slower one before them: a few a worker keep all busy.
    let window = workers * 4;
    let (slot_out, slot_in) = bounded::<()>(window);
    let (job_out, job_in) = bounded::<(u64, Job)>(workers);
    let (done_out, done_in) = bounded::<(u64, T)>(workers);
    for _ in 0..window {
        // the channel holds `window` slots and is empty
        let _ = slot_out.send(());
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| produce(files, limits, &slot_in, job_out, &stop, &bar));
        for mut reader in readers {
            let (job_in, done_out) = (job_in.clone(), done_out.clone());
            let (make, stop) = (&make, &stop);
            scope.spawn(move || {
                let mut make = |page: PageOf<'_>| make(&mut reader, page);
                work(files, &mut make, limits, &job_in, &done_out, stop);
            });
        }
        drop((job_in, done_out));
        let outcome = in_order(&done_in, &slot_out, &bar, &mut take);
        // let the others run dry
        stop.store(true, Ordering::Relaxed);
        drop(slot_out);
        for _ in done_in.iter() {}
        bar.finish_and_clear();
        outcome
    })
}

fn produce(
    files: &[Wanted],
    limits: &PageLimits,
    slots: &Receiver<()>,
    jobs: Sender<(u64, Job)>,
    stop: &AtomicBool,
    bar: &ProgressBar,
) {
    let mut number = 0;
    let mut emit = |job: Job| {
        let sent = slots.recv().is_ok() && !stop.load(Ordering::Relaxed) && jobs.send((number, job)).is_ok();
        number += 1;
        sent
    };
    for (file, wanted) in files.iter().enumerate() {
        let going_on = match (page::open(&wanted.path, limits), wanted.page) {
            (Ok(document), Some(page)) => {
                let of = document.page_count();
                emit(Job::Page { file, index: page.saturating_sub(1), of })
            }
            (Ok(document), None) => {
                let pages = document.page_count();
                drop(document);
                bar.inc_length(u64::from(pages.saturating_sub(1)));
                (0..pages).all(|index| emit(Job::Page { file, index, of: pages }))
            }
            (Err(error), _) => {
                let reason = error.to_string();
                let stranger = matches!(error.trouble, Trouble::Foreign(_) | Trouble::Empty);
                let passed_over = wanted.found && stranger && !named_as_scan(&wanted.path);
                emit(if passed_over {
                    Job::PassedOver { file, reason }
                } else {
                    Job::Failed { file, reason }
                })
            }
        };
        if !going_on {
            return;
        }
    }
}

fn work<T>(
    files: &[Wanted],
    make: &mut impl FnMut(PageOf<'_>) -> T,
    limits: &PageLimits,
    jobs: &Receiver<(u64, Job)>,
    done: &Sender<(u64, T)>,
    stop: &AtomicBool,
) {
    // the file whose pages are being read stays open
    let mut open: Option<(usize, Document)> = None;
    for (number, job) in jobs {
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let page_of = |file: usize, page: u32, of: u32, content| PageOf {
            file,
            path: &files[file].path,
            page,
            of,
            content,
        };
        let made = match job {
            Job::Failed { file, reason } => make(page_of(file, 1, 1, Content::Failed(reason))),
            Job::PassedOver { file, reason } => make(page_of(file, 1, 1, Content::PassedOver(reason))),
            Job::Page { file, index, of } => {
                match decode(&mut open, &files[file].path, file, index, limits) {
                    Ok(page) => make(page_of(file, index + 1, of, Content::Page(&page))),
                    Err(error) => make(page_of(file, index + 1, of, Content::Failed(format!("{error:#}")))),
                }
            }
        };
        if done.send((number, made)).is_err() {
            return;
        }
    }
}

fn decode(
    open: &mut Option<(usize, Document)>,
    path: &Path,
    file: usize,
    index: u32,
    limits: &PageLimits,
) -> anyhow::Result<Page> {
    if open.as_ref().is_none_or(|(known, _)| *known != file) {
        *open = None;
        *open = Some((file, page::open(path, limits)?));
    }
    let (_, document) = open.as_mut().context("the file was just opened")?;
    Ok(document.read(index)?)
}

fn in_order<T>(
    done: &Receiver<(u64, T)>,
    slots: &Sender<()>,
    bar: &ProgressBar,
    take: &mut impl FnMut(T) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let mut waiting: BTreeMap<u64, T> = BTreeMap::new();
    let mut next = 0;
    for (number, made) in done {
        waiting.insert(number, made);
        while let Some(made) = waiting.remove(&next) {
            next += 1;
            if bar.suspend(|| take(made))?.is_break() {
                return Ok(());
            }
            bar.inc(1);
            // the producer may have ended and closed its side
            let _ = slots.try_send(());
        }
    }
    Ok(())
}

/// A bar on standard error when a person sees it and standard output goes elsewhere.
fn progress(files: u64) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_is_the_first_folder_below() {
        let book = |path: &str| book_of(Path::new("scans"), Path::new(path));
        assert_eq!(book("scans/1.png"), Path::new("scans"));
        assert_eq!(book("scans/tal/1.png"), Path::new("scans/tal"));
        assert_eq!(book("scans/tal/part 2/1.png"), Path::new("scans/tal"));
    }

    #[test]
    fn a_folder_stands_for_its_files_in_natural_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["p10.png", "p2.png", "notes.txt", ".hidden.png"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(folder.path().join(".git/a.png"), "x").unwrap();
        // links to files count as files; one that leads nowhere and one that leads back are passed over
        for (to, link) in [("p2.png", "p3.png"), ("nowhere.png", "p4.png"), (".", "again")] {
            std::os::unix::fs::symlink(folder.path().join(to), folder.path().join(link)).unwrap();
        }
        let lone = folder.path().join("notes.txt");
        let files = expand(&[lone.clone(), folder.path().to_owned()]);
        let named: Vec<(String, bool)> = files
            .iter()
            .map(|file| (file.path.file_name().unwrap().to_string_lossy().into_owned(), file.found))
            .collect();
        let expected = [
            ("notes.txt", false),
            ("notes.txt", true),
            ("p2.png", true),
            ("p3.png", true),
            ("p10.png", true),
        ];
        assert_eq!(named, expected.map(|(name, found)| (name.to_owned(), found)));
    }
}
