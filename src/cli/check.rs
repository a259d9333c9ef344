//! `fenwatch check`: what is wrong with a FEN, and its board.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use shakmaty::Square;

use super::Outcome;
use crate::chess::draw::{DrawStyle, Marks, draw};
use crate::chess::orientation::white_bottom_probability;
use crate::chess::report::{Report, state};
use crate::chess::{EnPassantStyle, Fen, Flag, FlagCode, Severity};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The FEN, as one argument or several; - or nothing reads one FEN a line from standard input
    #[arg(value_name = "FEN", allow_hyphen_values = true)]
    words: Vec<String>,
    /// Print one JSON object a FEN, for programs
    #[arg(long)]
    json: bool,
    /// Draw chess symbols instead of letters
    #[arg(long, conflicts_with = "json")]
    figurines: bool,
    /// Draw the board from Black's side
    #[arg(long, conflicts_with = "json")]
    black_below: bool,
}

pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let from_stdin = args.words.is_empty() || args.words == ["-"];
    if args.words.is_empty() && io::stdin().is_terminal() {
        eprintln!("fenwatch: give a FEN, or - to read FENs from standard input");
        return Ok(Outcome::Misused);
    }
    let mut out = io::stdout().lock();
    if !from_stdin {
        return report(&args.words.join(" "), &args, &mut out);
    }
    let mut outcome = Outcome::Done;
    let mut first = true;
    for line in io::stdin().lock().lines() {
        let line = line.context("cannot read standard input")?;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if !first && !args.json {
            writeln!(out)?;
        }
        first = false;
        outcome = outcome.max(report(&line, &args, &mut out)?);
    }
    if first {
        eprintln!("fenwatch: standard input has no FEN");
        return Ok(Outcome::Misused);
    }
    Ok(outcome)
}

fn outcome(report: &Report) -> Outcome {
    if !report.reading.looks_like_fen {
        Outcome::Misused
    } else if report.is_sound() && report.flags.iter().all(|flag| flag.severity == Severity::Note) {
        Outcome::Done
    } else {
        Outcome::SomeFailed
    }
}

fn report(line: &str, args: &Args, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let report = Report::of(line);
    if args.json {
        writeln!(out, "{}", json(line, &report))?;
    } else {
        print(&report, args, out)?;
    }
    Ok(outcome(&report))
}

fn print(report: &Report, args: &Args, out: &mut impl Write) -> io::Result<()> {
    let reading = &report.reading;
    if !reading.looks_like_fen {
        return writeln!(out, "{:?} is no FEN", report.text);
    }
    writeln!(out, "{}", report.text)?;
    for problem in &reading.problems {
        let width = problem.span.len().max(1);
        writeln!(out, "{}{}", " ".repeat(problem.span.start), "^".repeat(width))?;
        writeln!(out, "error: {}", problem.message)?;
    }
    let mut marked: Vec<Square> = Vec::new();
    for flag in report.flags.iter().filter(|flag| flag.severity > Severity::Note) {
        marked.extend(&flag.squares);
    }
    let style = DrawStyle { figurines: args.figurines, black_below: args.black_below };
    let marks = Marks { squares: &marked, unknown: &reading.unknown };
    write!(out, "\n{}", draw(&reading.fen.placement, marks, style))?;
    if report.is_sound() {
        writeln!(out, "\n{}", state(&reading.fen))?;
    }
    for flag in &report.flags {
        writeln!(out, "{}: {} ({})", flag.severity, flag.message, flag.code)?;
        if let Some(cure) = cure(flag, &reading.fen) {
            writeln!(out, "  {cure}")?;
        }
    }
    for remark in &report.remarks {
        writeln!(out, "note: {remark}")?;
    }
    if report.is_sound() {
        let normal = reading.fen.text(EnPassantStyle::LegalCapture);
        if normal != report.text {
            writeln!(out, "normal form: {normal}")?;
        }
        if report.flags.is_empty() {
            writeln!(out, "nothing is wrong")?;
        }
    }
    Ok(())
}

/// The position that was probably meant.
fn cure(flag: &Flag, fen: &Fen) -> Option<String> {
    match flag.code {
        FlagCode::UpsideDown => Some(format!("turned: {}", fen.placement.turned())),
        FlagCode::ColoursSwapped => Some(format!("exchanged: {}", fen.placement.colours_swapped())),
        _ => None,
    }
}

fn json(line: &str, report: &Report) -> serde_json::Value {
    let reading = &report.reading;
    let problems: Vec<_> = reading
        .problems
        .iter()
        .map(|p| serde_json::json!({"start": p.span.start, "end": p.span.end, "message": p.message}))
        .collect();
    let unknown: Vec<String> = reading.unknown.iter().map(Square::to_string).collect();
    let drawn = reading.looks_like_fen;
    serde_json::json!({
        "input": line,
        "text": report.text,
        "is_fen": report.is_sound(),
        "fen": report.is_sound().then(|| reading.fen.to_string()),
        "placement": drawn.then(|| reading.fen.placement.to_string()),
        "side_to_move": report.is_sound().then(|| reading.fen.side_to_move.char().to_string()),
        "missing": reading.missing.iter().map(|field| field.as_str()).collect::<Vec<_>>(),
        "problems": problems,
        "unknown_squares": unknown,
        "flags": report.flags,
        "remarks": report.remarks,
        "white_bottom_probability": drawn.then(|| white_bottom_probability(&reading.fen.placement)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_ordered_by_severity() {
        let outcome = |text: &str| outcome(&Report::of(text));
        assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Outcome::Done);
        assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3"), Outcome::Done);
        assert_eq!(outcome("4k3/8/8/8/8/8/8/8 w - - 0 1"), Outcome::SomeFailed);
        assert_eq!(outcome("4k3/8/8/8/8/8/8"), Outcome::SomeFailed);
        assert_eq!(outcome("what is this"), Outcome::Misused);
        assert!(Outcome::Done < Outcome::SomeFailed && Outcome::SomeFailed < Outcome::Misused);
    }
}
