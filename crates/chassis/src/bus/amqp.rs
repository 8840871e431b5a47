//! The bus on RabbitMQ.
use super::{BusError, Event, Subscription};
use crate::Shutdown;
use proto::common::v1::Push;
use tokio::sync::broadcast;
#[derive(Clone)]
pub(super) struct AmqpBus;
impl AmqpBus {
    pub(super) fn open(_url: &str, _pushes: broadcast::Sender<Push>, _shutdown: &Shutdown) -> Self {
        Self
    }
    pub(super) fn subscribe(&self, _s: Subscription) {}
    pub(super) async fn publish(&self, _e: Vec<Event>) -> Result<(), BusError> {
        Err(BusError::Unavailable("not written".into()))
    }
    pub(super) fn push(&self, _p: Push) {}
    pub(super) fn listen_to_pushes(&self) {}
    pub(super) fn is_connected(&self) -> bool {
        false
    }
}
