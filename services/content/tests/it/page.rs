//! The gateway's view of pages: head and text, gone, moved (HD016).

use chassis::testing::{Shape, shapes};
use proto::content::v1::*;
use serde_json::json;

use crate::support::{Running, draft, with};

/// Hostile input for any text.
const EVIL: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</title><svg onload=x>",
    "</script><b>",
    "' onclick='x",
];

#[tokio::test]
async fn an_article_has_its_head_and_is_gone_when_taken_back() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running
            .write("news", "fixture-page", draft("一则新闻", "这里是正文。"))
            .await;
        let query = format!("id={id}");
        let page = running.page("/news/detail", &query).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.title, "一则新闻 - 玄览云");
        assert_eq!(page.description, "一则新闻的摘要");
        assert_eq!(page.canonical, format!("/news/detail?id={id}"));
        assert_eq!(page.og_type, "article");
        assert!(page.body_html.contains("<h1>一则新闻</h1>"));
        assert!(page.body_html.contains("<p>这里是正文。</p>"));
        let graph: serde_json::Value = serde_json::from_str(&page.json_ld).expect("JSON");
        assert_eq!(graph["@graph"][0]["@type"], "NewsArticle");
        let trail = graph["@graph"][1]["itemListElement"]
            .as_array()
            .expect("a trail");
        assert_eq!(trail[1]["item"], "%SITE%/news");
        // Other addresses of the same article, and a page of another kind.
        assert_eq!(
            running.page("/NEWS/", &query).await.canonical,
            page.canonical
        );
        assert_eq!(
            running.page("/news/detail", "id=fixture-page").await.status,
            200
        );
        let elsewhere = running.page("/helpCenter", &query).await;
        assert_eq!(
            (elsewhere.status, elsewhere.location),
            (301, page.canonical.clone())
        );

        assert_eq!(running.page("/news/detail", "id=1").await.status, 404);
        assert_eq!(running.page("/news/detail", "").await.status, 404);
        assert_eq!(running.page("/news", "cid=1").await.status, 404);
        assert_eq!(running.page("/workbench", "").await.status, 0);
        assert!(running.published().await.contains(&page.canonical));
        running.archive(&id).await.expect("taken back");
        assert_eq!(running.page("/news/detail", &query).await.status, 410);
        assert!(!running.published().await.contains(&page.canonical));

        let moved = RedirectSaveRequest {
            from: format!("/News/Detail?id={id}"),
            to: "/news".to_owned(),
        };
        running
            .console()
            .redirect_save(running.by_operator("anna", moved))
            .await
            .expect("saved");
        let page = running.page("/news/detail", &query).await;
        assert_eq!((page.status, page.location.as_str()), (301, "/news"));
        let followed = running.detail("news", &id).await.expect("moved");
        assert_eq!(followed.moved_to, "/news");
        running.test.finish().await;
    }
}

#[tokio::test]
async fn a_list_links_its_articles() {
    let running = Running::start(Shape::Embedded).await;
    let id = running
        .write("news", "fixture-listed", draft("在列表里", "正文"))
        .await;
    let page = running.page("/news", "").await;
    assert_eq!((page.status, page.canonical.as_str()), (200, "/news"));
    let link = format!("<a href=\"/news/detail?id={id}\">在列表里</a>");
    assert!(page.body_html.contains(&link), "{}", page.body_html);
    running.test.finish().await;
}

#[tokio::test]
async fn a_page_of_one_article_has_its_address() {
    let running = Running::start(Shape::Embedded).await;
    let own = running.published().await.contains("/semV1.0.0/gszh");
    if !own {
        running
            .write("campaign", "gszh", draft("格式转换", "正文"))
            .await;
    }
    let page = running.page("/semV1.0.0/gszh", "").await;
    assert_eq!(
        (page.status, page.canonical.as_str()),
        (200, "/semV1.0.0/gszh")
    );
    assert!(running.published().await.contains("/semV1.0.0/gszh"));
    running.test.finish().await;
}

#[tokio::test]
async fn no_text_becomes_a_tag() {
    let running = Running::start(Shape::Embedded).await;
    for (number, evil) in EVIL.iter().enumerate() {
        let inline = || json!([{"text": evil, "bold": true}]);
        let inner = json!([{"type": "text", "text": inline()}]);
        let blocks = json!({"version": 1, "blocks": [
            {"type": "heading", "level": 2, "id": "s", "text": inline()},
            {"type": "text", "text": [{"text": evil, "code": true, "href": "https://x.test/\"><b>"}]},
            {"type": "list", "ordered": true, "items": [inline()]},
            {"type": "table", "head": [inline()], "rows": [[inline()]]},
            {"type": "code", "language": "sh", "text": evil},
            {"type": "picture", "sample": "gears", "view": "front", "alt": evil},
            {"type": "model", "sample": "gears", "note": evil},
            {"type": "compare", "sample": "gears", "note": evil},
            {"type": "action", "path": "/a\"><b>", "label": evil},
            {"type": "figure", "value": evil, "source": evil, "note": evil},
            {"type": "questions", "items": [{"question": evil, "blocks": inner}]},
            {"type": "steps", "items": [{"title": evil, "blocks": inner}]},
        ]});
        let of = ArticleDraft {
            title: evil.to_string(),
            summary: evil.to_string(),
            ..with("题", &blocks)
        };
        let slug = format!("fixture-evil-{number}");
        let id = running.write("news", &slug, of).await;
        let page = running.page("/news/detail", &format!("id={id}")).await;
        assert_eq!(page.status, 200, "{evil}");
        for html in [&page.body_html, &running.page("/news", "").await.body_html] {
            for tag in ["<script", "<img", "<svg", "<b>", "onclick='"] {
                assert!(!html.contains(tag), "{tag} of {evil} in {html}");
            }
        }
        assert!(!page.json_ld.contains(['<', '>']), "{}", page.json_ld);
        // Title and description are plain text; the gateway escapes them.
        assert_eq!(page.description, *evil);
    }
    running.test.finish().await;
}
