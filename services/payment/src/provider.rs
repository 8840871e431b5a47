//! What an outside channel (Alipay's page, WeChat Native) has to be able to do. It knows its protocol and nothing of
//! orders or the ledger; what it says is judged by [`crate::Payment`].

use std::collections::BTreeMap;

use payprotocol::{Acknowledgement, Receipt, ToldRefund};

/// One attempt, as a channel sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The attempt's id: the channel's `out_trade_no`, at most 32 letters and digits.
    pub number: String,
    /// Cents.
    pub amount: i64,
    pub subject: String,
    /// Unix time in milliseconds after which the channel must not take money any more.
    pub expires_at_ms: i64,
    /// Where the browser comes back to; empty: nowhere.
    pub return_url: String,
}

/// What the payer gets to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkout {
    /// An HTML form that leads to the channel.
    Form(String),
    /// The text of a QR code.
    CodeUrl(String),
}

/// Money the channel says it has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Cents.
    pub amount: i64,
    /// The channel's own number of the payment.
    pub provider_no: String,
}

/// State of a payment at the channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentStatus {
    Paid(Capture),
    /// It can still be paid.
    Waiting,
    /// It was not paid and never will be.
    Closed,
    /// The channel does not know it (yet).
    Missing,
    /// The message is the channel's, and this part of it is not about us: another application, merchant, seller or
    /// currency. An operator has to review it.
    Foreign(&'static str),
}

/// One refund, as a channel sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundTicket {
    /// The refund's id: the channel's key of idempotency.
    pub number: String,
    /// The attempt's id.
    pub payment: String,
    /// Cents given back.
    pub amount: i64,
    /// Cents that were paid.
    pub total: i64,
    pub reason: String,
}

/// State of a refund at the channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundStatus {
    Done,
    Pending,
    Missing,
}

/// A message of the channel as it came over HTTP, not yet verified.
#[derive(Debug, Clone, Default)]
pub struct Notification {
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// What a message says of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    Status(PaymentStatus),
    /// Nothing but that it is refunded.
    Refunded,
    /// A state or an amount that is not known here, or none.
    Unreadable,
}

/// A message with a valid signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The attempt's id.
    pub number: String,
    pub news: News,
    /// The refund at the channel that it tells of.
    pub refund: Option<ToldRefund>,
    /// What it says, for operators; repetitions say the same.
    pub summary: String,
}

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The channel said no: nothing was done and nothing will be.
    #[error("refused: {0}")]
    Refused(String),
    /// An answer that cannot be believed or says nothing: it may have been done.
    #[error("unclear: {0}")]
    Unclear(String),
    /// No answer at all: it may have been done.
    #[error("no answer: {0}")]
    Silent(String),
    /// The channel was not asked: it has not answered for a while.
    #[error("not asked: the channel does not answer at present")]
    Paused,
}

/// An outside channel.
#[async_trait::async_trait]
pub trait Provider: Send + Sync {
    /// `alipay` or `wechat`: name of the channel, of its clearing account and of the pay method in account details.
    fn name(&self) -> &'static str;

    /// Milliseconds after a ticket's end in which the channel may still take the money or not know the payment.
    fn grace_ms(&self) -> i64;

    /// Whether [`Provider::create`] asks no server: a form that the browser carries.
    fn creates_alone(&self) -> bool {
        false
    }

    /// Whether the payer's page shows a code and waits: it gets a push when the money is here.
    fn shows_code(&self) -> bool {
        false
    }

    /// Whether a payment that the channel does not know can still be paid: the payer's page makes it known. Where the payer
    /// gets a code of the channel's, none exists for a payment that it never heard of.
    fn payable_unheard(&self) -> bool;

    async fn create(&self, ticket: &Ticket) -> Result<Checkout, ProviderError>;

    async fn query(&self, number: &str) -> Result<PaymentStatus, ProviderError>;

    /// Asks the channel to take no money any more. Success says nothing about the outcome: it is queried afterwards.
    async fn close(&self, number: &str) -> Result<(), ProviderError>;

    /// Starts a refund, or returns the state of the one of this number.
    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError>;

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError>;

    /// Verifies and reads a message; `None`: a valid one that is not about a payment.
    fn read(
        &self,
        notification: &Notification,
        now_ms: i64,
    ) -> Result<Option<Notice>, ProviderError>;

    /// The response to a message of the channel.
    fn acknowledge(&self, receipt: Receipt) -> Acknowledgement;
}
