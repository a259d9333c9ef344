//! `fenwatch queue`: look at the queue and decide.

mod decide;
mod list;
mod retry;
mod show;

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::Subcommand;
use serde::Serialize;

use super::{Outcome, logging, terminal};
use crate::config::Settings;
use crate::queue::{BookId, Queue};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List diagrams, pages or books
    List(list::Args),
    /// Show everything about diagrams: board, flags, evidence, decisions
    Show(show::Args),
    /// Read pages again: failed ones, or with --reread also those that were read
    Retry(retry::Args),
    /// Say that diagrams are right
    Approve(decide::ApproveArgs),
    /// Say what a diagram should be instead
    Correct(decide::CorrectArgs),
    /// Say that diagrams are none, or not wanted
    Reject(decide::RejectArgs),
    /// Take the last decision on diagrams back
    Undo(decide::UndoArgs),
    /// Put the decision that was taken back last in force again
    Redo(decide::UndoArgs),
}

pub fn run(args: Args, config: Option<&Path>) -> anyhow::Result<Outcome> {
    let settings = Settings::load(config)?;
    logging::start(&settings.log)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    runtime.block_on(async {
        let queue = Queue::open_existing(&settings.state.database()).await?;
        let outcome = match args.command {
            Command::List(args) => list::run(&queue, &args).await,
            Command::Show(args) => show::run(&queue, &args).await,
            Command::Retry(args) => retry::run(&queue, &args).await,
            Command::Approve(args) => decide::approve(&queue, &args).await,
            Command::Correct(args) => decide::correct(&queue, &args).await,
            Command::Reject(args) => decide::reject(&queue, &args).await,
            Command::Undo(args) => decide::undo(&queue, &args).await,
            Command::Redo(args) => decide::redo(&queue, &args).await,
        };
        queue.close().await;
        match outcome {
            // `| head` has seen enough
            Err(error) if is_broken_pipe(&error) => Ok(Outcome::Done),
            other => other,
        }
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Who decides: the option, else the person logged in.
#[derive(Debug, clap::Args)]
struct Who {
    /// Name to be kept with the decision; the name of the user without it
    #[arg(long, value_name = "NAME")]
    who: Option<String>,
}

impl Who {
    fn name(&self) -> String {
        let named = self.who.clone().or_else(|| {
            // with sudo it is still the same person
            ["SUDO_USER", "USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok())
        });
        named.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "unknown".to_owned())
    }
}

async fn book_named(queue: &Queue, name: &str) -> anyhow::Result<BookId> {
    if let Some(id) = queue.book_by_name(name).await? {
        return Ok(id);
    }
    let books = queue.books().await?;
    let near = books
        .iter()
        .map(|book| (strsim::jaro_winkler(&book.name.to_lowercase(), &name.to_lowercase()), &book.name))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, near)) => anyhow::bail!("there is no book {name:?}; did you mean {near:?}?"),
        None => anyhow::bail!("there is no book {name:?} (`fenwatch queue list --books` lists them)"),
    }
}

/// One JSON object a line.
fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    put(&line)
}

/// Text for people: nothing in it steers their terminal.
fn print(text: &str) -> anyhow::Result<()> {
    put(&terminal::lines(text))
}

fn put(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Does something to each id; what fails is told and the others go on.
async fn each<Id: std::fmt::Display + Copy>(
    ids: &[Id],
    mut act: impl AsyncFnMut(Id) -> anyhow::Result<()>,
) -> Outcome {
    let mut outcome = Outcome::Done;
    for &id in ids {
        if let Err(error) = act(id).await {
            eprintln!("fenwatch: {id}: {}", terminal::lines(&format!("{error:#}")));
            outcome = Outcome::SomeFailed;
        }
    }
    outcome
}

/// Milliseconds since the epoch as local time, to the second.
fn time_words(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).map_or_else(
        |_| millis.to_string(),
        |time| time.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}
