//! The figures as text: tables for people, JSON for programs.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Calibration, Confusion, Evaluation, Figures, Shares, UnreadPage, WrongDiagram};

/// Confusions that the table lists; JSON has all.
const MOST_CONFUSIONS: usize = 15;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    model: &'a str,
    total: Row<'a>,
    books: Vec<Row<'a>>,
    calibration_of_squares: Calibration,
    calibration_of_boards: Calibration,
    confusions: Vec<Confusion>,
    flags: &'a std::collections::BTreeMap<&'static str, u64>,
    unread: &'a [UnreadPage],
    wrong: &'a [WrongDiagram],
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    book: Option<&'a str>,
    counts: Figures,
    shares: Shares,
}

impl Evaluation {
    /// All of it as one JSON object; its keys are described in `docs/labels.md`. `model` names the net.
    pub fn json(&self, model: &str) -> String {
        let row = |book, counts: Figures| Row { book, counts, shares: counts.shares() };
        let report = Report {
            schema: "fenwatch-evaluation-1",
            model,
            total: row(None, self.total()),
            books: self.books().iter().map(|(book, &figures)| row(Some(book.as_str()), figures)).collect(),
            calibration_of_squares: self.squares(),
            calibration_of_boards: self.boards(),
            confusions: self.confusions(),
            flags: self.flags(),
            unread: self.unread(),
            wrong: self.wrong(),
        };
        // plain structs of strings and numbers: serde_json cannot fail on them
        serde_json::to_string_pretty(&report).unwrap_or_default()
    }
}

/// Tables for people; with `errors`, every wrong diagram.
pub fn text(evaluation: &Evaluation, model: &str, errors: bool) -> String {
    let mut out = format!("net: {model}\n\n");
    let width = evaluation.books().keys().map(|book| book.chars().count()).max().unwrap_or(0).clamp(5, 40);
    let _ = writeln!(
        out,
        "{:width$} {:>6} {:>9} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7}",
        "book", "pages", "found", "extra", "squares", "exact", "side", "review", "squares", "silent"
    );
    for (book, figures) in evaluation.books() {
        line(&mut out, width, book, figures);
    }
    if evaluation.books().len() != 1 {
        line(&mut out, width, "total", &evaluation.total());
    }
    out.push_str(
        "\nfound: labelled diagrams that were found. extra: false alarms. squares: right, of found diagrams. exact: all 64 right, of labelled \
         diagrams.\nside: right, of labelled sides. review: diagrams that ask for a look; squares: because of their squares. silent: accepted and \
         wrong.\n",
    );
    calibration(&mut out, "squares", &evaluation.squares());
    calibration(&mut out, "whole boards", &evaluation.boards());
    confusions(&mut out, &evaluation.confusions());
    if !evaluation.flags().is_empty() {
        out.push_str("\nflags that ask for a look\n");
        for (code, count) in evaluation.flags() {
            let _ = writeln!(out, "{count:>8}  {code}");
        }
    }
    if !evaluation.unread().is_empty() {
        out.push_str("\npages that could not be read\n");
        for page in evaluation.unread() {
            let _ = writeln!(out, "  {}: {}", page.file, page.reason);
        }
    }
    if errors {
        for wrong in evaluation.wrong() {
            out.push_str(&wrong_diagram(wrong));
        }
    }
    out
}

fn line(out: &mut String, width: usize, book: &str, figures: &Figures) {
    let shares = figures.shares();
    let name: String = book.chars().take(width).collect();
    let _ = writeln!(
        out,
        "{name:width$} {:>6} {:>9} {:>6} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7}",
        figures.pages,
        format!("{}/{}", figures.found, figures.labelled),
        figures.extra,
        percent(shares.squares_right, 2),
        percent(shares.exact, 1),
        percent(shares.sides_right, 1),
        percent(shares.review, 1),
        percent(shares.review_of_squares, 1),
        figures.silent,
    );
}

fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.digits$} %", 100.0 * share))
}

fn calibration(out: &mut String, of: &str, table: &Calibration) {
    let Some(error) = table.expected_error else {
        return;
    };
    let _ = writeln!(out, "\ncalibration of {of}: expected error {error:.4}");
    let _ = writeln!(out, "{:>16} {:>9} {:>9} {:>9}", "believed", "count", "mean", "right");
    for bin in &table.bins {
        let range = format!("{} to {}", bin.from, bin.to);
        let _ = writeln!(
            out,
            "{range:>16} {:>9} {:>9.4} {:>9.4}",
            bin.count, bin.mean_probability, bin.share_right
        );
    }
}

fn confusions(out: &mut String, confusions: &[Confusion]) {
    if confusions.is_empty() {
        return;
    }
    out.push_str("\nprinted, read, how often (. is an empty square)\n");
    for confusion in confusions.iter().take(MOST_CONFUSIONS) {
        let _ = writeln!(out, "  {} {} {:>6}", confusion.truth, confusion.read, confusion.count);
    }
    let rest: u64 = confusions.iter().skip(MOST_CONFUSIONS).map(|confusion| confusion.count).sum();
    if rest > 0 {
        let _ = writeln!(out, "  others {rest:>3}");
    }
}

fn wrong_diagram(wrong: &WrongDiagram) -> String {
    let kind = match (&wrong.truth, &wrong.read) {
        (Some(_), None) => "missed",
        (None, _) => "no diagram",
        _ => "wrong",
    };
    let silent = if wrong.silent { "SILENT " } else { "" };
    let mut out = format!("\n{silent}{kind}: {}\n", wrong.file);
    for (what, placement, side) in
        [("printed", &wrong.truth, wrong.side_to_move), ("read", &wrong.read, wrong.read_side)]
    {
        if let Some(placement) = placement {
            let _ = writeln!(out, "  {what:8} {placement} {}", side.unwrap_or('-'));
        }
    }
    if wrong.truth.is_some() && wrong.read.is_some() {
        let _ = writeln!(out, "  {} of 64 squares right", wrong.squares_right);
    }
    if !wrong.flags.is_empty() {
        let codes: Vec<&str> = wrong.flags.iter().map(|code| code.as_str()).collect();
        let _ = writeln!(out, "  flags    {}", codes.join(", "));
    }
    out
}
