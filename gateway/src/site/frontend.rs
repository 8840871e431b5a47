//! The built frontend, and the demo models.

use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::files::{origin, plain, send};
use super::pages::Page;
use super::shown::{self, ROBOTS};
use crate::state::Gateway;
use crate::{console, embed};

/// The frontend: its files, and the page for every other path, which it routes itself.
pub async fn frontend(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let Some(folder) = &gateway.site.frontend else {
        return plain(StatusCode::NOT_FOUND, "本服务没有附带页面");
    };
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "请求方式不受支持");
    }
    let path = request.path();
    if console::is_own(path) || embed::is_own(path) {
        return plain(StatusCode::NOT_FOUND, "没有这个文件");
    }
    if path != "/" && folder.find(path).await.is_some() {
        return send(&request, &gateway, folder, path).await;
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    if path.starts_with("/assets/") || last.contains('.') {
        return plain(StatusCode::NOT_FOUND, "没有这个文件");
    }
    let page = gateway.site.pages.at(path);
    if !page.gone
        && let Some(answer) = shown::answer(&request, &gateway, folder, &page).await
    {
        return answer;
    }
    let mut response = send(&request, &gateway, folder, &page.html).await;
    if !page.listed {
        let none = HeaderValue::from_static("noindex");
        response.headers_mut().insert(ROBOTS, none);
    }
    if let Some(link) = canonical(&request, &gateway, &page) {
        response.headers_mut().insert(header::LINK, link);
    }
    if response.status() == StatusCode::OK {
        // The page itself reports that it does not exist, or no longer.
        *response.status_mut() = match (page.known, page.gone) {
            (_, true) => StatusCode::GONE,
            (true, false) => StatusCode::OK,
            (false, false) => StatusCode::NOT_FOUND,
        };
    }
    response
}

/// The canonical address of a page on the requested host, whichever of its addresses was requested.
fn canonical(request: &HttpRequest, gateway: &Gateway, page: &Page) -> Option<HeaderValue> {
    let path = page.canonical.as_ref()?;
    let origin = origin(request, gateway)?;
    HeaderValue::from_str(&format!("<{origin}{path}>; rel=\"canonical\"")).ok()
}

/// Demo models and their images, under `/demo/`.
pub async fn demo(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let path = request.path().strip_prefix("/demo").unwrap_or_default();
    match &gateway.site.demo {
        Some(folder) => send(&request, &gateway, folder, path).await,
        None => plain(StatusCode::NOT_FOUND, "没有这个文件"),
    }
}
