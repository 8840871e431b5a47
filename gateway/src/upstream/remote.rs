//! A remote service: its name is resolved periodically into balanced channels, because a channel resolves only once and
//! would stick to one address.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tonic::transport::channel::Change;
use tonic::transport::{Channel, Endpoint};

/// Interval of name resolution: short while no address is known, longer afterwards.
const POLL_EMPTY: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_secs(5);
const CONNECT_WAIT: Duration = Duration::from_secs(2);
/// Queued changes of addresses.
const CHANGES: usize = 64;

pub struct Remote {
    channel: Channel,
    known: Arc<AtomicUsize>,
    poller: tokio::task::AbortHandle,
}

impl Remote {
    /// Starts to resolve `host:port` (with or without `http://`), or several separated by commas; needs a Tokio
    /// runtime; connects on first use.
    pub fn connect(target: &str) -> Self {
        let host = |one: &str| {
            let one = one.trim();
            let one = one.strip_prefix("http://").unwrap_or(one);
            one.trim_end_matches('/').to_owned()
        };
        let hosts: Vec<String> = target.split(',').map(host).collect();
        let (channel, changes) = Channel::balance_channel(CHANGES);
        let known = Arc::new(AtomicUsize::new(0));
        let poller = tokio::spawn(poll(hosts, changes, known.clone())).abort_handle();
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
    hosts: Vec<String>,
    changes: mpsc::Sender<Change<SocketAddr, Endpoint>>,
    known: Arc<AtomicUsize>,
) {
    let mut current: HashSet<SocketAddr> = HashSet::new();
    loop {
        let mut found: HashSet<SocketAddr> = HashSet::new();
        let mut all = true;
        for host in &hosts {
            match tokio::net::lookup_host(host).await {
                Ok(addresses) => found.extend(addresses),
                Err(error) => {
                    tracing::warn!(%host, %error, "name not resolved");
                    all = false;
                }
            }
        }
        // The addresses known so far are better than none.
        if !all {
            found.extend(&current);
        }
        if !apply(&mut current, found, &changes).await {
            return;
        }
        known.store(current.len(), Ordering::Relaxed);
        let pause = if current.is_empty() { POLL_EMPTY } else { POLL };
        tokio::time::sleep(pause).await;
    }
}

/// Tells the balancer which addresses were added and removed; `false` if the balancer is gone.
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
