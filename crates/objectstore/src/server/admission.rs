//! Who is served: connections by address and in all, requests by user.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use peers::Networks;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::config::StoreConfig;
use crate::disk::{Revoked, lock};
use crate::error::Result;

/// Descriptors that are not connections'.
const OTHER_DESCRIPTORS: usize = 512;
/// Idle connections ended at once when there are no descriptors left.
const RELIEF: usize = 16;
/// Time that a new connection waits for the place of an idle one, which is being closed for it.
const PLACE_WAIT: Duration = Duration::from_secs(1);

/// Message of every refusal because a session has ended.
pub(super) const SESSION_ENDED: &str = "the session has ended";

/// Counts what each holder has at once, up to a limit.
pub(super) struct Counts<K> {
    limit: usize,
    held: Mutex<HashMap<K, usize>>,
}

/// One of those; given back when dropped.
pub(super) struct Held<K: Hash + Eq> {
    counts: Arc<Counts<K>>,
    key: K,
}

impl<K: Hash + Eq + Clone> Counts<K> {
    fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            held: Mutex::default(),
        })
    }

    /// One more for `key`; `None` when it has all it may have.
    pub(super) fn take(self: &Arc<Self>, key: K) -> Option<Held<K>> {
        let mut held = lock(&self.held);
        let count = held.entry(key.clone()).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(Held {
            counts: self.clone(),
            key,
        })
    }
}

impl<K: Hash + Eq> Drop for Held<K> {
    fn drop(&mut self) {
        let mut held = lock(&self.counts.held);
        let Some(count) = held.get_mut(&self.key) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            held.remove(&self.key);
        }
    }
}

/// The session of a request that was let in.
pub(super) struct Living {
    pub(super) revoked: Arc<Revoked>,
    /// Empty: none.
    pub(super) session: String,
}

/// Where access control leaves what counts a request to its user, and the session whose end ends it.
#[derive(Clone, Default)]
pub(super) struct UserSlot {
    held: Arc<Mutex<Option<Held<String>>>>,
    living: Arc<OnceLock<Living>>,
}

impl UserSlot {
    pub(super) fn fill(&self, held: Held<String>, living: Living) {
        *lock(&self.held) = Some(held);
        let _ = self.living.set(living);
    }

    pub(super) fn take(&self) -> Option<Held<String>> {
        lock(&self.held).take()
    }

    /// Whether the session has ended since the request was let in.
    pub(super) fn has_ended(&self) -> bool {
        let living = self.living.get();
        living.is_some_and(|living| living.revoked.contains(&living.session))
    }
}

/// Connections that wait for a request, the longest-waiting first.
#[derive(Default)]
struct Idle {
    waiting: Mutex<(u64, BTreeMap<u64, CancellationToken>)>,
}

impl Idle {
    fn add(&self, close: &CancellationToken) -> u64 {
        let mut waiting = lock(&self.waiting);
        waiting.0 += 1;
        let number = waiting.0;
        waiting.1.insert(number, close.clone());
        number
    }

    fn remove(&self, number: u64) {
        lock(&self.waiting).1.remove(&number);
    }

    fn close_oldest(&self) {
        if let Some((_, close)) = lock(&self.waiting).1.pop_first() {
            close.cancel();
        }
    }
}

/// As many connections as the process may have descriptors for, besides those of files, databases and everything else.
fn affordable(wanted: usize, limit: Option<u64>) -> usize {
    let limit = limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let most = limit.saturating_sub(OTHER_DESCRIPTORS).max(limit / 4);
    if most < wanted {
        tracing::warn!(
            max_connections = most,
            "object store: the limit of open files allows fewer connections than are configured"
        );
    }
    wanted.min(most)
}

/// Why a connection or a request is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Its address has all the connections it may have.
    Address,
    /// All connections are at work.
    Full,
    /// Its user has all the requests under way that one may have.
    User,
    /// Its body arrived too slowly.
    Slow,
}

impl Refusal {
    /// Reports it to the metrics.
    pub(super) fn count(self) {
        self.increment(1);
    }

    /// Makes the metrics known before there is anything to report.
    fn announce() {
        for refusal in [Self::Address, Self::Full, Self::User, Self::Slow] {
            refusal.increment(0);
        }
    }

    fn increment(self, times: u64) {
        let reason = match self {
            Self::Address => "address",
            Self::Full => "full",
            Self::User => "user",
            Self::Slow => "slow",
        };
        metrics::counter!("objectstore_refused_total", "reason" => reason).increment(times);
    }
}

/// The limits, and what is taken of them.
pub(super) struct Admission {
    trusted: Networks,
    places: Arc<Semaphore>,
    addresses: Arc<Counts<IpAddr>>,
    pub(super) users: Arc<Counts<String>>,
    idle: Arc<Idle>,
}

impl Admission {
    pub(super) fn new(config: &StoreConfig) -> Result<Arc<Self>> {
        Refusal::announce();
        let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        Ok(Arc::new(Self {
            trusted: config.trusted()?,
            places: Arc::new(Semaphore::new(affordable(
                config.max_connections,
                descriptors,
            ))),
            addresses: Counts::new(config.max_connections_per_address),
            users: Counts::new(config.max_requests_per_user),
            idle: Arc::default(),
        }))
    }

    /// Counts a connection to its address; a proxy's are not counted.
    pub(super) fn of_address(&self, peer: IpAddr) -> Result<Option<Held<IpAddr>>, Refusal> {
        if self.trusted.contain(peer) {
            return Ok(None);
        }
        self.take_address(peer).map(Some)
    }

    /// Counts a request to the address that a trusted proxy forwards it for; others were counted with their connection.
    pub(super) fn forwarded(
        &self,
        peer: IpAddr,
        headers: &http::HeaderMap,
    ) -> Result<Option<Held<IpAddr>>, Refusal> {
        if !self.trusted.contain(peer) {
            return Ok(None);
        }
        let values = headers.get_all("x-forwarded-for");
        let chain = values
            .iter()
            .map(|value| value.to_str().unwrap_or_default());
        let address = peers::forwarded_for(peer, chain, &self.trusted);
        // A proxy that forwards no address, or that asks for itself.
        if self.trusted.contain(address) {
            return Ok(None);
        }
        self.take_address(address).map(Some)
    }

    fn take_address(&self, address: IpAddr) -> Result<Held<IpAddr>, Refusal> {
        self.addresses
            .take(peers::subscriber(address))
            .ok_or(Refusal::Address)
    }

    /// A place among all connections, if need be that of the one that has been idle longest.
    pub(super) async fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        self.idle.close_oldest();
        let place = self.places.clone().acquire_owned();
        match tokio::time::timeout(PLACE_WAIT, place).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Refusal::Full),
        }
    }

    /// Ends the connections that have been idle longest: the process is short of descriptors.
    pub(super) fn relieve(&self) {
        for _ in 0..RELIEF {
            self.idle.close_oldest();
        }
    }

    /// A connection that begins to wait for its first request.
    pub(super) fn presence(&self) -> Arc<Presence> {
        let presence = Arc::new(Presence {
            close: CancellationToken::new(),
            idle: self.idle.clone(),
            state: Mutex::default(),
        });
        presence.turn(0);
        presence
    }
}

/// Whether a connection is idle or at work. Requests may overlap for a moment: the next one's head can be read before
/// the last response has been dropped.
pub(super) struct Presence {
    /// Cancelled to close the connection, because its place is needed and it is idle.
    pub(super) close: CancellationToken,
    idle: Arc<Idle>,
    state: Mutex<(usize, Option<u64>)>,
}

/// A request under way.
pub(super) struct AtWork(Arc<Presence>);

impl Presence {
    /// A request has begun.
    pub(super) fn work(self: &Arc<Self>) -> AtWork {
        self.turn(1);
        AtWork(self.clone())
    }

    fn turn(&self, change: isize) {
        let mut state = lock(&self.state);
        state.0 = state.0.saturating_add_signed(change);
        if let Some(number) = state.1.take() {
            self.idle.remove(number);
        }
        if state.0 == 0 {
            state.1 = Some(self.idle.add(&self.close));
        }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.turn(-1);
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Some(number) = lock(&self.state).1.take() {
            self.idle.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(change: impl FnOnce(&mut StoreConfig)) -> Arc<Admission> {
        let mut config = StoreConfig::default();
        change(&mut config);
        Admission::new(&config).unwrap()
    }

    #[test]
    fn connections_leave_descriptors_for_everything_else() {
        assert_eq!(affordable(1024, None), 1024);
        assert_eq!(affordable(1024, Some(65_536)), 1024);
        assert_eq!(affordable(1024, Some(1024)), 512);
        assert_eq!(affordable(1024, Some(256)), 64);
    }

    #[test]
    fn an_ipv6_subscriber_counts_as_one() {
        let admission = admission(|config| config.max_connections_per_address = 1);
        let of = |text: &str| admission.of_address(text.parse().unwrap());
        let held = of("2001:db8::1").unwrap();
        assert_eq!(of("2001:db8::ffff").err(), Some(Refusal::Address));
        assert!(of("2001:db8:0:1::1").is_ok());
        drop(held);
        assert!(of("2001:db8::ffff").is_ok());
        let mapped = of("::ffff:192.0.2.1").unwrap();
        assert_eq!(of("192.0.2.1").err(), Some(Refusal::Address));
        drop(mapped);
    }

    #[test]
    fn behind_a_proxy_the_forwarded_address_counts() {
        let admission = admission(|config| {
            config.max_connections_per_address = 1;
            config.trusted_proxies = vec!["10.0.0.0/8".into()];
        });
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        assert!(admission.of_address(proxy).unwrap().is_none());
        assert!(admission.of_address(proxy).unwrap().is_none());
        let headers = |chain: &'static str| {
            let value = http::HeaderValue::from_static(chain);
            http::HeaderMap::from_iter([(http::HeaderName::from_static("x-forwarded-for"), value)])
        };
        let first = admission.forwarded(proxy, &headers("192.0.2.1")).unwrap();
        assert!(first.is_some());
        // Whatever the caller itself wrote in front.
        let second = admission.forwarded(proxy, &headers("198.51.100.7, 192.0.2.1"));
        assert_eq!(second.err(), Some(Refusal::Address));
        assert!(admission.forwarded(proxy, &headers("192.0.2.2")).is_ok());
        // The header of an untrusted client is ignored.
        let stranger: IpAddr = "203.0.113.9".parse().unwrap();
        let own = admission
            .forwarded(stranger, &headers("192.0.2.1"))
            .unwrap();
        assert!(own.is_none());
    }

    #[tokio::test]
    async fn a_new_connection_gets_the_place_of_the_longest_idle_one() {
        let admission = admission(|config| config.max_connections = 2);
        let first = (admission.place().await.unwrap(), admission.presence());
        let second = (admission.place().await.unwrap(), admission.presence());
        let work = first.1.work();
        let closing = second.1.close.clone();
        let freed = tokio::spawn(async move {
            closing.cancelled().await;
            drop(second);
        });
        let third = admission.place().await.unwrap();
        freed.await.unwrap();
        assert!(!first.1.close.is_cancelled());
        // The one at work is not closed, and there is no other.
        assert_eq!(admission.place().await.err(), Some(Refusal::Full));
        drop(work);
        drop(third);
        assert!(admission.place().await.is_ok());
    }
}
