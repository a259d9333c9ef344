//! `fenwatch scan FILE...`: reads files without a queue and prints what they hold.
//!
//! Pages are read by several workers; their output is printed in the order of the files. A worker
//! holds one page at a time, and a slow page holds back only a bounded number of finished ones.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};

use super::Outcome;
use crate::config::Settings;
use crate::page::{self, Document, PageLimits};
use crate::queue::natural;
use crate::reading::debug::DebugImages;
use crate::reading::json::PageLine;
use crate::reading::{BookContext, PageReading, Reader, Status};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Pictures, TIFF, PDF and DjVu files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object a page (JSON Lines)
    #[arg(long)]
    json: bool,
    /// Write what each stage saw into this folder
    #[arg(long, value_name = "DIR")]
    debug_images: Option<PathBuf>,
    /// Worker threads; as many as there are processors without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Leave captions unread (every side to move is then assumed)
    #[arg(long)]
    no_captions: bool,
}

/// A page to read, or a file that gave none.
enum Job {
    Page { path: PathBuf, index: u32 },
    Failed { path: PathBuf, reason: String },
}

/// A page's printed lines.
struct Printed {
    text: String,
    failed: bool,
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let settings = Settings::load(config)?;
    let mut params = settings.reading.clone();
    params.captions &= !args.no_captions;
    let workers = args.workers.map_or_else(|| settings.workers.count(), usize::from);
    // every reader is made before the first page is read, so that a missing library is told at once
    let readers = (0..workers)
        .map(|_| Reader::open(&params))
        .collect::<Result<Vec<_>, _>>()
        .context("cannot start the reader (`fenwatch doctor` tells what is missing)")?;
    let files = expand(&args.files);
    let limits = &settings.pages;
    let bar = progress(files.len() as u64);

    // Finished pages that wait for a slower one before them: a few a worker keep all busy.
    let window = workers * 4;
    let (slot_out, slot_in) = bounded::<()>(window);
    let (job_out, job_in) = bounded::<(u64, Job)>(workers);
    let (done_out, done_in) = bounded::<(u64, Printed)>(workers);
    for _ in 0..window {
        // the channel holds `window` slots and is empty
        let _ = slot_out.send(());
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            produce(&files, limits, &slot_in, job_out, &stop, &bar);
        });
        for reader in readers {
            let (job_in, done_out) = (job_in.clone(), done_out.clone());
            let (args, stop) = (&args, &stop);
            scope.spawn(move || work(reader, args, limits, &job_in, &done_out, stop));
        }
        drop((job_in, done_out));
        let outcome = print_in_order(&done_in, &slot_out, &bar);
        // a closed pipe (`| head`) ends the scan: let the others run dry
        stop.store(true, Ordering::Relaxed);
        drop(slot_out);
        for _ in done_in.iter() {}
        bar.finish_and_clear();
        outcome
    })
}

/// Files in the order given; a folder stands for the files in it, by natural order of names.
fn expand(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for file in files {
        if file.is_dir() {
            let mut inside: Vec<PathBuf> = walkdir::WalkDir::new(file)
                .into_iter()
                .filter_map(Result::ok)
                .filter(|entry| entry.file_type().is_file())
                .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
                .map(walkdir::DirEntry::into_path)
                .collect();
            inside.sort_by_cached_key(|path| natural::key(&path.to_string_lossy()));
            out.extend(inside);
        } else {
            out.push(file.clone());
        }
    }
    out
}

fn produce(
    files: &[PathBuf],
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
    for path in files {
        let path = path.clone();
        let going_on = match page::open(&path, limits) {
            Ok(document) => {
                let pages = document.page_count();
                drop(document);
                bar.inc_length(u64::from(pages.saturating_sub(1)));
                (0..pages).all(|index| emit(Job::Page { path: path.clone(), index }))
            }
            Err(error) => emit(Job::Failed { path, reason: error.to_string() }),
        };
        if !going_on {
            return;
        }
    }
}

fn work(
    mut reader: Reader,
    args: &Args,
    limits: &PageLimits,
    jobs: &Receiver<(u64, Job)>,
    done: &Sender<(u64, Printed)>,
    stop: &AtomicBool,
) {
    // the file whose pages are being read stays open
    let mut open: Option<(PathBuf, Document)> = None;
    for (number, job) in jobs {
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let printed = match job {
            Job::Failed { path, reason } => print_error(&path, 1, reason, args.json),
            Job::Page { path, index } => match read(&mut reader, &mut open, args, limits, &path, index) {
                Ok(reading) => print_reading(&path, index + 1, &reading, args.json),
                Err(error) => print_error(&path, index + 1, format!("{error:#}"), args.json),
            },
        };
        if done.send((number, printed)).is_err() {
            return;
        }
    }
}

fn read(
    reader: &mut Reader,
    open: &mut Option<(PathBuf, Document)>,
    args: &Args,
    limits: &PageLimits,
    path: &Path,
    index: u32,
) -> anyhow::Result<PageReading> {
    if open.as_ref().is_none_or(|(known, _)| known != path) {
        *open = None;
        *open = Some((path.to_owned(), page::open(path, limits)?));
    }
    let (_, document) = open.as_mut().context("the file was just opened")?;
    let page = document.read(index)?;
    let images = args.debug_images.as_deref().map(|folder| DebugImages::new(folder, path, index + 1));
    Ok(reader.read_page(&page, &BookContext::default(), images.as_ref())?)
}

fn print_reading(path: &Path, page: u32, reading: &PageReading, json: bool) -> Printed {
    let source = path.to_string_lossy();
    let text = if json {
        line(&PageLine::of_reading(&source, page, reading))
    } else {
        for_people(&source, page, reading)
    };
    Printed { text, failed: false }
}

fn print_error(path: &Path, page: u32, reason: String, json: bool) -> Printed {
    let source = path.to_string_lossy();
    let text = if json {
        line(&PageLine::of_error(&source, page, reason))
    } else {
        format!("{source}, page {page}: FAILED: {reason}\n")
    };
    Printed { text, failed: true }
}

fn line(line: &PageLine<'_>) -> String {
    // plain structs of strings and numbers: serde_json cannot fail on them
    let mut text = serde_json::to_string(line).unwrap_or_default();
    text.push('\n');
    text
}

fn for_people(source: &str, page: u32, reading: &PageReading) -> String {
    let count = reading.diagrams.len();
    let mut text = format!("{source}, page {page}: {count} diagram{}\n", if count == 1 { "" } else { "s" });
    for flag in &reading.flags {
        text += &format!("     {} {}: {}\n", flag.severity, flag.code, flag.message);
    }
    for diagram in &reading.diagrams {
        let word = match diagram.status() {
            Status::Accepted => "accepted",
            Status::NeedsReview => "review",
        };
        let number = diagram.caption.number.as_deref().map(|n| format!(" (number {n})")).unwrap_or_default();
        text += &format!(
            "{:>3}. {}{number}  [side to move: {}] {word}\n",
            diagram.ordinal, diagram.fen, diagram.sources.side_to_move
        );
        if let Some(caption) = &diagram.caption.text {
            text += &format!("     \"{caption}\"\n");
        }
        for flag in &diagram.flags {
            text += &format!("     {} {}: {}\n", flag.severity, flag.code, flag.message);
        }
    }
    text
}

fn print_in_order(
    done: &Receiver<(u64, Printed)>,
    slots: &Sender<()>,
    bar: &ProgressBar,
) -> anyhow::Result<Outcome> {
    let mut waiting: BTreeMap<u64, Printed> = BTreeMap::new();
    let mut next = 0;
    let mut outcome = Outcome::Done;
    for (number, printed) in done {
        waiting.insert(number, printed);
        while let Some(printed) = waiting.remove(&next) {
            next += 1;
            if printed.failed {
                outcome = Outcome::SomeFailed;
            }
            let written = bar.suspend(|| {
                let mut out = io::stdout().lock();
                out.write_all(printed.text.as_bytes()).and_then(|()| out.flush())
            });
            match written {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(outcome),
                other => other.context("cannot write to standard output")?,
            }
            bar.inc(1);
            // the producer may have ended and closed its side
            let _ = slots.try_send(());
        }
    }
    Ok(outcome)
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
