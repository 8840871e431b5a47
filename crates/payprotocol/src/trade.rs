//! The state of payments and refunds, in one form for both providers.

use crate::ProtocolError;

/// The state of a payment at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TradeState {
    Waiting,
    Paid,
    Closed,
}

/// A payment as reported by the provider, in a message whose signature was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The merchant's order number (`out_trade_no`).
    pub number: String,
    /// The provider's transaction number; empty before payment.
    pub provider_no: String,
    /// Amount of the whole payment.
    pub cents: i64,
    pub state: TradeState,
    /// The first field that does not belong to this merchant: another application, merchant, seller or currency.
    pub foreign: Option<&'static str>,
}

/// A refund that a notification tells of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldRefund {
    /// The merchant's number of the refund; empty where the provider names none.
    pub number: String,
    /// Cents: of this refund (WeChat Pay), or of all refunds of the payment so far (Alipay). `None`: not readable.
    pub cents: Option<i64>,
    /// Whether it names another merchant.
    pub foreign: bool,
}

/// A notification about a payment whose signature was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    Trade {
        trade: Trade,
        refund: Option<ToldRefund>,
    },
    /// Says nothing of the payment but that it is refunded.
    Refund { payment: String, refund: ToldRefund },
    /// Names a state or an amount that is not known here, or none.
    Unreadable {
        /// Number of the payment; empty where none can be read.
        number: String,
        /// The same for repetitions of one notification.
        why: String,
    },
}

/// The state of a refund at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundState {
    Done,
    Pending,
}

/// Why a provider's response gives no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The provider does not know the payment or refund.
    #[error("not known to the provider")]
    Unknown,
    /// Refused in a signed response: nothing was done.
    #[error("refused: {0}")]
    Refused(String),
    /// The outcome is unknown: a fault of the provider, or a response that fails verification.
    #[error("unclear: {0}")]
    Unclear(String),
}

impl From<ProtocolError> for Failure {
    fn from(error: ProtocolError) -> Self {
        Self::Unclear(error.to_string())
    }
}

/// A payment to be requested.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// At most 32 letters and digits.
    pub number: &'a str,
    pub cents: i64,
    pub subject: &'a str,
    /// Unix time in milliseconds.
    pub expires_at_ms: i64,
}

/// A refund to be requested.
#[derive(Debug, Clone)]
pub struct Refund<'a> {
    /// The idempotency key at the provider.
    pub number: &'a str,
    /// Number of the payment that is refunded.
    pub payment: &'a str,
    pub cents: i64,
    /// Amount of the whole payment.
    pub total: i64,
    pub reason: &'a str,
}

/// The text truncated to at most `bytes` bytes, at a character boundary.
pub(crate) fn at_most(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
