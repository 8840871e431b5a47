//! The phone that scans WeChat's codes.

use actix_web::HttpResponse;
use actix_web::web::{Data, Form, Query};
use serde::Deserialize;

use super::books::State;
use super::channel::Channel;
use super::{Desk, pages};
use crate::http::html;

const CHANNEL: Channel = Channel::Wechat;

#[derive(Deserialize)]
pub(super) struct Which {
    #[serde(default)]
    pr: String,
}

#[derive(Deserialize)]
pub(super) struct Decision {
    pr: String,
    act: String,
}

fn missing() -> HttpResponse {
    html(pages::refused(
        "微信支付",
        "没有这个二维码",
        "它可能已经过期，请回到商户页面重新生成",
    ))
}

/// The pending codes, or the one that was scanned.
pub(super) async fn show(which: Query<Which>, desk: Data<Desk>) -> HttpResponse {
    let now = desk.now();
    if which.pr.is_empty() {
        let books = desk.books();
        let waiting = books.trades().filter(|trade| {
            trade.channel == CHANNEL && trade.state == State::Waiting && now <= trade.expires_at_ms
        });
        return html(pages::phone(waiting));
    }
    match desk.books().by_code(CHANNEL, &which.pr, now) {
        Some(trade) => html(pages::scanned(&trade, "")),
        None => missing(),
    }
}

pub(super) async fn decide(decision: Form<Decision>, desk: Data<Desk>) -> HttpResponse {
    let Some(trade) = desk.books().by_code(CHANNEL, &decision.pr, desk.now()) else {
        return missing();
    };
    if decision.act != "pay" {
        return html(pages::scanned(&trade, "已拒绝付款，二维码在过期前仍然有效"));
    }
    match desk.pay(CHANNEL, &trade.out_trade_no) {
        Ok(paid) => html(pages::scanned(&paid, "")),
        Err(_) => html(pages::scanned(&trade, "")),
    }
}
