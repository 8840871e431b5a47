//! WeChat Pay v3.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{self, Bytes, Data, Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use payprotocol::wechat::provider::{Authorization, notification, sealed};
use payprotocol::wechat::sign_answer;
use payprotocol::{ProtocolError, clock, random_hex};
use serde_json::{Value, json};

use super::books::{Refund, State, Trade, Wrong};
use super::channel::Channel;
use super::faults::Operation;
use super::message::{Message, What};
use super::{Desk, SILENCE, lost, phone};

const CHANNEL: Channel = Channel::Wechat;
/// Default expiry of a code: two hours.
const LONGEST_MS: i64 = 2 * 3_600_000;
/// Prefix of a QR code.
const CODE: &str = "weixin://wxpay/bizpayurl?pr=";
/// Prefix of a public key's id.
const PUBLIC_KEY_NAMES: &str = "PUB_KEY_ID_";

pub(super) fn routes(service: &mut ServiceConfig) {
    let trades = "/wechat/v3/pay/transactions/out-trade-no/{number}";
    let refunds = "/wechat/v3/refund/domestic/refunds";
    service
        .route("/wechat/v3/pay/transactions/native", web::post().to(native))
        .route(trades, web::get().to(query))
        .route(&format!("{trades}/close"), web::post().to(close))
        .route(refunds, web::post().to(refund))
        .route(
            &format!("{refunds}/{{number}}"),
            web::get().to(query_refund),
        )
        .route("/wechat/v3/certificates", web::get().to(certificates))
        .route("/wechat/phone", web::get().to(phone::show))
        .route("/wechat/phone", web::post().to(phone::decide));
}

/// A refusal: status, code, message.
#[derive(Debug)]
struct No(u16, &'static str, &'static str);

/// Status and content; `Value::Null`: no content.
type Outcome = Result<(u16, Value), No>;

const PARAM: No = No(400, "PARAM_ERROR", "参数错误");
const NOT_EXIST: No = No(404, "ORDER_NOT_EXIST", "订单不存在");

impl From<Wrong> for No {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Missing => NOT_EXIST,
            Wrong::Paid => Self(400, "ORDERPAID", "该订单已支付"),
            Wrong::Closed => Self(400, "ORDER_CLOSED", "该订单已关闭"),
            Wrong::NotPaid => Self(400, "INVALID_REQUEST", "订单未支付，不能退款"),
            Wrong::TooMuch => Self(
                400,
                "INVALID_REQUEST",
                "订单金额或退款金额与之前请求不一致，或可退余额不足",
            ),
            Wrong::Differs => Self(400, "INVALID_REQUEST", "201 商户订单号重复"),
            Wrong::Full => Self(500, "SYSTEM_ERROR", "系统错误"),
        }
    }
}

/// A request whose signature was verified.
struct Checked {
    content: Value,
    by_certificate: bool,
}

impl Checked {
    fn text(&self, pointer: &str) -> &str {
        let field = self.content.pointer(pointer);
        field.and_then(Value::as_str).unwrap_or_default()
    }

    fn cents(&self, pointer: &str) -> Result<i64, No> {
        let field = self.content.pointer(pointer).and_then(Value::as_i64);
        field.filter(|cents| *cents > 0).ok_or(PARAM)
    }
}

/// A request that names a public key gets responses signed with it, others with the certificate.
fn by_certificate(request: &HttpRequest) -> bool {
    let asked = request.headers().get("wechatpay-serial");
    let asked = asked.and_then(|value| value.to_str().ok());
    // Also for the previous or next id: during a rotation the response is signed with the key that is valid.
    !asked.is_some_and(|name| name.starts_with(PUBLIC_KEY_NAMES))
}

fn check(desk: &Desk, request: &HttpRequest, body: &[u8]) -> Result<Checked, No> {
    const SIGN: No = No(401, "SIGN_ERROR", "签名错误");
    let header = request.headers().get("authorization");
    let header = header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let authorization = Authorization::read(header).map_err(|_| SIGN)?;
    let identity = desk.identity();
    let ours = &identity.wechat;
    let known = [Some(&ours.merchant), ours.next_merchant.as_ref()];
    let mut known = known.into_iter().flatten();
    let certificate = known.find(|certificate| certificate.serial == authorization.serial);
    let Some(certificate) = certificate.filter(|_| authorization.mch_id == ours.mch_id) else {
        return Err(SIGN);
    };
    let whole = request
        .uri()
        .path_and_query()
        .map_or("", |path| path.as_str());
    // A client configured with a host only signs without the path prefix used here.
    let bare = whole.strip_prefix("/wechat").unwrap_or(whole);
    let method = request.method().as_str();
    let key = &certificate.key;
    let now = desk.now();
    authorization
        .verify(method, bare, body, key, now)
        .or_else(|_| authorization.verify(method, whole, body, key, now))
        .map_err(|_| SIGN)?;
    let content = match body.is_empty() {
        true => Value::Null,
        false => serde_json::from_slice(body).map_err(|_| PARAM)?,
    };
    Ok(Checked {
        content,
        by_certificate: by_certificate(request),
    })
}

fn respond(desk: &Desk, request: &HttpRequest, outcome: Outcome) -> HttpResponse {
    let (status, content) = match outcome {
        Ok(success) => success,
        Err(no) => (no.0, json!({"code": no.1, "message": no.2})),
    };
    let body = match content {
        Value::Null => String::new(),
        content => content.to_string(),
    };
    let identity = desk.identity();
    let ours = &identity.wechat;
    let (serial, key) = match by_certificate(request) {
        true => (&ours.platform.serial, &ours.platform_key),
        false => (&ours.public_key_id, &ours.public_key),
    };
    let Ok(headers) = sign_answer(body.as_bytes(), serial, key, desk.now()) else {
        return HttpResponse::InternalServerError().finish();
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponseBuilder::new(status);
    answer.insert_header((CACHE_CONTROL, "no-store"));
    for (name, value) in headers {
        answer.insert_header((name, value));
    }
    if !body.is_empty() {
        answer.insert_header((CONTENT_TYPE, "application/json; charset=utf-8"));
    }
    answer.body(body)
}

async fn native(request: HttpRequest, body: Bytes, desk: Data<Desk>) -> HttpResponse {
    let made = check(&desk, &request, &body).and_then(|checked| order(&desk, &checked));
    let trade = match made {
        Ok(trade) => trade,
        Err(no) => return respond(&desk, &request, Err(no)),
    };
    if trade.faults.early && desk.pay(CHANNEL, &trade.out_trade_no).is_ok() {
        desk.announce_now(CHANNEL, &trade.out_trade_no).await;
    }
    if desk
        .meddle(CHANNEL, &trade.out_trade_no, Operation::Create)
        .await
    {
        return lost();
    }
    let fields = json!({"code_url": format!("{CODE}{}", trade.code)});
    respond(&desk, &request, Ok((200, fields)))
}

fn order(desk: &Desk, checked: &Checked) -> Result<Trade, No> {
    let identity = desk.identity();
    let ours = &identity.wechat;
    let number = checked.text("/out_trade_no");
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"_-|*".contains(&b);
    let good = (6..=32).contains(&number.len()) && number.bytes().all(allowed);
    let description = checked.text("/description");
    let notify_url = checked.text("/notify_url");
    let web = notify_url.starts_with("http://") || notify_url.starts_with("https://");
    if !good || description.is_empty() || description.len() > 127 || !web || notify_url.len() > 255
    {
        return Err(PARAM);
    }
    if checked.text("/appid") != ours.app_id || checked.text("/mchid") != ours.mch_id {
        return Err(No(400, "APPID_MCHID_NOT_MATCH", "appid和mch_id不匹配"));
    }
    if !matches!(checked.text("/amount/currency"), "" | "CNY") {
        return Err(PARAM);
    }
    let now = desk.now();
    let expires_at_ms = match checked.text("/time_expire") {
        "" => now.saturating_add(LONGEST_MS),
        text => clock::read_wechat(text).ok_or(PARAM)?,
    };
    if now > expires_at_ms {
        return Err(PARAM);
    }
    let random = |bytes| random_hex(bytes).map_err(|_| No(500, "SYSTEM_ERROR", "系统错误"));
    let known = desk.books().trade(CHANNEL, number, now).is_some();
    let trade = Trade {
        channel: CHANNEL,
        out_trade_no: number.to_owned(),
        provider_no: format!("4200{}", random(12)?),
        amount: checked.cents("/amount/total")?,
        state: State::Waiting,
        subject: description.to_owned(),
        notify_url: notify_url.to_owned(),
        return_url: String::new(),
        code: random(8)?,
        created_at_ms: now,
        expires_at_ms,
        paid_at_ms: 0,
        by_certificate: checked.by_certificate,
        faults: match known {
            true => Default::default(),
            false => desk.faults_for(CHANNEL),
        },
    };
    Ok(desk.books().create(trade)?)
}

/// Verifies a request, injects its faults, and responds.
async fn answered(
    desk: &Desk,
    request: &HttpRequest,
    body: &[u8],
    operation: Operation,
    trade: impl FnOnce(&Checked) -> String,
    work: impl FnOnce(&Checked) -> Outcome,
) -> HttpResponse {
    let checked = match check(desk, request, body) {
        Ok(checked) => checked,
        Err(no) => return respond(desk, request, Err(no)),
    };
    let (silent, lose) = desk.books().meddle(CHANNEL, &trade(&checked), operation);
    if silent {
        tokio::time::sleep(SILENCE).await;
        return lost();
    }
    let outcome = work(&checked);
    match lose {
        true => lost(),
        false => respond(desk, request, outcome),
    }
}

async fn query(request: HttpRequest, number: Path<String>, desk: Data<Desk>) -> HttpResponse {
    let work = |_: &Checked| {
        let asked = format!("mchid={}", desk.identity().wechat.mch_id);
        if !request.query_string().split('&').any(|pair| pair == asked) {
            return Err(PARAM);
        }
        let mut books = desk.books();
        let trade = books.trade(CHANNEL, &number, desk.now()).ok_or(NOT_EXIST)?;
        let refunded = books.refunded(CHANNEL, &number);
        drop(books);
        let state = match trade.state {
            State::Waiting => "NOTPAY",
            State::Closed => "CLOSED",
            State::Paid if refunded > 0 => "REFUND",
            State::Paid => "SUCCESS",
        };
        Ok((200, transaction(&desk, &trade, state)))
    };
    let trade = |_: &Checked| number.to_string();
    answered(&desk, &request, b"", Operation::Query, trade, work).await
}

fn transaction(desk: &Desk, trade: &Trade, state: &str) -> Value {
    let identity = desk.identity();
    let ours = &identity.wechat;
    let faults = &trade.faults;
    let amount = faults.wrong_amount.unwrap_or(trade.amount);
    let currency = if faults.wrong_currency { "HKD" } else { "CNY" };
    let mut fields = json!({
        "appid": if faults.wrong_app { "wx0000000000000000" } else { &ours.app_id },
        "mchid": if faults.wrong_merchant { "1900000000" } else { &ours.mch_id },
        "out_trade_no": trade.out_trade_no,
        "trade_state": state,
        "trade_state_desc": state,
        "amount": {"total": amount, "currency": currency},
    });
    if trade.paid_at_ms > 0 && state != "NOTPAY" {
        fields["transaction_id"] = trade.provider_no.as_str().into();
        fields["trade_type"] = "NATIVE".into();
        fields["bank_type"] = "OTHERS".into();
        fields["success_time"] = clock::wechat(trade.paid_at_ms).into();
        fields["payer"] = json!({"openid": "sandbox-payer"});
        fields["amount"]["payer_total"] = amount.into();
        fields["amount"]["payer_currency"] = currency.into();
    }
    fields
}

async fn close(
    request: HttpRequest,
    number: Path<String>,
    body: Bytes,
    desk: Data<Desk>,
) -> HttpResponse {
    let work = |checked: &Checked| {
        if checked.text("/mchid") != desk.identity().wechat.mch_id {
            return Err(PARAM);
        }
        match desk.close(CHANNEL, &number) {
            // The real one returns the same for an unknown trade.
            Ok(()) | Err(Wrong::Missing | Wrong::Closed) => Ok((204, Value::Null)),
            Err(wrong) => Err(wrong.into()),
        }
    };
    let trade = |_: &Checked| number.to_string();
    answered(&desk, &request, &body, Operation::Close, trade, work).await
}

async fn refund(request: HttpRequest, body: Bytes, desk: Data<Desk>) -> HttpResponse {
    let trade = |checked: &Checked| checked.text("/out_trade_no").to_owned();
    let work = |checked: &Checked| make_refund(&desk, checked);
    answered(&desk, &request, &body, Operation::Refund, trade, work).await
}

fn make_refund(desk: &Desk, checked: &Checked) -> Outcome {
    let number = checked.text("/out_trade_no");
    let key = checked.text("/out_refund_no");
    if key.is_empty() || key.len() > 64 || checked.text("/reason").len() > 80 {
        return Err(PARAM);
    }
    let new = Refund {
        channel: CHANNEL,
        out_refund_no: key.to_owned(),
        out_trade_no: number.to_owned(),
        provider_no: format!("5030{}", random_hex(12).map_err(|_| PARAM)?),
        amount: checked.cents("/amount/refund")?,
        made_at_ms: desk.now(),
        notify_url: checked.text("/notify_url").to_owned(),
    };
    let known = desk.books().trade(CHANNEL, number, desk.now());
    let trade = known.ok_or(NOT_EXIST)?;
    if checked.cents("/amount/total")? != trade.amount {
        return Err(Wrong::TooMuch.into());
    }
    let (refund, made) = desk.books().refund(new)?;
    if made && !refund.notify_url.is_empty() {
        desk.announce_refund(&trade, key);
    }
    // The refund completes while the merchant reads this.
    let status = if made { "PROCESSING" } else { "SUCCESS" };
    Ok((200, refund_content(&trade, &refund, status)))
}

fn refund_content(trade: &Trade, refund: &Refund, status: &str) -> Value {
    json!({
        "refund_id": refund.provider_no,
        "out_refund_no": refund.out_refund_no,
        "transaction_id": trade.provider_no,
        "out_trade_no": trade.out_trade_no,
        "channel": "ORIGINAL",
        "user_received_account": "支付用户零钱",
        "create_time": clock::wechat(refund.made_at_ms),
        "success_time": clock::wechat(refund.made_at_ms),
        "status": status,
        "funds_account": "AVAILABLE",
        "amount": {
            "total": trade.amount, "refund": refund.amount, "payer_total": trade.amount,
            "payer_refund": refund.amount, "settlement_refund": refund.amount,
            "settlement_total": trade.amount, "discount_refund": 0, "currency": "CNY",
        },
    })
}

async fn query_refund(
    request: HttpRequest,
    number: Path<String>,
    desk: Data<Desk>,
) -> HttpResponse {
    let known = desk.books().refund_of(CHANNEL, "", &number);
    let trade = known
        .as_ref()
        .map_or("", |refund| &refund.out_trade_no)
        .to_owned();
    let work = |_: &Checked| {
        const NONE: No = No(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
        let refund = known.as_ref().ok_or(NONE)?;
        let trade = desk
            .books()
            .trade(CHANNEL, &refund.out_trade_no, desk.now());
        Ok((200, refund_content(&trade.ok_or(NONE)?, refund, "SUCCESS")))
    };
    answered(
        &desk,
        &request,
        b"",
        Operation::QueryRefund,
        |_| trade,
        work,
    )
    .await
}

async fn certificates(request: HttpRequest, desk: Data<Desk>) -> HttpResponse {
    let outcome = check(&desk, &request, b"").and_then(|_| {
        let identity = desk.identity();
        let ours = &identity.wechat;
        let sealed = sealed("certificate", ours.platform.pem.as_bytes(), &ours.api_key);
        let now = desk.now();
        Ok((
            200,
            json!({"data": [{
                "serial_no": ours.platform.serial,
                "effective_time": clock::wechat(now),
                "expire_time": clock::wechat(now.saturating_add(10 * 365 * 24 * 3_600_000)),
                "encrypt_certificate": sealed.map_err(|_| PARAM)?,
            }]}),
        ))
    });
    respond(&desk, &request, outcome)
}

/// A notification about a trade or a refund.
pub(super) fn message(
    desk: &Desk,
    trade: &Trade,
    what: &What,
    refund: Option<&Refund>,
) -> Result<Message, ProtocolError> {
    let identity = desk.identity();
    let ours = &identity.wechat;
    let (event, kind, content, url) = match (what, refund) {
        (What::Refunded(_), Some(refund)) => {
            let mut content = refund_content(trade, refund, "SUCCESS");
            content["mchid"] = ours.mch_id.as_str().into();
            content["refund_status"] = "SUCCESS".into();
            ("REFUND.SUCCESS", "refund", content, &refund.notify_url)
        }
        (What::Waiting, _) => {
            let content = transaction(desk, trade, "NOTPAY");
            (
                "TRANSACTION.NOTPAY",
                "transaction",
                content,
                &trade.notify_url,
            )
        }
        _ => {
            let content = transaction(desk, trade, "SUCCESS");
            (
                "TRANSACTION.SUCCESS",
                "transaction",
                content,
                &trade.notify_url,
            )
        }
    };
    let body = notification(event, kind, &content, &ours.api_key, desk.now())?;
    let (serial, right) = match trade.by_certificate {
        true => (&ours.platform.serial, &ours.platform_key),
        false => (&ours.public_key_id, &ours.public_key),
    };
    // Injected fault: signed with the merchant's key.
    let key = match trade.faults.bad_signature {
        true => &ours.merchant_key,
        false => right,
    };
    let mut headers: Vec<(String, String)> = sign_answer(body.as_bytes(), serial, key, desk.now())?
        .into_iter()
        .collect();
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    Ok(Message {
        url: url.clone(),
        headers,
        body,
    })
}
