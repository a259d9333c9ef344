//! `fenwatch queue retry`.

use super::{Outcome, Who, book_named, each, print};
use crate::queue::{PageId, Queue};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Pages, by the numbers that `queue list --pages` shows first
    #[arg(value_name = "PAGE", required_unless_present_any = ["all", "book"], conflicts_with_all = ["all", "book"])]
    pages: Vec<PageId>,
    /// All failed pages
    #[arg(long, conflicts_with = "book")]
    all: bool,
    /// The failed pages of this book
    #[arg(long, value_name = "NAME")]
    book: Option<String>,
    /// Read pages again also when they were read; human decisions stay
    #[arg(long, conflicts_with = "all")]
    reread: bool,
    #[command(flatten)]
    who: Who,
}

pub(super) async fn run(queue: &Queue, args: &Args) -> anyhow::Result<Outcome> {
    let who = args.who.name();
    if args.all || args.book.is_some() {
        let book = match &args.book {
            Some(name) => Some(book_named(queue, name).await?),
            None => None,
        };
        let count = match book {
            Some(book) if args.reread => queue.reread_book(book, &who).await?,
            book => queue.retry_failed(book, &who).await?,
        };
        print(&format!("{count} pages wait to be read\n"))?;
        return Ok(Outcome::Done);
    }
    Ok(each(&args.pages, async |page| {
        if args.reread {
            queue.reread_page(page, &who).await?;
        } else {
            queue.retry(page, &who).await?;
        }
        Ok(())
    })
    .await)
}
