//! Alipay and WeChat Pay from a merchant's view: their protocols, a cashier and a phone to click on, notifications
//! repeated until acknowledged, books, and faults on demand.

mod alipay;
mod api;
mod books;
mod channel;
mod faults;
pub mod identity;
mod message;
mod notify;
mod pages;
mod phone;
mod wechat;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, ServiceConfig};
use chassis::{Clock, Shutdown};

use crate::config::PayConfig;
use books::{Books, Trade, Wrong};
use channel::Channel;
use faults::{Faults, Operation, Rule};
use identity::Identity;
use message::What;

/// How long a request without response is held.
const SILENCE: Duration = Duration::from_secs(60);

/// Both providers; clones share the state.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Inner>,
}

struct Inner {
    identity: RwLock<Arc<Identity>>,
    /// Where keys are stored.
    folder: PathBuf,
    books: Mutex<Books>,
    rules: Mutex<Vec<Rule>>,
    clock: Clock,
    retry_factor: f64,
    client: reqwest::Client,
}

/// Outcome of a request.
enum Done<T> {
    Answer(T),
    /// Done, but the response is lost.
    Lost,
}

impl Desk {
    /// Opens keys and books and starts sending notifications.
    pub fn open(config: &PayConfig, clock: Clock, shutdown: &Shutdown) -> anyhow::Result<Self> {
        let identity = Identity::open(&config.folder, clock.now_ms())?;
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        let desk = Self {
            inner: Arc::new(Inner {
                identity: RwLock::new(Arc::new(identity)),
                folder: config.folder.clone(),
                books: Mutex::new(Books::open(&config.folder)?),
                rules: Mutex::default(),
                clock,
                retry_factor: config.retry_factor.clamp(0.0, 1000.0),
                client,
            }),
        };
        notify::spawn(&desk, shutdown);
        Ok(desk)
    }

    /// The current keys.
    fn identity(&self) -> Arc<Identity> {
        let read = self.inner.identity.read();
        read.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the current keys by those `change` returns; returns whether there were any.
    fn change_identity(
        &self,
        change: impl FnOnce(&Identity, &Path) -> anyhow::Result<Option<Identity>>,
    ) -> anyhow::Result<bool> {
        let write = self.inner.identity.write();
        let mut held = write.unwrap_or_else(PoisonError::into_inner);
        match change(&held, &self.inner.folder)? {
            Some(changed) => *held = Arc::new(changed),
            None => return Ok(false),
        }
        Ok(true)
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        // A poisoned lock still holds complete entries.
        let locked = self.inner.books.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn rules(&self) -> MutexGuard<'_, Vec<Rule>> {
        let locked = self.inner.rules.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> i64 {
        self.inner.clock.now_ms()
    }

    /// The faults for the next trade of a channel.
    fn faults_for(&self, channel: Channel) -> Faults {
        faults::take(&mut self.rules(), channel)
    }

    /// Holds a request that gets no response; returns afterwards whether the response is to be lost.
    async fn meddle(&self, channel: Channel, number: &str, operation: Operation) -> bool {
        let (silent, lost) = self.books().meddle(channel, number, operation);
        if silent {
            tokio::time::sleep(SILENCE).await;
        }
        silent || lost
    }

    /// Pays a trade.
    fn pay(&self, channel: Channel, number: &str) -> Result<Trade, Wrong> {
        let now = self.now();
        let mut books = self.books();
        let trade = books.pay(channel, number, now)?;
        for (what, wait) in notify::after_payment(&trade.faults) {
            books.announce(channel, number, what, now.saturating_add(wait));
        }
        Ok(trade)
    }

    /// Closes a trade for the merchant.
    fn close(&self, channel: Channel, number: &str) -> Result<(), Wrong> {
        let pays = self
            .books()
            .trade(channel, number, self.now())
            .is_some_and(|trade| trade.faults.paid_on_close);
        if pays {
            // A trade that is already paid stays paid.
            let _ = self.pay(channel, number);
        }
        self.books().close(channel, number, self.now())
    }

    /// Sends due notifications for a trade before the response.
    async fn announce_now(&self, channel: Channel, number: &str) {
        notify::send_due(self, Some((channel, number))).await;
    }

    /// Queues the notification of a refund.
    fn announce_refund(&self, trade: &Trade, refund: &str) {
        let what = What::Refunded(refund.to_owned());
        let now = self.now();
        self.books()
            .announce(trade.channel, &trade.out_trade_no, what, now);
    }
}

/// Adds the pages and endpoints of both providers.
pub fn routes(service: &mut ServiceConfig) {
    alipay::routes(service);
    wechat::routes(service);
    api::routes(service);
}

/// A response that breaks off.
fn lost() -> HttpResponse {
    let broken = Err::<Bytes, _>(std::io::Error::other("lost"));
    HttpResponse::Ok().streaming(futures::stream::iter([broken]))
}

impl Done<HttpResponse> {
    fn respond(self) -> HttpResponse {
        match self {
            Self::Answer(answer) => answer,
            Self::Lost => lost(),
        }
    }
}
