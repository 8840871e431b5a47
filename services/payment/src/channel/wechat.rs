//! WeChat Pay, Native.

use bytes::Bytes;
use chassis::Clock;
use http::Request;
use http_body_util::Full;
use payprotocol::wechat::PlatformKeys;
use payprotocol::wechat::cipher::ApiKey;
use payprotocol::wechat::merchant::{Answer, Call, Merchant};
use payprotocol::{Acknowledgement, Order, PrivateKey, PublicKey, Receipt};

use super::http::Http;
use super::skew::Skew;
use super::{
    Setup, failed, notice, refund_of, refund_status, secret, secret_if_any, status, unsent,
};
use crate::config::WechatConfig;
use crate::provider::{
    Checkout, Notice, Notification, PaymentStatus, Provider, ProviderError, RefundStatus,
    RefundTicket, Ticket,
};

/// A code exists at WeChat from the first moment, so what is not known after its time never was.
const GRACE_MS: i64 = 60_000;

pub(super) struct Wechat {
    merchant: Merchant,
    /// The key that WeChat is asked to sign with.
    platform_serial: String,
    host: String,
    http: Http,
    skew: Skew,
    clock: Clock,
}

impl Wechat {
    pub(super) fn open(config: &WechatConfig, setup: &Setup) -> anyhow::Result<Self> {
        for (name, value) in [
            ("app_id", &config.app_id),
            ("serial", &config.serial),
            ("platform_serial", &config.platform_serial),
        ] {
            anyhow::ensure!(!value.is_empty(), "{name} is missing");
        }
        let key = secret("key", &config.key, &config.key_file)?;
        let api_key = secret("api_key", &config.api_key, &config.api_key_file)?;
        let platform = secret(
            "platform_key",
            &config.platform_key,
            &config.platform_key_file,
        )?;
        let platform = PublicKey::read(&platform)?;
        let mut platforms = PlatformKeys::from([(config.platform_serial.clone(), platform)]);
        let other = secret_if_any(
            "other_platform_key",
            &config.other_platform_key,
            &config.other_platform_key_file,
        )?;
        if let Some(other) = other {
            let serial = &config.other_platform_serial;
            anyhow::ensure!(!serial.is_empty(), "other_platform_serial is missing");
            platforms.insert(serial.clone(), PublicKey::read(&other)?);
        }
        let other_api_key = secret_if_any(
            "other_api_key",
            &config.other_api_key,
            &config.other_api_key_file,
        )?;
        let other_api_key = other_api_key.map(|key| ApiKey::read(key.trim()));
        let merchant = Merchant {
            app_id: config.app_id.clone(),
            mch_id: config.mch_id.clone(),
            serial: config.serial.clone(),
            key: PrivateKey::read(&key)?,
            api_key: ApiKey::read(api_key.trim())?,
            other_api_key: other_api_key.transpose()?,
            platform: platforms,
            notify_url: setup.notify_url("wechat")?,
        };
        let host = config.gateway.trim_end_matches('/').to_owned();
        Ok(Self {
            merchant,
            platform_serial: config.platform_serial.clone(),
            http: Http::open(&host, setup.wait)?,
            skew: Skew::of("wechat"),
            host,
            clock: setup.clock.clone(),
        })
    }

    fn now(&self) -> i64 {
        self.clock.now_ms()
    }

    async fn ask(&self, call: Call) -> Result<Answer, ProviderError> {
        let request = Request::builder()
            .method(call.method)
            .uri(format!("{}{}", self.host, call.path))
            .header("accept", "application/json")
            .header("content-type", "application/json")
            .header("user-agent", "xuanlan")
            .header("wechatpay-serial", &self.platform_serial)
            .header("authorization", call.authorization)
            .body(Full::new(Bytes::from(call.body)))
            .map_err(|error| ProviderError::Refused(error.to_string()))?;
        let answer = self.http.send(request).await?;
        self.skew.note(&answer, self.now());
        Ok(answer)
    }
}

#[async_trait::async_trait]
impl Provider for Wechat {
    fn name(&self) -> &'static str {
        "wechat"
    }

    fn grace_ms(&self) -> i64 {
        GRACE_MS
    }

    fn shows_code(&self) -> bool {
        true
    }

    fn payable_unheard(&self) -> bool {
        false
    }

    async fn create(&self, ticket: &Ticket) -> Result<Checkout, ProviderError> {
        let order = Order {
            number: &ticket.number,
            cents: ticket.amount,
            subject: &ticket.subject,
            expires_at_ms: ticket.expires_at_ms,
        };
        let call = self.merchant.native(&order, self.now()).map_err(unsent)?;
        let answer = self.ask(call).await?;
        let code_url = self.merchant.read_native(&answer, self.now());
        Ok(Checkout::CodeUrl(code_url.map_err(failed)?))
    }

    async fn query(&self, number: &str) -> Result<PaymentStatus, ProviderError> {
        let call = self.merchant.query(number, self.now()).map_err(unsent)?;
        let answer = self.ask(call).await?;
        status(self.merchant.read_query(&answer, number, self.now()))
    }

    async fn close(&self, number: &str) -> Result<(), ProviderError> {
        let call = self.merchant.close(number, self.now()).map_err(unsent)?;
        let answer = self.ask(call).await?;
        let closed = self.merchant.read_close(&answer, self.now());
        closed.map_err(failed)
    }

    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        let refund = refund_of(ticket);
        let call = self.merchant.refund(&refund, self.now()).map_err(unsent)?;
        let answer = self.ask(call).await?;
        refund_status(self.merchant.read_refund(&answer, &refund, self.now()))
    }

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        let refund = refund_of(ticket);
        let call = self.merchant.query_refund(&refund, self.now());
        let answer = self.ask(call.map_err(unsent)?).await?;
        refund_status(self.merchant.read_refund(&answer, &refund, self.now()))
    }

    fn read(
        &self,
        notification: &Notification,
        now_ms: i64,
    ) -> Result<Option<Notice>, ProviderError> {
        let reply =
            self.merchant
                .read_notification(&notification.headers, &notification.body, now_ms);
        notice(reply)
    }

    fn acknowledge(&self, receipt: Receipt) -> Acknowledgement {
        payprotocol::acknowledgement::wechat(receipt)
    }
}
