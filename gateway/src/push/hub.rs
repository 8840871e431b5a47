//! The WebSocket connections of this gateway, and the fan-out of pushes to them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use chassis::{Shutdown, telemetry};
use proto::auth::v1::TokensRevoked;
use proto::common::v1::Push;
use proto::content::v1::ContentChanged;
use proto::json::JsonError;
use proto::pushes::{self, ForProcesses};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_util::sync::CancellationToken;

use crate::nonces::Nonces;
use crate::sessions::Sessions;
use crate::site::heads::Heads;

/// Messages queued per connection; a slower one is closed.
pub const QUEUE: usize = 256;
/// Most connections per user, and in total.
const PER_USER: usize = 32;
const TOTAL: usize = 20_000;

/// A message for a connection.
pub struct Message {
    pub json: String,
    /// W3C trace context of the push; empty if there is none.
    pub traceparent: String,
}

/// One connection as the hub sees it.
struct Listener {
    id: u64,
    token_hash: String,
    sender: mpsc::Sender<Arc<Message>>,
    closed: CancellationToken,
}

/// A connection's handle to the hub.
pub struct Line {
    pub id: u64,
    pub messages: mpsc::Receiver<Arc<Message>>,
    /// Cancelled when the connection has to close: token revoked, too slow, or shutdown.
    pub closed: CancellationToken,
}

#[derive(Default)]
pub struct Hub {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    total: usize,
    by_user: HashMap<String, Vec<Listener>>,
}

impl Hub {
    /// Registers a connection; `None` if there are too many of this user or in total.
    pub fn join(&self, login_id: &str, token_hash: &str) -> Option<Line> {
        let mut state = self.lock();
        if state.total >= TOTAL {
            return None;
        }
        let id = state.next;
        let listeners = state.by_user.entry(login_id.to_owned()).or_default();
        if listeners.len() >= PER_USER {
            return None;
        }
        let (sender, messages) = mpsc::channel(QUEUE);
        let closed = CancellationToken::new();
        listeners.push(Listener {
            id,
            token_hash: token_hash.to_owned(),
            sender,
            closed: closed.clone(),
        });
        state.next += 1;
        state.total += 1;
        metrics::gauge!("gateway_push_connections").set(state.total as f64);
        Some(Line {
            id,
            messages,
            closed,
        })
    }

    /// Unregisters a connection.
    pub fn leave(&self, login_id: &str, id: u64) {
        self.remove(login_id, |listener| listener.id == id);
    }

    /// Sends a message to all connections of a user; those whose queue is full are closed.
    pub fn send(&self, login_id: &str, push: Push) {
        let mut slow = Vec::new();
        {
            let state = self.lock();
            let Some(listeners) = state.by_user.get(login_id) else {
                return;
            };
            let span = tracing::info_span!(
                target: telemetry::SPANS,
                "push",
                otel.kind = "consumer",
                user = login_id,
                connections = listeners.len(),
            );
            telemetry::continue_trace(&span, &push.traceparent);
            let _inside = span.enter();
            let message = Arc::new(Message {
                json: push.json,
                traceparent: telemetry::traceparent(),
            });
            metrics::counter!("gateway_pushes_total").increment(listeners.len() as u64);
            for listener in listeners {
                if let Err(TrySendError::Full(_)) = listener.sender.try_send(message.clone()) {
                    slow.push(listener.id);
                }
            }
        }
        if !slow.is_empty() {
            tracing::info!(user = login_id, "slow reader of pushes closed");
            self.remove(login_id, |listener| slow.contains(&listener.id));
        }
    }

    /// Sends a message to every connection.
    pub fn send_all(&self, push: &Push) {
        let users: Vec<String> = self.lock().by_user.keys().cloned().collect();
        for user in users {
            self.send(&user, push.clone());
        }
    }

    /// Closes the connections of revoked tokens; if none is named, all of the user.
    pub fn revoke(&self, login_id: &str, token_hashes: &[String]) {
        self.remove(login_id, |listener| {
            token_hashes.is_empty() || token_hashes.contains(&listener.token_hash)
        });
    }

    /// Closes every connection, at shutdown.
    pub fn close(&self) {
        let mut state = self.lock();
        for (_, listeners) in state.by_user.drain() {
            for listener in listeners {
                listener.closed.cancel();
            }
        }
        state.total = 0;
    }

    fn remove(&self, login_id: &str, which: impl Fn(&Listener) -> bool) {
        let mut state = self.lock();
        let Some(listeners) = state.by_user.get_mut(login_id) else {
            return;
        };
        let before = listeners.len();
        listeners.retain(|listener| {
            let goes = which(listener);
            if goes {
                listener.closed.cancel();
            }
            !goes
        });
        let left = listeners.len();
        if left == 0 {
            state.by_user.remove(login_id);
        }
        state.total = state.total.saturating_sub(before - left);
        metrics::gauge!("gateway_push_connections").set(state.total as f64);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        match self.state.lock() {
            Ok(state) => state,
            // No operation leaves the table half changed.
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}

/// Forwards pushes from the bus to the hub until shutdown.
pub async fn run(
    hub: Arc<Hub>,
    sessions: Sessions,
    heads: Arc<Heads>,
    nonces: Arc<Nonces>,
    mut pushes: Receiver<Push>,
    shutdown: Shutdown,
) {
    loop {
        let push = tokio::select! {
            () = shutdown.requested() => return,
            push = pushes.recv() => push,
        };
        match push {
            // All pushes for gateways come to one address.
            Ok(push) if push.user_id == TokensRevoked::ADDRESS => {
                if let Err(error) = notified(&hub, &sessions, &heads, &nonces, &push.json) {
                    tracing::warn!(%error, "push to gateways not understood");
                }
            }
            Ok(push) if push.user_id == pushes::EVERYBODY => hub.send_all(&push),
            Ok(push) => {
                let login_id = push.user_id.clone();
                hub.send(&login_id, push);
            }
            Err(RecvError::Lagged(lost)) => {
                // They may have included a revocation or a withdrawal of content.
                tracing::warn!(lost, "pushes lost");
                sessions.forget_all();
                heads.forget_all();
            }
            Err(RecvError::Closed) => return,
        }
    }
}

fn notified(
    hub: &Hub,
    sessions: &Sessions,
    heads: &Heads,
    nonces: &Nonces,
    json: &str,
) -> Result<(), JsonError> {
    if pushes::read::<ContentChanged>(json)?.is_some() {
        heads.forget_all();
    }
    if let Some(told) = pushes::read(json)? {
        nonces.hear(&told);
    }
    let Some(TokensRevoked {
        login_id,
        token_hashes,
    }) = pushes::read(json)?
    else {
        return Ok(());
    };
    if token_hashes.is_empty() {
        sessions.forget_user(&login_id);
    } else {
        sessions.revoke(&token_hashes);
    }
    hub.revoke(&login_id, &token_hashes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push() -> Push {
        Push {
            json: "{}".into(),
            ..Push::default()
        }
    }

    #[tokio::test]
    async fn messages_go_to_their_user_only() {
        let hub = Hub::default();
        let mut one = hub.join("u1", "h1").unwrap();
        let mut two = hub.join("u2", "h2").unwrap();
        hub.send("u1", push());
        assert_eq!(one.messages.recv().await.unwrap().json, "{}");
        assert!(two.messages.try_recv().is_err());
    }

    #[tokio::test]
    async fn who_does_not_read_is_closed_after_a_full_queue() {
        let hub = Hub::default();
        let line = hub.join("u1", "h1").unwrap();
        for _ in 0..QUEUE {
            hub.send("u1", push());
        }
        assert!(!line.closed.is_cancelled());
        hub.send("u1", push());
        assert!(line.closed.is_cancelled());
    }

    #[tokio::test]
    async fn a_revoked_token_closes_its_connection() {
        let hub = Hub::default();
        let one = hub.join("u1", "h1").unwrap();
        let other = hub.join("u1", "h2").unwrap();
        hub.revoke("u1", &["h1".to_owned()]);
        assert!(one.closed.is_cancelled() && !other.closed.is_cancelled());
        hub.revoke("u1", &[]);
        assert!(other.closed.is_cancelled());
    }

    #[tokio::test]
    async fn connections_of_one_user_are_counted() {
        let hub = Hub::default();
        let mut lines: Vec<Line> = (0..PER_USER).filter_map(|_| hub.join("u1", "h")).collect();
        assert_eq!(lines.len(), PER_USER);
        assert!(hub.join("u1", "h").is_none());
        let gone = lines.pop().unwrap();
        hub.leave("u1", gone.id);
        assert!(hub.join("u1", "h").is_some());
    }
}
