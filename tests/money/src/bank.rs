//! An outside channel for tests: it can lose responses, report wrong amounts, and be paid while it is being closed.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use payprotocol::{Acknowledgement, Receipt, ToldRefund};
use xl_payment::provider::{
    Capture, Checkout, News, Notice, Notification, PaymentStatus, Provider, ProviderError,
    RefundStatus, RefundTicket, Ticket,
};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Trade {
    amount: i64,
    status: PaymentStatus,
}

/// Faults of the bank.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Responses to `create` to lose, although the trade is created.
    pub lose_created: u32,
    /// Responses to `refund` to lose, although the money is refunded.
    pub lose_refunded: u32,
    /// Every refund is refused.
    pub refuse_refunds: bool,
    /// No refund is ever concluded.
    pub pend_refunds: bool,
    /// Closing a trade finds that it has just been paid.
    pub paid_while_closing: bool,
}

#[derive(Default)]
struct Books {
    trades: BTreeMap<String, Trade>,
    /// Number of the refund → payment and cents.
    refunds: BTreeMap<String, (String, i64)>,
    faults: Faults,
}

#[derive(Default)]
pub struct Bank {
    books: Mutex<Books>,
}

impl Bank {
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn misbehave(&self, faults: Faults) {
        self.books().faults = faults;
    }

    /// Pays a trade; `false` if it cannot be paid (any more).
    pub fn pay(&self, number: &str) -> bool {
        let mut books = self.books();
        match books.trades.get_mut(number) {
            Some(trade) if trade.status == PaymentStatus::Waiting => {
                trade.status = paid(trade.amount);
                true
            }
            _ => false,
        }
    }

    /// A correctly signed notification about a trade.
    pub fn message(&self, number: &str) -> Notification {
        let books = self.books();
        let amount = books.trades.get(number).map_or(0, |trade| trade.amount);
        drop(books);
        signed(number, amount)
    }

    /// The books in the format of the sandbox's `GET /books`.
    pub fn as_json(&self) -> serde_json::Value {
        let books = self.books();
        let trades = books.trades.iter().map(|(number, trade)| {
            let state = match trade.status {
                PaymentStatus::Paid(_) => "paid",
                PaymentStatus::Waiting => "waiting",
                _ => "closed",
            };
            serde_json::json!({
                "channel": "wechat", "outTradeNo": number, "amount": trade.amount, "state": state,
            })
        });
        let refunds = books.refunds.iter().map(|(number, (payment, cents))| {
            serde_json::json!({
                "channel": "wechat", "outRefundNo": number, "outTradeNo": payment, "amount": cents,
                "state": "succeeded",
            })
        });
        serde_json::json!({
            "trades": trades.collect::<Vec<_>>(),
            "refunds": refunds.collect::<Vec<_>>(),
        })
    }

    /// Cents paid and not refunded.
    pub fn kept(&self) -> i64 {
        let books = self.books();
        let taken: i64 = books
            .trades
            .values()
            .filter(|trade| matches!(trade.status, PaymentStatus::Paid(_)))
            .map(|trade| trade.amount)
            .sum();
        taken - books.refunds.values().map(|(_, cents)| cents).sum::<i64>()
    }
}

fn paid(amount: i64) -> PaymentStatus {
    PaymentStatus::Paid(Capture {
        amount,
        provider_no: "bank".to_owned(),
    })
}

/// A notification that this number was paid with so many cents.
pub fn signed(number: &str, amount: i64) -> Notification {
    says(number, &amount.to_string())
}

/// A notification that says of a number: cents that were paid, `closed`, or what cannot be read; and, after a space,
/// which refund and its cents, as `r1:500`; `-` instead of a state: only the refund.
pub fn says(number: &str, what: &str) -> Notification {
    Notification {
        headers: [("signature".to_owned(), "good".to_owned())].into(),
        body: format!("{number} {what}").into_bytes(),
    }
}

fn refund(text: &str) -> Option<ToldRefund> {
    let (number, cents) = text.split_once(':')?;
    Some(ToldRefund {
        number: number.to_owned(),
        cents: cents.parse().ok(),
        foreign: false,
    })
}

#[async_trait::async_trait]
impl Provider for Bank {
    fn name(&self) -> &'static str {
        "wechat"
    }

    fn grace_ms(&self) -> i64 {
        60_000
    }

    fn shows_code(&self) -> bool {
        true
    }

    fn payable_unheard(&self) -> bool {
        true
    }

    async fn create(&self, ticket: &Ticket) -> Result<Checkout, ProviderError> {
        let mut books = self.books();
        let trade = Trade {
            amount: ticket.amount,
            status: PaymentStatus::Waiting,
        };
        books.trades.insert(ticket.number.clone(), trade);
        if books.faults.lose_created > 0 {
            books.faults.lose_created -= 1;
            return Err(ProviderError::Unclear("lost".to_owned()));
        }
        Ok(Checkout::CodeUrl(ticket.number.clone()))
    }

    async fn query(&self, number: &str) -> Result<PaymentStatus, ProviderError> {
        let books = self.books();
        let known = books.trades.get(number);
        Ok(known.map_or(PaymentStatus::Missing, |trade| trade.status.clone()))
    }

    async fn close(&self, number: &str) -> Result<(), ProviderError> {
        let mut books = self.books();
        let pays = books.faults.paid_while_closing;
        if let Some(trade) = books.trades.get_mut(number)
            && trade.status == PaymentStatus::Waiting
        {
            trade.status = match pays {
                true => paid(trade.amount),
                false => PaymentStatus::Closed,
            };
        }
        Ok(())
    }

    async fn refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        let mut books = self.books();
        if books.faults.refuse_refunds {
            return Err(ProviderError::Refused("account is closed".to_owned()));
        }
        if books.faults.pend_refunds {
            return Ok(RefundStatus::Pending);
        }
        let entry = (ticket.payment.clone(), ticket.amount);
        books.refunds.insert(ticket.number.clone(), entry);
        if books.faults.lose_refunded > 0 {
            books.faults.lose_refunded -= 1;
            return Err(ProviderError::Unclear("lost".to_owned()));
        }
        Ok(RefundStatus::Done)
    }

    async fn query_refund(&self, ticket: &RefundTicket) -> Result<RefundStatus, ProviderError> {
        Ok(match self.books().refunds.contains_key(&ticket.number) {
            true => RefundStatus::Done,
            false => RefundStatus::Missing,
        })
    }

    fn read(&self, notification: &Notification, _: i64) -> Result<Option<Notice>, ProviderError> {
        let wrong = || ProviderError::Refused("not ours".to_owned());
        if notification.headers.get("signature").map(String::as_str) != Some("good") {
            return Err(wrong());
        }
        let text = String::from_utf8_lossy(&notification.body);
        let (number, what) = text.split_once(' ').ok_or_else(wrong)?;
        let (state, told) = what.split_once(' ').unwrap_or((what, ""));
        let news = match (state, state.parse()) {
            (_, Ok(amount)) => News::Status(paid(amount)),
            ("closed", _) => News::Status(PaymentStatus::Closed),
            ("-", _) => News::Refunded,
            _ => News::Unreadable,
        };
        Ok(Some(Notice {
            number: number.to_owned(),
            summary: state.to_owned(),
            news,
            refund: refund(told),
        }))
    }

    fn acknowledge(&self, receipt: Receipt) -> Acknowledgement {
        payprotocol::acknowledgement::wechat(receipt)
    }
}
