//! What a person may set about the review page.

use std::net::{Ipv4Addr, SocketAddr};

use serde::{Deserialize, Serialize};

/// Parameters of the review page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewParams {
    /// Serve the page while the daemon runs.
    pub enabled: bool,
    /// Address and port. Only the machine itself can reach a loopback address.
    pub address: SocketAddr,
}

impl Default for ReviewParams {
    fn default() -> Self {
        // 8064: eight by eight squares, and seldom taken
        ReviewParams { enabled: true, address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8064)) }
    }
}
