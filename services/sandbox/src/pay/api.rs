//! The interface for tests and auditors: the books, payment without a click, faults, the merchant's keys.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use serde_json::{Value, json};

use super::books::Wrong;
use super::channel::Channel;
use super::faults::{Faults, MAX_RULES, Rule};
use super::identity::{Changing, Identity};
use super::{Desk, pages};
use crate::http::{html, json as answer};

pub(super) fn routes(service: &mut ServiceConfig) {
    service
        .route("/pay", web::get().to(overview))
        .route("/books", web::get().to(books))
        .route("/api/pay", web::post().to(pay))
        .route("/api/misbehave", web::post().to(misbehave))
        .route("/api/misbehave", web::delete().to(behave))
        .route("/api/keys", web::get().to(keys))
        .route("/api/keys/announce", web::post().to(announce))
        .route("/api/keys/switch", web::post().to(switch));
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Which {
    channel: Channel,
    out_trade_no: String,
}

fn refused(status: u16, error: &str) -> HttpResponse {
    let status = actix_web::http::StatusCode::from_u16(status);
    let status = status.unwrap_or(actix_web::http::StatusCode::BAD_REQUEST);
    HttpResponse::build(status).json(json!({"error": error}))
}

/// Pays a trade like a user would.
async fn pay(which: Json<Which>, desk: Data<Desk>) -> HttpResponse {
    match desk.pay(which.channel, &which.out_trade_no) {
        Ok(trade) => {
            if trade.faults.early {
                desk.announce_now(trade.channel, &trade.out_trade_no).await;
            }
            answer(&json!({"paidAtMs": trade.paid_at_ms}))
        }
        Err(Wrong::Missing) => refused(404, "no such trade"),
        Err(Wrong::Paid) => refused(409, "paid already"),
        Err(_) => refused(409, "closed"),
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Misbehaviour {
    /// Of an existing trade.
    Known {
        #[serde(flatten)]
        which: Which,
        faults: Faults,
    },
    ToCome(Rule),
}

async fn misbehave(request: Json<Misbehaviour>, desk: Data<Desk>) -> HttpResponse {
    match request.into_inner() {
        Misbehaviour::Known { which, faults } => {
            let mut books = desk.books();
            match books.set_faults(which.channel, &which.out_trade_no, faults.bounded()) {
                true => answer(&json!({})),
                false => refused(404, "no such trade"),
            }
        }
        Misbehaviour::ToCome(mut rule) => {
            rule.faults = rule.faults.bounded();
            let mut rules = desk.rules();
            if rules.len() >= MAX_RULES {
                return refused(409, "too many rules wait: DELETE forgets them");
            }
            rules.push(rule);
            answer(&json!({}))
        }
    }
}

/// Drops the rules for future trades.
async fn behave(desk: Data<Desk>) -> HttpResponse {
    desk.rules().clear();
    answer(&json!({}))
}

/// Every trade and refund, in cents.
async fn books(desk: Data<Desk>) -> HttpResponse {
    let books = desk.books();
    let trades: Vec<Value> = books
        .trades()
        .map(|trade| {
            json!({
                "channel": trade.channel,
                "outTradeNo": trade.out_trade_no,
                "providerNo": trade.provider_no,
                "amount": trade.amount,
                "state": trade.state,
                "paidAtMs": trade.paid_at_ms,
            })
        })
        .collect();
    let refunds: Vec<Value> = books
        .refunds()
        .map(|refund| {
            json!({
                "channel": refund.channel,
                "outRefundNo": refund.out_refund_no,
                "outTradeNo": refund.out_trade_no,
                "amount": refund.amount,
                "state": "succeeded",
            })
        })
        .collect();
    let deliveries: Vec<Value> = books
        .deliveries()
        .map(|delivery| {
            json!({
                "channel": delivery.channel,
                "outTradeNo": delivery.out_trade_no,
                "dueMs": delivery.due_ms,
                "tries": delivery.tries,
            })
        })
        .collect();
    drop(books);
    answer(&json!({"trades": trades, "refunds": refunds, "deliveries": deliveries}))
}

/// The keys a merchant would copy from the providers' own pages.
async fn keys(desk: Data<Desk>) -> HttpResponse {
    match desk.identity().merchant_keys() {
        Ok(keys) => answer(&keys),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

#[derive(Deserialize)]
struct Announced {
    keys: Vec<Changing>,
}

/// Generates the next keys; they are listed under `next` in the merchant's keys.
async fn announce(request: Json<Announced>, desk: Data<Desk>) -> HttpResponse {
    let now = desk.now();
    let announced = web::block(move || {
        desk.change_identity(|current, folder| {
            current.announce(folder, &request.keys, now).map(Some)
        })
    });
    changed(announced.await)
}

/// Activates the announced keys.
async fn switch(desk: Data<Desk>) -> HttpResponse {
    let switched = web::block(move || desk.change_identity(Identity::switch));
    changed(switched.await)
}

fn changed<E>(done: Result<anyhow::Result<bool>, E>) -> HttpResponse {
    match done {
        Ok(Ok(true)) => answer(&json!({})),
        Ok(Ok(false)) => refused(409, "no keys were announced"),
        _ => refused(500, "the keys could not be changed"),
    }
}

async fn overview(desk: Data<Desk>) -> HttpResponse {
    let books = desk.books();
    let mut trades: Vec<_> = books.trades().cloned().collect();
    drop(books);
    trades.sort_by_key(|trade| std::cmp::Reverse(trade.created_at_ms));
    trades.truncate(50);
    html(pages::overview(&trades))
}
