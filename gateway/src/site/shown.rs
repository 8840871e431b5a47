//! Pages that content knows: sent with their text, as gone, or as a redirect.

use std::hash::{DefaultHasher, Hash, Hasher};

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use proto::content::v1::PageReply;

use super::files;
use super::folder::Folder;
use super::pages::{Page, SHELL};
use super::{packing, shell};
use crate::state::Gateway;

/// Otherwise browsers keep a redirect for ever, and what moved may come back.
const REDIRECT_KEPT: &str = "public, max-age=60";

pub(super) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// `None`: content does not know the page, and it is sent plain.
pub async fn answer(
    request: &HttpRequest,
    gateway: &Gateway,
    folder: &Folder,
    page: &Page,
) -> Option<HttpResponse> {
    let reply = gateway
        .heads
        .of(request.path(), request.query_string())
        .await?;
    match reply.status {
        200 if page.known => with_text(request, gateway, folder, page, &reply).await,
        301 if reply.location.starts_with('/') && !reply.location.starts_with("//") => {
            Some(moved(&reply.location))
        }
        404 if page.known => {
            Some(gone(request, gateway, folder, page, StatusCode::NOT_FOUND).await)
        }
        410 if page.known => Some(gone(request, gateway, folder, page, StatusCode::GONE).await),
        _ => None,
    }
}

fn moved(location: &str) -> HttpResponse {
    HttpResponse::MovedPermanently()
        .insert_header((header::LOCATION, location))
        .insert_header((header::CACHE_CONTROL, REDIRECT_KEPT))
        .finish()
}

/// The page itself reports what is missing.
async fn gone(
    request: &HttpRequest,
    gateway: &Gateway,
    folder: &Folder,
    page: &Page,
    status: StatusCode,
) -> HttpResponse {
    let mut response = files::send(request, gateway, folder, &page.html).await;
    let none = HeaderValue::from_static("noindex");
    response.headers_mut().insert(ROBOTS, none);
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
}

async fn with_text(
    request: &HttpRequest,
    gateway: &Gateway,
    folder: &Folder,
    page: &Page,
    reply: &PageReply,
) -> Option<HttpResponse> {
    // The shell of an unlisted page keeps search engines out.
    let html = if page.listed { &page.html } else { SHELL };
    let shell = folder.text(html).await?;
    let origin = files::origin(request, gateway).unwrap_or_default();
    let text = shell::with_text(&shell, reply, &origin);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let etag = format!("W/\"{:x}\"", hasher.finish());
    let mut response = HttpResponse::build(StatusCode::OK);
    response
        .insert_header((header::ETAG, etag.clone()))
        .insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-cache"));
    files::protect_page(&mut response, gateway);
    if !origin.is_empty() {
        let link = format!("<{origin}{}>; rel=\"canonical\"", reply.canonical);
        if let Ok(link) = HeaderValue::from_str(&link) {
            response.insert_header((header::LINK, link));
        }
    }
    if files::is_known(request, etag.trim_start_matches("W/")) {
        return Some(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    Some(packing::pack(request, response.body(text)))
}
