//! `fenwatch queue list`.

use super::{Outcome, book_named, print, print_json};
use crate::chess::{FlagCode, Severity};
use crate::cli::terminal::line;
use crate::queue::{
    BookId, BookRow, DiagramRow, DiagramState, Filter, NumberFilter, PageFilter, PageRow, PageState, Queue,
};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  fenwatch queue list --state needs_review --book tal\n  \
    fenwatch queue list --flag side_assumed --json\n  fenwatch queue list --pages --state failed")]
pub(super) struct Args {
    /// List pages instead of diagrams
    #[arg(long, conflicts_with = "books")]
    pages: bool,
    /// List books with their counts instead of diagrams
    #[arg(long)]
    books: bool,
    /// Only of this book
    #[arg(long, value_name = "NAME")]
    book: Option<String>,
    /// Only in one of these states, separated by commas (diagrams: accepted, needs_review, approved, corrected, rejected;
    /// pages: pending, reading, read, failed)
    #[arg(long, value_name = "STATE", value_delimiter = ',')]
    state: Vec<String>,
    /// Only with one of these flags, separated by commas
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    flag: Vec<FlagCode>,
    /// Only diagrams with a flag of at least this weight
    #[arg(long, value_enum)]
    severity: Option<SeverityArg>,
    /// Only diagrams with this printed number, or in a range like 1.5-1.20
    #[arg(long, value_name = "NUMBER")]
    number: Option<NumberFilter>,
    /// Only diagrams with this text in number, players, stipulation, caption or path
    #[arg(long)]
    text: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SeverityArg {
    Note,
    Doubt,
    Impossible,
}

/// Rows asked for at once: memory stays flat.
const PIECE: u32 = 500;

pub(super) async fn run(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    if args.books {
        return books(queue, args).await;
    }
    if args.pages { pages(queue, args).await } else { diagrams(queue, args).await }
}

/// Asks for rows piece by piece until there are no more or enough.
async fn in_pieces<Row>(
    args: &Args,
    mut ask: impl AsyncFnMut(u32, u64) -> anyhow::Result<Vec<Row>>,
    print: impl Fn(&Row) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let mut left = args.limit.unwrap_or(u32::MAX);
    let mut offset = args.offset;
    while left > 0 {
        let wanted = left.min(PIECE);
        let rows = ask(wanted, offset).await?;
        rows.iter().try_for_each(&print)?;
        let got = rows.len() as u32;
        if got < wanted {
            break;
        }
        left -= got;
        offset += u64::from(got);
    }
    Ok(Outcome::Done)
}

/// The book of this name. That some of its files are another book's scans is said on standard error, beside what is listed.
async fn book_told(queue: &Queue, name: &str) -> anyhow::Result<BookId> {
    let book = book_named(queue, name).await?;
    for shared in queue.shared_files(book).await? {
        eprintln!("{}", line(&format!("{name}: {shared}")));
    }
    Ok(book)
}

async fn diagrams(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    let book = match &args.book {
        Some(name) => Some(book_told(queue, name).await?),
        None => None,
    };
    let filter = Filter {
        book,
        states: args.state.iter().map(|text| text.parse::<DiagramState>()).collect::<Result<_, _>>()?,
        flags: args.flag.clone(),
        severity: args.severity.map(|severity| match severity {
            SeverityArg::Note => Severity::Note,
            SeverityArg::Doubt => Severity::Doubt,
            SeverityArg::Impossible => Severity::Impossible,
        }),
        number: args.number.clone(),
        text: args.text.clone(),
        ..Filter::default()
    };
    in_pieces(
        args,
        async |limit, offset| Ok(queue.diagrams(&filter, limit, offset).await?),
        |row: &DiagramRow| if args.json { print_json(row) } else { print(&diagram_line(row)) },
    )
    .await
}

async fn pages(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    let book = match &args.book {
        Some(name) => Some(book_told(queue, name).await?),
        None => None,
    };
    let filter = PageFilter {
        book,
        states: args.state.iter().map(|text| text.parse::<PageState>()).collect::<Result<_, _>>()?,
        flags: args.flag.clone(),
        ..PageFilter::default()
    };
    in_pieces(
        args,
        async |limit, offset| Ok(queue.pages(&filter, limit, offset).await?),
        |row: &PageRow| if args.json { print_json(row) } else { print(&page_line(row)) },
    )
    .await
}

async fn books(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    for book in queue.books().await? {
        if args.book.as_ref().is_some_and(|name| *name != book.name) {
            continue;
        }
        if args.json { print_json(&book)? } else { print(&book_line(&book))? }
    }
    Ok(Outcome::Done)
}

fn diagram_line(row: &DiagramRow) -> String {
    let number = row.number.as_deref().map(|number| format!(" ({number})")).unwrap_or_default();
    let flags: Vec<&str> = row.flags.iter().map(|flag| flag.code.as_str()).collect();
    let flags = if flags.is_empty() { String::new() } else { format!("  [{}]", flags.join(", ")) };
    let text = format!(
        "{:>6}  {:<12}  {}, page {}, {}{number}  {}{flags}",
        row.id, row.state, row.path, row.page, row.ordinal, row.fen
    );
    format!("{}\n", line(&text))
}

fn page_line(row: &PageRow) -> String {
    let rest = match (&row.failure, row.state) {
        (Some(reason), PageState::Failed) => reason.clone(),
        (Some(reason), _) => format!("waits for its next try: {reason}"),
        (None, PageState::Read) if row.diagrams == 1 => "1 diagram".to_owned(),
        (None, PageState::Read) => format!("{} diagrams", row.diagrams),
        (None, _) => String::new(),
    };
    let text = format!("{:>6}  {:<8}  {}, page {}  {rest}", row.id, row.state, row.path, row.page);
    format!("{}\n", line(text.trim_end()))
}

fn book_line(book: &BookRow) -> String {
    let n = &book.counts;
    format!(
        "{}: {} pages ({} read, {} waiting, {} failed), {} diagrams ({} accepted, {} to review, {} approved, {} corrected, {} \
         rejected)\n",
        line(&book.name),
        n.pages,
        n.read,
        n.pending + n.reading,
        n.failed,
        n.diagrams,
        n.accepted,
        n.needs_review,
        n.approved,
        n.corrected,
        n.rejected
    )
}
