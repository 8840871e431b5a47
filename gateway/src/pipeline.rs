//! The pipeline of every call: request id and trace → access log → CORS → body limit → client → rate limit → signature
//! → token → owner → deadline → transcoding → call → envelope.

use std::time::{Duration, Instant};

use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use chassis::telemetry;
use tracing::Instrument;

use crate::headers::text_header;
use crate::input::Input;
use crate::notes::Notes;
use crate::refused::Refused;
use crate::routes::{Found, Route};
use crate::site::packing;
use crate::stages::request_id::{Origin, origin};
use crate::stages::{access_log, body, call, client, cors, envelope, owner, signature, token};
use crate::state::Gateway;
use crate::transcode::reply::Reader;

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");
/// Cookies and storage stay: they also hold data of the anonymous visitor (docs/account.md); the page removes the user's.
const FORGET: HeaderValue = HeaderValue::from_static("\"cache\"");
/// Reports the call's trace id in the response.
const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// Serves one call of the site.
pub async fn handle(
    request: HttpRequest,
    payload: Payload,
    gateway: Data<Gateway>,
) -> HttpResponse {
    run(request, payload, gateway, Door::Site).await
}

/// Serves one call of the operators' console.
pub async fn handle_console(
    request: HttpRequest,
    payload: Payload,
    gateway: Data<Gateway>,
) -> HttpResponse {
    run(request, payload, gateway, Door::Console).await
}

/// The listener that a call came in by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Site,
    Console,
}

async fn run(
    request: HttpRequest,
    payload: Payload,
    gateway: Data<Gateway>,
    door: Door,
) -> HttpResponse {
    let since = Instant::now();
    let origin = origin(&request, &gateway.trusted);
    // The console is called by its own pages only.
    let other_site = match door {
        Door::Site => gateway.cors.allowed(&request),
        Door::Console => None,
    };
    if cors::is_preflight(&request) {
        return preflight(other_site);
    }
    let mut notes = Notes::default();
    let work = async {
        match door {
            Door::Site => serve(&gateway, &request, payload, &origin, &mut notes).await,
            Door::Console => {
                crate::console::calls::serve(&gateway, &request, payload, &origin, &mut notes).await
            }
        }
    };
    let span = gateway.traced.then(|| spanned(&request, &origin));
    let outcome = match &span {
        Some(span) => work.instrument(span.clone()).await,
        None => work.await,
    };
    let _inside = span.as_ref().map(tracing::Span::enter);
    let (http, code, response) = match outcome {
        Ok((code, body)) => (
            200,
            code,
            envelope::respond(200, body, &origin.request_id, None),
        ),
        Err(refused) => {
            if let Refused::Internal(cause) = &refused {
                tracing::error!(request = %origin.request_id, cause, "call failed");
            }
            let answer = refused.answer(&origin.request_id);
            let text = envelope::refusal(&answer);
            let response =
                envelope::respond(answer.http, text, &origin.request_id, answer.retry_after_s);
            (answer.http, answer.code, response)
        }
    };
    let good = measure(&notes, http, code, since);
    if let Some(span) = &span {
        span.record("call", notes.route.map_or("", |route| route.id.as_str()));
        span.record("http", http);
        span.record("code", code);
    }
    let line = access_log::Line {
        origin: &origin,
        method: request.method().as_str(),
        path: request.path(),
        call: notes.route.map_or("", |route| route.id.as_str()),
        user: &notes.user,
        http,
        code,
        good,
        since,
    };
    access_log::write(&line, gateway.config.access_log);
    let mut response = packing::pack(&request, response);
    let call = notes.route.and_then(|route| route.open.as_ref());
    if good && call.is_some_and(|open| open.call.ends_session) {
        response.headers_mut().insert(CLEAR_SITE_DATA, FORGET);
    }
    if let Ok(trace) = HeaderValue::from_str(&origin.trace_id) {
        response.headers_mut().insert(TRACE_ID, trace);
    }
    if let Some(other_site) = other_site {
        cors::mark(response.headers_mut(), other_site);
    }
    response
}

/// The span of a call, in the caller's trace or in one named by the request id.
fn spanned(request: &HttpRequest, origin: &Origin) -> tracing::Span {
    let span = tracing::info_span!(
        target: telemetry::SPANS,
        "call",
        otel.kind = "server",
        otel.name = format!("{} {}", request.method(), access_log::short(request.path())),
        request = origin.request_id,
        call = tracing::field::Empty,
        http = tracing::field::Empty,
        code = tracing::field::Empty,
    );
    telemetry::continue_trace(&span, &origin.traceparent);
    telemetry::begin_trace(&span, &origin.trace_id);
    span
}

fn preflight(other_site: Option<HeaderValue>) -> HttpResponse {
    let mut response = HttpResponse::NoContent().finish();
    if let Some(other_site) = other_site {
        for (name, value) in cors::preflight_headers() {
            response.headers_mut().insert(name, value);
        }
        cors::mark(response.headers_mut(), other_site);
    }
    response
}

/// Records a call's metrics; returns whether it succeeded.
fn measure(notes: &Notes, http: u16, code: i32, since: Instant) -> bool {
    let Some(route) = notes.route else {
        metrics::counter!("gateway_requests_total", "call" => "none", "code" => "404").increment(1);
        return false;
    };
    let good = http == 200
        && route
            .open
            .as_ref()
            .is_some_and(|open| open.call.success == code || code == proto::code::NOTED);
    let (successes, seconds) = route.meters();
    if good {
        successes.increment(1);
    } else {
        let labels = [("call", route.id.clone()), ("code", code.to_string())];
        metrics::counter!("gateway_requests_total", &labels).increment(1);
    }
    seconds.record(since.elapsed().as_secs_f64());
    good
}

/// The stages from body limit to envelope; returns `resp_code` and the envelope.
async fn serve<'t>(
    gateway: &'t Gateway,
    request: &HttpRequest,
    payload: Payload,
    origin: &Origin,
    notes: &mut Notes<'t>,
) -> Result<(i32, Vec<u8>), Refused> {
    let Found { route, captured } = gateway
        .routes
        .find(request.path())
        .ok_or(Refused::NotFound)?;
    notes.route = Some(route);
    check_method(request, route)?;
    let config = &gateway.config;
    let wait = Duration::from_millis(config.body_wait_ms);
    let body = body::read(request, payload, config.body_limit, wait).await?;

    let live = gateway.live.get();
    let client = client::check(request, &live.keys, gateway.now_ms())?;

    let now_ms = gateway.now_ms();
    let limits = &live.limits;
    let rate = gateway
        .rate
        .address(limits, route.rate, origin.address, now_ms);
    rate.await?;

    let content_type = text_header(request, "content-type");
    let method = request.method().as_str();
    let input = Input::read(method, content_type, request.query_string(), &body)?;
    let bearer = if route.token_endpoint {
        ""
    } else {
        token::bearer(request)
    };
    let signed = signature::Signed {
        request: d3sig::Request {
            method,
            path: request.path(),
            token: bearer,
        },
        client: &client,
        input: &input,
        md5: only_header(request, "md5"),
        writes: route.writes,
    };
    let kid = signature::check(gateway, &signed).await?;

    let session = token::check(&gateway.sessions, route.access, bearer).await?;
    let login_id = session.as_ref().map_or("", |s| s.login_id.as_str());
    login_id.clone_into(&mut notes.user);
    if !login_id.is_empty() {
        let rate = gateway.rate.user(limits, route.rate, login_id, now_ms);
        rate.await?;
    }

    let open = route.open.as_ref().ok_or(Refused::NotOpen)?;
    owner::check(&open.call.owner, &input, login_id)?;

    let verified = call::Verified {
        open,
        input: &input,
        captured,
        origin,
        client_id: client.id,
        session: session.as_deref(),
    };
    let reply = call::send(gateway, &verified).await?;

    let reader = Reader {
        token: bearer,
        client_id: client.id,
        kid: &kid,
        user_id: login_id,
    };
    let reader = session.is_some().then_some(&reader);
    let code = open.call.success;
    envelope::success(code, &open.reply, reply, reader)
}

/// Calls that read may use GET; calls that write may not.
fn check_method(request: &HttpRequest, route: &Route) -> Result<(), Refused> {
    match request.method().as_str() {
        "GET" if !route.writes => Ok(()),
        "POST" => Ok(()),
        _ => Err(Refused::Method),
    }
}

/// A header, if present exactly once.
fn only_header<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    let mut all = request.headers().get_all(name);
    match (all.next(), all.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
