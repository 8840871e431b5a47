//! Pages known to content: first HTML, 301, 404, 410, sitemap, robots, feed.

use std::sync::atomic::Ordering;

use chassis::testing::{Shape, eventually, shapes};
use proto::content::v1::{PageReply, PublishedPage};
use reqwest::redirect::Policy;
use serde_json::json;

use crate::support::*;

const SHELL: &str = "<!doctype html><html><head><meta name=\"description\" content=\"玄览云\"/><title>玄览云</title>\
    </head><body><div id=\"root\"></div><noscript>script</noscript></body></html>";

/// A frontend with a listed page and some unlisted ones.
fn frontend() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("pages")).unwrap();
    write("index.html", SHELL);
    write("pages/news.html", SHELL);
    write("pages/unlisted.html", "<meta name=robots content=noindex>");
    write(
        "routes.json",
        r#"{"unlisted":"/pages/unlisted.html","pages":[
            {"path":"/news","html":"/pages/news.html","canonical":"/news"},
            {"path":"/pricePage","html":"/pages/news.html","canonical":"/pricePage"},
            {"path":"/news/detail","html":"/pages/unlisted.html"},
            {"path":"/workbench","html":"/pages/unlisted.html"}]}"#,
    );
    folder
}

async fn start(shape: Shape) -> (Running, tempfile::TempDir) {
    let folder = frontend();
    let path = folder.path().display().to_string();
    let running = Running::start(shape, Place::InProcess, |settings| {
        settings.set("gateway", "static_dir", path);
    })
    .await;
    (running, folder)
}

fn article() -> PageReply {
    PageReply {
        status: 200,
        title: "齿轮 - 玄览云".to_owned(),
        description: "一只齿轮".to_owned(),
        canonical: "/news/detail?id=1".to_owned(),
        og_type: "article".to_owned(),
        json_ld: "{\"url\":\"%SITE%/news/detail?id=1\"}".to_owned(),
        body_html: "<main><h1>齿轮</h1></main>".to_owned(),
        keep_s: 60,
        ..Default::default()
    }
}

impl Running {
    fn say(&self, address: &str, reply: PageReply) {
        let mut pages = self.fakes.pages.lock().unwrap();
        pages.insert(address.to_owned(), reply);
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        let client = reqwest::Client::builder().redirect(Policy::none()).build();
        client.unwrap().get(self.url(path)).send().await.unwrap()
    }
}

#[tokio::test]
async fn an_article_stands_in_the_first_html() {
    for shape in shapes() {
        let (running, _folder) = start(shape).await;
        running.say("/news/detail?id=1", article());
        let page = running.get("/news/detail?id=1&utm=x").await;
        assert_eq!(page.status().as_u16(), 200);
        let headers = page.headers().clone();
        assert!(!headers.contains_key("x-robots-tag"), "it may be found");
        let origin = running.url("");
        let link = format!("<{origin}/news/detail?id=1>; rel=\"canonical\"");
        assert_eq!(headers["link"].to_str().unwrap(), link);
        assert!(headers.contains_key("content-security-policy"));
        let html = page.text().await.unwrap();
        for piece in [
            "<title>齿轮 - 玄览云</title>".to_owned(),
            "<meta name=\"description\" content=\"一只齿轮\"/>".to_owned(),
            format!("<link rel=\"canonical\" href=\"{origin}/news/detail?id=1\">"),
            "<meta property=\"og:title\" content=\"齿轮 - 玄览云\">".to_owned(),
            "<meta name=\"twitter:card\"".to_owned(),
            format!("{{\"url\":\"{origin}/news/detail?id=1\"}}</script>"),
            "<div id=\"root\"><main><h1>齿轮</h1></main></div>".to_owned(),
        ] {
            assert!(html.contains(&piece), "{piece} in {html}");
        }
        let etag = headers["etag"].to_str().unwrap();
        let known = reqwest::Client::new()
            .get(running.url("/news/detail?id=1"))
            .header("if-none-match", etag);
        assert_eq!(known.send().await.unwrap().status().as_u16(), 304);

        // Withdrawn: gateways are notified, and drop their cached heads.
        let gone = PageReply {
            status: 410,
            ..Default::default()
        };
        running.say("/news/detail?id=1", gone);
        assert_eq!(
            running.get("/news/detail?id=1").await.status().as_u16(),
            200
        );
        let notice = json!({"type": "CONTENT_CHANGED"}).to_string();
        running.test.parts.bus.push_text("#gateway", notice);
        eventually("the page is gone", || async {
            let page = running.get("/news/detail?id=1").await;
            (page.status().as_u16() == 410).then_some(())
        })
        .await;
        running.finish().await;
    }
}

#[tokio::test]
async fn pages_are_missing_gone_or_elsewhere() {
    let (running, _folder) = start(Shape::Embedded).await;
    let status = |status: i32, location: &str| PageReply {
        status,
        location: location.to_owned(),
        ..Default::default()
    };
    running.say("/news/detail?id=2", status(404, ""));
    running.say("/news/detail?id=3", status(410, ""));
    running.say("/news/detail?id=4", status(301, "/news"));
    running.say("/old?", status(301, "/pricePage"));
    running.say("/older?", status(301, "//evil.test"));
    for (path, expected) in [
        ("/news/detail?id=2", 404),
        ("/news/detail?id=3", 410),
        ("/news/detail?id=4", 301),
        ("/old", 301),
        ("/older", 404),
        ("/nothing", 404),
        ("/workbench", 200),
        ("/news/detail?id=2&preview=abc", 200),
    ] {
        let page = running.get(path).await;
        assert_eq!(page.status().as_u16(), expected, "{path}");
        if expected == 404 || expected == 410 {
            assert_eq!(page.headers()["x-robots-tag"], "noindex", "{path}");
        }
    }
    let moved = running.get("/old").await;
    assert_eq!(moved.headers()["location"], "/pricePage");
    running.finish().await;
}

#[tokio::test]
async fn texts_are_escaped_in_the_head() {
    let (running, _folder) = start(Shape::Embedded).await;
    for (number, evil) in [
        "</title><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "\" onload=\"alert(1)",
        "'><svg>",
    ]
    .iter()
    .enumerate()
    {
        let reply = PageReply {
            title: evil.to_string(),
            description: evil.to_string(),
            canonical: format!("/news/detail?id={evil}"),
            og_type: evil.to_string(),
            ..article()
        };
        let query = format!("id={number}");
        running.say(&format!("/news/detail?{query}"), reply);
        let html = running
            .get(&format!("/news/detail?{query}"))
            .await
            .text()
            .await
            .unwrap();
        assert!(html.contains("&quot;") || html.contains("&lt;"), "{html}");
        for tag in ["<script>alert", "<img", "<svg", "\" onload", "'><"] {
            assert!(!html.contains(tag), "{tag} of {evil} in {html}");
        }
    }
    running.finish().await;
}

#[tokio::test]
async fn content_that_is_slow_or_away_leaves_pages_plain() {
    let (running, _folder) = start(Shape::Embedded).await;
    running.say("/news?", article());
    running.fakes.slow_ms.store(5_000, Ordering::SeqCst);
    let page = running.get("/news").await;
    assert_eq!(page.status().as_u16(), 200);
    assert!(page.text().await.unwrap().contains("<title>玄览云</title>"));
    // Failures are not cached.
    running.fakes.slow_ms.store(0, Ordering::SeqCst);
    eventually("the page has its text", || async {
        let html = running.get("/news").await.text().await.ok()?;
        html.contains("<title>齿轮 - 玄览云</title>").then_some(())
    })
    .await;
    running.finish().await;
}

#[tokio::test]
async fn the_sitemap_and_the_feed_list_what_is_published() {
    let (running, _folder) = start(Shape::Embedded).await;
    let page = |kind: &str, path: &str| PublishedPage {
        kind: kind.to_owned(),
        path: path.to_owned(),
        title: "a < b & c".to_owned(),
        summary: "\"]]>".to_owned(),
        published_at: 1_795_104_000_000,
        updated_at: 1_795_190_400_000,
    };
    *running.fakes.published.lock().unwrap() = vec![
        page("news", "/news/detail?id=1&cid=2"),
        page("help", "/helpCenter?id=3"),
        page("campaign", "/pricePage"),
    ];
    let origin = running.url("");
    let map = running.get("/sitemap.xml").await;
    assert_eq!(
        map.headers()["content-type"],
        "application/xml; charset=utf-8"
    );
    let map = map.text().await.unwrap();
    for piece in [
        format!("<url><loc>{origin}/news</loc></url>"),
        format!(
            "<loc>{origin}/news/detail?id=1&amp;cid=2</loc><lastmod>2026-11-20T16:00:00Z</lastmod>"
        ),
        format!("<loc>{origin}/pricePage</loc><lastmod>"),
    ] {
        assert!(map.contains(&piece), "{piece} in {map}");
    }
    assert_eq!(map.matches("<url>").count(), 4);
    assert!(!map.contains("workbench"));

    let feed = running.get("/atom.xml").await.text().await.unwrap();
    assert_eq!(feed.matches("<entry>").count(), 1);
    assert!(feed.contains("<title>a &lt; b &amp; c</title>"), "{feed}");
    assert!(feed.contains("<summary>&quot;]]&gt;</summary>"), "{feed}");
    let robots = running.get("/robots.txt").await.text().await.unwrap();
    assert!(robots.contains(&format!("Sitemap: {origin}/sitemap.xml")));
    assert!(robots.contains("Disallow: /workbench\n"));
    running.finish().await;
}
