//! Handlers of the listener: the page of a share, and its files.

use std::time::Duration;

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse};
use http::uri::PathAndQuery;
use prost::Message;
use proto::catalogue::Rate;
use proto::common::v1::{Empty, Principal};
use proto::works::v1::{OpenShareReply, OpenShareRequest, ShareLookedRequest};
use serde::Deserialize;

use super::{Embed, page, policy};
use crate::headers::text_header;
use crate::site::files::{plain, send};
use crate::stages::request_id::{Origin, origin};
use crate::state::Gateway;
use crate::upstream::{Outgoing, metadata};

const SERVICE: &str = "works";
const OPEN: &str = "/xuanlan.works.v1.ShareInternal/OpenShare";
const LOOKED: &str = "/xuanlan.works.v1.ShareInternal/ShareLooked";
/// Where the frontend's build puts the files of the page and, at a fixed address, the script for other sites.
const FOLDER: &str = "/embed/";
/// The template of a share's page.
const TEMPLATE: &str = "/embed/page.html";
/// The script that pages of other sites use.
const SCRIPT: &str = "/embed/v1.js";
const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    preview: String,
}

/// How the page was requested.
struct Visit {
    framed: bool,
    /// Host of the framing or referring page; empty if unknown.
    host: String,
    own_site: bool,
}

/// Scheme and host of a URL, in lower case.
fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(format!("{scheme}://{host}").to_ascii_lowercase())
}

fn host_of(origin: &str) -> &str {
    origin.split_once("://").map_or("", |(_, host)| host)
}

impl Visit {
    /// Read from the browser's headers. With Sec-Fetch-Dest, all but `document` is a frame; without it, a referrer on another site
    /// is.
    fn of(request: &HttpRequest, embed: &Embed) -> Self {
        let from = text_header(request, "referer")
            .and_then(origin_of)
            .unwrap_or_default();
        let own = text_header(request, "host").unwrap_or_default();
        if !own.is_empty() && host_of(&from).eq_ignore_ascii_case(own) {
            // The share's own page sends the password: its framing page was checked at first, and is checked by the browser now.
            return Self {
                framed: false,
                host: String::new(),
                own_site: false,
            };
        }
        let own_site = embed.is_own_site(&from);
        let framed = match text_header(request, "sec-fetch-dest") {
            Some(what) => what != "document",
            None => !from.is_empty() && !own_site,
        };
        Self {
            framed,
            own_site,
            host: host_of(&from).to_owned(),
        }
    }
}

/// The page of a share.
pub async fn open(
    request: HttpRequest,
    gateway: Data<Gateway>,
    id: Path<String>,
    asked: Query<Asked>,
) -> HttpResponse {
    if text_header(&request, "sec-purpose").is_some_and(|purpose| purpose.contains("prefetch")) {
        // A prefetch is not a view.
        return plain(StatusCode::SERVICE_UNAVAILABLE, "打开后再读取");
    }
    let visit = Visit::of(&request, &gateway.embed);
    let preview = asked.into_inner().preview;
    answer(
        &request,
        &gateway,
        id.into_inner(),
        visit,
        String::new(),
        preview,
    )
    .await
}

/// The same with a password.
pub async fn enter(
    request: HttpRequest,
    gateway: Data<Gateway>,
    id: Path<String>,
    body: Bytes,
) -> HttpResponse {
    let (mut password, mut from) = (String::new(), String::new());
    for (name, value) in form_urlencoded::parse(&body) {
        match &*name {
            "password" => password = value.into_owned(),
            // Host from which the first page was opened.
            "from" => from = value.into_owned(),
            _ => {}
        }
    }
    let mut visit = Visit::of(&request, &gateway.embed);
    // A framing host is taken from the headers only, because any client can forge the form.
    if !visit.framed && visit.host.is_empty() {
        visit.host = page::plain_host(&from);
    }
    answer(
        &request,
        &gateway,
        id.into_inner(),
        visit,
        password,
        String::new(),
    )
    .await
}

/// Records how long a share was viewed, as reported by the page when it is left.
pub async fn looked(
    request: HttpRequest,
    gateway: Data<Gateway>,
    id: Path<String>,
    body: Bytes,
) -> HttpResponse {
    let origin = origin(&request, &gateway.trusted);
    let mut shown = ShareLookedRequest {
        share_id: id.into_inner(),
        ..Default::default()
    };
    for (name, value) in form_urlencoded::parse(&body) {
        match &*name {
            "look" => shown.look_id = value.into_owned(),
            "seconds" => shown.seconds = value.parse().unwrap_or_default(),
            _ => {}
        }
    }
    if admitted(&gateway, &origin, Rate::Normal).await {
        // Best effort: the response to a beacon is ignored.
        let _: Option<Empty> = ask(&gateway, &origin, LOOKED, &shown).await;
    }
    HttpResponse::NoContent()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish()
}

async fn admitted(gateway: &Gateway, origin: &Origin, rate: Rate) -> bool {
    let live = gateway.live.get();
    let now = gateway.now_ms();
    let counted = gateway
        .rate
        .address(&live.limits, rate, origin.address, now);
    counted.await.is_ok()
}

async fn answer(
    request: &HttpRequest,
    gateway: &Gateway,
    share_id: String,
    visit: Visit,
    password: String,
    preview: String,
) -> HttpResponse {
    let origin = origin(request, &gateway.trusted);
    // Hashing a password is slow, and all shares use the same few workers for it.
    let rate = match password.is_empty() {
        true => Rate::Normal,
        false => Rate::Heavy,
    };
    if !admitted(gateway, &origin, rate).await {
        return page::notice(&page::BUSY);
    }
    let asked = OpenShareRequest {
        share_id,
        password,
        preview,
        framed: visit.framed,
        host: visit.host,
        own_site: visit.own_site,
    };
    let Some(reply) = ask::<OpenShareReply>(gateway, &origin, OPEN, &asked).await else {
        return page::notice(&page::AWAY);
    };
    let embed = &gateway.embed;
    let ancestors = policy::ancestors(&reply, &embed.site);
    match reply.outcome.as_str() {
        "open" => {
            let folder = gateway.site.frontend.as_ref();
            let template = match folder {
                Some(folder) => folder.text(TEMPLATE).await,
                None => None,
            };
            let Some(template) = template else {
                return plain(StatusCode::NOT_FOUND, "本服务没有附带页面");
            };
            page::opened(&template, &asked, &reply, embed, &ancestors)
        }
        "password" | "wrong" | "wait" => page::password(&asked, &reply.outcome, &ancestors),
        "stranger" => page::notice(&page::STRANGER),
        "gone" => page::notice(&page::GONE),
        _ => page::notice(&page::NONE),
    }
}

async fn ask<R: Message + Default>(
    gateway: &Gateway,
    origin: &Origin,
    path: &'static str,
    request: &impl Message,
) -> Option<R> {
    let works = gateway.upstreams.get(SERVICE)?;
    let call = Outgoing {
        path: PathAndQuery::from_static(path),
        body: request.encode_to_vec().into(),
        metadata: metadata(origin.passed_on()),
        principal: Principal {
            audience: SERVICE.to_owned(),
            remote_addr: origin.address.to_string(),
            request_id: origin.request_id.clone(),
            user_agent: origin.user_agent.clone(),
            ..Principal::default()
        },
        wait: Duration::from_millis(gateway.config.call_wait_ms),
        reads: false,
    };
    match works.call(&gateway.parts.principals, call).await {
        Ok(reply) => R::decode(reply).ok(),
        Err(status) => {
            tracing::warn!(%status, path, "a share was not answered");
            None
        }
    }
}

/// Scripts of the page, and the script for other sites.
pub async fn files(request: HttpRequest, gateway: Data<Gateway>) -> HttpResponse {
    let none = || plain(StatusCode::NOT_FOUND, "没有这个文件");
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "请求方式不受支持");
    }
    let path = request.path();
    let Some(folder) = &gateway.site.frontend else {
        return none();
    };
    if !path.starts_with(FOLDER) || path.ends_with(".html") {
        return none();
    }
    let mut response = send(&request, &gateway, folder, path).await;
    let headers = response.headers_mut();
    if path == SCRIPT {
        headers.insert(CORP, HeaderValue::from_static("cross-origin"));
        let everybody = HeaderValue::from_static("*");
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, everybody);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EmbedConfig;

    fn visit(headers: &[(&'static str, &'static str)]) -> (bool, String, bool) {
        let embed = Embed::new(
            &EmbedConfig {
                listen: "127.0.0.1:7085".to_owned(),
                public_address: String::new(),
                site_origins: vec!["http://Site.test:7080/".to_owned()],
            },
            "",
        );
        assert_eq!(embed.address, "http://127.0.0.1:7085");
        let mut request = actix_web::test::TestRequest::default();
        for header in headers {
            request = request.insert_header(*header);
        }
        let visit = Visit::of(&request.to_http_request(), &embed);
        (visit.framed, visit.host, visit.own_site)
    }

    #[test]
    fn a_page_is_framed_unless_it_says_that_it_is_not() {
        let page = ("sec-fetch-dest", "document");
        let frame = ("sec-fetch-dest", "iframe");
        let stranger = ("referer", "https://Evil.test/a?b");
        let own = ("referer", "http://site.test:7080/workbench");
        let evil = "evil.test".to_owned();
        assert_eq!(visit(&[]), (false, String::new(), false));
        assert_eq!(visit(&[page, stranger]), (false, evil.clone(), false));
        assert_eq!(visit(&[frame, stranger]), (true, evil.clone(), false));
        assert_eq!(visit(&[stranger]), (true, evil, false));
        assert_eq!(visit(&[frame]), (true, String::new(), false));
        let site = "site.test:7080".to_owned();
        assert_eq!(visit(&[frame, own]), (true, site, true));
        let itself = [("host", "e.test"), ("referer", "https://e.test/e/1"), frame];
        assert_eq!(visit(&itself), (false, String::new(), false));
    }
}
