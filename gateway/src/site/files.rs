//! Static files. Browsers cache names with a hash for ever and revalidate pages; a `.br` or `.gz` beside a file is sent to clients
//! that accept it; nothing outside the folder and no hidden file is served.

use std::time::UNIX_EPOCH;

use actix_web::body::SizedStream;
use actix_web::http::header::{self, HttpDate};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use tokio_util::io::ReaderStream;

use super::folder::{Folder, Found};
use super::packing;
use crate::headers::came_encrypted;
use crate::state::Gateway;

/// Smaller files are read at once, larger ones are streamed.
const STREAM_FROM: u64 = 256 * 1024;

/// Scheme and host of the request; `None` if the Host header is not a valid host.
pub(super) fn origin(request: &HttpRequest, gateway: &Gateway) -> Option<String> {
    let host = request.headers().get(header::HOST)?.to_str().ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    if host.is_empty() || !host.chars().all(plain) {
        return None;
    }
    let scheme = match came_encrypted(request, gateway) {
        true => "https",
        false => "http",
    };
    Some(format!("{scheme}://{host}"))
}

pub(crate) fn plain(status: StatusCode, text: &'static str) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(text)
}

pub(crate) async fn send(
    request: &HttpRequest,
    gateway: &Gateway,
    folder: &Folder,
    path: &str,
) -> HttpResponse {
    let Some(original) = folder.find(path).await else {
        return plain(StatusCode::NOT_FOUND, "没有这个文件");
    };
    let (found, encoding) = best(request, folder, path, original).await;
    let page = path.ends_with(".html");
    let etag = found.etag(encoding);
    let mut response = HttpResponse::build(StatusCode::OK);
    response
        .insert_header((header::ETAG, etag.clone()))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "strict-origin-when-cross-origin"))
        .insert_header((header::VARY, "Accept-Encoding"))
        .insert_header((header::CONTENT_TYPE, content_type(path)))
        .insert_header((
            header::CACHE_CONTROL,
            if page {
                "no-cache"
            } else if is_hashed(path) {
                "public, max-age=31536000, immutable"
            } else {
                "public, max-age=3600"
            },
        ));
    let time = UNIX_EPOCH + std::time::Duration::from_secs(found.modified);
    response.insert_header((header::LAST_MODIFIED, HttpDate::from(time)));
    if page {
        protect_page(&mut response, gateway);
    }
    if !encoding.is_empty() {
        response.insert_header((header::CONTENT_ENCODING, encoding));
    }
    if is_known(request, &etag) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    if request.method() == Method::HEAD {
        // Content-Length is set although there is no body.
        let none = futures::stream::empty::<Result<bytes::Bytes, std::io::Error>>();
        return response.body(SizedStream::new(found.size, none));
    }
    body(response, &found).await
}

/// Restricts what browsers let a page do.
pub(super) fn protect_page(response: &mut HttpResponseBuilder, gateway: &Gateway) {
    response
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "strict-origin-when-cross-origin"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            gateway.site.policy.as_str(),
        ))
        .insert_header((
            "permissions-policy",
            "camera=(), microphone=(), geolocation=()",
        ))
        .insert_header((header::X_FRAME_OPTIONS, "SAMEORIGIN"));
}

async fn body(mut response: HttpResponseBuilder, found: &Found) -> HttpResponse {
    if found.size < STREAM_FROM {
        return match tokio::fs::read(&found.path).await {
            Ok(bytes) => response.body(bytes),
            Err(_) => plain(StatusCode::NOT_FOUND, "没有这个文件"),
        };
    }
    match tokio::fs::File::open(&found.path).await {
        Ok(file) => {
            let stream = ReaderStream::with_capacity(file, 64 * 1024);
            response.body(SizedStream::new(found.size, stream))
        }
        Err(_) => plain(StatusCode::NOT_FOUND, "没有这个文件"),
    }
}

/// The smallest encoding of a file that the browser accepts and that is not older than the file.
async fn best(
    request: &HttpRequest,
    folder: &Folder,
    path: &str,
    original: Found,
) -> (Found, &'static str) {
    for (encoding, ending) in [("br", "br"), ("gzip", "gz")] {
        if !packing::accepts(request.headers(), encoding) {
            continue;
        }
        if let Some(packed) = folder.find(&format!("{path}.{ending}")).await
            && packed.modified >= original.modified
        {
            return (packed, encoding);
        }
    }
    (original, "")
}

/// Whether the browser has this very encoding cached.
pub(super) fn is_known(request: &HttpRequest, etag: &str) -> bool {
    let known = request.headers().get(header::IF_NONE_MATCH);
    let known = known.and_then(|v| v.to_str().ok()).unwrap_or_default();
    known
        .split(',')
        .any(|tag| tag.trim().trim_start_matches("W/") == etag)
}

/// `name.0123456789ab.js`: at least 8 hex digits between the last two dots.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut parts = name.rsplit('.');
    let _ending = parts.next();
    parts
        .next()
        .is_some_and(|hash| hash.len() >= 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn content_type(path: &str) -> String {
    let guessed = mime_guess::from_path(path).first_or_octet_stream();
    if guessed.type_() == mime_guess::mime::TEXT || guessed.subtype() == "javascript" {
        return format!("{}; charset=utf-8", guessed.essence_str());
    }
    guessed.essence_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_hash_are_kept_for_ever() {
        assert!(is_hashed("/assets/app.5c30f4e6522d.js"));
        assert!(!is_hashed("/index.html"));
        assert!(!is_hashed("/assets/app.js"));
        assert_eq!(content_type("/a.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("/a.glb"), "model/gltf-binary");
    }
}
