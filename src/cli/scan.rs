//! `fenwatch scan FILE...`: reads files without a queue and prints what they hold, in the order of the files.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::pages::{Content, PageOf, Wanted, expand, read_in_order, readers};
use super::{Outcome, terminal};
use crate::chess::Color;
use crate::config::Settings;
use crate::reading::book::follow;
use crate::reading::debug::DebugImages;
use crate::reading::json::PageLine;
use crate::reading::{BookContext, BookSoFar, DiagramReading, PageReading, Reader, Status};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every page was read, 1 some file or page could not be read, 2 wrong usage."
)]
pub struct Args {
    /// Pictures, TIFF, PDF and DjVu files, or folders of them. In a folder, files that are no scans (notes, tables) are
    /// passed over with a word on standard error; a file that is named itself must be one
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

/// What one page, or a file that gave none, has to say.
struct Printed {
    text: String,
    /// For standard error: a file that was passed over.
    note: String,
    failed: bool,
}

/// What came of one page, or of a file that gave none.
struct Made {
    /// Which of the files, counted from 0.
    file: usize,
    /// Counted from 1.
    page: u32,
    /// The file has other pages too.
    of_many: bool,
    came: Came,
}

enum Came {
    Read(Box<PageReading>),
    Failed(String),
    PassedOver(String),
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let settings = Settings::load(config)?;
    let mut params = settings.reading.clone();
    params.captions &= !args.no_captions;
    let workers = args.workers.map_or_else(|| settings.workers.count(), usize::from);
    let readers = readers(&params, workers)?;
    let files = expand(&args.files);
    let context = BookContext { default_side: settings.books.default_side.color(), ..BookContext::default() };
    let mut book = OpenBooks::default();
    let mut outcome = Outcome::Done;
    read_in_order(
        &files,
        &settings.pages,
        readers,
        |reader, page| read(reader, &args, &context, page),
        |mut made| {
            book.turn_page(&files, &mut made, context.default_side);
            let printed = print_made(&files[made.file].path, made, args.json);
            if printed.failed {
                outcome = Outcome::SomeFailed;
            }
            if !printed.note.is_empty() {
                eprintln!("{}", terminal::lines(&printed.note));
            }
            print(&printed.text)
        },
    )?;
    Ok(outcome)
}

/// The books whose pages come by: a folder's single pages with those of the folders below it, and a file of several pages, which is a book
/// of its own: no heading enters it, none leaves it. Files that are named one by one need not belong together.
#[derive(Default)]
struct OpenBooks {
    folders: HashMap<PathBuf, BookSoFar>,
    file: Option<(usize, BookSoFar)>,
}

impl OpenBooks {
    /// Lets the pages before it speak for this one.
    fn turn_page(&mut self, files: &[Wanted], made: &mut Made, default: Option<Color>) {
        let book = files[made.file].book.as_ref();
        if self.file.as_ref().is_some_and(|(file, _)| *file != made.file) {
            self.file = None;
        }
        let so_far = match book {
            Some(book) if !made.of_many => self.folders.entry(book.clone()).or_default(),
            _ => &mut self.file.get_or_insert_with(|| (made.file, BookSoFar::default())).1,
        };
        match &mut made.came {
            Came::Read(reading) => {
                let movers = reading.diagrams.iter_mut().map(DiagramReading::mover);
                follow(so_far, &reading.headings, movers, default);
            }
            Came::Failed(_) => {
                follow(so_far, &[], [], default);
            }
            Came::PassedOver(_) => {}
        }
    }
}

/// Breaks off when nobody reads on (`| head`).
fn print(text: &str) -> anyhow::Result<ControlFlow<()>> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => Err(error).context("cannot write to standard output"),
    }
}

fn read(reader: &mut Reader, args: &Args, book: &BookContext, page: PageOf<'_>) -> Made {
    let (path, number) = (page.path, page.page);
    let came = match page.content {
        Content::Failed(reason) => Came::Failed(reason),
        Content::PassedOver(reason) => Came::PassedOver(reason),
        Content::Page(content) => {
            let images = args.debug_images.as_deref().map(|folder| DebugImages::new(folder, path, number));
            match reader.read_page(content, book, images.as_ref()) {
                Ok(reading) => Came::Read(Box::new(reading)),
                Err(error) => Came::Failed(error.to_string()),
            }
        }
    };
    Made { file: page.file, page: number, of_many: page.of > 1, came }
}

fn print_made(path: &Path, made: Made, json: bool) -> Printed {
    match made.came {
        Came::Read(reading) => print_reading(path, made.page, &reading, json),
        Came::Failed(reason) => print_error(path, made.page, reason, json),
        Came::PassedOver(reason) => {
            Printed { text: String::new(), note: format!("passed over: {reason}"), failed: false }
        }
    }
}

fn print_reading(path: &Path, page: u32, reading: &PageReading, json: bool) -> Printed {
    let source = path.to_string_lossy();
    let text = if json {
        line(&PageLine::of_reading(&source, page, reading))
    } else {
        terminal::lines(&for_people(&source, page, reading)).into_owned()
    };
    Printed { text, note: String::new(), failed: false }
}

fn print_error(path: &Path, page: u32, reason: String, json: bool) -> Printed {
    let source = path.to_string_lossy();
    let text = if json {
        line(&PageLine::of_error(&source, page, reason))
    } else {
        format!("{}\n", terminal::line(&format!("{source}, page {page}: FAILED: {reason}")))
    };
    Printed { text, note: String::new(), failed: true }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Heading;

    /// Turns pages: file, whether it has many, and whether it has a heading. The files whose silent diagrams would be told something.
    fn told(paths: &[&str], pages: &[(usize, bool, bool)]) -> Vec<bool> {
        let book = |path: &str| path.split_once('/').map(|(book, _)| book.into());
        let files: Vec<Wanted> = paths
            .iter()
            .map(|path| Wanted { path: path.into(), page: None, found: true, book: book(path) })
            .collect();
        let mut book = OpenBooks::default();
        let turn = |&(file, of_many, heading): &(usize, bool, bool)| {
            let headings = heading.then(|| Heading { side: Color::Black, text: "Black to move".into() });
            let reading = PageReading {
                headings: headings.into_iter().collect(),
                diagrams: vec![crate::queue::tests::diagram("4k3/8/8/8/8/8/4P3/4K3", 0, vec![])],
                ..PageReading::default()
            };
            let mut made = Made { file, page: 1, of_many, came: Came::Read(Box::new(reading)) };
            book.turn_page(&files, &mut made, None);
            let Came::Read(reading) = made.came else { panic!() };
            reading.diagrams[0].fen.contains(" b ")
        };
        pages.iter().map(turn).collect()
    }

    #[test]
    fn a_folder_is_a_book_with_what_is_below_it() {
        let files = ["b/1.png", "b/part 2/1.png", "c/1.png", "b/2.png", "1.tif", "2.tif"];
        let pages = [(0, false, true), (1, false, false), (2, false, false), (3, false, false)];
        assert_eq!(told(&files, &pages), [false, true, false, true]);
        // named one by one
        assert_eq!(told(&files, &[(4, false, true), (5, false, false)]), [false; 2]);
    }

    #[test]
    fn a_heading_stays_in_its_file_of_several_pages() {
        let files = ["b/1.pdf", "b/2.pdf", "b/3.png", "b/4.pdf", "b/5.png", "c/1.png"];
        let pages = [(0, true, true), (0, true, false), (1, true, false), (1, true, false)];
        assert_eq!(told(&files, &pages), [false, true, false, false]);
        // single pages of a folder belong together, past what lies between them
        let pages = [(0, true, true), (2, false, false), (2, false, true)];
        assert_eq!(told(&files, &pages), [false; 3]);
        let pages = [(2, false, true), (3, true, false), (4, false, false), (5, false, false)];
        assert_eq!(told(&files, &pages), [false, false, true, false]);
    }
}
