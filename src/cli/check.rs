//! `fenwatch check`: what is wrong with a FEN, and its board.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use shakmaty::{Color, Position, Square};

use super::Outcome;
use crate::chess::draw::{DrawStyle, Marks, draw};
use crate::chess::lenient::{LenientReading, read_leniently};
use crate::chess::orientation::white_bottom_probability;
use crate::chess::{EnPassantStyle, Fen, Flag, FlagCode, Severity, check_placement, check_position};

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

/// All that is to be said of one text.
struct Report {
    /// The text with wrappings such as `[FEN "..."]` taken off.
    text: String,
    reading: LenientReading,
    flags: Vec<Flag>,
    /// Remarks without a code.
    remarks: Vec<String>,
}

impl Report {
    fn of(line: &str) -> Report {
        let text = unwrap_fen(line);
        let reading = read_leniently(&text);
        let sound = reading.problems.is_empty();
        let flags = if sound { check_position(&reading.fen) } else { checks_of_a_broken_fen(&reading) };
        let remarks = if sound { remarks(&reading.fen, &reading) } else { Vec::new() };
        Report { text, reading, flags, remarks }
    }

    fn is_sound(&self) -> bool {
        self.reading.problems.is_empty()
    }

    fn outcome(&self) -> Outcome {
        if !self.reading.looks_like_fen {
            Outcome::Misused
        } else if self.is_sound() && self.flags.iter().all(|flag| flag.severity == Severity::Note) {
            Outcome::Done
        } else {
            Outcome::SomeFailed
        }
    }
}

fn report(line: &str, args: &Args, out: &mut impl Write) -> anyhow::Result<Outcome> {
    let report = Report::of(line);
    if args.json {
        writeln!(out, "{}", json(line, &report))?;
    } else {
        print(&report, args, out)?;
    }
    Ok(report.outcome())
}

/// Takes off what people copy with a FEN: a PGN tag, "FEN:", UCI's "position fen", quotes, an editor's
/// address with underscores.
fn unwrap_fen(line: &str) -> String {
    let mut text = line.trim();
    if let Some(rest) = text.strip_prefix("[FEN").or_else(|| text.strip_prefix("[fen")) {
        text = rest.trim_end_matches(']').trim();
    }
    for prefix in ["position fen", "fen:", "FEN:", "Fen:", "fen=", "FEN="] {
        text = text.strip_prefix(prefix).map_or(text, str::trim);
    }
    text = text.trim_matches(['"', '\'', '`', '\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}']).trim();
    if let Some((_, path)) = text.split_once("://") {
        // the placement is the last eight parts of the path
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        if parts.len() > 8 {
            return parts[parts.len() - 8..].join("/").replace("%20", " ").replace('_', " ");
        }
    }
    if !text.contains(' ') && text.contains('/') {
        return text.replace('_', " ");
    }
    text.to_owned()
}

/// The checks that make sense when the text could not be read whole.
fn checks_of_a_broken_fen(reading: &LenientReading) -> Vec<Flag> {
    if !reading.looks_like_fen {
        return Vec::new();
    }
    // a king may stand where nothing could be read
    let blind = !reading.unknown.is_empty();
    check_placement(&reading.fen.placement)
        .into_iter()
        .filter(|flag| !(blind && flag.code == FlagCode::MissingKing))
        .collect()
}

fn remarks(fen: &Fen, reading: &LenientReading) -> Vec<String> {
    let mut out = Vec::new();
    for field in &reading.missing {
        out.push(format!("no {field} given, {} is taken", field.usual_value().unwrap_or("nothing")));
    }
    if let Some(square) = fen.en_passant.filter(|_| !fen.en_passant_capture()) {
        out.push(format!("nobody can capture on {square}: most programs write - as the en passant square"));
    }
    if fen.en_passant.is_some() && fen.halfmove > 0 {
        out.push(format!("the halfmove clock is {} although a pawn has just moved", fen.halfmove));
    }
    if fen.fullmove == 0 {
        out.push("move numbers begin with 1".to_owned());
    }
    out
}

/// What the rules say of the position, if it is one.
fn state(fen: &Fen) -> String {
    let side = name(fen.side_to_move);
    match fen.playable() {
        Ok(position) if position.is_checkmate() => format!("{side} is checkmated"),
        Ok(position) if position.is_stalemate() => format!("{side} to move is stalemated"),
        Ok(position) if position.is_check() => format!("{side} to move, in check"),
        _ => format!("{side} to move"),
    }
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
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
    fn takes_off_wrappings() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for wrapped in [
            fen.to_owned(),
            format!("  {fen}\t"),
            format!("[FEN \"{fen}\"]"),
            format!("FEN: {fen}"),
            format!("position fen {fen}"),
            format!("\u{201c}{fen}\u{201d}"),
            "https://example.org/editor/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1".to_owned(),
            fen.replace(' ', "_"),
        ] {
            assert_eq!(unwrap_fen(&wrapped), fen);
        }
    }

    #[test]
    fn outcomes_are_ordered_by_severity() {
        let outcome = |text: &str| Report::of(text).outcome();
        assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Outcome::Done);
        assert_eq!(outcome("4k3/8/8/8/8/8/8/4K3"), Outcome::Done);
        assert_eq!(outcome("4k3/8/8/8/8/8/8/8 w - - 0 1"), Outcome::SomeFailed);
        assert_eq!(outcome("4k3/8/8/8/8/8/8"), Outcome::SomeFailed);
        assert_eq!(outcome("what is this"), Outcome::Misused);
        assert!(Outcome::Done < Outcome::SomeFailed && Outcome::SomeFailed < Outcome::Misused);
    }
}
