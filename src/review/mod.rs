//! The web page for reviewers and its API.
//!
//! ```text
//! browser ──GET──▶ files of web/ (embedded)          router, assets
//!         ──GET──▶ /api/...  rows, diagrams, pages   rows, diagrams, pages, books, check, export
//!         ──POST─▶ /api/...  decisions, drawn boards decide, draw, books, pages
//!         ◀─SSE──  /api/events                       live
//! ```
//!
//! Everything is embedded in the binary; the page loads nothing from elsewhere. Who may ask is decided in one place (`guard`): requests
//! must name this server as their host (so that no web site reaches it by DNS rebinding), writes must come from its own page, and where it
//! is bound to more than the machine itself, every request must carry the token.
//!
//! Every write names the version of what the person looked at. An outdated one is refused with `409` and what stands there now.

mod assets;
mod books;
mod check;
mod crop;
mod decide;
mod diagrams;
mod draw;
mod error;
mod export;
mod guard;
mod input;
mod live;
mod pages;
mod params;
mod router;
mod rows;
mod server;
mod token;

#[cfg(test)]
mod tests;

pub use draw::{BoardRead, BoardRequest, BoardSource};
pub use error::ReviewError;
pub use params::{Language, ReviewParams, Secret};
pub use router::{Doors, HealthSource, router};
pub use server::start;
