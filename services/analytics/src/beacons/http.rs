//! Requests and replies.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{self, Bytes, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use proto::code;
use serde_json::{Value, json};

use super::Door;
use super::input::{self, Action, Add, End, Say, Support, Update};
use super::writer::{Kept, Lost};

pub(super) fn routes(service: &mut ServiceConfig) {
    beacon::<Add>(service, "/visitor/add");
    beacon::<End>(service, "/visitor/end");
    beacon::<Update>(service, "/visitor/update");
    beacon::<Support>(service, "/support/click");
    beacon::<Action>(service, "/action/log");
    service.route("/healthz", web::get().to(alive));
}

fn beacon<S: Say + 'static>(service: &mut ServiceConfig, path: &str) {
    let resource = web::resource(path)
        .route(web::post().to(take::<S>))
        .route(web::method(actix_web::http::Method::OPTIONS).to(preflight))
        .default_service(web::to(unknown));
    service.service(resource);
}

async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(json!({ "status": "ok" }))
}

/// Any other path or method.
pub(super) async fn unknown() -> HttpResponse {
    envelope(
        StatusCode::NOT_FOUND,
        code::NOT_FOUND,
        "没有这个地址",
        Value::Null,
    )
}

async fn preflight(request: HttpRequest, door: Data<Door>) -> HttpResponse {
    let mut response = HttpResponse::NoContent()
        .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, "POST"))
        .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type"))
        .insert_header((header::ACCESS_CONTROL_MAX_AGE, "86400"))
        .finish();
    readable(&request, &door, response.headers_mut());
    response
}

async fn take<S: Say>(request: HttpRequest, door: Data<Door>, body: Bytes) -> HttpResponse {
    let mut response = answer::<S>(&request, &door, &body).await;
    readable(&request, &door, response.headers_mut());
    response
}

async fn answer<S: Say>(request: &HttpRequest, door: &Door, body: &[u8]) -> HttpResponse {
    let address = address(request, door);
    if !door.within_budget(address).await {
        metrics::counter!("analytics_beacons_total", "outcome" => "too_many").increment(1);
        return envelope(
            StatusCode::TOO_MANY_REQUESTS,
            429,
            "发送过于频繁，请稍后再试",
            Value::Null,
        );
    }
    let beacon = match input::read::<S>(body) {
        Ok(beacon) => beacon,
        Err(wrong) => {
            metrics::counter!("analytics_beacons_total", "outcome" => "refused").increment(1);
            return envelope(StatusCode::OK, code::INVALID, wrong, Value::Null);
        }
    };
    if asks_not_to_be_tracked(request.headers()) {
        metrics::counter!("analytics_beacons_total", "outcome" => "not_wanted").increment(1);
        return envelope(StatusCode::OK, code::SUCCESS, "操作成功", Value::Null);
    }
    match door.writer.keep(beacon, input::network(address)).await {
        Ok(Kept::Visit(uuid)) => {
            metrics::counter!("analytics_beacons_total", "outcome" => "kept").increment(1);
            envelope(StatusCode::OK, code::SUCCESS, "操作成功", uuid.into())
        }
        Ok(Kept::Line) => {
            metrics::counter!("analytics_beacons_total", "outcome" => "kept").increment(1);
            envelope(StatusCode::OK, code::SUCCESS, "操作成功", Value::Null)
        }
        Ok(Kept::UnknownVisit) => envelope(
            StatusCode::OK,
            code::NOT_FOUND,
            "没有这次访问，或它已结束",
            Value::Null,
        ),
        Err(Lost) => {
            metrics::counter!("analytics_beacons_total", "outcome" => "lost").increment(1);
            envelope(
                StatusCode::SERVICE_UNAVAILABLE,
                503,
                "服务暂时不可用，请稍后再试",
                Value::Null,
            )
        }
    }
}

impl Door {
    /// Counts a beacon against its address's budget; if the cache is unavailable, every beacon is accepted.
    async fn within_budget(&self, address: IpAddr) -> bool {
        if self.per_minute == 0 {
            return true;
        }
        let who = peers::subscriber(address).to_string();
        let count = self.cache.count(&who, Duration::from_secs(60)).await;
        count.map_or(true, |count| count <= i64::from(self.per_minute))
    }
}

fn address(request: &HttpRequest, door: &Door) -> IpAddr {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
    if !door.trusted.contain(peer) {
        return peer;
    }
    let chain = request.headers().get_all("x-forwarded-for");
    let chain = chain.map(|value| value.to_str().unwrap_or_default());
    peers::forwarded_for(peer, chain, &door.trusted)
}

fn asks_not_to_be_tracked(headers: &HeaderMap) -> bool {
    ["dnt", "sec-gpc"]
        .iter()
        .any(|name| headers.get(*name).is_some_and(|value| value == "1"))
}

/// Lets pages of the site's origins read the reply.
fn readable(request: &HttpRequest, door: &Door, headers: &mut HeaderMap) {
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        return;
    };
    let known = door
        .origins
        .iter()
        .any(|one| one.as_bytes() == origin.as_bytes());
    if known {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    headers.insert(header::VARY, header::HeaderValue::from_static("Origin"));
}

fn envelope(status: StatusCode, resp_code: i32, message: &str, datas: Value) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .json(json!({ "resp_code": resp_code, "resp_msg": message, "datas": datas }))
}
