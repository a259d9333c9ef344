//! Fenwatch turns scanned chess books into position collections.
//!
//! The crate is a house of rooms; a room knows only the rooms below it (see `ARCHITECTURE.md`).
//!
//! | floor | rooms |
//! |---|---|
//! | 1 | [`chess`], [`page`] |
//! | 2 | [`board`], [`caption`] |
//! | 3 | [`reading`] |
//! | 4 | [`queue`], [`export`], [`evaluation`] |
//! | 5 | [`intake`], [`review`] |
//! | 6 | [`daemon`] |
//! | 7 | [`cli`], [`config`] |

pub mod board;
pub mod caption;
pub mod chess;
pub mod cli;
pub mod config;
pub mod daemon;
pub mod evaluation;
pub mod export;
pub mod intake;
pub mod page;
pub mod queue;
pub mod reading;
pub mod review;
