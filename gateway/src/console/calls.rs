//! Handlers of the console's listener.

use std::time::Duration;

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use chassis::operator::may_call;
use proto::calls::Rights;
use proto::catalogue::{Access, Call};

use crate::headers::{OPENER_POLICY, text_header};
use crate::input::Input;
use crate::notes::Notes;
use crate::refused::Refused;
use crate::routes::Found;
use crate::sessions::Session;
use crate::site::files::{plain, send};
use crate::site::health;
use crate::stages::request_id::{Origin, origin};
use crate::stages::{body, call, envelope, token};
use crate::state::Gateway;

const PAGE: &str = "/console.html";
/// Where the frontend's build puts the files of the page.
const FOLDER: &str = "/console/";
/// Client id in the principal, in place of that of the site.
const CLIENT: &str = "console";

/// The refusal of a network that the console is not for.
fn stranger(request: &HttpRequest, gateway: &Gateway) -> Option<HttpResponse> {
    let known = gateway.console.admits(&origin(request, &gateway.trusted));
    (!known).then(|| plain(StatusCode::FORBIDDEN, "此网络不能访问运营后台"))
}

/// Readiness, which names services and their states.
pub async fn ready(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    match stranger(&request, &gateway) {
        Some(refusal) => refusal,
        None => health::ready(gateway).await,
    }
}

/// The console's page and its files.
pub async fn files(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let none = || plain(StatusCode::NOT_FOUND, "没有这个文件");
    if let Some(refusal) = stranger(&request, &gateway) {
        return refusal;
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "请求方式不受支持");
    }
    let Some(folder) = &gateway.site.frontend else {
        return none();
    };
    let path = request.path();
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    let path = match path {
        path if is_page || path == PAGE => PAGE,
        path if path.starts_with(FOLDER) => path,
        _ => return none(),
    };
    let mut response = send(&request, &gateway, folder, path).await;
    let headers = response.headers_mut();
    let policy = gateway.console.policy.clone();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    for (name, value) in [
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (OPENER_POLICY, "same-origin"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The stages of a console call, like those of [`crate::pipeline`] for the site; returns `resp_code` and the envelope.
pub(crate) async fn serve<'t>(
    gateway: &'t Gateway,
    request: &HttpRequest,
    payload: Payload,
    origin: &Origin,
    notes: &mut Notes<'t>,
) -> Result<(i32, Vec<u8>), Refused> {
    if !gateway.console.admits(origin) || !is_same_origin(request) {
        return Err(Refused::Operator);
    }
    let found = gateway.console.routes.find(request.path());
    let Found { route, captured } = found.ok_or(Refused::NotFound)?;
    notes.route = Some(route);
    let open = route.open.as_ref().ok_or(Refused::NotOpen)?;
    if request.method() != Method::POST {
        return Err(Refused::Method);
    }
    let large = open.call.body_limit > gateway.config.body_limit;
    if large {
        // Authenticates first, so that an anonymous caller cannot fill the memory with large bodies.
        let session = caller(gateway, request, route.access, origin).await?;
        permitted(open.call, session.as_ref(), gateway.now_ms())?;
    }
    let limit = gateway.config.body_limit.max(open.call.body_limit);
    let wait = Duration::from_millis(gateway.config.body_wait_ms) * if large { 4 } else { 1 };
    let body = body::read(request, payload, limit, wait).await?;
    let now_ms = gateway.now_ms();
    let live = gateway.live.get();
    let rate = gateway
        .rate
        .address(&live.limits, route.rate, origin.address, now_ms);
    rate.await?;
    let content_type = text_header(request, "content-type");
    let input = Input::read("POST", content_type, request.query_string(), &body)?;
    if !matches!(input, Input::Json { .. }) {
        return Err(Refused::BodyKind);
    }

    let session = caller(gateway, request, route.access, origin).await?;
    if let Some(session) = &session {
        notes.user.clone_from(&session.login_id);
    }
    permitted(open.call, session.as_ref(), now_ms)?;
    if open.call.reason && !has_reason(&body) {
        return Err(Refused::Invalid("请填写原因".to_owned()));
    }
    let verified = call::Verified {
        open,
        input: &input,
        captured,
        origin,
        client_id: CLIENT,
        session: session.as_ref(),
    };
    let reply = call::send(gateway, &verified).await?;
    let code = open.call.success;
    envelope::success(code, &open.reply, reply, None)
}

async fn caller(
    gateway: &Gateway,
    request: &HttpRequest,
    access: Access,
    origin: &Origin,
) -> Result<Option<Session>, Refused> {
    if access == Access::Public {
        return Ok(None);
    }
    let bearer = token::bearer(request);
    if bearer.is_empty() || bearer.len() > token::MAX_TOKEN {
        return Err(Refused::SignIn);
    }
    let address = origin.address.to_string();
    let session = gateway.sessions.operator(bearer, &address).await?;
    session.map(Some).ok_or(Refused::SignIn)
}

fn permitted(call: &Call, session: Option<&Session>, now_ms: i64) -> Result<(), Refused> {
    let rights = session.and_then(rights_of);
    may_call(call, None, rights, now_ms).map_err(|error| Refused::from(tonic::Status::from(error)))
}

fn rights_of(session: &Session) -> Option<Rights<'_>> {
    session.operator.as_ref().map(|operator| Rights {
        permissions: &operator.permissions,
        fresh_until_ms: operator.fresh_until_ms,
    })
}

fn has_reason(body: &[u8]) -> bool {
    let body: Option<serde_json::Value> = serde_json::from_slice(body).ok();
    let reason = body.as_ref().and_then(|body| body["reason"].as_str());
    reason.is_some_and(|reason| !reason.trim().is_empty())
}

/// Whether the call comes from the console's own page, as far as the browser's headers show.
fn is_same_origin(request: &HttpRequest) -> bool {
    let text = |name: &str| request.headers().get(name).map(|value| value.to_str());
    if let Some(site) = text("sec-fetch-site")
        && !site.is_ok_and(|site| site == "same-origin")
    {
        return false;
    }
    let Some(origin) = text("origin") else {
        return true;
    };
    let own = text("host").and_then(Result::ok).unwrap_or_default();
    let host = origin
        .ok()
        .and_then(|origin| Some(origin.split_once("://")?.1));
    host.is_some_and(|host| host.eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_other_origins_do_not_call() {
        let from = |headers: &[(&'static str, &'static str)]| {
            let mut request = actix_web::test::TestRequest::default();
            for header in headers {
                request = request.insert_header(*header);
            }
            is_same_origin(&request.to_http_request())
        };
        let host = ("host", "console.test:7083");
        assert!(from(&[host]));
        assert!(from(&[host, ("origin", "http://console.test:7083")]));
        assert!(!from(&[host, ("origin", "http://console.test:7080")]));
        assert!(!from(&[host, ("origin", "null")]));
        assert!(!from(&[host, ("sec-fetch-site", "same-site")]));
    }
}
