//! What is logged, where to and how.

use serde::{Deserialize, Serialize};

/// Where log lines go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogTarget {
    /// The journal when systemd started the program and reads its standard error, else standard error.
    #[default]
    Auto,
    Stderr,
    Journald,
}

/// How log lines on standard error look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Parameters of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LogParams {
    /// A level, or a list of `part=level`; the variable FENWATCH_LOG replaces it.
    pub filter: String,
    pub format: LogFormat,
    pub target: LogTarget,
}

impl Default for LogParams {
    fn default() -> Self {
        LogParams { filter: "info".to_owned(), format: LogFormat::Text, target: LogTarget::Auto }
    }
}
