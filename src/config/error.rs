//! What can be wrong with the settings.

use std::path::PathBuf;

/// Why the settings cannot be used. Each message names the key and where it stands.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read the settings file {}: {reason}", path.display())]
    Read { path: PathBuf, reason: String },
    #[error("{origin}: {message}")]
    Syntax { origin: String, message: String },
    #[error("{origin}: unknown setting `{key}`; {hint}")]
    UnknownKey { key: String, origin: String, hint: String },
    #[error("{origin}: setting `{key}`: {message}")]
    Value { key: String, origin: String, message: String },
    #[error("the environment variable {0} is not valid UTF-8")]
    NotText(String),
}
