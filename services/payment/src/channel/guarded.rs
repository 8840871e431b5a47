//! What payment keeps of each channel: the provider behind its breaker, and how much is done there at once.

use std::sync::Arc;

use chassis::Clock;
use payprotocol::{Acknowledgement, Receipt};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::breaker::Breaker;
use crate::provider::{
    Checkout, Notice, Notification, PaymentStatus, Provider, ProviderError, RefundStatus,
    RefundTicket, Ticket,
};

/// Places for work of one kind at one channel.
#[derive(Clone)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    /// Ends the pause between two rounds: there is something to do, or a place for it.
    pub(crate) woken: Arc<Notify>,
}

impl Places {
    fn new(at_once: usize) -> Self {
        Self {
            free: Arc::new(Semaphore::new(at_once)),
            woken: Arc::default(),
        }
    }

    pub(crate) fn free(&self) -> usize {
        self.free.available_permits()
    }

    pub(crate) fn take(&self) -> Option<Place> {
        let permit = self.free.clone().try_acquire_owned().ok()?;
        Some(Place {
            permit: Some(permit),
            woken: self.woken.clone(),
        })
    }
}

/// One of them while it is taken.
pub(crate) struct Place {
    permit: Option<OwnedSemaphorePermit>,
    woken: Arc<Notify>,
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(self.permit.take());
        self.woken.notify_one();
    }
}

/// A channel with its queues: refunds do not wait behind attempts, nor one channel for another.
pub(crate) struct GuardedProvider {
    provider: Arc<dyn Provider>,
    breaker: Breaker,
    pub(crate) attempts: Places,
    pub(crate) refunds: Places,
}

impl GuardedProvider {
    pub(crate) fn new(provider: Arc<dyn Provider>, at_once: usize, clock: Clock) -> Self {
        Self {
            breaker: Breaker::new(provider.name(), clock),
            attempts: Places::new(at_once),
            refunds: Places::new(at_once),
            provider,
        }
    }

    /// How many rows of a queue can be worked on now.
    pub(crate) fn open(&self, places: &Places) -> usize {
        self.breaker.allows(places.free())
    }
}

#[async_trait::async_trait]
impl Provider for GuardedProvider {
    fn name(&self) -> &'static str {
        self.provider.name()
    }

    fn grace_ms(&self) -> i64 {
        self.provider.grace_ms()
    }

    fn shows_code(&self) -> bool {
        self.provider.shows_code()
    }

    fn payable_unheard(&self) -> bool {
        self.provider.payable_unheard()
    }

    fn creates_alone(&self) -> bool {
        self.provider.creates_alone()
    }

    async fn create(&self, ticket: &Ticket) -> Result<Checkout, ProviderError> {
        match self.creates_alone() {
            true => self.provider.create(ticket).await,
            false => self.breaker.ask(self.provider.create(ticket)).await,
        }
    }

    async fn query(&self, number: &str) -> Result<PaymentStatus, ProviderError> {
        self.breaker.ask(self.provider.query(number)).await
    }

    async fn close(&self, number: &str) -> Result<(), ProviderError> {
        self.breaker.ask(self.provider.close(number)).await
    }

    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        self.breaker.ask(self.provider.refund(ticket)).await
    }

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        self.breaker.ask(self.provider.query_refund(ticket)).await
    }

    fn read(
        &self,
        notification: &Notification,
        now_ms: i64,
    ) -> Result<Option<Notice>, ProviderError> {
        self.provider.read(notification, now_ms)
    }

    fn acknowledge(&self, receipt: Receipt) -> Acknowledgement {
        self.provider.acknowledge(receipt)
    }
}
