//! `POST /api-payment/notify/{channel}`: notifications of Alipay and WeChat Pay, passed unchanged to `payment` and
//! acknowledged in each channel's form once committed. They are signed by the channel, so none of our client, signature
//! or token checks apply.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use http::uri::PathAndQuery;
use prost::Message;
use proto::catalogue::Rate;
use proto::common::v1::Principal;
use proto::payment::v1::notify_reply::Outcome;
use proto::payment::v1::{NotifyReply, NotifyRequest};

use crate::refused::Refused;
use crate::stages::body;
use crate::stages::call::metadata;
use crate::stages::request_id::origin;
use crate::state::Gateway;
use crate::upstream::Outgoing;

const SERVICE: &str = "payment";
const NOTIFY: &str = "/xuanlan.payment.v1.PaymentInternal/Notify";
/// Largest notification in bytes: WeChat's have about 2 KB.
const LIMIT: usize = 64 * 1024;
/// Prefix of the header fields passed on: those of WeChat's signature.
const PASSED: &str = "wechatpay-";

/// Passes a notification on and acknowledges it once its effect is committed.
pub async fn handle(
    request: HttpRequest,
    channel: Path<String>,
    payload: Payload,
    gateway: Data<Gateway>,
) -> HttpResponse {
    let acknowledge = match channel.as_str() {
        "alipay" => alipay,
        "wechat" => wechat,
        _ => return HttpResponse::NotFound().finish(),
    };
    let outcome = take(&request, &channel, payload, &gateway).await;
    let outcome = outcome.unwrap_or_else(|refused| {
        tracing::warn!(channel = %channel, %refused, "notification not passed on");
        match refused.answer("").http {
            500.. | 429 => Outcome::Failed,
            _ => Outcome::Refused,
        }
    });
    acknowledge(outcome)
}

async fn take(
    request: &HttpRequest,
    channel: &str,
    payload: Payload,
    gateway: &Gateway,
) -> Result<Outcome, Refused> {
    let origin = origin(request, &gateway.trusted);
    let live = gateway.live.get();
    let now_ms = gateway.now_ms();
    let rate = gateway
        .rate
        .address(&live.limits, Rate::Normal, origin.address, now_ms);
    rate.await?;
    let wait = Duration::from_millis(gateway.config.body_wait_ms);
    let body = body::read(request, payload, LIMIT, wait).await?;
    let upstream = gateway.upstreams.get(SERVICE).ok_or(Refused::NotOpen)?;
    let message = NotifyRequest {
        channel: channel.to_owned(),
        headers: passed(request.headers()),
        body: body.to_vec(),
    };
    let call = Outgoing {
        path: PathAndQuery::from_static(NOTIFY),
        body: message.encode_to_vec().into(),
        metadata: metadata(origin.passed_on()),
        principal: Principal {
            audience: SERVICE.to_owned(),
            remote_addr: origin.address.to_string(),
            request_id: origin.request_id,
            ..Principal::default()
        },
        wait: Duration::from_millis(gateway.config.call_wait_ms),
        // Notifications are idempotent.
        reads: true,
    };
    let reply = upstream.call(&gateway.parts.principals, call).await?;
    let reply = NotifyReply::decode(reply)
        .map_err(|error| Refused::Internal(format!("notification: {error}")))?;
    Ok(reply.outcome())
}

fn passed(headers: &HeaderMap) -> HashMap<String, String> {
    let fields = headers.iter().filter_map(|(name, value)| {
        let name = name.as_str();
        let value = value.to_str().ok()?;
        name.starts_with(PASSED)
            .then(|| (name.to_owned(), value.to_owned()))
    });
    fields.collect()
}

/// Alipay checks the body: exactly `success`, or it sends again.
fn alipay(outcome: Outcome) -> HttpResponse {
    let mut answer = match outcome {
        Outcome::Taken => {
            return HttpResponse::Ok()
                .content_type("text/plain")
                .body("success");
        }
        Outcome::Refused => HttpResponse::BadRequest(),
        _ => HttpResponse::ServiceUnavailable(),
    };
    answer.content_type("text/plain").body("fail")
}

/// WeChat checks the status.
fn wechat(outcome: Outcome) -> HttpResponse {
    let (mut answer, message) = match outcome {
        Outcome::Taken => return HttpResponse::NoContent().finish(),
        Outcome::Refused => (HttpResponse::BadRequest(), "通知未通过验证"),
        _ => (
            HttpResponse::ServiceUnavailable(),
            "暂时无法处理，请稍后重试",
        ),
    };
    let text = serde_json::json!({"code": "FAIL", "message": message}).to_string();
    answer
        .insert_header((CONTENT_TYPE, "application/json; charset=utf-8"))
        .body(text)
}
