//! Static files: the built frontend, and the demo models.
//! Browsers cache names with a hash for ever and revalidate pages; a `.br` or `.gz` beside a file is sent to clients
//! that accept it; nothing outside the folder and no hidden file is served.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use actix_web::body::SizedStream;
use actix_web::http::header::{self, HeaderName, HeaderValue, HttpDate};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use tokio_util::io::ReaderStream;

use super::pages::Page;
use super::{packing, shown};
use crate::headers::came_encrypted;
use crate::state::Gateway;
use crate::{console, embed};

pub(super) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Smaller files are read at once, larger ones are streamed.
const STREAM_FROM: u64 = 256 * 1024;

/// A folder that files are served from.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// `None` for an empty path. Errors: the folder does not exist.
    pub fn open(path: &str) -> anyhow::Result<Option<Self>> {
        if path.is_empty() {
            return Ok(None);
        }
        let root = std::fs::canonicalize(path)
            .map_err(|error| anyhow::anyhow!("folder {path} cannot be served: {error}"))?;
        Ok(Some(Self { root }))
    }

    /// The content of a file for a URL path.
    pub fn read(&self, address_path: &str) -> Option<Vec<u8>> {
        let found = Found::at(&self.root, &relative(address_path)?)?;
        std::fs::read(found.path).ok()
    }

    /// The text of a file for a URL path.
    pub(crate) async fn text(&self, address_path: &str) -> Option<String> {
        let found = self.find(address_path).await?;
        tokio::fs::read_to_string(found.path).await.ok()
    }

    /// The file for a URL path; `None` if there is none, or if it is outside the folder or hidden.
    async fn find(&self, address_path: &str) -> Option<Found> {
        let relative = relative(address_path)?;
        let root = self.root.clone();
        // File systems may be slow; this does not block the worker.
        tokio::task::spawn_blocking(move || Found::at(&root, &relative))
            .await
            .ok()?
    }
}

/// The relative path for a URL path.
fn relative(address_path: &str) -> Option<PathBuf> {
    let decoded = percent_encoding::percent_decode_str(address_path)
        .decode_utf8()
        .ok()?;
    let mut path = PathBuf::new();
    for segment in decoded.split('/') {
        if segment.is_empty() {
            continue;
        }
        // Hidden files, `..`, and separators of other systems.
        if segment.starts_with('.') || segment.contains(['\\', '\0', ':']) {
            return None;
        }
        path.push(segment);
    }
    Some(path)
}

/// A file that may be served.
#[derive(Debug)]
struct Found {
    path: PathBuf,
    size: u64,
    /// Seconds since 1970.
    modified: u64,
}

impl Found {
    fn at(root: &Path, relative: &Path) -> Option<Self> {
        // Links out of the folder are resolved here and refused below.
        let path = std::fs::canonicalize(root.join(relative)).ok()?;
        let data = std::fs::metadata(&path).ok()?;
        if !path.starts_with(root) || !data.is_file() {
            return None;
        }
        let modified = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            path,
            size: data.len(),
            modified: modified.as_secs(),
        })
    }

    fn etag(&self, encoding: &str) -> String {
        format!("\"{:x}-{:x}{encoding}\"", self.modified, self.size)
    }
}

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
        // The page itself says that there is none, or none any more.
        *response.status_mut() = match (page.known, page.gone) {
            (_, true) => StatusCode::GONE,
            (true, false) => StatusCode::OK,
            (false, false) => StatusCode::NOT_FOUND,
        };
    }
    response
}

/// The one address by which a page is to be known, whichever of its addresses was asked for, on the host that was asked.
fn canonical(request: &HttpRequest, gateway: &Gateway, page: &Page) -> Option<HeaderValue> {
    let path = page.canonical.as_ref()?;
    let origin = origin(request, gateway)?;
    HeaderValue::from_str(&format!("<{origin}{path}>; rel=\"canonical\"")).ok()
}

/// Scheme and host that were asked; none where the host is no host.
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

/// Demo models and their images, under `/demo/`.
pub async fn demo(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let path = request.path().strip_prefix("/demo").unwrap_or_default();
    match &gateway.site.demo {
        Some(folder) => send(&request, &gateway, folder, path).await,
        None => plain(StatusCode::NOT_FOUND, "没有这个文件"),
    }
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

/// What browsers let a page do.
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
    fn addresses_stay_below_the_folder() {
        assert_eq!(relative("/assets/a.js"), Some(PathBuf::from("assets/a.js")));
        assert_eq!(relative("//a//b"), Some(PathBuf::from("a/b")));
        for bad in [
            "/../etc/passwd",
            "/a/../../b",
            "/%2e%2e/etc/passwd",
            "/a/%2E%2E%2Fb",
            "/.env",
            "/a/.git/config",
            "/a%5c..%5cb",
            "/a%00b",
            "/%ff",
        ] {
            assert_eq!(relative(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("link")).unwrap();
        std::fs::write(root.join("inside"), "x").unwrap();
        assert!(Found::at(&root, Path::new("link")).is_none());
        assert!(Found::at(&root, Path::new("inside")).is_some());
        assert!(Found::at(&root, Path::new("")).is_none());
    }

    #[test]
    fn names_with_a_hash_are_kept_for_ever() {
        assert!(is_hashed("/assets/app.5c30f4e6522d.js"));
        assert!(!is_hashed("/index.html"));
        assert!(!is_hashed("/assets/app.js"));
        assert_eq!(content_type("/a.js"), "text/javascript; charset=utf-8");
        assert_eq!(content_type("/a.glb"), "model/gltf-binary");
    }
}
