//! `fenwatch export`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;

use super::{Outcome, Usage, terminal};
use crate::chess::{EnPassantStyle, FlagCode};
use crate::config::Settings;
use crate::export::{ExportOptions, Exporter, Files, Format, PictureFiles, picture_name, split_name};
use crate::queue::{
    DiagramId, DiagramRow, DiagramState, Filter, NumberFilter, PictureKind, Queue, extension,
};

/// Which en passant squares are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EnPassant {
    /// Only where a capture is legal
    Legal,
    /// After each double step, as the original standard has it
    Always,
}

/// Writes accepted, approved and corrected diagrams, in the order of the books.
#[derive(Debug, clap::Args)]
#[command(after_help = "The formats are described in docs/exports.md.\n\n\
                        Exit codes: 0 all is written, 1 impossible positions were left out or nothing could be written, 2 wrong usage.")]
pub struct Args {
    /// epd, pgn, fen, csv, json or anki; without it the output's extension tells
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,
    /// File to write; without it, or as "-", standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// Only this book (the name of its folder)
    #[arg(long, value_name = "NAME")]
    book: Option<String>,
    /// Only these states: accepted, needs_review, approved, corrected, rejected [default: accepted,approved,corrected]
    #[arg(long, value_name = "STATE", value_delimiter = ',')]
    state: Vec<DiagramState>,
    /// Only diagrams with one of these flags
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    flag: Vec<FlagCode>,
    /// Only this printed number, or a range: 45, 1.16, 40-60
    #[arg(long, value_name = "NUMBER")]
    number: Option<NumberFilter>,
    /// Only diagrams with this text in caption, players, number or path
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Files of at most so many positions each: book-001.pgn, book-002.pgn, ... (Lichess takes 64 chapters a study, 32 games a paste)
    #[arg(long, value_name = "N", requires = "output", value_parser = clap::value_parser!(u32).range(1..))]
    split: Option<u32>,
    /// Folder for the pictures of boards and captions, named in CSV, JSON and Anki
    #[arg(long, value_name = "DIR")]
    crops: Option<PathBuf>,
    /// Only ASCII in EPD and PGN
    #[arg(long)]
    ascii: bool,
    /// En passant squares: legal (only where a capture is possible) or always
    #[arg(long, value_enum, value_name = "WHEN", default_value = "legal")]
    en_passant: EnPassant,
    /// The database; without it that of the settings
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let database = match &args.database {
        Some(path) => path.clone(),
        None => Settings::load(config)?.state.database(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let queue = Queue::open_existing(&database).await?;
        let outcome = export(&queue, &args, &mut io::stdout().lock(), &mut io::stderr().lock()).await;
        queue.close().await;
        outcome
    })
}

/// Where the text goes.
enum Target<'a> {
    Stream(&'a mut dyn Write),
    Files(Files),
}

impl Target<'_> {
    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Target::Stream(stream) => stream.write_all(text.as_bytes())?,
            Target::Files(files) => files.write(text.as_bytes())?,
        }
        Ok(())
    }
}

async fn export(
    queue: &Queue,
    args: &Args,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let format = format_of(args.format, output)?;
    if args.split.is_some() && output.is_none() {
        bail!(Usage("--split needs a file: name one with --output".to_owned()));
    }
    let filter = filter_of(args, queue).await?;
    let options = ExportOptions {
        ascii: args.ascii,
        en_passant: match args.en_passant {
            EnPassant::Legal => EnPassantStyle::LegalCapture,
            EnPassant::Always => EnPassantStyle::DoubleStep,
        },
    };
    let target = match output {
        Some(_) => Target::Files(Files::new(args.force)),
        None => Target::Stream(out),
    };
    let mut run = Run {
        exporter: Exporter::new(format, options),
        target,
        output,
        split: args.split,
        with_pictures: args.crops.is_some(),
        parts: 0,
        in_part: 0,
        written: 0,
        refused: Vec::new(),
        pictures: Vec::new(),
    };
    let done = async {
        run.begin_part()?;
        queue.visit::<anyhow::Error>(&filter, |rows| rows.iter().try_for_each(|row| run.take(row))).await?;
        run.end_part()
    }
    .await;
    if let Err(error) = done {
        if is_broken_pipe(&error) {
            // the reader has what it wanted
            return Ok(Outcome::Done);
        }
        return Err(error);
    }
    if let Some(folder) = &args.crops {
        write_pictures(queue, folder, &run.pictures, args.force).await?;
    }
    match run.target {
        Target::Stream(stream) => match stream.flush() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
            _ => {}
        },
        Target::Files(files) => {
            let kept = files.keep()?;
            let names: Vec<String> = kept.iter().map(|path| path.display().to_string()).collect();
            writeln!(err, "{} written to {}", positions(run.written), terminal::line(&summary(&names)))?;
        }
    }
    if args.state.is_empty() {
        let waiting = Filter { states: vec![DiagramState::NeedsReview], ..filter };
        let count = queue.diagram_count(&waiting).await?;
        if count > 0 {
            writeln!(
                err,
                "{count} more wait for review and are not in it (--state needs_review takes them too)"
            )?;
        }
    }
    if let Some(name) = &args.book
        && let Some(book) = queue.book_by_name(name).await?
    {
        for shared in queue.shared_files(book).await? {
            writeln!(err, "{}", terminal::line(&format!("{name}: {shared}")))?;
        }
    }
    for line in &run.refused {
        writeln!(err, "{}", terminal::line(line))?;
    }
    if run.refused.is_empty() {
        Ok(Outcome::Done)
    } else {
        writeln!(
            err,
            "{} left out: impossible, and nobody has accepted it; approve or correct it first",
            positions(run.refused.len())
        )?;
        Ok(Outcome::SomeFailed)
    }
}

struct Run<'a> {
    exporter: Exporter,
    target: Target<'a>,
    output: Option<&'a Path>,
    split: Option<u32>,
    with_pictures: bool,
    parts: usize,
    in_part: u32,
    written: usize,
    refused: Vec<String>,
    pictures: Vec<(DiagramId, PictureKind, String)>,
}

impl Run<'_> {
    fn begin_part(&mut self) -> anyhow::Result<()> {
        self.parts += 1;
        self.in_part = 0;
        if let (Target::Files(files), Some(output)) = (&mut self.target, self.output) {
            match self.split {
                Some(_) => files.create(&split_name(output, self.parts))?,
                None => files.create(output)?,
            }
        }
        let text = self.exporter.begin();
        self.target.write(&text)
    }

    fn end_part(&mut self) -> anyhow::Result<()> {
        let text = self.exporter.end();
        self.target.write(&text)
    }

    fn take(&mut self, row: &DiagramRow) -> anyhow::Result<()> {
        if row.is_refused() {
            let codes = row.flags.iter().filter(|flag| flag.severity == crate::chess::Severity::Impossible);
            let codes: Vec<&str> = codes.map(|flag| flag.code.as_str()).collect();
            let place = format!("{}, page {}, diagram {}", row.path, row.page, row.ordinal);
            self.refused.push(format!("left out: {place} (id {}): {} {}", row.id, row.fen, codes.join(", ")));
            return Ok(());
        }
        if self.split.is_some_and(|most| self.in_part == most) {
            self.end_part()?;
            self.begin_part()?;
        }
        let pictures = if self.with_pictures { self.picture_files(row) } else { PictureFiles::default() };
        let text = self.exporter.entry(row, &pictures);
        self.in_part += 1;
        self.written += 1;
        self.target.write(&text)
    }

    fn picture_files(&mut self, row: &DiagramRow) -> PictureFiles {
        let mut file = |kind: PictureKind| {
            let picture = row.pictures.iter().find(|picture| picture.kind == kind)?;
            let name = format!("{}.{}", picture_name(row, kind.as_str()), extension(&picture.media_type));
            self.pictures.push((row.id, kind, name.clone()));
            Some(name)
        };
        PictureFiles { board: file(PictureKind::Board), caption: file(PictureKind::Caption) }
    }
}

fn format_of(format: Option<Format>, output: Option<&Path>) -> anyhow::Result<Format> {
    if let Some(format) = format {
        return Ok(format);
    }
    let extension = output.and_then(Path::extension).and_then(|text| text.to_str()).unwrap_or_default();
    extension
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| Usage("which format? --format epd, pgn, fen, csv, json or anki".to_owned()).into())
}

async fn filter_of(args: &Args, queue: &Queue) -> anyhow::Result<Filter> {
    if let Some(name) = &args.book
        && queue.book_by_name(name).await?.is_none()
    {
        let known: Vec<String> = queue.books().await?.into_iter().map(|book| book.name).collect();
        let known = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
        bail!(Usage(format!("there is no book {name:?} (known: {known})")));
    }
    let states = if args.state.is_empty() { Filter::exportable().states } else { args.state.clone() };
    Ok(Filter {
        book_name: args.book.clone(),
        states,
        flags: args.flag.clone(),
        number: args.number.clone(),
        text: args.text.clone(),
        ..Filter::default()
    })
}

/// Writes pictures into `folder`. One that is there with the same bytes stays as it is.
async fn write_pictures(
    queue: &Queue,
    folder: &Path,
    pictures: &[(DiagramId, PictureKind, String)],
    force: bool,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (id, kind, name) in pictures {
        let Some(picture) = queue.picture(*id, *kind).await? else {
            continue;
        };
        let path = folder.join(name);
        if std::fs::read(&path).is_ok_and(|there| there == picture.data) {
            continue;
        }
        let mut file = Files::new(force);
        file.create(&path)?;
        file.write(&picture.data)?;
        file.keep()?;
    }
    Ok(())
}

fn positions(count: usize) -> String {
    if count == 1 { "1 position".to_owned() } else { format!("{count} positions") }
}

fn summary(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first, .., last] => format!("{} files, {first} to {last}", names.len()),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
