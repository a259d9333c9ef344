//! What a person may set about the review page.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

use serde::{Deserialize, Serialize};

/// The language of the page's own texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The browser's, if there are texts in it, else English.
    #[default]
    Auto,
    En,
    De,
}

/// A text that is never printed.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "(not shown)" })
    }
}

/// Parameters of the review page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewParams {
    /// Serve the page while the daemon runs.
    pub enabled: bool,
    /// Address and port. Only the machine itself can reach a loopback address.
    pub address: SocketAddr,
    /// What a browser must give once before it is served anything. Must be set for any other address than a loopback one.
    pub token: Secret,
    /// Names of this machine under which the page may be asked for, besides `localhost` and its addresses.
    pub names: Vec<String>,
    pub language: Language,
}

impl Default for ReviewParams {
    fn default() -> Self {
        ReviewParams {
            enabled: true,
            // 8064: eight by eight squares, and seldom taken
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8064)),
            token: Secret::default(),
            names: Vec::new(),
            language: Language::Auto,
        }
    }
}
