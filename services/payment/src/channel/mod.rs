//! The channels outside: Alipay and WeChat Pay over HTTP, as the section `[payment]` configures them.

mod alipay;
pub(crate) mod breaker;
mod guarded;
mod http;
pub(crate) mod skew;
mod wechat;

pub(crate) use guarded::GuardedProvider;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chassis::Clock;
use payprotocol::{Failure, ProtocolError, RefundState, Trade, TradeState};

use crate::config::PaymentConfig;
use crate::provider::{
    Capture, News, Notice, PaymentStatus, Provider, ProviderError, RefundStatus, RefundTicket,
};

/// Where both send their notifications, below the site's address.
const NOTIFY: &str = "/api-payment/notify";

/// What every channel is made with.
struct Setup {
    clock: Clock,
    /// Address of the site, without a slash at the end.
    base: String,
    wait: Duration,
}

/// The channels that are configured. Errors: one of them is half configured, or a key cannot be read.
pub(crate) fn configured(
    config: &PaymentConfig,
    clock: &Clock,
) -> anyhow::Result<Vec<Arc<dyn Provider>>> {
    let setup = Setup {
        clock: clock.clone(),
        base: config.notify_address.trim_end_matches('/').to_owned(),
        wait: Duration::from_millis(config.channel_wait_ms),
    };
    let mut all: Vec<Arc<dyn Provider>> = Vec::new();
    if !config.alipay.app_id.is_empty() {
        let channel = alipay::Alipay::open(&config.alipay, &setup);
        all.push(Arc::new(channel.context("[payment.alipay]")?));
    }
    if !config.wechat.mch_id.is_empty() {
        let channel = wechat::Wechat::open(&config.wechat, &setup);
        all.push(Arc::new(channel.context("[payment.wechat]")?));
    }
    Ok(all)
}

impl Setup {
    fn notify_url(&self, channel: &str) -> anyhow::Result<String> {
        let web = self.base.starts_with("http://") || self.base.starts_with("https://");
        anyhow::ensure!(
            web,
            "payment.notify_address has to be the address under which the provider reaches this site"
        );
        Ok(format!("{}{NOTIFY}/{channel}", self.base))
    }
}

/// A secret given as itself or as the path of a file that holds it.
fn secret(name: &str, text: &str, file: &str) -> anyhow::Result<String> {
    match (text, file) {
        ("", "") => anyhow::bail!("{name} or {name}_file is missing"),
        ("", file) => std::fs::read_to_string(Path::new(file))
            .with_context(|| format!("{name}_file {file} cannot be read")),
        (text, _) => Ok(text.to_owned()),
    }
}

/// The same of a key that need not be there.
fn secret_if_any(name: &str, text: &str, file: &str) -> anyhow::Result<Option<String>> {
    match (text, file) {
        ("", "") => Ok(None),
        _ => secret(name, text, file).map(Some),
    }
}

fn status_of(trade: &Trade) -> PaymentStatus {
    if let Some(field) = trade.foreign {
        return PaymentStatus::Foreign(field);
    }
    match trade.state {
        TradeState::Waiting => PaymentStatus::Waiting,
        TradeState::Closed => PaymentStatus::Closed,
        TradeState::Paid => PaymentStatus::Paid(Capture {
            amount: trade.cents,
            provider_no: trade.provider_no.clone(),
        }),
    }
}

/// What a question about a payment came to.
fn status(trade: Result<Trade, Failure>) -> Result<PaymentStatus, ProviderError> {
    match trade {
        Ok(trade) => Ok(status_of(&trade)),
        Err(Failure::Unknown) => Ok(PaymentStatus::Missing),
        // A question that is refused says nothing of the payment.
        Err(failure) => Err(ProviderError::Unclear(failure.to_string())),
    }
}

fn refund_status(refund: Result<RefundState, Failure>) -> Result<RefundStatus, ProviderError> {
    match refund {
        Ok(RefundState::Done) => Ok(RefundStatus::Done),
        Ok(RefundState::Pending) => Ok(RefundStatus::Pending),
        Err(Failure::Unknown) => Ok(RefundStatus::Missing),
        Err(failure) => Err(failed(failure)),
    }
}

fn in_words(trade: &Trade) -> String {
    let state = match trade.state {
        TradeState::Waiting => "waiting",
        TradeState::Paid => "paid",
        TradeState::Closed => "closed",
    };
    format!(
        "{state}, {} cents, provider's number {}",
        trade.cents, trade.provider_no
    )
}

fn failed(failure: Failure) -> ProviderError {
    match failure {
        Failure::Unclear(reason) => ProviderError::Unclear(reason),
        other => ProviderError::Refused(other.to_string()),
    }
}

fn notice(
    read: Result<Option<payprotocol::Notice>, ProtocolError>,
) -> Result<Option<Notice>, ProviderError> {
    let read = read.map_err(|error| ProviderError::Refused(error.to_string()))?;
    Ok(read.map(|read| match read {
        payprotocol::Notice::Trade { trade, refund } => Notice {
            news: News::Status(status_of(&trade)),
            summary: in_words(&trade),
            number: trade.number,
            refund,
        },
        payprotocol::Notice::Refund { payment, refund } => Notice {
            number: payment,
            news: News::Refunded,
            refund: Some(refund),
            summary: "refunded".to_owned(),
        },
        payprotocol::Notice::Unreadable { number, why } => Notice {
            number,
            news: News::Unreadable,
            refund: None,
            summary: why,
        },
    }))
}

/// Our own fault: nothing was sent.
fn unsent(error: ProtocolError) -> ProviderError {
    ProviderError::Refused(error.to_string())
}

fn refund_of(ticket: &RefundTicket) -> payprotocol::Refund<'_> {
    payprotocol::Refund {
        number: &ticket.number,
        payment: &ticket.payment,
        cents: ticket.amount,
        total: ticket.total,
        reason: &ticket.reason,
    }
}
