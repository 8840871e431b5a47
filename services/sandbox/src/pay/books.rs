//! The providers' books: trades, refunds, pending notifications. Every change is a line in a journal that is replayed
//! after a restart and compacted at each start.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::channel::Channel;
use super::faults::{Faults, Operation, strike};
use super::message::What;

const FILE: &str = "books.jsonl";
/// Most trades and refunds; further ones are refused.
const MAX_ENTRIES: usize = 50_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Waiting,
    Paid,
    Closed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Trade {
    pub channel: Channel,
    pub out_trade_no: String,
    pub provider_no: String,
    /// Cents.
    pub amount: i64,
    pub state: State,
    pub subject: String,
    pub notify_url: String,
    pub return_url: String,
    /// Identifies the cashier page or the QR code.
    pub code: String,
    pub created_at_ms: i64,
    pub expires_at_ms: i64,
    /// 0: not paid.
    pub paid_at_ms: i64,
    /// WeChat signs with its certificate instead of its public key.
    pub by_certificate: bool,
    pub faults: Faults,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refund {
    pub channel: Channel,
    pub out_refund_no: String,
    pub out_trade_no: String,
    pub provider_no: String,
    /// Cents.
    pub amount: i64,
    pub made_at_ms: i64,
    /// Where WeChat notifies the merchant; empty: nowhere.
    pub notify_url: String,
}

/// A pending notification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Delivery {
    pub id: u64,
    pub channel: Channel,
    pub out_trade_no: String,
    pub what: What,
    pub due_ms: i64,
    pub tries: usize,
}

/// Why an operation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    Missing,
    Paid,
    Closed,
    NotPaid,
    /// More than was paid.
    TooMuch,
    /// The same number with other parameters.
    Differs,
    Full,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Trade(Box<Trade>),
    Refund(Refund),
    Delivery(Delivery),
    Delivered(u64),
}

type Key = (Channel, String);
/// Channel, trade, number of the refund.
type RefundKey = (Channel, String, String);

#[derive(Default)]
pub(super) struct Books {
    trades: BTreeMap<Key, Trade>,
    refunds: BTreeMap<RefundKey, Refund>,
    deliveries: BTreeMap<u64, Delivery>,
    next: u64,
    journal: Option<File>,
    announced: Arc<Notify>,
}

fn key(channel: Channel, number: &str) -> Key {
    (channel, number.to_owned())
}

/// A merchant of WeChat numbers refunds over all trades, one of Alipay within each trade.
fn refund_key(channel: Channel, trade: &str, number: &str) -> RefundKey {
    let trade = match channel {
        Channel::Alipay => trade,
        Channel::Wechat => "",
    };
    (channel, trade.to_owned(), number.to_owned())
}

impl Books {
    /// Replays the journal in `folder` and compacts it.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let mut books = Self::default();
        if path.exists() {
            for line in BufReader::new(File::open(&path)?).lines() {
                // A killed process leaves a partial line.
                match serde_json::from_str(&line?) {
                    Ok(line) => books.take(line),
                    Err(error) => tracing::warn!(%error, "a line of the sandbox's books is lost"),
                }
            }
        }
        let fresh = folder.join(format!("{FILE}.new"));
        let mut journal = File::create(&fresh).context("the sandbox's books")?;
        for line in books.lines() {
            serde_json::to_writer(&mut journal, &line)?;
            journal.write_all(b"\n")?;
        }
        std::fs::rename(&fresh, &path)?;
        books.journal = Some(journal);
        Ok(books)
    }

    fn lines(&self) -> Vec<Line> {
        let trades = self
            .trades
            .values()
            .map(|t| Line::Trade(Box::new(t.clone())));
        let refunds = self.refunds.values().cloned().map(Line::Refund);
        let deliveries = self.deliveries.values().cloned().map(Line::Delivery);
        trades.chain(refunds).chain(deliveries).collect()
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Trade(trade) => {
                let key = key(trade.channel, &trade.out_trade_no);
                self.trades.insert(key, *trade);
            }
            Line::Refund(refund) => {
                let key = refund_key(refund.channel, &refund.out_trade_no, &refund.out_refund_no);
                self.refunds.insert(key, refund);
            }
            Line::Delivery(delivery) => {
                self.next = self.next.max(delivery.id.saturating_add(1));
                self.deliveries.insert(delivery.id, delivery);
                self.announced.notify_one();
            }
            Line::Delivered(id) => drop(self.deliveries.remove(&id)),
        }
    }

    fn write(&mut self, line: Line) {
        if let Some(journal) = &mut self.journal {
            let mut text = serde_json::to_vec(&line).unwrap_or_default();
            text.push(b'\n');
            if let Err(error) = journal.write_all(&text) {
                tracing::error!(%error, "the sandbox's books cannot be written");
            }
        }
        self.take(line);
    }

    /// The present state of a trade: an expired one is closed.
    pub(super) fn trade(&mut self, channel: Channel, number: &str, now_ms: i64) -> Option<Trade> {
        let mut trade = self.trades.get(&key(channel, number))?.clone();
        if trade.state == State::Waiting && now_ms > trade.expires_at_ms {
            trade.state = State::Closed;
            self.write(Line::Trade(Box::new(trade.clone())));
        }
        Some(trade)
    }

    pub(super) fn by_code(&mut self, channel: Channel, code: &str, now_ms: i64) -> Option<Trade> {
        let found = self.trades.values();
        let number = found
            .filter(|trade| trade.channel == channel)
            .find(|trade| trade.code == code)?
            .out_trade_no
            .clone();
        self.trade(channel, &number, now_ms)
    }

    /// Adds a trade, or returns the existing one with the same number and amount.
    pub(super) fn create(&mut self, new: Trade) -> Result<Trade, Wrong> {
        let known = self.trade(new.channel, &new.out_trade_no, new.created_at_ms);
        if let Some(known) = known {
            return match known.state {
                State::Paid => Err(Wrong::Paid),
                State::Closed => Err(Wrong::Closed),
                State::Waiting if known.amount != new.amount => Err(Wrong::Differs),
                State::Waiting => Ok(known),
            };
        }
        if self.trades.len() >= MAX_ENTRIES {
            return Err(Wrong::Full);
        }
        self.write(Line::Trade(Box::new(new.clone())));
        Ok(new)
    }

    pub(super) fn pay(
        &mut self,
        channel: Channel,
        number: &str,
        now_ms: i64,
    ) -> Result<Trade, Wrong> {
        let mut trade = self.trade(channel, number, now_ms).ok_or(Wrong::Missing)?;
        match trade.state {
            State::Paid => return Err(Wrong::Paid),
            State::Closed => return Err(Wrong::Closed),
            State::Waiting => {}
        }
        trade.state = State::Paid;
        trade.paid_at_ms = now_ms;
        self.write(Line::Trade(Box::new(trade.clone())));
        Ok(trade)
    }

    pub(super) fn close(
        &mut self,
        channel: Channel,
        number: &str,
        now_ms: i64,
    ) -> Result<(), Wrong> {
        let mut trade = self.trade(channel, number, now_ms).ok_or(Wrong::Missing)?;
        match trade.state {
            State::Paid => Err(Wrong::Paid),
            State::Closed => Err(Wrong::Closed),
            State::Waiting => {
                trade.state = State::Closed;
                self.write(Line::Trade(Box::new(trade)));
                Ok(())
            }
        }
    }

    /// Refunded amount of a trade in cents.
    pub(super) fn refunded(&self, channel: Channel, number: &str) -> i64 {
        let of_trade = self.refunds.values();
        of_trade
            .filter(|refund| refund.channel == channel && refund.out_trade_no == number)
            .map(|refund| refund.amount)
            .sum()
    }

    /// The refund of this number; `trade` matters only where refunds are numbered per trade.
    pub(super) fn refund_of(&self, channel: Channel, trade: &str, number: &str) -> Option<Refund> {
        let key = refund_key(channel, trade, number);
        self.refunds.get(&key).cloned()
    }

    /// Makes a refund; `false`: it had been made before.
    pub(super) fn refund(&mut self, new: Refund) -> Result<(Refund, bool), Wrong> {
        let trade = self.trade(new.channel, &new.out_trade_no, new.made_at_ms);
        let trade = trade.ok_or(Wrong::Missing)?;
        if let Some(known) = self.refund_of(new.channel, &new.out_trade_no, &new.out_refund_no) {
            let same = known.out_trade_no == new.out_trade_no && known.amount == new.amount;
            return match same {
                true => Ok((known, false)),
                false => Err(Wrong::Differs),
            };
        }
        if trade.state != State::Paid {
            return Err(Wrong::NotPaid);
        }
        let left = trade.amount - self.refunded(new.channel, &new.out_trade_no);
        if new.amount <= 0 || new.amount > left {
            return Err(Wrong::TooMuch);
        }
        if self.refunds.len() >= MAX_ENTRIES {
            return Err(Wrong::Full);
        }
        self.write(Line::Refund(new.clone()));
        Ok((new, true))
    }

    /// Whether a request is to be left unprocessed, and whether its response is to be lost; each such fault applies
    /// once.
    pub(super) fn meddle(
        &mut self,
        channel: Channel,
        number: &str,
        operation: Operation,
    ) -> (bool, bool) {
        let Some(mut trade) = self.trades.get(&key(channel, number)).cloned() else {
            return (false, false);
        };
        let silent = strike(&mut trade.faults.silent, operation);
        let lost = !silent && strike(&mut trade.faults.lose, operation);
        if silent || lost {
            self.write(Line::Trade(Box::new(trade)));
        }
        (silent, lost)
    }

    pub(super) fn set_faults(&mut self, channel: Channel, number: &str, faults: Faults) -> bool {
        let Some(mut trade) = self.trades.get(&key(channel, number)).cloned() else {
            return false;
        };
        trade.faults = faults;
        self.write(Line::Trade(Box::new(trade)));
        true
    }

    pub(super) fn announce(&mut self, channel: Channel, number: &str, what: What, due_ms: i64) {
        let delivery = Delivery {
            id: self.next,
            channel,
            out_trade_no: number.to_owned(),
            what,
            due_ms,
            tries: 0,
        };
        self.write(Line::Delivery(delivery));
    }

    /// Due notifications, oldest first, at most so many; of one trade if named.
    pub(super) fn due(
        &self,
        now_ms: i64,
        most: usize,
        of: Option<(Channel, &str)>,
    ) -> Vec<Delivery> {
        let mut due: Vec<Delivery> = self
            .deliveries
            .values()
            .filter(|delivery| delivery.due_ms <= now_ms)
            .filter(|delivery| {
                of.is_none_or(|(channel, number)| {
                    delivery.channel == channel && delivery.out_trade_no == number
                })
            })
            .cloned()
            .collect();
        due.sort_by_key(|delivery| (delivery.due_ms, delivery.id));
        due.truncate(most);
        due
    }

    /// Records the outcome of a delivery: `None` ends it.
    pub(super) fn delivered(&mut self, delivery: &Delivery, again_ms: Option<i64>) {
        // Two tasks may have sent it at the same time, and the other one has recorded its end.
        if !self.deliveries.contains_key(&delivery.id) {
            return;
        }
        match again_ms {
            None => self.write(Line::Delivered(delivery.id)),
            Some(due_ms) => self.write(Line::Delivery(Delivery {
                due_ms,
                tries: delivery.tries + 1,
                ..delivery.clone()
            })),
        }
    }

    pub(super) fn trades(&self) -> impl Iterator<Item = &Trade> {
        self.trades.values()
    }

    /// Woken by each new delivery.
    pub(super) fn announced(&self) -> Arc<Notify> {
        self.announced.clone()
    }

    /// Notifications that were not acknowledged yet.
    pub(super) fn deliveries(&self) -> impl Iterator<Item = &Delivery> {
        self.deliveries.values()
    }

    pub(super) fn refunds(&self) -> impl Iterator<Item = &Refund> {
        self.refunds.values()
    }
}

#[cfg(test)]
mod tests;
