//! The web page for reviewers and its API.
//!
//! Everything is embedded in the binary; the page loads nothing from elsewhere. It is served to this
//! machine only: the address must be a loopback one, and requests that name another host are refused, so that no
//! web site can reach it through a visitor's browser (DNS rebinding).

mod api;
mod assets;
mod error;
mod guard;
mod page;
mod params;
mod router;
mod server;
mod svg;

#[cfg(test)]
mod tests;

pub use error::ReviewError;
pub use params::ReviewParams;
pub use router::{HealthSource, router};
pub use server::start;
