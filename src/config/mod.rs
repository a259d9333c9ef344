//! Settings: `config/fenwatch.toml`, environment, command line. Readers get plain structs of their own rooms.
//!
//! Later sources win: defaults, then the file, then variables `FENWATCH_SECTION__KEY`, then options of the command. A
//! key that nobody knows is an error, wherever it stands: a misspelt setting must not be passed over. Relative paths
//! are relative to the folder in which the program runs, wherever they are written, so that a
//! setting means the same in the file, in the environment and as a default.

mod error;
mod layer;
mod log;
mod ranges;
mod settings;

#[cfg(test)]
mod tests;

pub use error::ConfigError;
pub use log::{LogFormat, LogParams, LogTarget};
pub use settings::{BookParams, DEFAULT_FILE, DefaultSide, Settings, StateParams};
