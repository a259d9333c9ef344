//! Listening.

use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::router::{HealthSource, router};
use super::{ReviewError, ReviewParams};
use crate::queue::Queue;

/// Serves the page until `stop`; requests in progress are answered.
///
/// # Errors
/// When the address is no loopback one, or is taken.
pub async fn start(
    params: &ReviewParams,
    queue: Queue,
    health: HealthSource,
    stop: CancellationToken,
) -> Result<JoinHandle<()>, ReviewError> {
    let address = params.address;
    if !address.ip().is_loopback() {
        return Err(ReviewError::NotLoopback(address));
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
    let app = router(queue, health, address.port());
    Ok(tokio::spawn(async move {
        let served = axum::serve(listener, app).with_graceful_shutdown(async move { stop.cancelled().await });
        if let Err(error) = served.await {
            error!("the review page stopped: {error}");
        }
    }))
}
