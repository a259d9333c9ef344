//! The page itself: for now a list to read, books first, then the diagrams in doubt.

use std::fmt::Write as _;

use axum::extract::{Query, State};
use axum::response::Html;

use super::api::Listing;
use super::error::ApiError;
use super::router::App;
use super::svg;
use crate::queue::{BookRow, DiagramRow, DiagramState, Filter, PageFilter, PageRow, PageState};
use crate::reading::Orientation;

/// Diagrams on one page.
const AT_ONCE: u32 = 50;

/// Failed pages shown.
const FAILED_SHOWN: u32 = 100;

/// `GET /?book=&state=&flag=&text=&offset=`.
pub(super) async fn index(
    State(app): State<App>,
    Query(listing): Query<Listing>,
) -> Result<Html<String>, ApiError> {
    let books = app.queue.books().await?;
    let mut filter = listing.filter()?;
    if filter.states.is_empty() && filter.text.is_none() && filter.flags.is_empty() {
        filter.states = vec![DiagramState::NeedsReview];
    }
    let offset = listing.offset.unwrap_or(0);
    let total = app.queue.diagram_count(&filter).await?;
    let diagrams = app.queue.diagrams(&filter, AT_ONCE, offset).await?;
    let failed = PageFilter { book: listing.book, states: vec![PageState::Failed], ..PageFilter::default() };
    let failed = app.queue.pages(&failed, FAILED_SHOWN, 0).await?;
    Ok(Html(render(&books, &filter, &diagrams, total, offset, &failed)))
}

fn render(
    books: &[BookRow],
    filter: &Filter,
    diagrams: &[DiagramRow],
    total: u64,
    offset: u64,
    failed: &[PageRow],
) -> String {
    let mut out = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fenwatch</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"stylesheet\" href=\"/assets/style.css\"></head><body><h1><a href=\"/\">Fenwatch</a></h1>",
    );
    books_table(&mut out, books);
    failed_list(&mut out, failed);
    let of_book = books.iter().find(|book| Some(book.id) == filter.book);
    let of_book = of_book.map(|book| format!(" of {}", escape(&book.name))).unwrap_or_default();
    let states: Vec<&str> = filter.states.iter().map(|state| state_words(*state)).collect();
    // writing to a String cannot fail, here and below
    let _ = write!(out, "<h2>Diagrams {}{of_book}: {total}</h2>", states.join(", "));
    if total == 0 {
        out.push_str("<p>None.</p>");
    }
    for diagram in diagrams {
        diagram_article(&mut out, diagram);
    }
    let end = offset + diagrams.len() as u64;
    let link = |out: &mut String, offset: u64, words: &str| {
        let book = filter.book.map(|book| format!("book={book}&amp;")).unwrap_or_default();
        let state = filter.states.first().map(|state| format!("state={state}&amp;")).unwrap_or_default();
        let flag = filter.flags.first().map(|flag| format!("flag={flag}&amp;")).unwrap_or_default();
        let _ = write!(out, "<a href=\"/?{book}{state}{flag}offset={offset}\">{words}</a> ");
    };
    out.push_str("<nav>");
    if offset > 0 {
        link(&mut out, offset.saturating_sub(u64::from(AT_ONCE)), "earlier");
    }
    if end < total {
        link(&mut out, end, "later");
    }
    out.push_str("</nav></body></html>");
    out
}

fn state_words(state: DiagramState) -> &'static str {
    match state {
        DiagramState::NeedsReview => "in doubt",
        other => other.as_str(),
    }
}

fn books_table(out: &mut String, books: &[BookRow]) {
    if books.is_empty() {
        out.push_str("<p>Nothing has been read yet. Drop scans into a watched folder.</p>");
        return;
    }
    out.push_str(
        "<table><thead><tr><th>Book<th>Pages<th>read<th>waiting<th>failed<th>without diagram<th>Diagrams<th>accepted\
         <th>in doubt<th>approved<th>corrected<th>rejected</tr></thead><tbody>",
    );
    for book in books {
        let n = &book.counts;
        let cell = |out: &mut String, count: u32, state: Option<&str>| {
            let _ = match state {
                Some(state) if count > 0 => {
                    write!(out, "<td><a href=\"/?book={}&amp;state={state}\">{count}</a>", book.id)
                }
                _ => write!(out, "<td>{count}"),
            };
        };
        let name = book.settings.title.as_deref().unwrap_or(&book.name);
        let _ = write!(out, "<tr><th scope=\"row\"><a href=\"/?book={}\">{}</a>", book.id, escape(name));
        for count in [n.pages, n.read, n.pending + n.reading, n.failed, n.empty, n.diagrams] {
            cell(out, count, None);
        }
        cell(out, n.accepted, Some("accepted"));
        cell(out, n.needs_review, Some("needs_review"));
        cell(out, n.approved, Some("approved"));
        cell(out, n.corrected, Some("corrected"));
        cell(out, n.rejected, Some("rejected"));
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
}

fn failed_list(out: &mut String, failed: &[PageRow]) {
    if failed.is_empty() {
        return;
    }
    let more = if failed.len() == FAILED_SHOWN as usize { " (the first of them)" } else { "" };
    let _ = write!(out, "<h2>Pages that could not be read{more}</h2><ul>");
    for page in failed {
        let reason = page.failure.as_deref().unwrap_or("no reason was kept");
        let _ = write!(out, "<li>{}, page {}: {}", escape(&page.path), page.page, escape(reason));
    }
    out.push_str("</ul>");
}

fn diagram_article(out: &mut String, diagram: &DiagramRow) {
    let number =
        diagram.number.as_deref().map(|number| format!(", number {}", escape(number))).unwrap_or_default();
    let _ = write!(
        out,
        "<article id=\"d{id}\"><h3>{book}: {path}, page {page}, diagram {ordinal}{number}</h3><div class=\"pair\">\
         <img src=\"/diagrams/{id}/board\" alt=\"the board as scanned\" loading=\"lazy\">",
        id = diagram.id,
        book = escape(&diagram.book),
        path = escape(&diagram.path),
        page = diagram.page,
        ordinal = diagram.ordinal,
    );
    let marked: Vec<_> = diagram.flags.iter().flat_map(|flag| flag.squares.iter().copied()).collect();
    if let Some(Ok(placement)) = diagram.fen.split(' ').next().map(str::parse) {
        out.push_str(&svg::board(&placement, diagram.orientation == Orientation::BlackBottom, &marked));
    }
    let side = if diagram.side() == crate::chess::Color::Black { "Black" } else { "White" };
    let _ = write!(
        out,
        "</div><p><code>{}</code> <span class=\"state\">{}</span></p><p>{side} to move (source: {})</p>",
        escape(&diagram.fen),
        state_words(diagram.state),
        diagram.sources.side_to_move
    );
    if let Some(caption) = &diagram.caption {
        let _ = write!(out, "<blockquote>{}</blockquote>", escape(caption));
    }
    if !diagram.flags.is_empty() {
        out.push_str("<ul class=\"flags\">");
        for flag in &diagram.flags {
            let _ = write!(
                out,
                "<li class=\"{0}\"><a href=\"/?flag={1}\">{1}</a> {2}",
                flag.severity,
                flag.code,
                escape(&flag.message)
            );
        }
        out.push_str("</ul>");
    }
    out.push_str("</article>");
}

/// Text for HTML, also within quoted attributes.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
