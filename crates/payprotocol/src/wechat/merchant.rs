//! The merchant's side of WeChat Pay: requests, and parsing of responses and notifications.

use serde::Deserialize;
use serde_json::{Value, json};

use super::cipher::{self, ApiKey};
use super::{Headers, PlatformKeys, SCHEME, request_text, verify_answer};
use crate::trade::at_most;
use crate::{
    Failure, Notice, Order, PrivateKey, ProtocolError, Refund, RefundState, ToldRefund, Trade,
    TradeState, clock,
};

/// Longest description and reason in bytes.
const MAX_DESCRIPTION: usize = 127;
const MAX_REASON: usize = 80;
/// Longest account of what cannot be read, in bytes.
const MAX_WHY: usize = 1000;

/// A merchant registered at WeChat Pay.
#[derive(Debug, Clone)]
pub struct Merchant {
    pub app_id: String,
    pub mch_id: String,
    /// Serial number of the merchant's own certificate.
    pub serial: String,
    pub key: PrivateKey,
    pub api_key: ApiKey,
    /// The predecessor or successor of `api_key` during a key change: content encrypted with either is accepted.
    pub other_api_key: Option<ApiKey>,
    pub platform: PlatformKeys,
    pub notify_url: String,
}

/// A request to be sent to WeChat's host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub method: &'static str,
    /// Including the query.
    pub path: String,
    /// JSON; empty for GET.
    pub body: String,
    /// The header `Authorization`.
    pub authorization: String,
}

/// A response as received.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    pub status: u16,
    pub headers: Headers,
    pub body: Vec<u8>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Amount {
    total: i64,
    refund: i64,
    currency: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Transaction {
    appid: String,
    mchid: String,
    out_trade_no: String,
    transaction_id: String,
    trade_state: String,
    /// May be missing before payment.
    amount: Option<Amount>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RefundAnswer {
    /// In notifications only.
    mchid: String,
    out_refund_no: String,
    out_trade_no: String,
    status: String,
    amount: Amount,
}

#[derive(Deserialize)]
struct Resource {
    algorithm: String,
    ciphertext: String,
    #[serde(default)]
    associated_data: String,
    nonce: String,
}

#[derive(Deserialize)]
struct Envelope {
    event_type: String,
    resource: Resource,
}

impl Merchant {
    fn call(
        &self,
        method: &'static str,
        path: String,
        body: String,
        now_ms: i64,
    ) -> Result<Call, ProtocolError> {
        let timestamp = now_ms.div_euclid(1000).to_string();
        let nonce = crate::random_hex(16)?;
        let text = request_text(method, &path, &timestamp, &nonce, body.as_bytes());
        let signature = self.key.sign(&text)?;
        let authorization = format!(
            "{SCHEME} mchid=\"{}\",nonce_str=\"{nonce}\",signature=\"{signature}\",\
             timestamp=\"{timestamp}\",serial_no=\"{}\"",
            self.mch_id, self.serial
        );
        Ok(Call {
            method,
            path,
            body,
            authorization,
        })
    }

    pub fn native(&self, order: &Order<'_>, now_ms: i64) -> Result<Call, ProtocolError> {
        let body = json!({
            "appid": self.app_id,
            "mchid": self.mch_id,
            "description": at_most(order.subject, MAX_DESCRIPTION),
            "out_trade_no": order.number,
            "time_expire": clock::wechat(order.expires_at_ms),
            "notify_url": self.notify_url,
            "amount": {"total": order.cents, "currency": "CNY"},
        });
        let path = "/v3/pay/transactions/native".to_owned();
        self.call("POST", path, body.to_string(), now_ms)
    }

    pub fn query(&self, number: &str, now_ms: i64) -> Result<Call, ProtocolError> {
        let path = format!(
            "/v3/pay/transactions/out-trade-no/{}?mchid={}",
            in_path(number),
            in_path(&self.mch_id)
        );
        self.call("GET", path, String::new(), now_ms)
    }

    pub fn close(&self, number: &str, now_ms: i64) -> Result<Call, ProtocolError> {
        let path = format!(
            "/v3/pay/transactions/out-trade-no/{}/close",
            in_path(number)
        );
        let body = json!({"mchid": self.mch_id});
        self.call("POST", path, body.to_string(), now_ms)
    }

    pub fn refund(&self, refund: &Refund<'_>, now_ms: i64) -> Result<Call, ProtocolError> {
        let body = json!({
            "out_trade_no": refund.payment,
            "out_refund_no": refund.number,
            "reason": at_most(refund.reason, MAX_REASON),
            "amount": {"refund": refund.cents, "total": refund.total, "currency": "CNY"},
        });
        let path = "/v3/refund/domestic/refunds".to_owned();
        self.call("POST", path, body.to_string(), now_ms)
    }

    pub fn query_refund(&self, refund: &Refund<'_>, now_ms: i64) -> Result<Call, ProtocolError> {
        let path = format!("/v3/refund/domestic/refunds/{}", in_path(refund.number));
        self.call("GET", path, String::new(), now_ms)
    }

    /// Parses the response to [`Merchant::native`]: the content of the QR code.
    pub fn read_native(&self, answer: &Answer, now_ms: i64) -> Result<String, Failure> {
        #[derive(Deserialize)]
        struct Native {
            code_url: String,
        }
        let native: Native = self.content(answer, now_ms)?;
        if native.code_url.is_empty() || native.code_url.len() > 512 {
            return Err(Failure::Unclear("code_url".to_owned()));
        }
        Ok(native.code_url)
    }

    /// Parses the response to [`Merchant::query`].
    pub fn read_query(&self, answer: &Answer, number: &str, now_ms: i64) -> Result<Trade, Failure> {
        let reply: Transaction = self.content(answer, now_ms)?;
        if reply.out_trade_no != number {
            return Err(Failure::Unclear("answer about another payment".to_owned()));
        }
        self.trade(reply)
    }

    /// Parses the response to [`Merchant::close`]. A payment that cannot be closed is not an error: the caller queries
    /// it afterwards.
    pub fn read_close(&self, answer: &Answer, now_ms: i64) -> Result<(), Failure> {
        verify_answer(&answer.headers, &answer.body, &self.platform, now_ms)?;
        match refusal(answer) {
            Some(Failure::Unclear(reason)) => Err(Failure::Unclear(reason)),
            _ => Ok(()),
        }
    }

    /// Parses the response to [`Merchant::refund`] or [`Merchant::query_refund`].
    pub fn read_refund(
        &self,
        answer: &Answer,
        refund: &Refund<'_>,
        now_ms: i64,
    ) -> Result<RefundState, Failure> {
        let reply: RefundAnswer = self.content(answer, now_ms)?;
        let ours = reply.out_refund_no == refund.number
            && reply.out_trade_no == refund.payment
            && reply.amount.refund == refund.cents;
        if !ours {
            return Err(Failure::Unclear("answer about another refund".to_owned()));
        }
        match reply.status.as_str() {
            "SUCCESS" => Ok(RefundState::Done),
            "PROCESSING" => Ok(RefundState::Pending),
            other => Err(Failure::Refused(at_most(other, 40).to_owned())),
        }
    }

    fn content<T: for<'a> Deserialize<'a>>(
        &self,
        answer: &Answer,
        now_ms: i64,
    ) -> Result<T, Failure> {
        verify_answer(&answer.headers, &answer.body, &self.platform, now_ms)?;
        if let Some(failure) = refusal(answer) {
            return Err(failure);
        }
        serde_json::from_slice(&answer.body)
            .map_err(|_| Failure::Unclear("answer is not what was asked for".to_owned()))
    }

    fn trade(&self, reply: Transaction) -> Result<Trade, Failure> {
        let amount = reply.amount.unwrap_or_default();
        let (state, mut foreign) = match reply.trade_state.as_str() {
            "SUCCESS" => (TradeState::Paid, None),
            "NOTPAY" | "USERPAYING" | "ACCEPT" => (TradeState::Waiting, None),
            "CLOSED" | "REVOKED" | "PAYERROR" => (TradeState::Closed, None),
            // Paid, and refunded by another system: none of our states applies.
            "REFUND" => (TradeState::Paid, Some("trade_state")),
            other => {
                return Err(Failure::Unclear(format!("state {}", at_most(other, 40))));
            }
        };
        if reply.appid != self.app_id {
            foreign = Some("appid");
        } else if reply.mchid != self.mch_id {
            foreign = Some("mchid");
        } else if state == TradeState::Paid && amount.currency != "CNY" {
            foreign = Some("currency");
        }
        Ok(Trade {
            number: reply.out_trade_no,
            provider_no: at_most(&reply.transaction_id, 64).to_owned(),
            cents: amount.total,
            state,
            foreign,
        })
    }

    /// Verifies, decrypts and parses a notification; `None` if it does not concern a payment.
    pub fn read_notification(
        &self,
        headers: &Headers,
        body: &[u8],
        now_ms: i64,
    ) -> Result<Option<Notice>, ProtocolError> {
        verify_answer(headers, body, &self.platform, now_ms)?;
        let envelope: Envelope = serde_json::from_slice(body)
            .map_err(|_| ProtocolError::Malformed("not a notification"))?;
        let refunds = envelope.event_type.starts_with("REFUND.");
        if !refunds && !envelope.event_type.starts_with("TRANSACTION.") {
            return Ok(None);
        }
        let resource = envelope.resource;
        if resource.algorithm != "AEAD_AES_256_GCM" {
            return Err(ProtocolError::Malformed("unknown algorithm"));
        }
        let open = |key: &ApiKey| {
            cipher::decrypt(
                key,
                &resource.nonce,
                &resource.associated_data,
                &resource.ciphertext,
            )
        };
        let content = match (open(&self.api_key), &self.other_api_key) {
            (Err(_), Some(other)) => open(other)?,
            (opened, _) => opened?,
        };
        let read = match refunds {
            true => self.told_refund(&content),
            false => self.told_trade(&content),
        };
        Ok(Some(read.unwrap_or_else(|| unreadable(&content))))
    }

    fn told_trade(&self, content: &[u8]) -> Option<Notice> {
        let reply: Transaction = serde_json::from_slice(content).ok()?;
        let trade = self.trade(reply).ok()?;
        (!trade.number.is_empty()).then_some(Notice::Trade {
            trade,
            refund: None,
        })
    }

    fn told_refund(&self, content: &[u8]) -> Option<Notice> {
        let reply: RefundAnswer = serde_json::from_slice(content).ok()?;
        (!reply.out_trade_no.is_empty()).then_some(Notice::Refund {
            refund: ToldRefund {
                number: at_most(&reply.out_refund_no, 64).to_owned(),
                cents: Some(reply.amount.refund),
                foreign: reply.mchid != self.mch_id,
            },
            payment: reply.out_trade_no,
        })
    }
}

/// Content that says nothing we know, in its own words: repetitions have the same.
fn unreadable(content: &[u8]) -> Notice {
    let value: Value = serde_json::from_slice(content).unwrap_or_default();
    let number = value.get("out_trade_no").and_then(Value::as_str);
    Notice::Unreadable {
        number: number.unwrap_or_default().to_owned(),
        why: at_most(&String::from_utf8_lossy(content), MAX_WHY).to_owned(),
    }
}

/// The failure that a non-2xx response means.
fn refusal(answer: &Answer) -> Option<Failure> {
    if (200..300).contains(&answer.status) {
        return None;
    }
    let reply: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let text = |name: &str| reply.get(name).and_then(Value::as_str).unwrap_or_default();
    let code = text("code");
    let reason = format!("{} {code} {}", answer.status, text("message"));
    let reason = at_most(&reason, 200).to_owned();
    Some(match (answer.status, code) {
        (404, "ORDER_NOT_EXIST" | "ORDERNOTEXIST" | "RESOURCE_NOT_EXISTS") => Failure::Unknown,
        // A rate limit, a fault of the provider, or a transient state.
        (429 | 500.., _) | (_, "SYSTEM_ERROR" | "FREQUENCY_LIMITED" | "RATELIMIT_EXCEEDED") => {
            Failure::Unclear(reason)
        }
        (400..500, code) if !code.is_empty() => Failure::Refused(reason),
        _ => Failure::Unclear(reason),
    })
}

/// Percent-encodes; letters, digits, `-`, `.`, `_` and `*` stay.
fn in_path(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests;
