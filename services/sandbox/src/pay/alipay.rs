//! Alipay's `gateway.do`, and the cashier for page payments.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, LOCATION};
use actix_web::web::{self, Bytes, Data, Form, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use payprotocol::alipay::provider::{
    Request, notification, read_params, return_address, verify_request,
};
use payprotocol::alipay::{Params, response, text};
use payprotocol::{ProtocolError, clock, money, random_hex};
use serde::Deserialize;
use serde_json::{Value, json};

use super::books::{Refund, State, Trade, Wrong};
use super::channel::Channel;
use super::faults::Operation;
use super::message::{Message, What};
use super::{Desk, Done, pages};
use crate::http::html;

const CHANNEL: Channel = Channel::Alipay;
const PAGE_PAY: &str = "alipay.trade.page.pay";
/// Default expiry of a page payment: 15 days.
const LONGEST_MS: i64 = 15 * 24 * 3_600_000;
const BUYER: &str = "2088000000000000";

pub(super) fn routes(service: &mut ServiceConfig) {
    service
        .route("/alipay/gateway.do", web::post().to(gateway))
        .route("/alipay/gateway.do", web::get().to(gateway))
        .route("/alipay/cashier", web::get().to(cashier))
        .route("/alipay/cashier", web::post().to(decide));
}

/// A refusal: code, sub_code, sub_msg.
struct No(&'static str, &'static str, &'static str);

type Outcome = Result<Value, No>;

const TRADE_NOT_EXIST: No = No("40004", "ACQ.TRADE_NOT_EXIST", "交易不存在");
const TRADE_STATUS: No = No("40004", "ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
const INVALID: No = No("40004", "ACQ.INVALID_PARAMETER", "参数无效");
const BAD_SIGNATURE: No = No("40002", "isv.invalid-signature", "无效签名");

impl No {
    fn content(&self) -> Value {
        let message = match self.0 {
            "40002" => "Invalid Arguments",
            _ => "Business Failed",
        };
        json!({"code": self.0, "msg": message, "sub_code": self.1, "sub_msg": self.2})
    }
}

impl From<Wrong> for No {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Missing => TRADE_NOT_EXIST,
            Wrong::Paid => Self("40004", "ACQ.TRADE_HAS_SUCCESS", "交易已被支付"),
            Wrong::Closed => Self("40004", "ACQ.TRADE_HAS_CLOSE", "交易已经关闭"),
            Wrong::NotPaid => TRADE_STATUS,
            Wrong::TooMuch => Self("40004", "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL", "退款金额超限"),
            Wrong::Differs => Self("40004", "ACQ.CONTEXT_INCONSISTENT", "交易信息被篡改"),
            Wrong::Full => Self("40004", "ACQ.SYSTEM_ERROR", "系统错误"),
        }
    }
}

fn verified(desk: &Desk, query: &str, body: &[u8]) -> Result<Request, No> {
    let params = read_params(query, body).map_err(|_| INVALID)?;
    let identity = desk.identity();
    let ours = &identity.alipay;
    if text(&params, "app_id") != ours.app_id {
        return Err(No("40002", "isv.invalid-app-id", "无效的AppID参数"));
    }
    let key = ours.app_key.public().map_err(|_| INVALID)?;
    verify_request(params, &key).map_err(|error| match error {
        ProtocolError::Signature => BAD_SIGNATURE,
        _ => No("40002", "isv.invalid-parameter", "参数无效"),
    })
}

async fn gateway(request: HttpRequest, body: Bytes, desk: Data<Desk>) -> HttpResponse {
    let query = request.query_string();
    let verified = verified(&desk, query, &body);
    let method = match &verified {
        Ok(request) => request.param("method").to_owned(),
        Err(_) => {
            read_params(query, &body).map_or(String::new(), |p| text(&p, "method").to_owned())
        }
    };
    if method == PAGE_PAY {
        return match verified.and_then(|request| open_cashier(&desk, &request)) {
            Ok(trade) => HttpResponse::SeeOther()
                .insert_header((LOCATION, format!("/alipay/cashier?no={}", trade.code)))
                .finish(),
            Err(no) => html(pages::refused("支付宝", no.2, no.1)),
        };
    }
    let outcome = match verified {
        Ok(request) => serve(&desk, &method, &request).await,
        Err(no) => Done::Answer(Err(no)),
    };
    match outcome {
        Done::Lost => Done::Lost.respond(),
        Done::Answer(outcome) => write(&desk, &method, &outcome),
    }
}

fn write(desk: &Desk, method: &str, outcome: &Outcome) -> HttpResponse {
    let content = match outcome {
        Ok(content) => content.clone(),
        Err(no) => no.content(),
    };
    match response::write(method, &content, &desk.identity().alipay.key) {
        Ok(text) => HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, "text/html;charset=utf-8"))
            .insert_header((CACHE_CONTROL, "no-store"))
            .body(text),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

async fn serve(desk: &Desk, method: &str, request: &Request) -> Done<Outcome> {
    let number = request.text("out_trade_no");
    let operation = match method {
        "alipay.trade.query" => Operation::Query,
        "alipay.trade.close" => Operation::Close,
        "alipay.trade.refund" => Operation::Refund,
        "alipay.trade.fastpay.refund.query" => Operation::QueryRefund,
        _ => return Done::Answer(Err(No("40002", "isv.invalid-method", "不存在的方法名"))),
    };
    let silent = desk.books().meddle(CHANNEL, number, operation);
    if silent.0 {
        tokio::time::sleep(super::SILENCE).await;
        return Done::Lost;
    }
    let outcome = match operation {
        Operation::Query => query(desk, number),
        Operation::Close => close(desk, number),
        Operation::Refund => refund(desk, request, number),
        _ => query_refund(desk, request, number),
    };
    match silent.1 {
        true => Done::Lost,
        false => Done::Answer(outcome),
    }
}

fn open_cashier(desk: &Desk, request: &Request) -> Result<Trade, No> {
    let number = request.text("out_trade_no");
    let good = !number.is_empty()
        && number.len() <= 64
        && number
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let subject = request.text("subject");
    if !good
        || subject.is_empty()
        || subject.chars().count() > 256
        || subject.contains(['/', '=', '&'])
    {
        return Err(INVALID);
    }
    if request.text("product_code") != "FAST_INSTANT_TRADE_PAY" {
        return Err(INVALID);
    }
    let amount = money::cents(request.text("total_amount")).filter(|cents| *cents > 0);
    let now = desk.now();
    let expires_at_ms = match request.text("time_expire") {
        "" => now.saturating_add(LONGEST_MS),
        text => clock::read_alipay(text).ok_or(INVALID)?,
    };
    if now > expires_at_ms {
        return Err(No("40004", "ACQ.TRADE_HAS_CLOSE", "订单已超时，请重新下单"));
    }
    let random = || random_hex(16).map_err(|_| INVALID);
    let known = desk.books().trade(CHANNEL, number, now).is_some();
    let trade = Trade {
        channel: CHANNEL,
        out_trade_no: number.to_owned(),
        provider_no: format!(
            "{}2200{}",
            &clock::alipay(now)[..10].replace('-', ""),
            random()?
        ),
        amount: amount.ok_or(INVALID)?,
        state: State::Waiting,
        subject: subject.to_owned(),
        notify_url: address(request.param("notify_url"))?,
        return_url: address(request.param("return_url"))?,
        code: random()?,
        created_at_ms: now,
        expires_at_ms,
        paid_at_ms: 0,
        by_certificate: false,
        faults: match known {
            true => Default::default(),
            false => desk.faults_for(CHANNEL),
        },
    };
    Ok(desk.books().create(trade)?)
}

/// Validates a URL; empty is allowed.
fn address(text: &str) -> Result<String, No> {
    let web = text.starts_with("http://") || text.starts_with("https://");
    match text.len() <= 1024 && (text.is_empty() || web) {
        true => Ok(text.to_owned()),
        false => Err(INVALID),
    }
}

fn status(trade: &Trade, refunded: i64) -> &'static str {
    match trade.state {
        State::Waiting => "WAIT_BUYER_PAY",
        State::Closed => "TRADE_CLOSED",
        State::Paid if refunded >= trade.amount => "TRADE_CLOSED",
        State::Paid => "TRADE_SUCCESS",
    }
}

fn reported_amount(trade: &Trade) -> String {
    money::yuan(trade.faults.wrong_amount.unwrap_or(trade.amount))
}

fn query(desk: &Desk, number: &str) -> Outcome {
    let mut books = desk.books();
    let trade = books
        .trade(CHANNEL, number, desk.now())
        .ok_or(TRADE_NOT_EXIST)?;
    let mut fields = json!({
        "code": "10000",
        "msg": "Success",
        "out_trade_no": trade.out_trade_no,
        "trade_no": trade.provider_no,
        "trade_status": status(&trade, books.refunded(CHANNEL, number)),
        "total_amount": reported_amount(&trade),
        "buyer_user_id": BUYER,
        "point_amount": "0.00",
    });
    if trade.paid_at_ms > 0 {
        fields["send_pay_date"] = clock::alipay(trade.paid_at_ms).into();
        fields["buyer_pay_amount"] = money::yuan(trade.amount).into();
        fields["receipt_amount"] = money::yuan(trade.amount).into();
    }
    Ok(fields)
}

fn close(desk: &Desk, number: &str) -> Outcome {
    match desk.close(CHANNEL, number) {
        Ok(()) => {}
        Err(Wrong::Missing) => return Err(TRADE_NOT_EXIST),
        Err(_) => return Err(TRADE_STATUS),
    }
    let trade = desk.books().trade(CHANNEL, number, desk.now());
    let trade = trade.ok_or(TRADE_NOT_EXIST)?;
    Ok(json!({
        "code": "10000",
        "msg": "Success",
        "out_trade_no": trade.out_trade_no,
        "trade_no": trade.provider_no,
    }))
}

fn refund(desk: &Desk, request: &Request, number: &str) -> Outcome {
    // Without a number of its own, a refund is for the full amount.
    let key = match request.text("out_request_no") {
        "" => number,
        key => key,
    };
    let amount = money::cents(&request.amount("refund_amount")).ok_or(INVALID)?;
    if key.len() > 64 {
        return Err(INVALID);
    }
    let new = Refund {
        channel: CHANNEL,
        out_refund_no: key.to_owned(),
        out_trade_no: number.to_owned(),
        provider_no: String::new(),
        amount,
        made_at_ms: desk.now(),
        notify_url: String::new(),
    };
    let (refund, made) = desk.books().refund(new)?;
    let trade = desk.books().trade(CHANNEL, number, desk.now());
    let trade = trade.ok_or(TRADE_NOT_EXIST)?;
    if made {
        desk.announce_refund(&trade, key);
    }
    let refunded = desk.books().refunded(CHANNEL, number);
    Ok(json!({
        "code": "10000",
        "msg": "Success",
        "out_trade_no": trade.out_trade_no,
        "trade_no": trade.provider_no,
        "fund_change": if made { "Y" } else { "N" },
        "refund_fee": money::yuan(refunded),
        "send_back_fee": money::yuan(refund.amount),
        "gmt_refund_pay": clock::alipay(refund.made_at_ms),
        "buyer_user_id": BUYER,
    }))
}

fn query_refund(desk: &Desk, request: &Request, number: &str) -> Outcome {
    let mut books = desk.books();
    let trade = books
        .trade(CHANNEL, number, desk.now())
        .ok_or(TRADE_NOT_EXIST)?;
    let key = request.text("out_request_no");
    let Some(refund) = books.refund_of(CHANNEL, number, key) else {
        // The empty response means that there is no such refund.
        return Ok(json!({"code": "10000", "msg": "Success"}));
    };
    Ok(json!({
        "code": "10000",
        "msg": "Success",
        "out_trade_no": trade.out_trade_no,
        "trade_no": trade.provider_no,
        "out_request_no": key,
        "total_amount": money::yuan(trade.amount),
        "refund_amount": money::yuan(refund.amount),
        "refund_status": "REFUND_SUCCESS",
        "gmt_refund_pay": clock::alipay(refund.made_at_ms),
    }))
}

#[derive(Deserialize)]
struct Which {
    #[serde(default)]
    no: String,
}

#[derive(Deserialize)]
struct Decision {
    no: String,
    act: String,
}

fn missing() -> HttpResponse {
    html(pages::refused(
        "支付宝",
        "没有这笔交易",
        "它可能已经结束，请回到商户页面重新付款",
    ))
}

async fn cashier(which: Query<Which>, desk: Data<Desk>) -> HttpResponse {
    match desk.books().by_code(CHANNEL, &which.no, desk.now()) {
        Some(trade) => html(pages::cashier(&trade)),
        None => missing(),
    }
}

async fn decide(decision: Form<Decision>, desk: Data<Desk>) -> HttpResponse {
    let Some(trade) = desk.books().by_code(CHANNEL, &decision.no, desk.now()) else {
        return missing();
    };
    if decision.act != "pay" {
        return html(pages::given_up(&trade));
    }
    match desk.pay(CHANNEL, &trade.out_trade_no) {
        Ok(paid) => {
            if paid.faults.early {
                desk.announce_now(CHANNEL, &paid.out_trade_no).await;
            }
            html(pages::paid(&paid, &back(&desk, &paid)))
        }
        Err(Wrong::Paid) => html(pages::paid(&trade, &back(&desk, &trade))),
        Err(_) => html(pages::cashier(&trade)),
    }
}

/// Where the browser returns after payment; empty: nowhere.
fn back(desk: &Desk, trade: &Trade) -> String {
    if trade.return_url.is_empty() {
        return String::new();
    }
    let identity = desk.identity();
    let ours = &identity.alipay;
    let pairs = [
        ("charset", "utf-8".to_owned()),
        ("method", "alipay.trade.page.pay.return".to_owned()),
        ("version", "1.0".to_owned()),
        ("app_id", ours.app_id.clone()),
        ("seller_id", ours.seller_id.clone()),
        ("out_trade_no", trade.out_trade_no.clone()),
        ("trade_no", trade.provider_no.clone()),
        ("total_amount", reported_amount(trade)),
        ("timestamp", clock::alipay(desk.now())),
    ];
    let params = pairs.map(|(name, value)| (name.to_owned(), value)).into();
    return_address(&trade.return_url, params, &ours.key).unwrap_or_default()
}

/// A notification about a trade.
pub(super) fn message(
    desk: &Desk,
    trade: &Trade,
    what: &What,
    refund: Option<&Refund>,
    refunded: i64,
) -> Result<Message, ProtocolError> {
    let identity = desk.identity();
    let ours = &identity.alipay;
    let faults = &trade.faults;
    let other = |wrong: bool, text: &str| match wrong {
        true => "2099000000000000".to_owned(),
        false => text.to_owned(),
    };
    let state = match what {
        What::Waiting => "WAIT_BUYER_PAY",
        What::Paid => "TRADE_SUCCESS",
        What::Refunded(_) => status(trade, refunded),
    };
    let pairs = [
        ("notify_time", clock::alipay(desk.now())),
        ("notify_type", "trade_status_sync".to_owned()),
        ("notify_id", random_hex(17)?),
        ("charset", "utf-8".to_owned()),
        ("version", "1.0".to_owned()),
        ("app_id", other(faults.wrong_app, &ours.app_id)),
        ("auth_app_id", ours.app_id.clone()),
        ("seller_id", other(faults.wrong_merchant, &ours.seller_id)),
        ("buyer_id", BUYER.to_owned()),
        ("out_trade_no", trade.out_trade_no.clone()),
        ("trade_no", trade.provider_no.clone()),
        ("trade_status", state.to_owned()),
        ("subject", trade.subject.clone()),
        ("total_amount", reported_amount(trade)),
        ("receipt_amount", reported_amount(trade)),
        ("buyer_pay_amount", reported_amount(trade)),
        ("gmt_create", clock::alipay(trade.created_at_ms)),
    ];
    let mut params: Params = pairs.map(|(name, value)| (name.to_owned(), value)).into();
    if trade.paid_at_ms > 0 && *what != What::Waiting {
        params.insert("gmt_payment".to_owned(), clock::alipay(trade.paid_at_ms));
    }
    if let Some(refund) = refund {
        params.insert("refund_fee".to_owned(), money::yuan(refunded));
        params.insert("out_biz_no".to_owned(), refund.out_refund_no.clone());
        params.insert("gmt_refund".to_owned(), clock::alipay(refund.made_at_ms));
    }
    // Injected fault: signed with the merchant's key.
    let key = match faults.bad_signature {
        true => &ours.app_key,
        false => &ours.key,
    };
    let form = "application/x-www-form-urlencoded; charset=utf-8".to_owned();
    Ok(Message {
        url: trade.notify_url.clone(),
        headers: vec![("content-type".to_owned(), form)],
        body: notification(params, key)?,
    })
}
