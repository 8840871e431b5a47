//! Alipay's page payment.

use bytes::Bytes;
use chassis::Clock;
use http::Request;
use http_body_util::Full;
use payprotocol::alipay::merchant::Merchant;
use payprotocol::alipay::{Params, encode};
use payprotocol::{Order, PrivateKey, PublicKey};

use super::http::Http;
use super::{Ground, failed, notice, refund_of, refund_standing, secret, standing, unsent};
use crate::config::AlipayConfig;
use crate::provider::{
    Face, Notice, Notification, Provider, ProviderError, RefundStanding, RefundTicket, Standing,
    Ticket,
};

/// After its time a form is not taken any more; what was opened before may take moments to be told.
const GRACE_MS: i64 = 5 * 60_000;

pub(super) struct Alipay {
    merchant: Merchant,
    http: Http,
    clock: Clock,
}

impl Alipay {
    pub(super) fn open(config: &AlipayConfig, ground: &Ground) -> anyhow::Result<Self> {
        anyhow::ensure!(!config.seller_id.is_empty(), "seller_id is missing");
        let key = secret("key", &config.key, &config.key_file)?;
        let alipay_key = secret("alipay_key", &config.alipay_key, &config.alipay_key_file)?;
        let merchant = Merchant {
            app_id: config.app_id.clone(),
            seller_id: config.seller_id.clone(),
            gateway: config.gateway.clone(),
            notify_url: ground.notify_url("alipay")?,
            key: PrivateKey::read(&key)?,
            alipay_key: PublicKey::read(&alipay_key)?,
        };
        Ok(Self {
            http: Http::open(&config.gateway, ground.wait)?,
            merchant,
            clock: ground.clock.clone(),
        })
    }

    fn now(&self) -> i64 {
        self.clock.now_ms()
    }

    async fn ask(&self, params: Params) -> Result<Vec<u8>, ProviderError> {
        let form = "application/x-www-form-urlencoded;charset=utf-8";
        let request = Request::post(&self.merchant.gateway)
            .header("content-type", form)
            .body(Full::new(Bytes::from(encode(&params))))
            .map_err(|error| ProviderError::Refused(error.to_string()))?;
        let answer = self.http.send(request).await?;
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

    async fn create(&self, ticket: &Ticket) -> Result<Face, ProviderError> {
        let order = Order {
            number: &ticket.number,
            cents: ticket.amount,
            subject: &ticket.subject,
            expires_at_ms: ticket.expires_at_ms,
        };
        let form = self
            .merchant
            .page_pay_form(&order, &ticket.return_url, self.now());
        Ok(Face::Form(form.map_err(unsent)?))
    }

    async fn query(&self, number: &str) -> Result<Standing, ProviderError> {
        let question = self.merchant.query(number, self.now()).map_err(unsent)?;
        let answer = self.ask(question).await?;
        standing(self.merchant.read_query(&answer, number))
    }

    async fn close(&self, number: &str) -> Result<(), ProviderError> {
        let question = self.merchant.close(number, self.now()).map_err(unsent)?;
        let answer = self.ask(question).await?;
        self.merchant.read_close(&answer).map_err(failed)
    }

    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStanding, ProviderError> {
        let refund = refund_of(ticket);
        let question = self.merchant.refund(&refund, self.now()).map_err(unsent)?;
        let answer = self.ask(question).await?;
        refund_standing(self.merchant.read_refund(&answer, &refund))
    }

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStanding, ProviderError> {
        let refund = refund_of(ticket);
        let question = self.merchant.query_refund(&refund, self.now());
        let answer = self.ask(question.map_err(unsent)?).await?;
        refund_standing(self.merchant.read_query_refund(&answer, &refund))
    }

    fn read(
        &self,
        notification: &Notification,
        _now_ms: i64,
    ) -> Result<Option<Notice>, ProviderError> {
        notice(self.merchant.read_notification(&notification.body))
    }
}
