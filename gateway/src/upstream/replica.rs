//! One address of a service: its connection, its load, and whether it responds.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::uri::PathAndQuery;
use metrics::Gauge;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use super::breaker::Breaker;
use super::lost::{self, Lost};
use super::{Sent, is_away, once};

const CONNECT_WAIT: Duration = Duration::from_secs(2);
/// HTTP/2 pings: a connection whose peer does not answer one in time is closed, and its calls fail.
const PING_EVERY: Duration = Duration::from_secs(5);
const PING_WAIT: Duration = Duration::from_secs(2);
/// Any response to this call, even that it does not exist, proves that a process is alive.
const PROBE: &str = "/grpc.health.v1.Health/Check";
const PROBE_WAIT: Duration = Duration::from_secs(1);
const PROBE_EVERY: Duration = Duration::from_millis(500);

pub struct Replica {
    pub address: SocketAddr,
    channel: Channel,
    breaker: Breaker,
    pending: AtomicUsize,
    /// Failed a probe: gets no calls while another replica can take them.
    avoided: AtomicBool,
    probing: AtomicBool,
    /// Number of avoided replicas of the service.
    gauge: Gauge,
}

impl Replica {
    /// Connects on first use; needs a Tokio runtime. `None`: the address is not valid for a service.
    pub fn new(address: SocketAddr, gauge: Gauge) -> Option<Arc<Self>> {
        let channel = Endpoint::from_shared(format!("http://{address}"))
            .ok()?
            .connect_timeout(CONNECT_WAIT)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PING_WAIT)
            .keep_alive_while_idle(true)
            .connect_lazy();
        Some(Arc::new(Self {
            address,
            channel,
            breaker: Breaker::default(),
            pending: AtomicUsize::new(0),
            avoided: AtomicBool::new(false),
            probing: AtomicBool::new(false),
            gauge,
        }))
    }

    pub fn is_avoided(&self) -> bool {
        self.avoided.load(Ordering::Relaxed)
    }

    pub fn pending(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }

    /// Whether a call may be sent now. If `true`, the caller must send it: it may be the trial call.
    pub fn lets_through(&self) -> bool {
        self.breaker.lets_through(Instant::now())
    }

    /// Sends a call that was let through. Errors: the service's status; `DEADLINE_EXCEEDED` at `end`.
    pub(super) async fn send(self: &Arc<Self>, call: &Sent, end: Instant) -> Result<Bytes, Status> {
        let _pending = Pending::on(self);
        let mut request = Request::new(call.request.get_ref().clone());
        *request.metadata_mut() = call.request.metadata().clone();
        let left = end.saturating_duration_since(Instant::now());
        let channel = Grpc::new(self.channel.clone());
        let answer = once(channel, request, call.path.clone(), left).await;
        if answer.as_ref().err().and_then(lost::of) == Some(Lost::NotSent) {
            self.avoid();
        }
        let away = answer.as_ref().is_err_and(is_away);
        self.breaker.record(!away, Instant::now());
        answer
    }

    /// Probes it, and avoids it until it responds. Returns at once; one probe at a time.
    pub fn doubt(self: &Arc<Self>) {
        self.probe_from(false);
    }

    /// Avoids it until it answers a probe.
    fn avoid(self: &Arc<Self>) {
        self.probe_from(true);
    }

    fn probe_from(self: &Arc<Self>, known_away: bool) {
        if known_away {
            self.set_avoided(true);
        }
        if self.probing.swap(true, Ordering::AcqRel) {
            return;
        }
        // Stops with the replica, so that a removed address is not probed for ever.
        let replica = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(replica) = replica.upgrade() {
                let answers = replica.answers().await;
                replica.set_avoided(!answers);
                if answers {
                    replica.probing.store(false, Ordering::Release);
                    return;
                }
                drop(replica);
                tokio::time::sleep(PROBE_EVERY).await;
            }
        });
    }

    async fn answers(&self) -> bool {
        let probe = once(
            Grpc::new(self.channel.clone()),
            Request::new(Bytes::new()),
            PathAndQuery::from_static(PROBE),
            PROBE_WAIT,
        );
        match probe.await {
            Ok(_) => true,
            Err(status) => lost::of(&status).is_none() && !is_away(&status),
        }
    }

    fn set_avoided(&self, avoided: bool) {
        if self.avoided.swap(avoided, Ordering::Relaxed) == avoided {
            return;
        }
        let address = self.address;
        if avoided {
            self.gauge.increment(1.0);
            tracing::warn!(%address, "a replica does not answer, the others get its calls");
        } else {
            self.gauge.decrement(1.0);
            // Earlier failures of an unresponsive process say nothing about now.
            self.breaker.record(true, Instant::now());
            tracing::info!(%address, "a replica answers again");
        }
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        if self.is_avoided() {
            self.gauge.decrement(1.0);
        }
    }
}

/// Counts a call while it is pending, even if its caller gives up.
struct Pending(Arc<Replica>);

impl Pending {
    fn on(replica: &Arc<Replica>) -> Self {
        replica.pending.fetch_add(1, Ordering::Relaxed);
        Self(replica.clone())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.pending.fetch_sub(1, Ordering::Relaxed);
    }
}
