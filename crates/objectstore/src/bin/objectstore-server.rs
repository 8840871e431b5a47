//! The store as a separate process: `objectstore-server config.json` with the fields of `StoreConfig`. For platforms
//! without an S3-compatible store, and for tests that kill it.

use std::process::ExitCode;

use objectstore::{EmbeddedStore, StoreConfig, server};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("objectstore-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: objectstore-server config.json")?;
    let mut config: StoreConfig = serde_json::from_slice(&std::fs::read(&path)?)?;
    let listener = TcpListener::bind(&config.listen).await?;
    // Port 0 has been resolved to a real one.
    config.listen = listener.local_addr()?.to_string();
    // Opened before the line is printed: a caller that reads it may rely on an open, locked store.
    let _store = EmbeddedStore::open(config.clone()).await?;
    println!("listening on {}", config.listen);
    let shutdown = CancellationToken::new();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = shutdown.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        stop.cancel();
    });
    server::serve(config, listener, shutdown).await?;
    Ok(())
}
