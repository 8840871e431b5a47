//! A service on other machines: its name is resolved again and again into balanced channels, because a channel resolves
//! only once by itself and would stick to one address.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tonic::transport::channel::Change;
use tonic::transport::{Channel, Endpoint};

/// How often the name is resolved: quickly while nothing is known, then at leisure.
const POLL_EMPTY: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_secs(5);
const CONNECT_WAIT: Duration = Duration::from_secs(2);
/// Changes of addresses that may wait to be taken up.
const CHANGES: usize = 64;

pub struct Remote {
    channel: Channel,
    known: Arc<AtomicUsize>,
    poller: tokio::task::AbortHandle,
}

impl Remote {
    /// Starts to resolve `host:port` (with or without `http://`); needs a Tokio runtime, connects when first used.
    pub fn connect(target: &str) -> Self {
        let host = target
            .strip_prefix("http://")
            .unwrap_or(target)
            .trim_end_matches('/')
            .to_owned();
        let (channel, changes) = Channel::balance_channel(CHANGES);
        let known = Arc::new(AtomicUsize::new(0));
        let poller = tokio::spawn(poll(host, changes, known.clone())).abort_handle();
        Self {
            channel,
            known,
            poller,
        }
    }

    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    pub fn has_addresses(&self) -> bool {
        self.known.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.poller.abort();
    }
}

async fn poll(
    host: String,
    changes: mpsc::Sender<Change<SocketAddr, Endpoint>>,
    known: Arc<AtomicUsize>,
) {
    let mut current: HashSet<SocketAddr> = HashSet::new();
    loop {
        match tokio::net::lookup_host(&host).await {
            Ok(found) => {
                let found: HashSet<SocketAddr> = found.collect();
                if !apply(&mut current, found, &changes).await {
                    return;
                }
                known.store(current.len(), Ordering::Relaxed);
            }
            // The addresses known so far are better than none.
            Err(error) => tracing::warn!(%host, %error, "name not resolved"),
        }
        let pause = if current.is_empty() { POLL_EMPTY } else { POLL };
        tokio::time::sleep(pause).await;
    }
}

/// Tells the balancer what came and went; `false` when there is no balancer any more.
async fn apply(
    current: &mut HashSet<SocketAddr>,
    found: HashSet<SocketAddr>,
    changes: &mpsc::Sender<Change<SocketAddr, Endpoint>>,
) -> bool {
    if found.is_empty() {
        return true;
    }
    for address in found.difference(current) {
        let Ok(endpoint) = Endpoint::from_shared(format!("http://{address}")) else {
            continue;
        };
        let endpoint = endpoint
            .connect_timeout(CONNECT_WAIT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(5))
            .keep_alive_while_idle(true);
        if changes
            .send(Change::Insert(*address, endpoint))
            .await
            .is_err()
        {
            return false;
        }
    }
    for address in current.difference(&found) {
        if changes.send(Change::Remove(*address)).await.is_err() {
            return false;
        }
    }
    *current = found;
    true
}
