//! Commands. One file a command.

mod check;
mod completions;
mod doctor;
mod evaluate;
mod export;
mod logging;
mod pages;
mod queue;
mod run;
mod scan;
mod terminal;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Turns scanned chess books into position collections.
#[derive(Debug, Parser)]
#[command(name = "fenwatch", version, about, propagate_version = true)]
pub struct Cli {
    /// Settings file; without it config/fenwatch.toml is read when it is there
    #[arg(long, global = true, value_name = "FILE", env = "FENWATCH_CONFIG")]
    pub config: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Watch the folders, read what arrives, serve the review page
    Run(run::Args),
    /// Read files and print what they hold, without a queue
    Scan(scan::Args),
    /// Measure how well labelled scans are read
    Evaluate(evaluate::Args),
    /// Look at the queue and decide
    Queue(queue::Args),
    /// Write the collection as EPD, PGN, FEN, CSV or JSON
    Export(export::Args),
    /// Check a FEN and draw its board
    Check(check::Args),
    /// Tell what is installed, what works, what is missing and the command that mends it
    Doctor(doctor::Args),
    /// Print shell completions
    Completions(completions::Args),
}

/// How a command ended, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All that was asked was done: exit code 0.
    Done,
    /// Something failed; the rest was done: exit code 1.
    SomeFailed,
    /// What was given makes no sense, and why was said: exit code 2.
    Misused,
}

/// Parses the command line, runs the command, prints errors with their causes. Exit codes: 0 all
/// done, 1 something failed, 2 wrong usage (also clap's own).
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Command::Run(args) => run::run(args, cli.config.as_deref()),
        Command::Scan(args) => scan::run(args, cli.config.as_deref()),
        Command::Evaluate(args) => evaluate::run(args, cli.config.as_deref()),
        Command::Queue(args) => queue::run(args, cli.config.as_deref()),
        Command::Export(args) => export::run(args, cli.config.as_deref()),
        Command::Check(args) => check::run(args),
        Command::Doctor(args) => doctor::run(args, cli.config.as_deref()),
        Command::Completions(args) => completions::run(args),
    };
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::SomeFailed) => ExitCode::from(1),
        Ok(Outcome::Misused) => ExitCode::from(2),
        Err(error) => {
            eprintln!("fenwatch: {}", terminal::lines(&format!("{error:#}")));
            ExitCode::from(if is_usage(&error) { 2 } else { 1 })
        }
    }
}

/// The program was called in a way that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Whether an error is about how the program was called or set up: calling it the same way again fails the same way.
fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Usage>()
            || cause.is::<crate::config::ConfigError>()
            || cause.is::<crate::intake::IntakeError>()
            || matches!(cause.downcast_ref(), Some(crate::daemon::DaemonError::Intake(_)))
    })
}
