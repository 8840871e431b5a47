//! `POST /api-payment/notify/{channel}`: notifications of Alipay and WeChat Pay, passed unchanged to `payment`, which responds in
//! the channel's format once the effect is committed. They are signed by the channel, so none of our client, signature or token
//! checks apply.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::web::{Data, Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use http::uri::PathAndQuery;
use prost::Message;
use proto::catalogue::Rate;
use proto::common::v1::Principal;
use proto::payment::v1::{NotifyReply, NotifyRequest};

use crate::refused::Refused;
use crate::stages::body;
use crate::stages::request_id::origin;
use crate::state::Gateway;
use crate::upstream::{Outgoing, metadata};

const SERVICE: &str = "payment";
const NOTIFY: &str = "/xuanlan.payment.v1.PaymentInternal/Notify";
/// Largest notification in bytes: WeChat's have about 2 KB.
const LIMIT: usize = 64 * 1024;
/// Prefix of the header fields passed on: those of WeChat's signature.
const PASSED: &str = "wechatpay-";

/// Passes a notification on, and the answer back.
pub async fn handle(
    request: HttpRequest,
    channel: Path<String>,
    payload: Payload,
    gateway: Data<Gateway>,
) -> HttpResponse {
    let taken = take(&request, &channel, payload, &gateway).await;
    let reply = taken.unwrap_or_else(|refused| {
        tracing::warn!(channel = %channel, %refused, "notification not passed on");
        let status = match refused.answer("").http {
            // Makes the channel retry.
            500.. | 429 => 503,
            _ => 400,
        };
        NotifyReply {
            status,
            ..Default::default()
        }
    });
    let status = u16::try_from(reply.status).ok();
    let status = status.and_then(|status| StatusCode::from_u16(status).ok());
    let mut answer = HttpResponse::build(status.unwrap_or(StatusCode::SERVICE_UNAVAILABLE));
    match reply.content_type.as_str() {
        "" => answer.finish(),
        content_type => answer.content_type(content_type).body(reply.body),
    }
}

async fn take(
    request: &HttpRequest,
    channel: &str,
    payload: Payload,
    gateway: &Gateway,
) -> Result<NotifyReply, Refused> {
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
    NotifyReply::decode(reply).map_err(|error| Refused::Internal(format!("notification: {error}")))
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
