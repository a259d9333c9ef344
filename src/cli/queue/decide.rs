//! `fenwatch queue approve|correct|reject|undo|redo`.

use anyhow::{Context, bail};

use super::{Outcome, Who, book_named, each, print};
use crate::chess::{EnPassantStyle, Fen, FenField, FlagCode, Severity, check_position};
use crate::queue::{Decision, DiagramId, DiagramRow, Facts, Queue};

#[derive(Debug, clap::Args)]
pub(super) struct ApproveArgs {
    /// Diagrams, by the numbers that `queue list` shows first
    #[arg(value_name = "ID", required_unless_present = "accepted", conflicts_with = "accepted")]
    ids: Vec<DiagramId>,
    /// Everything that the program accepted without a doubt
    #[arg(long)]
    accepted: bool,
    /// With --accepted: only of this book
    #[arg(long, value_name = "NAME", requires = "accepted")]
    book: Option<String>,
    #[command(flatten)]
    why: Why,
}

#[derive(Debug, clap::Args)]
pub(super) struct CorrectArgs {
    /// The diagram, by the number that `queue list` shows first
    #[arg(value_name = "ID")]
    id: DiagramId,
    /// The position; fields that are left out stay as they are
    #[arg(long)]
    fen: Option<String>,
    /// Who moves
    #[arg(long, value_enum)]
    side: Option<SideArg>,
    /// The printed number; empty: none. So for the texts below
    #[arg(long)]
    number: Option<String>,
    #[arg(long)]
    players: Option<String>,
    #[arg(long)]
    stipulation: Option<String>,
    #[arg(long)]
    caption: Option<String>,
    #[command(flatten)]
    why: Why,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SideArg {
    #[value(name = "white", alias = "w")]
    White,
    #[value(name = "black", alias = "b")]
    Black,
}

#[derive(Debug, clap::Args)]
pub(super) struct RejectArgs {
    /// Diagrams, by the numbers that `queue list` shows first
    #[arg(value_name = "ID", required = true)]
    ids: Vec<DiagramId>,
    /// Kept with the decision
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    who: Who,
}

#[derive(Debug, clap::Args)]
pub(super) struct UndoArgs {
    /// Diagrams, by the numbers that `queue list` shows first
    #[arg(value_name = "ID", required = true)]
    ids: Vec<DiagramId>,
    #[command(flatten)]
    who: Who,
}

#[derive(Debug, clap::Args)]
struct Why {
    /// Kept with the decision
    #[arg(long)]
    reason: Option<String>,
    /// Accept the position although this flag says that it is impossible; several are separated by commas
    #[arg(long, value_name = "FLAG", value_delimiter = ',')]
    acknowledge: Vec<FlagCode>,
    #[command(flatten)]
    who: Who,
}

pub(super) async fn approve(queue: &Queue, args: &ApproveArgs) -> anyhow::Result<Outcome> {
    let who = args.why.who.name();
    if args.accepted {
        let book = match &args.book {
            Some(name) => Some(book_named(queue, name).await?),
            None => None,
        };
        let count = queue.approve_accepted(book, &who).await?;
        print(&format!("{count} diagrams approved\n"))?;
        return Ok(Outcome::Done);
    }
    Ok(each(&args.ids, async |id| {
        let version = queue.diagram_row(id).await?.version;
        let decision =
            Decision::Approve { reason: args.why.reason.clone(), acknowledged: args.why.acknowledge.clone() };
        queue.decide(id, version, &who, decision).await.with_context(how_to_acknowledge)?;
        Ok(())
    })
    .await)
}

/// The context of a refusal; harmless with other errors.
fn how_to_acknowledge() -> &'static str {
    "not approved (--acknowledge FLAG accepts what is impossible)"
}

pub(super) async fn reject(queue: &Queue, args: &RejectArgs) -> anyhow::Result<Outcome> {
    let who = args.who.name();
    Ok(each(&args.ids, async |id| {
        let version = queue.diagram_row(id).await?.version;
        queue.decide(id, version, &who, Decision::Reject { reason: args.reason.clone() }).await?;
        Ok(())
    })
    .await)
}

pub(super) async fn undo(queue: &Queue, args: &UndoArgs) -> anyhow::Result<Outcome> {
    let who = args.who.name();
    Ok(each(&args.ids, async |id| {
        let version = queue.diagram_row(id).await?.version;
        queue.undo(id, version, &who).await?;
        Ok(())
    })
    .await)
}

pub(super) async fn redo(queue: &Queue, args: &UndoArgs) -> anyhow::Result<Outcome> {
    let who = args.who.name();
    Ok(each(&args.ids, async |id| {
        let version = queue.diagram_row(id).await?.version;
        queue.redo(id, version, &who).await?;
        Ok(())
    })
    .await)
}

pub(super) async fn correct(queue: &Queue, args: &CorrectArgs) -> anyhow::Result<Outcome> {
    let row = queue.diagram_row(args.id).await?;
    let fen = corrected_fen(&row.fen, args.fen.as_deref(), args.side)?;
    let impossible: Vec<FlagCode> = check_position(&fen)
        .into_iter()
        .filter(|flag| flag.severity == Severity::Impossible && !args.why.acknowledge.contains(&flag.code))
        .map(|flag| {
            eprintln!("fenwatch: {}: {}", flag.code, flag.message);
            flag.code
        })
        .collect();
    if !impossible.is_empty() {
        let codes: Vec<&str> = impossible.iter().map(|code| code.as_str()).collect();
        bail!("the position is impossible; if it is printed so, add --acknowledge {}", codes.join(","));
    }
    let facts = corrected_facts(&row, &fen, args);
    let decision = Decision::Correct {
        facts,
        reason: args.why.reason.clone(),
        acknowledged: args.why.acknowledge.clone(),
    };
    queue.decide(args.id, row.version, &args.why.who.name(), decision).await?;
    Ok(Outcome::Done)
}

/// The new FEN: what is given, and the old one where nothing is given.
fn corrected_fen(old: &str, given: Option<&str>, side: Option<SideArg>) -> anyhow::Result<Fen> {
    let old = Fen::parse(old).context("the diagram's FEN")?.fen;
    let mut fen = match given {
        None => old,
        Some(text) => {
            let parsed = Fen::parse(text).with_context(|| format!("{text:?} is no FEN"))?;
            let mut fen = parsed.fen;
            for field in parsed.missing {
                match field {
                    // it cannot be missing
                    FenField::Placement => {}
                    FenField::SideToMove => fen.side_to_move = old.side_to_move,
                    FenField::Castling => fen.castling = old.castling,
                    FenField::EnPassant => fen.en_passant = old.en_passant,
                    FenField::HalfmoveClock => fen.halfmove = old.halfmove,
                    FenField::FullmoveNumber => fen.fullmove = old.fullmove,
                }
            }
            fen
        }
    };
    if let Some(side) = side {
        fen.side_to_move = match side {
            SideArg::White => crate::chess::Color::White,
            SideArg::Black => crate::chess::Color::Black,
        };
    }
    Ok(fen)
}

fn corrected_facts(row: &DiagramRow, fen: &Fen, args: &CorrectArgs) -> Facts {
    let text = |given: &Option<String>, old: &Option<String>| match given {
        Some(text) if text.trim().is_empty() => None,
        Some(text) => Some(text.clone()),
        None => old.clone(),
    };
    let mut sources = row.sources;
    if args.side.is_some() {
        // said, even where it is the same side as before
        sources.side_to_move = crate::chess::FieldSource::Human;
    }
    Facts {
        fen: fen.text(EnPassantStyle::default()),
        sources,
        orientation: row.orientation,
        number: text(&args.number, &row.number),
        players: text(&args.players, &row.players),
        stipulation: text(&args.stipulation, &row.stipulation),
        caption: text(&args.caption, &row.caption),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_stays() {
        let old = "4k3/8/8/8/8/8/8/4K2R b K - 5 40";
        let fen = |given, side| corrected_fen(old, given, side).unwrap().text(EnPassantStyle::default());
        assert_eq!(fen(None, None), old);
        assert_eq!(fen(Some("4k3/8/8/8/8/8/8/R3K2R"), None), "4k3/8/8/8/8/8/8/R3K2R b K - 5 40");
        assert_eq!(fen(Some("4k3/8/8/8/8/8/8/R3K2R w -"), None), "4k3/8/8/8/8/8/8/R3K2R w - - 5 40");
        assert_eq!(fen(None, Some(SideArg::White)), "4k3/8/8/8/8/8/8/4K2R w K - 5 40");
        let error = corrected_fen(old, Some("4k3/8/8"), None).unwrap_err();
        assert!(format!("{error:#}").contains("\"4k3/8/8\" is no FEN"), "{error:#}");
    }
}
