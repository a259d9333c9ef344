//! `fenwatch evaluate LABELS.json...`: how well labelled scans are read.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Outcome;
use super::pages::{Content, PageOf, Wanted, read_in_order, readers};
use crate::config::Settings;
use crate::evaluation::{Evaluation, LabelledPage, Labels, ReadDiagram, text};
use crate::reading::{BookContext, Reader};

#[derive(Debug, clap::Args)]
#[command(after_help = "The labels' format and the figures are described in docs/labels.md.\n\n\
                        Exit codes: 0 every labelled page was read (however well), 1 some page could not be read, 2 wrong usage or labels.")]
pub struct Args {
    /// Labels: which diagrams stand on which scans
    #[arg(required = true, value_name = "LABELS.json")]
    labels: Vec<PathBuf>,
    /// Print one JSON object with all figures and all errors
    #[arg(long)]
    json: bool,
    /// Print every wrong diagram
    #[arg(long, conflicts_with = "json")]
    errors: bool,
    /// Worker threads; as many as there are processors without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Leave captions unread (every side to move is then assumed)
    #[arg(long)]
    no_captions: bool,
}

/// What was read of one page of a labelled file.
type ReadPage = (usize, Result<Vec<ReadDiagram>, String>);

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let settings = Settings::load(config)?;
    let mut pages: Vec<LabelledPage> = Vec::new();
    for path in &args.labels {
        match Labels::load(path) {
            Ok(labels) => pages.extend(labels.pages),
            Err(error) => {
                eprintln!("fenwatch: {error}");
                return Ok(Outcome::Misused);
            }
        }
    }
    let mut params = settings.reading.clone();
    params.captions &= !args.no_captions;
    let workers = args.workers.map_or_else(|| settings.workers.count(), usize::from);
    let readers = readers(&params, workers)?;
    let model = readers.first().map(|reader| reader.model_version().to_owned()).unwrap_or_default();
    let wanted: Vec<Wanted> = pages
        .iter()
        .map(|page| Wanted { path: page.path.clone(), page: page.page, found: false, book: None })
        .collect();

    let mut gathered = Gathered::new(&pages);
    read_in_order(&wanted, &settings.pages, readers, read, |(file, got)| {
        gathered.take(file, got);
        Ok(ControlFlow::Continue(()))
    })?;
    let evaluation = gathered.end();

    let mut out = io::stdout().lock();
    let written = if args.json {
        writeln!(out, "{}", evaluation.json(&model))
    } else {
        out.write_all(text(&evaluation, &model, args.errors).as_bytes())
    };
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("cannot write to standard output");
        }
        _ => {}
    }
    Ok(if evaluation.unread().is_empty() { Outcome::Done } else { Outcome::SomeFailed })
}

fn read(reader: &mut Reader, page: PageOf<'_>) -> ReadPage {
    let got = match page.content {
        Content::Failed(reason) | Content::PassedOver(reason) => Err(reason),
        Content::Page(content) => reader
            .read_page(content, &BookContext::default(), None)
            .map(|reading| reading.diagrams.iter().map(ReadDiagram::of).collect())
            .map_err(|error| error.to_string()),
    };
    (page.file, got)
}

/// Joins the pages of each labelled file, which come one after the other.
struct Gathered<'a> {
    pages: &'a [LabelledPage],
    evaluation: Evaluation,
    current: Option<(usize, Vec<ReadDiagram>, Option<String>)>,
}

impl<'a> Gathered<'a> {
    fn new(pages: &'a [LabelledPage]) -> Gathered<'a> {
        Gathered { pages, evaluation: Evaluation::default(), current: None }
    }

    fn take(&mut self, file: usize, got: Result<Vec<ReadDiagram>, String>) {
        if self.current.as_ref().is_none_or(|(current, ..)| *current != file) {
            self.close();
            self.current = Some((file, Vec::new(), None));
        }
        if let Some((_, reads, failure)) = &mut self.current {
            match got {
                Ok(more) => reads.extend(more),
                Err(reason) => *failure = Some(reason),
            }
        }
    }

    /// The file is complete. One that could be read only in part counts as unread.
    fn close(&mut self) {
        match self.current.take() {
            Some((file, reads, None)) => self.evaluation.add(&self.pages[file], &reads),
            Some((file, _, Some(reason))) => self.evaluation.add_unread(&self.pages[file], reason),
            None => {}
        }
    }

    fn end(mut self) -> Evaluation {
        self.close();
        self.evaluation
    }
}
