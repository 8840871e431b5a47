//! The sandbox's own web server.

use actix_web::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;

use crate::pages;
use crate::store::Store;

const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'";

#[derive(Deserialize)]
struct SmsQuery {
    #[serde(default)]
    phone: String,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct SliderQuery {
    #[serde(default)]
    id: String,
    #[serde(default)]
    format: String,
}

/// A browser names text/html among what it accepts; everybody else gets JSON.
fn wants_page(request: &HttpRequest, format: &str) -> bool {
    match format {
        "json" => return false,
        "html" => return true,
        _ => {}
    }
    let accept = request.headers().get(ACCEPT);
    accept
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("text/html"))
}

pub(crate) fn html(text: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header(("Content-Security-Policy", POLICY))
        .body(text)
}

pub(crate) fn json(value: &impl serde::Serialize) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .json(value)
}

#[get("/")]
pub async fn index() -> HttpResponse {
    html(pages::index())
}

/// Messages, newest first; `phone` chooses a number.
#[get("/sms")]
pub async fn sms(request: HttpRequest, query: Query<SmsQuery>, store: Data<Store>) -> HttpResponse {
    let messages = store.sms(&query.phone);
    if wants_page(&request, &query.format) {
        return html(pages::inbox(&query.phone, &messages));
    }
    json(&messages)
}

/// The answer of a puzzle; without `id` the latest puzzles.
#[get("/slider")]
pub async fn slider(
    request: HttpRequest,
    query: Query<SliderQuery>,
    store: Data<Store>,
) -> HttpResponse {
    let page = wants_page(&request, &query.format);
    if query.id.is_empty() {
        let latest = store.latest_puzzles(12);
        return if page {
            html(pages::puzzles(&latest))
        } else {
            json(&latest)
        };
    }
    match store.puzzle(&query.id) {
        Some(puzzle) if page => html(pages::puzzle(&puzzle)),
        Some(puzzle) => json(&puzzle),
        None if page => {
            let mut answer = html(pages::missing());
            *answer.status_mut() = actix_web::http::StatusCode::NOT_FOUND;
            answer
        }
        None => HttpResponse::NotFound().json(serde_json::json!({"error": "no such puzzle"})),
    }
}
