//! Alipay's page payment.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use chassis::Clock;
use http::Request;
use http_body_util::Full;
use payprotocol::alipay::merchant::Merchant;
use payprotocol::alipay::{Params, encode, response, text};
use payprotocol::{Acknowledgement, Order, PrivateKey, ProtocolError, PublicKey, Receipt};

use super::http::Http;
use super::skew::Skew;
use super::{
    Setup, failed, notice, refund_of, refund_status, secret, secret_if_any, status, unsent,
};
use crate::config::AlipayConfig;
use crate::provider::{
    Checkout, Notice, Notification, PaymentStatus, Provider, ProviderError, RefundStatus,
    RefundTicket, Ticket,
};

/// After its time a form is not taken any more; what was opened before may be reported moments later.
const GRACE_MS: i64 = 5 * 60_000;

pub(super) struct Alipay {
    /// Us, and while our key changes us with the other key: Alipay knows one of the two at a time.
    merchants: Vec<Merchant>,
    /// Which of them Alipay believed last.
    believed: AtomicUsize,
    http: Http,
    skew: Skew,
    clock: Clock,
}

impl Alipay {
    pub(super) fn open(config: &AlipayConfig, setup: &Setup) -> anyhow::Result<Self> {
        anyhow::ensure!(!config.seller_id.is_empty(), "seller_id is missing");
        let key = secret("key", &config.key, &config.key_file)?;
        let alipay_key = secret("alipay_key", &config.alipay_key, &config.alipay_key_file)?;
        let other = secret_if_any("other_key", &config.other_key, &config.other_key_file)?;
        let other_alipay_key = secret_if_any(
            "other_alipay_key",
            &config.other_alipay_key,
            &config.other_alipay_key_file,
        )?;
        let other_alipay_key = other_alipay_key.map(|key| PublicKey::read(&key));
        let merchant = Merchant {
            app_id: config.app_id.clone(),
            seller_id: config.seller_id.clone(),
            gateway: config.gateway.clone(),
            notify_url: setup.notify_url("alipay")?,
            key: PrivateKey::read(&key)?,
            alipay_key: PublicKey::read(&alipay_key)?,
            other_alipay_key: other_alipay_key.transpose()?,
        };
        let mut merchants = vec![merchant];
        if let Some(other) = other {
            let mut again = merchants[0].clone();
            again.key = PrivateKey::read(&other)?;
            merchants.push(again);
        }
        Ok(Self {
            http: Http::open(&config.gateway, setup.wait)?,
            skew: Skew::of("alipay"),
            merchants,
            believed: AtomicUsize::new(0),
            clock: setup.clock.clone(),
        })
    }

    fn now(&self) -> i64 {
        self.clock.now_ms()
    }

    fn merchant(&self) -> &Merchant {
        // Only ever an index of the list.
        &self.merchants[self.believed.load(Ordering::Relaxed)]
    }

    /// Asks, with the other key where Alipay does not know the first: it has done nothing then.
    async fn ask(
        &self,
        question: impl Fn(&Merchant) -> Result<Params, ProtocolError> + Send + Sync,
    ) -> Result<Vec<u8>, ProviderError> {
        let first = self.believed.load(Ordering::Relaxed);
        let mut answer = Vec::new();
        for turn in 0..self.merchants.len() {
            let at = (first + turn) % self.merchants.len();
            let params = question(&self.merchants[at]).map_err(unsent)?;
            let method = text(&params, "method").to_owned();
            answer = self.send(params).await?;
            if !response::refuses_signature(&answer, &method) {
                self.believed.store(at, Ordering::Relaxed);
                break;
            }
        }
        Ok(answer)
    }

    async fn send(&self, params: Params) -> Result<Vec<u8>, ProviderError> {
        let form = "application/x-www-form-urlencoded;charset=utf-8";
        let request = Request::post(&self.merchants[0].gateway)
            .header("content-type", form)
            .body(Full::new(Bytes::from(encode(&params))))
            .map_err(|error| ProviderError::Refused(error.to_string()))?;
        let answer = self.http.send(request).await?;
        self.skew.note(&answer, self.now());
        Ok(answer.body)
    }
}

#[async_trait::async_trait]
impl Provider for Alipay {
    fn name(&self) -> &'static str {
        "alipay"
    }

    fn grace_ms(&self) -> i64 {
        GRACE_MS
    }

    fn payable_unheard(&self) -> bool {
        true
    }

    fn creates_alone(&self) -> bool {
        // With two keys Alipay is asked first which of them it knows.
        self.merchants.len() == 1
    }

    async fn create(&self, ticket: &Ticket) -> Result<Checkout, ProviderError> {
        let order = Order {
            number: &ticket.number,
            cents: ticket.amount,
            subject: &ticket.subject,
            expires_at_ms: ticket.expires_at_ms,
        };
        if self.merchants.len() > 1 {
            // The browser carries the form, and it cannot be signed again on the way: find out first which key is known.
            if let Err(error) = self.query(&ticket.number).await {
                tracing::warn!(%error, "not known which key Alipay has");
            }
        }
        let merchant = self.merchant();
        let form = merchant.page_pay_form(&order, &ticket.return_url, self.now());
        Ok(Checkout::Form(form.map_err(unsent)?))
    }

    async fn query(&self, number: &str) -> Result<PaymentStatus, ProviderError> {
        let answer = self.ask(|us| us.query(number, self.now())).await?;
        status(self.merchant().read_query(&answer, number))
    }

    async fn close(&self, number: &str) -> Result<(), ProviderError> {
        let answer = self.ask(|us| us.close(number, self.now())).await?;
        self.merchant().read_close(&answer).map_err(failed)
    }

    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        let refund = refund_of(ticket);
        let answer = self.ask(|us| us.refund(&refund, self.now())).await?;
        refund_status(self.merchant().read_refund(&answer, &refund))
    }

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        let refund = refund_of(ticket);
        let answer = self.ask(|us| us.query_refund(&refund, self.now())).await?;
        refund_status(self.merchant().read_query_refund(&answer, &refund))
    }

    fn read(
        &self,
        notification: &Notification,
        _now_ms: i64,
    ) -> Result<Option<Notice>, ProviderError> {
        notice(self.merchant().read_notification(&notification.body))
    }

    fn acknowledge(&self, receipt: Receipt) -> Acknowledgement {
        payprotocol::acknowledgement::alipay(receipt)
    }
}
