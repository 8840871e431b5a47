//! `/sitemap.xml`, `/robots.txt` and `/atom.xml`, for search engines and feed readers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use actix_web::http::header;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use proto::content::v1::PublishedPage;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::shell::escaped;
use super::{files, packing};
use crate::state::Gateway;

/// Number of entries in the feed.
const ENTRIES: i32 = 50;
/// Maximum number of addresses in a sitemap.
const MOST: usize = 50_000;
const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// All pages that search engines may list, with the time of their last change if known.
pub async fn sitemap(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let Some(origin) = files::origin(&request, &gateway) else {
        return HttpResponse::BadRequest().finish();
    };
    let Some(published) = gateway.heads.published("", 0).await else {
        return away();
    };
    let mut pages: BTreeMap<&str, i64> =
        gateway.site.pages.listed().map(|path| (path, 0)).collect();
    for page in &published.pages {
        pages.insert(&page.path, changed(page));
    }
    let mut text = format!("{XML}<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for (path, at_ms) in pages.into_iter().take(MOST) {
        let address = escaped(&format!("{origin}{path}"));
        let _ = write!(text, "<url><loc>{address}</loc>");
        if at_ms > 0 {
            let _ = write!(text, "<lastmod>{}</lastmod>", moment(at_ms));
        }
        text.push_str("</url>\n");
    }
    text.push_str("</urlset>\n");
    send(&request, "application/xml; charset=utf-8", text)
}

pub async fn robots(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let mut text = String::from(
        "User-agent: *\nDisallow: /api-\nDisallow: /workbench\nDisallow: /publishCenter\nDisallow: /common/\n\
         Disallow: /login\nDisallow: /message\n",
    );
    if let Some(origin) = files::origin(&request, &gateway) {
        let _ = write!(text, "\nSitemap: {origin}/sitemap.xml\n");
    }
    send(&request, "text/plain; charset=utf-8", text)
}

/// The newest news.
pub async fn atom(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let Some(origin) = files::origin(&request, &gateway) else {
        return HttpResponse::BadRequest().finish();
    };
    let Some(published) = gateway.heads.published("news", ENTRIES).await else {
        return away();
    };
    let origin = escaped(&origin);
    let newest = published
        .pages
        .iter()
        .map(changed)
        .max()
        .unwrap_or_default();
    let mut text = format!(
        "{XML}<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"zh-CN\"><title>玄览云新闻</title>\
         <id>{origin}/atom.xml</id><link rel=\"self\" href=\"{origin}/atom.xml\"/>\
         <link href=\"{origin}/news\"/><updated>{}</updated><author><name>玄览云</name></author>\n",
        moment(newest)
    );
    for page in &published.pages {
        let address = format!("{origin}{}", escaped(&page.path));
        let (title, summary) = (escaped(&page.title), escaped(&page.summary));
        let (published, updated) = (moment(page.published_at), moment(changed(page)));
        let _ = writeln!(
            text,
            "<entry><title>{title}</title><id>{address}</id><link href=\"{address}\"/>\
             <published>{published}</published><updated>{updated}</updated><summary>{summary}</summary></entry>"
        );
    }
    text.push_str("</feed>\n");
    send(&request, "application/atom+xml; charset=utf-8", text)
}

/// Not an empty list, which would remove all pages from search engines.
fn away() -> HttpResponse {
    HttpResponse::ServiceUnavailable()
        .insert_header((header::RETRY_AFTER, "60"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

fn send(request: &HttpRequest, content_type: &'static str, text: String) -> HttpResponse {
    let response = HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, content_type))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(text);
    packing::pack(request, response)
}

fn changed(page: &PublishedPage) -> i64 {
    page.updated_at.max(page.published_at)
}

/// In RFC 3339.
fn moment(at_ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok();
    at.and_then(|at| at.format(&Rfc3339).ok())
        .unwrap_or_default()
}
