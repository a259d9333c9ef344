//! Listening.

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tracing::{error, info};

use super::router::{Doors, router};
use super::token::LEAST_LENGTH;
use super::{ReviewError, ReviewParams};

/// Serves the page until `doors.stop`; requests in progress are answered.
///
/// # Errors
/// When the address is taken, or can be reached by other machines and there is no token.
pub async fn start(params: &ReviewParams, doors: Doors) -> Result<JoinHandle<()>, ReviewError> {
    let address = params.address;
    let token = params.token.0.trim();
    if token.is_empty() && !address.ip().is_loopback() {
        return Err(ReviewError::NoToken(address));
    }
    if !token.is_empty() && token.chars().count() < LEAST_LENGTH {
        return Err(ReviewError::ShortToken);
    }
    let failed = |error: std::io::Error| ReviewError::Bind {
        address,
        reason: match error.kind() {
            std::io::ErrorKind::AddrInUse => "another program has it".to_owned(),
            _ => error.to_string(),
        },
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    // port 0 asks for any free one
    let address = listener.local_addr().map_err(failed)?;
    info!("the review page is at http://{address}/");
    let stop = doors.stop.clone();
    let app = router(params, doors, address.port());
    Ok(tokio::spawn(async move {
        let served = axum::serve(listener, app).with_graceful_shutdown(async move { stop.cancelled().await });
        if let Err(error) = served.await {
            error!("the review page stopped: {error}");
        }
    }))
}
