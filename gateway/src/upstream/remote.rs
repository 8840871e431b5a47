//! A remote service: its name is resolved periodically into replicas, because a channel resolves only once and would stick to one
//! address. Calls go to the less loaded of two replicas drawn at random; unresponsive ones are avoided.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use metrics::Gauge;
use rand::seq::SliceRandom;
use tonic::Status;

use super::budget::Budget;
use super::replica::Replica;
use super::{Sent, is_unsent, lost, pause};

/// Interval of name resolution: short while no address is known, longer afterwards.
const POLL_EMPTY: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_secs(5);
/// Most retries of a call that was not sent: while one of two replicas is being replaced, half of the attempts hit it.
const RETRIES_UNSENT: u32 = 8;
/// How long a replica may take before it is probed, and a call that reads is sent to a second one too.
const PATIENCE: Duration = Duration::from_millis(1500);

pub struct Remote {
    replicas: Replicas,
    poller: tokio::task::AbortHandle,
}

/// Metrics of a service's replicas.
struct Gauges {
    /// Addresses that its name resolves to.
    found: Gauge,
    avoided: Gauge,
}

type Replicas = Arc<RwLock<Arc<[Arc<Replica>]>>>;

impl Remote {
    /// Starts to resolve `host:port` (with or without `http://`), or several separated by commas, of the service
    /// `name`; needs a Tokio runtime; connects on first use.
    pub fn connect(name: &str, target: &str) -> Self {
        let host = |one: &str| {
            let one = one.trim();
            let one = one.strip_prefix("http://").unwrap_or(one);
            one.trim_end_matches('/').to_owned()
        };
        let hosts: Vec<String> = target.split(',').map(host).collect();
        let replicas = Replicas::default();
        let label = || [("service", name.to_owned())];
        let avoided = metrics::gauge!("gateway_replicas_avoided", &label());
        avoided.set(0.0);
        let gauges = Gauges {
            found: metrics::gauge!("gateway_replicas", &label()),
            avoided,
        };
        let poller = tokio::spawn(poll(hosts, replicas.clone(), gauges)).abort_handle();
        Self { replicas, poller }
    }

    pub fn has_addresses(&self) -> bool {
        !self.all().is_empty()
    }

    /// Sends a call: retries it while it was not sent, and sends it to a second replica if it reads and the first one is slow.
    /// Errors: `UNAVAILABLE` if no replica may be tried, else the last one's status.
    pub(super) async fn send(
        &self,
        call: &Sent,
        end: Instant,
        budget: &Budget,
    ) -> Result<Bytes, Status> {
        let mut unsent = 0;
        let mut last = None;
        loop {
            let Some(replica) = self.pick(last) else {
                return Err(Status::unavailable("service unavailable"));
            };
            let answer = self.send_to(&replica, call, end, budget).await;
            if !answer.as_ref().is_err_and(is_unsent) || unsent == RETRIES_UNSENT {
                return answer;
            }
            unsent += 1;
            last = Some(replica.address);
            tokio::time::sleep(pause(unsent)).await;
        }
    }

    async fn send_to(
        &self,
        first: &Arc<Replica>,
        call: &Sent,
        end: Instant,
        budget: &Budget,
    ) -> Result<Bytes, Status> {
        let mut asked = std::pin::pin!(first.send(call, end));
        if let Ok(answer) = tokio::time::timeout(PATIENCE, &mut asked).await {
            return answer;
        }
        first.doubt();
        let Some(second) = self.another(first, call.reads, budget) else {
            return asked.await;
        };
        let mut also_asked = std::pin::pin!(second.send(call, end));
        // The first answer wins; if one replica is lost, the other one's counts.
        tokio::select! {
            answer = &mut asked => match answer {
                Err(status) if lost::of(&status).is_some() => also_asked.await,
                answer => answer,
            },
            answer = &mut also_asked => match answer {
                Err(status) if lost::of(&status).is_some() => asked.await,
                answer => answer,
            },
        }
    }

    /// A replica that lets a call through, other than the one at `last` if possible. Unresponsive ones come last: if all are, one
    /// of them fails the call in time.
    fn pick(&self, last: Option<SocketAddr>) -> Option<Arc<Replica>> {
        let mut replicas = self.drawn();
        // Stable: the order of the draw stays within each group.
        replicas.sort_by_key(|replica| (replica.is_avoided(), last == Some(replica.address)));
        replicas.into_iter().find(|replica| replica.lets_through())
    }

    /// A second replica for a call that reads, within the retry budget.
    fn another(&self, first: &Replica, reads: bool, budget: &Budget) -> Option<Arc<Replica>> {
        let mut others = self.drawn();
        others.retain(|replica| replica.address != first.address && !replica.is_avoided());
        if !reads || others.is_empty() || !budget.withdraw() {
            return None;
        }
        others.into_iter().find(|replica| replica.lets_through())
    }

    /// All replicas in random order, except that the less loaded of the first two comes first.
    fn drawn(&self) -> Vec<Arc<Replica>> {
        let mut replicas = self.all().to_vec();
        replicas.shuffle(&mut rand::rng());
        if let [first, second, ..] = replicas.as_mut_slice()
            && first.pending() > second.pending()
        {
            std::mem::swap(first, second);
        }
        replicas
    }

    fn all(&self) -> Arc<[Arc<Replica>]> {
        self.replicas
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.poller.abort();
    }
}

async fn poll(hosts: Vec<String>, replicas: Replicas, gauges: Gauges) {
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
        gauges.found.set(found.len() as f64);
        let empty = apply(&replicas, &found, all, &gauges.avoided);
        let pause = if empty { POLL_EMPTY } else { POLL };
        tokio::time::sleep(pause).await;
    }
}

/// Adds new addresses; removes old ones only if `all` names were resolved, because known addresses are better than none. Returns
/// whether there are none.
fn apply(replicas: &Replicas, found: &HashSet<SocketAddr>, all: bool, gauge: &Gauge) -> bool {
    let mut current = replicas.write().unwrap_or_else(PoisonError::into_inner);
    let keep =
        |replica: &&Arc<Replica>| !all || found.is_empty() || found.contains(&replica.address);
    let mut next: Vec<Arc<Replica>> = current.iter().filter(keep).cloned().collect();
    for address in found {
        if next.iter().all(|replica| replica.address != *address) {
            next.extend(Replica::new(*address, gauge.clone()));
        }
    }
    *current = next.into();
    current.is_empty()
}
