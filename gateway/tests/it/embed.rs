//! Shared works at their own listener: what is sent, to whom, and what must never be.

use std::net::TcpListener;

use chassis::testing::{Shape, TestParts};
use gateway::Options;
use proto::works::v1::OpenShareReply;
use reqwest::Response;
use reqwest::header::HeaderMap;

use crate::support::{Place, Running};

const PAGE: &str = "<style nonce=\"%NONCE%\">:root{/*%GROUND%*/}</style><title>%NAME%</title>%POSTER%\
    <script type=\"application/json\" id=\"manifest\">\"%MANIFEST%\"</script><script src=\"/embed/page.1.js\"></script>";

/// A gateway with the listener, and its URL.
async fn with_embed() -> (Running, String) {
    let folder = tempfile::TempDir::new().unwrap().keep();
    std::fs::create_dir(folder.join("embed")).unwrap();
    for (name, text) in [
        ("index.html", "site"),
        ("embed/page.html", PAGE),
        ("embed/v1.js", "globalThis.Xuanlan = {}"),
        ("site.js", "site"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let test = TestParts::open(Shape::Embedded, &[gateway::DEFAULTS], |settings| {
        settings.set("gateway", "static_dir", folder.display().to_string());
        let sites = vec!["http://site.test".to_owned()];
        settings.put("gateway.embed.site_origins", sites).unwrap();
        let address = "https://embed.test/".to_owned();
        settings
            .put("gateway.embed.public_address", address)
            .unwrap();
    })
    .await;
    let options = Options {
        embed: Some(TcpListener::bind("127.0.0.1:0").unwrap()),
        ..Options::default()
    };
    let running = Running::on(test, Place::InProcess, options).await;
    let embed = format!("http://{}", running.gateway.embed.unwrap());
    (running, embed)
}

async fn get(url: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = reqwest::Client::new().get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap()
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}

/// No answer of the listener sets a cookie or lets another origin read it.
fn keeps_to_itself(headers: &HeaderMap) {
    for name in ["set-cookie", "access-control-allow-origin"] {
        assert!(!headers.contains_key(name), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_share_is_sent_with_its_poster_and_a_policy_of_its_own() {
    let (running, embed) = with_embed().await;
    *running.fakes.share.lock().unwrap() = OpenShareReply {
        outcome: "open".to_owned(),
        name: "</title><script>alert(1)</script>".to_owned(),
        domains: vec!["a.test".to_owned()],
        model_url: "http://store/model.glb?sig=1".to_owned(),
        poster_url: "http://store/poster?a=1&b=2".to_owned(),
        options: r##"{"background":"#102030","autostart":true}"##.to_owned(),
        scene: r#"{"format":"xlscene","version":1}"#.to_owned(),
        look_id: "1".repeat(32),
        ..Default::default()
    };
    let url = format!("{embed}/e/abc?preview=p1");
    let headers = [
        ("sec-fetch-dest", "iframe"),
        ("referer", "https://A.test/page?secret"),
        ("cookie", "token=somebody"),
    ];
    let page = get(&url, &headers).await;
    assert_eq!(page.status().as_u16(), 200);
    let asked = running.fakes.opened.lock().unwrap().clone();
    assert_eq!(
        (asked.share_id.as_str(), asked.preview.as_str()),
        ("abc", "p1")
    );
    assert_eq!(
        (asked.host.as_str(), asked.framed, asked.own_site),
        ("a.test", true, false)
    );
    let headers = page.headers().clone();
    keeps_to_itself(&headers);
    let policy = text(&headers, "content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval' blob:;",
        "frame-ancestors http://a.test https://a.test http://site.test;",
        "sandbox allow-scripts",
    ] {
        assert!(policy.contains(part), "{part}: {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("navigation"));
    assert!(!headers.contains_key("x-frame-options"));
    assert_eq!(text(&headers, "cache-control"), "no-store");
    let html = page.text().await.unwrap();
    for part in [
        "<title>&lt;/title&gt;&lt;script&gt;",
        "src=\"http://store/poster?a=1&amp;b=2\"",
        ":root{--ground: #102030;}",
        "\"model\":\"http://store/model.glb?sig=1\"",
        "\"name\":\"\\u003c/title>",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains('%'), "{html}");

    // The site's own page previews it.
    let own = [
        ("sec-fetch-dest", "iframe"),
        ("referer", "http://site.test/workbench"),
    ];
    get(&url, &own).await;
    assert!(running.fakes.opened.lock().unwrap().own_site);
    // A prefetch opens nothing.
    let ahead = get(&url, &[("sec-purpose", "prefetch")]).await;
    assert_eq!(ahead.status().as_u16(), 503);
    running.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_open_is_one_plain_page() {
    let (running, embed) = with_embed().await;
    let url = format!("{embed}/e/abc");
    for (outcome, status, says) in [
        ("gone", 410, "内容已不再分享"),
        ("stranger", 403, "此网站不能嵌入这个内容"),
        ("none", 404, "没有这个分享"),
        ("password", 200, "请输入访问密码"),
        ("wrong", 403, "密码不正确"),
        ("wait", 429, "15 分钟"),
    ] {
        *running.fakes.share.lock().unwrap() = OpenShareReply {
            outcome: outcome.to_owned(),
            domains: vec!["a.test".to_owned()],
            ..Default::default()
        };
        let page = get(&url, &[("referer", "https://a.test/")]).await;
        assert_eq!(page.status().as_u16(), status, "{outcome}");
        keeps_to_itself(page.headers());
        let policy = text(page.headers(), "content-security-policy").to_owned();
        assert!(
            policy.starts_with("default-src 'none'; style-src 'nonce-"),
            "{policy}"
        );
        let html = page.text().await.unwrap();
        assert!(html.contains(says), "{outcome}: {html}");
        assert!(
            !html.contains("<script") && !html.contains("<img"),
            "{html}"
        );
    }
    // The password is sent with the host from which the first page was opened, and is never in an address.
    let form = [("password", "芝麻"), ("from", "a.test")];
    let request = reqwest::Client::new().post(&url).form(&form);
    let own = format!("{embed}/e/abc");
    request.header("referer", own).send().await.unwrap();
    let asked = running.fakes.opened.lock().unwrap().clone();
    assert_eq!(
        (asked.password.as_str(), asked.host.as_str(), asked.framed),
        ("芝麻", "a.test", false)
    );
    let large = "x".repeat(5000);
    let refused = reqwest::Client::new().post(&url).body(large).send().await;
    assert_eq!(refused.unwrap().status().as_u16(), 413);

    let look = "2".repeat(32);
    let reply = reqwest::Client::new()
        .post(format!("{url}/look"))
        .body(format!("look={look}&seconds=12"));
    assert_eq!(reply.send().await.unwrap().status().as_u16(), 204);
    let looked = running.fakes.looked.lock().unwrap().clone();
    assert_eq!((looked.share_id.as_str(), looked.seconds), ("abc", 12));
    assert_eq!(looked.look_id, look);
    running.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_the_site_is_found_there_and_nothing_of_it_at_the_site() {
    let (running, embed) = with_embed().await;
    let script = get(&format!("{embed}/embed/v1.js"), &[]).await;
    assert_eq!(script.status().as_u16(), 200);
    assert_eq!(
        text(script.headers(), "cross-origin-resource-policy"),
        "cross-origin"
    );
    for path in [
        "/",
        "/site.js",
        "/index.html",
        "/embed/page.html",
        "/embed/../site.js",
        "/config.json",
        "/api-personal/x",
        "/console.html",
        "/ws",
    ] {
        let found = get(&format!("{embed}{path}"), &[]).await;
        assert_eq!(found.status().as_u16(), 404, "{path}");
    }
    for path in [
        "/embed",
        "/embed/page.html",
        "/embed/v1.js",
        "/%65mbed/v1.js",
    ] {
        let found = get(&running.url(path), &[]).await;
        assert_eq!(found.status().as_u16(), 404, "{path} at the site");
    }
    let page = get(&running.url("/"), &[]).await;
    let policy = text(page.headers(), "content-security-policy").to_owned();
    assert!(
        policy.contains("frame-src 'self' https://embed.test;"),
        "{policy}"
    );
    assert!(policy.contains("frame-ancestors 'self'"), "{policy}");
    let config = get(&running.url("/config.json"), &[]).await;
    let config: serde_json::Value = config.json().await.unwrap();
    assert_eq!(config["embedUrl"], "https://embed.test");
    running.finish().await;
}
