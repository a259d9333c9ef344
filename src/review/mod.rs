//! The web page for reviewers and its API.

mod params;

pub use params::ReviewParams;
