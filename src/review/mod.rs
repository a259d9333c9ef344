//! The web page for reviewers and its API.
