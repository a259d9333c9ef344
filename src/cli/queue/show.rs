//! `fenwatch queue show`.

use std::fmt::Write as _;

use serde_json::json;

use super::{Outcome, each, print, print_json, time_words};
use crate::chess::draw::{DrawStyle, Marks, draw};
use crate::chess::placement::squares_in_fen_order;
use crate::chess::{Fen, Square};
use crate::cli::terminal::line;
use crate::queue::{DiagramDetail, DiagramId, Queue};
use crate::reading::Orientation;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Diagrams, by the numbers that `queue list` shows first
    #[arg(required = true, value_name = "ID")]
    ids: Vec<DiagramId>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    Ok(each(&args.ids, async |id| {
        let detail = queue.diagram(id).await?;
        if args.json { print_json(&as_json(&detail)) } else { print(&for_people(&detail)) }
    })
    .await)
}

fn for_people(detail: &DiagramDetail) -> String {
    let (row, reading) = (&detail.row, &detail.reading);
    let mut out = format!(
        "diagram {} (version {}): {}\n{}: {}, page {}, diagram {}\n",
        row.id,
        row.version,
        row.state,
        line(&row.book),
        line(&row.path),
        row.page,
        row.ordinal
    );
    let marked: Vec<Square> = row.flags.iter().flat_map(|flag| flag.squares.iter().copied()).collect();
    if let Ok(parsed) = Fen::parse(&row.fen) {
        let style =
            DrawStyle { black_below: row.orientation == Orientation::BlackBottom, ..DrawStyle::default() };
        out += &draw(&parsed.fen.placement, Marks { squares: &marked, ..Marks::default() }, style);
    }
    // writing to a String cannot fail, here and below
    let _ = writeln!(out, "{}\nside to move: {}", row.fen, row.sources.side_to_move);
    let named = [
        ("number", &row.number),
        ("players", &row.players),
        ("stipulation", &row.stipulation),
        ("caption", &row.caption),
    ];
    for (name, value) in named {
        if let Some(value) = value {
            let _ = writeln!(out, "{name}: {value}");
        }
    }
    for evidence in &reading.caption.evidence {
        let _ = writeln!(
            out,
            "evidence: {} says {} moves ({:?}, {:.0} %)",
            evidence.source,
            if evidence.side.is_white() { "White" } else { "Black" },
            evidence.text,
            evidence.weight * 100.0
        );
    }
    let _ = writeln!(
        out,
        "orientation: {}\nconfidence: {:.2} %, {}",
        reading.orientation_reason,
        reading.confidence * 100.0,
        reading.model_version
    );
    for flag in &row.flags {
        let _ = writeln!(out, "{} {}: {}", flag.severity, flag.code, flag.message);
    }
    for decision in &detail.decisions {
        let undone = if decision.undone { " (taken back)" } else { "" };
        let reason = decision.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{} by {} on {}{undone}{reason}",
            decision.verdict,
            decision.who,
            time_words(decision.at)
        );
    }
    for earlier in &detail.earlier {
        let _ = writeln!(
            out,
            "read before, on {} by {}: {}",
            time_words(earlier.read_at),
            earlier.model_version,
            earlier.fen
        );
    }
    out.push('\n');
    out
}

fn as_json(detail: &DiagramDetail) -> serde_json::Value {
    let reading = &detail.reading;
    let squares: Vec<_> = squares_in_fen_order()
        .enumerate()
        .map(|(index, square)| {
            let [(piece, p), (second, p2)] = reading.squares.best_two(index);
            json!({"square": square.to_string(), "piece": piece.letter(), "p": p, "second": second.letter(), "p2": p2})
        })
        .collect();
    json!({
        "diagram": detail.row,
        "reading": {
            "corners": reading.quad,
            "page_size": detail.page_size,
            "raw": reading.raw.to_string(),
            "legal": reading.legal.map(|placement| placement.to_string()),
            "placement": reading.placement.to_string(),
            "orientation": reading.orientation,
            "orientation_reason": reading.orientation_reason,
            "fen": reading.fen,
            "sources": reading.sources,
            "caption": reading.caption,
            "confidence": reading.confidence,
            "flags": reading.flags,
            "model": reading.model_version,
            "squares": squares,
        },
        "decisions": detail.decisions,
        "earlier": detail.earlier,
    })
}
