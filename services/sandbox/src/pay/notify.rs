//! Notifications: sent until acknowledged, at the providers' own intervals.

use std::time::Duration;

use chassis::Shutdown;
use futures::future::join_all;

use super::books::{Delivery, State};
use super::channel::Channel;
use super::faults::Faults;
use super::message::{Message, What};
use super::{Desk, alipay, wechat};

/// Interval of looking for due notifications while there are any.
const PERIOD: Duration = Duration::from_millis(50);
/// Notifications sent concurrently.
const BATCH: usize = 32;
/// Delay of an older state after the newer one, in milliseconds.
const AFTERWARDS_MS: i64 = 150;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// Seconds between attempts.
const ALIPAY: &[i64] = &[
    4 * MINUTE,
    10 * MINUTE,
    10 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    15 * HOUR,
];
const WECHAT: &[i64] = &[
    15,
    15,
    30,
    3 * MINUTE,
    10 * MINUTE,
    20 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    60 * MINUTE,
    3 * HOUR,
    3 * HOUR,
    3 * HOUR,
    6 * HOUR,
    6 * HOUR,
];

/// The notifications after a payment, and their delays in milliseconds.
pub(super) fn after_payment(faults: &Faults) -> Vec<(What, i64)> {
    if faults.mute {
        return Vec::new();
    }
    let late = faults.late_ms.max(0);
    let mut all = vec![(What::Paid, late); 1 + faults.repeat as usize];
    if faults.reorder {
        all.push((What::Waiting, late.saturating_add(AFTERWARDS_MS)));
    }
    all
}

pub(super) fn spawn(desk: &Desk, shutdown: &Shutdown) {
    let desk = desk.clone();
    let stop = shutdown.clone();
    let announced = desk.books().announced();
    shutdown.spawn(async move {
        loop {
            let none = desk.books().deliveries().next().is_none();
            let due = async {
                match none {
                    true => announced.notified().await,
                    false => tokio::time::sleep(PERIOD).await,
                }
            };
            tokio::select! {
                _ = due => {}
                _ = stop.requested() => return,
            }
            tokio::select! {
                _ = send_due(&desk, None) => {}
                _ = stop.requested() => return,
            }
        }
    });
}

/// Sends all due notifications concurrently; of one trade if named.
pub(super) async fn send_due(desk: &Desk, of: Option<(Channel, &str)>) {
    let due = desk.books().due(desk.now(), BATCH, of);
    join_all(due.iter().map(|delivery| send(desk, delivery))).await;
}

async fn send(desk: &Desk, delivery: &Delivery) {
    let acknowledged = match message(desk, delivery) {
        // Nothing to notify, or nowhere.
        None => true,
        Some(message) => post(desk, delivery.channel, message).await,
    };
    let schedule = match delivery.channel {
        Channel::Alipay => ALIPAY,
        Channel::Wechat => WECHAT,
    };
    let again = match schedule.get(delivery.tries) {
        Some(seconds) if !acknowledged => {
            let wait = *seconds as f64 * 1000.0 * desk.inner.retry_factor;
            Some(desk.now().saturating_add(wait as i64))
        }
        _ => None,
    };
    desk.books().delivered(delivery, again);
}

fn message(desk: &Desk, delivery: &Delivery) -> Option<Message> {
    let mut books = desk.books();
    let trade = books.trade(delivery.channel, &delivery.out_trade_no, desk.now())?;
    if delivery.what == What::Paid && trade.state != State::Paid {
        return None;
    }
    let refund = match &delivery.what {
        What::Refunded(number) => {
            Some(books.refund_of(delivery.channel, &delivery.out_trade_no, number)?)
        }
        _ => None,
    };
    let refunded = books.refunded(delivery.channel, &delivery.out_trade_no);
    drop(books);
    let made = match delivery.channel {
        Channel::Alipay => alipay::message(desk, &trade, &delivery.what, refund.as_ref(), refunded),
        Channel::Wechat => wechat::message(desk, &trade, &delivery.what, refund.as_ref()),
    };
    match made {
        Ok(message) if message.url.is_empty() => None,
        Ok(message) => Some(message),
        Err(error) => {
            tracing::error!(%error, "a notification cannot be written");
            None
        }
    }
}

/// Returns whether the merchant has acknowledged.
async fn post(desk: &Desk, channel: Channel, message: Message) -> bool {
    let mut request = desk.inner.client.post(&message.url).body(message.body);
    for (name, value) in message.headers {
        request = request.header(name, value);
    }
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::info!(%error, "a notification was not taken");
            return false;
        }
    };
    match channel {
        // Only the status counts.
        Channel::Wechat => matches!(answer.status().as_u16(), 200 | 204),
        // Only the body counts, to the letter.
        Channel::Alipay => {
            let success = answer.status().is_success();
            success && answer.text().await.is_ok_and(|text| text == "success")
        }
    }
}
