//! What both providers tell of a payment or a refund, in one form.

use crate::ProtocolError;

/// How a payment stands at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TradeState {
    Waiting,
    Paid,
    Closed,
}

/// A payment as the provider tells of it, in a message whose signature was found right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The merchant's number (`out_trade_no`).
    pub number: String,
    /// The provider's own number; empty before it is paid.
    pub provider_no: String,
    /// Of the whole payment.
    pub cents: i64,
    pub state: TradeState,
    /// The first field that is not this merchant's: another application, merchant, seller or currency.
    pub foreign: Option<&'static str>,
}

/// How a refund stands at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundState {
    Done,
    Pending,
}

/// Why a provider did not do, or does not tell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It does not know the payment or refund.
    #[error("not known to the provider")]
    Unknown,
    /// It said no, signed: nothing was done.
    #[error("refused: {0}")]
    Refused(String),
    /// It may have been done: its fault, or an answer that cannot be believed.
    #[error("unclear: {0}")]
    Unclear(String),
}

impl From<ProtocolError> for Failure {
    fn from(error: ProtocolError) -> Self {
        Self::Unclear(error.to_string())
    }
}

/// One payment, as it is asked for.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    /// At most 32 letters and digits.
    pub number: &'a str,
    pub cents: i64,
    pub subject: &'a str,
    /// Unix time in milliseconds.
    pub expires_at_ms: i64,
}

/// One refund, as it is asked for.
#[derive(Debug, Clone)]
pub struct Refund<'a> {
    /// The provider's key of idempotency.
    pub number: &'a str,
    /// Number of the payment.
    pub payment: &'a str,
    pub cents: i64,
    /// Of the whole payment.
    pub total: i64,
    pub reason: &'a str,
}

/// The beginning of a text: at most so many bytes, whole characters.
pub(crate) fn at_most(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
