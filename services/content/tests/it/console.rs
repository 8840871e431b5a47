//! Operators write, publish, schedule and take back; each leaves an audit entry.

use std::collections::BTreeSet;

use chassis::testing::{Shape, console, eventually, shapes};
use proto::code;
use proto::content::v1::*;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

use crate::support::{Running, code_of, draft, with};

impl Running {
    async fn text(&self, sql: &str) -> Vec<String> {
        let statement = Statement::from_string(self.db.get_database_backend(), sql);
        let rows = self.db.query_all_raw(statement).await.expect("rows");
        rows.iter()
            .map(|row| row.try_get_by_index(0).expect("text"))
            .collect()
    }

    async fn review(&self, id: &str, back: bool) -> Result<ArticleItem, tonic::Status> {
        let form = ArticleReviewRequest {
            id: id.to_owned(),
            back,
        };
        let reply = self
            .console()
            .article_review(self.by_operator("anna", form))
            .await?;
        Ok(reply.into_inner().article.expect("the article"))
    }

    async fn show(&self, id: &str) -> ArticleShowReply {
        let form = ArticleShowRequest { id: id.to_owned() };
        let shown = self
            .console()
            .article_show(self.by_operator("anna", form))
            .await;
        shown.expect("the article").into_inner()
    }

    async fn restore(
        &self,
        id: &str,
        revision: i64,
        base: i64,
    ) -> Result<ArticleSaveReply, tonic::Status> {
        let form = ArticleRestoreRequest {
            id: id.to_owned(),
            revision,
            base_revision: base,
            reason: "改错了".to_owned(),
        };
        let saved = self
            .console()
            .article_restore(self.by_operator("anna", form))
            .await?;
        Ok(saved.into_inner())
    }
}

#[tokio::test]
async fn an_article_goes_through_its_states_and_each_leaves_an_entry() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let saved = running
            .save(("", 0), ("news", "fixture-way"), draft("一", "第一稿"))
            .await;
        let id = saved.expect("saved").id;
        assert_eq!(
            running.review(&id, false).await.expect("handed in").state,
            "review"
        );
        assert_eq!(
            running.review(&id, true).await.expect("given back").state,
            "draft"
        );
        assert_eq!(code_of(running.review(&id, true).await), code::CONFLICT);
        assert_eq!(
            code_of(running.detail("news", "fixture-way").await),
            code::NOT_FOUND
        );
        assert_eq!(code_of(running.archive(&id).await), code::CONFLICT);
        assert_eq!(
            running
                .publish(&id, 1, 0)
                .await
                .expect("published")
                .published_revision,
            1
        );
        assert_eq!(code_of(running.publish(&id, 1, 0).await), code::CONFLICT);

        // A further draft does not change the shown article.
        let second = running
            .save((&id, 1), ("", ""), draft("二", "第二稿"))
            .await;
        assert_eq!(second.expect("saved").revision, 2);
        let shown = running.detail("news", "fixture-way").await.expect("shown");
        assert_eq!(shown.card.expect("a card").title, "一");
        let item = running.show(&id).await.article.expect("listed");
        assert_eq!(
            (
                item.title.as_str(),
                item.published_revision,
                item.latest_revision
            ),
            ("二", 1, 2)
        );
        // Of two editors who began with the same revision the second gets a conflict.
        let late = running
            .save((&id, 1), ("", ""), draft("三", "第三稿"))
            .await;
        assert_eq!(code_of(late), code::CONFLICT);
        assert_eq!(code_of(running.publish(&id, 1, 0).await), code::CONFLICT);
        running.publish(&id, 2, 0).await.expect("published");
        let shown = running.detail("news", "fixture-way").await.expect("shown");
        assert_eq!(
            (shown.card.expect("a card").title.as_str(), shown.revision),
            ("二", 2)
        );

        assert_eq!(code_of(running.restore(&id, 2, 2).await), code::CONFLICT);
        assert_eq!(
            running.restore(&id, 1, 2).await.expect("restored").revision,
            3
        );
        let all = running.show(&id).await;
        assert_eq!(all.draft.expect("a draft").title, "一");
        assert_eq!(all.revisions[0].restored_from, 1);
        assert_eq!(all.revisions[0].saved_by, "anna");

        assert_eq!(
            running.archive(&id).await.expect("taken back").state,
            "archived"
        );
        assert_eq!(
            code_of(running.detail("news", "fixture-way").await),
            code::NOT_FOUND
        );
        assert_eq!(
            running.publish(&id, 3, 0).await.expect("again").state,
            "published"
        );

        let preview = ArticlePreviewRequest { id: id.clone() };
        running
            .console()
            .article_preview(running.by_operator("anna", preview))
            .await
            .expect("a link");
        let category = ContentCategorySaveRequest {
            kind: "news".to_owned(),
            slug: "fixture".to_owned(),
            title: "夹具".to_owned(),
            ..Default::default()
        };
        running
            .console()
            .content_category_save(running.by_operator("anna", category))
            .await
            .expect("saved");
        let moved = RedirectSaveRequest {
            from: "/news/detail?id=1".to_owned(),
            to: "/news".to_owned(),
        };
        running
            .console()
            .redirect_save(running.by_operator("anna", moved))
            .await
            .expect("saved");
        let gone = RedirectRemoveRequest {
            from: "/news/detail?id=1".to_owned(),
            reason: "不用了".to_owned(),
        };
        running
            .console()
            .redirect_remove(running.by_operator("anna", gone))
            .await
            .expect("removed");

        let called = running.text("SELECT call FROM audit").await;
        let called: BTreeSet<&str> = called.iter().map(String::as_str).collect();
        assert_eq!(called, console::audited(xl_content::NAME));
        running.test.finish().await;
    }
}

#[tokio::test]
async fn what_is_scheduled_appears_at_its_time_in_every_replica() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let saved = running.save(("", 0), ("news", "fixture-later"), draft("九点见", "正文"));
        let id = saved.await.expect("saved").id;
        let clock = &running.test.parts.clock;
        let at = clock.now_ms() + 3_600_000;
        let item = running.publish(&id, 1, at).await.expect("scheduled");
        assert_eq!((item.state.as_str(), item.published_at), ("scheduled", at));
        assert_eq!(
            running
                .page("/news/detail", &format!("id={id}"))
                .await
                .status,
            404
        );
        // Refused: more than two years ahead.
        assert_eq!(
            code_of(running.publish(&id, 1, at + 3 * 366 * 86_400_000).await),
            code::INVALID
        );
        clock.advance_ms(3_600_001);
        // Readers compare with the clock, whether or not the sweeper has run.
        running
            .detail("news", "fixture-later")
            .await
            .expect("shown at once");
        assert_eq!(
            running
                .page("/news/detail", &format!("id={id}"))
                .await
                .status,
            200
        );
        assert_eq!(
            running.show(&id).await.article.expect("listed").state,
            "published"
        );
        eventually("the sweep brings the column up to date", || async {
            let states = running
                .text("SELECT state FROM article WHERE slug = 'fixture-later'")
                .await;
            (states == ["published"]).then_some(())
        })
        .await;
        assert_eq!(
            running.archive(&id).await.expect("taken back").state,
            "archived"
        );
        // A scheduled article returns to draft.
        let later = running
            .publish(&id, 1, clock.now_ms() + 60_000)
            .await
            .expect("again");
        assert_eq!(later.state, "scheduled");
        assert_eq!(running.archive(&id).await.expect("stopped").state, "draft");
        running.test.finish().await;
    }
}

#[tokio::test]
async fn of_many_who_publish_or_save_at_once_one_succeeds() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let saved = running
            .save(("", 0), ("news", "fixture-race"), draft("一", "正文"))
            .await;
        let id = saved.expect("saved").id;
        let (a, b, c, d) = tokio::join!(
            running.save((&id, 1), ("", ""), draft("甲", "正文")),
            running.save((&id, 1), ("", ""), draft("乙", "正文")),
            running.save((&id, 1), ("", ""), draft("丙", "正文")),
            running.save((&id, 1), ("", ""), draft("丁", "正文")),
        );
        let codes = [a, b, c, d].map(code_of);
        assert_eq!(
            codes.iter().filter(|code| **code == 0).count(),
            1,
            "{codes:?}"
        );
        assert_eq!(
            codes.iter().filter(|code| **code == code::CONFLICT).count(),
            3,
            "{codes:?}"
        );
        let (a, b, c) = tokio::join!(
            running.publish(&id, 2, 0),
            running.publish(&id, 2, 0),
            running.publish(&id, 2, 0),
        );
        let codes = [a, b, c].map(code_of);
        assert_eq!(
            codes.iter().filter(|code| **code == 0).count(),
            1,
            "{codes:?}"
        );
        let same =
            |title: &str| running.save(("", 0), ("news", "fixture-same"), draft(title, "正文"));
        let (a, b) = tokio::join!(same("甲"), same("乙"));
        let mut codes = [a, b].map(code_of);
        codes.sort_unstable();
        assert_eq!(codes, [0, code::CONFLICT]);
        running.test.finish().await;
    }
}

#[tokio::test]
async fn a_preview_shows_the_draft_for_an_hour() {
    let running = Running::start(Shape::Embedded).await;
    let saved = running
        .save(
            ("", 0),
            ("help", "fixture-preview"),
            draft("草稿", "还没写完"),
        )
        .await;
    let id = saved.expect("saved").id;
    let form = ArticlePreviewRequest { id };
    let link = running
        .console()
        .article_preview(running.by_operator("anna", form))
        .await;
    let link = link.expect("a link").into_inner();
    assert!(
        link.path.ends_with(&format!("&preview={}", link.ticket)),
        "{}",
        link.path
    );
    let look = async |ticket: &str| {
        let form = ContentPreviewRequest {
            ticket: ticket.to_owned(),
        };
        let shown = running
            .public()
            .content_preview(running.anonymous(form))
            .await;
        shown.map(|shown| shown.into_inner())
    };
    let shown = look(&link.ticket).await.expect("shown");
    assert!(shown.preview);
    assert_eq!(shown.card.expect("a card").title, "草稿");
    assert_eq!(code_of(look("").await), code::NOT_FOUND);
    assert_eq!(code_of(look(&"0".repeat(48)).await), code::NOT_FOUND);
    running.test.parts.clock.advance_ms(3_600_001);
    assert_eq!(code_of(look(&link.ticket).await), code::NOT_FOUND);
    running.test.finish().await;
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused_with_its_place() {
    let running = Running::start(Shape::Embedded).await;
    let save = async |slug: &str, draft: ArticleDraft| {
        let saved = running.save(("", 0), ("help", slug), draft).await;
        code_of(saved)
    };
    let blocks = |blocks: serde_json::Value| with("题", &json!({"version": 1, "blocks": blocks}));
    for bad in [
        blocks(json!([{"type": "html", "text": "<b>"}])),
        blocks(json!([{"type": "text", "text": [{"text": "a", "href": "javascript:alert(1)"}]}])),
        blocks(json!([{"type": "action", "path": "//evil.test", "label": "去"}])),
        blocks(json!([{"type": "text", "text": []}])),
        with("题", &json!({"version": 2, "blocks": []})),
        with("题", &json!({"blocks": []})),
        ArticleDraft {
            content: None,
            ..draft("题", "文")
        },
        ArticleDraft {
            title: "长".repeat(33),
            ..draft("题", "文")
        },
        ArticleDraft {
            summary: String::new(),
            ..draft("题", "文")
        },
        ArticleDraft {
            date: "昨天".to_owned(),
            ..draft("题", "文")
        },
        ArticleDraft {
            category_id: "1".to_owned(),
            ..draft("题", "文")
        },
        ArticleDraft {
            related: vec!["a b".to_owned()],
            ..draft("题", "文")
        },
    ] {
        assert_eq!(
            save("fixture-bad", bad.clone()).await,
            code::INVALID,
            "{bad:?}"
        );
    }
    for slug in ["", "A", "1", "a/b", "-a"] {
        assert_eq!(save(slug, draft("题", "文")).await, code::INVALID, "{slug}");
    }
    let unknown = running
        .save(("1234567890", 1), ("", ""), draft("题", "文"))
        .await;
    assert_eq!(code_of(unknown), code::NOT_FOUND);
    let of = |from: &str, to: &str| {
        let form = RedirectSaveRequest {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let mut console = running.console();
        let request = running.by_operator("anna", form);
        async move { code_of(console.redirect_save(request).await) }
    };
    for (from, to) in [
        ("/", "/news"),
        ("news", "/news"),
        ("/old", "https://evil.test"),
        ("/old", "//evil.test"),
        ("/old?x=1", "/news"),
        ("/old", "/OLD/"),
    ] {
        assert_eq!(of(from, to).await, code::INVALID, "{from} {to}");
    }
    assert_eq!(of("/old", "/older").await, 0);
    assert_eq!(of("/older", "/old").await, code::INVALID);
    running.test.finish().await;
}

#[tokio::test]
async fn lists_are_paged_and_filtered() {
    let running = Running::start(Shape::Embedded).await;
    for number in 1..=3 {
        running.test.parts.clock.advance_ms(10);
        let slug = format!("fixture-{number}");
        let saved = running.save(
            ("", 0),
            ("case", &slug),
            draft(&format!("夹具{number}"), "正文"),
        );
        saved.await.expect("saved");
    }
    let list = async |state: &str, text: &str, after: &str| {
        let form = ArticleListRequest {
            kind: "case".to_owned(),
            state: state.to_owned(),
            text: text.to_owned(),
            after: after.to_owned(),
            size: 2,
        };
        let page = running
            .console()
            .article_list(running.by_operator("anna", form))
            .await;
        page.map(|page| page.into_inner())
    };
    let first = list("draft", "fixture-", "").await.expect("a page");
    let titles: Vec<&str> = first
        .articles
        .iter()
        .map(|one| one.title.as_str())
        .collect();
    assert_eq!(titles, ["夹具3", "夹具2"]);
    let second = list("draft", "fixture-", &first.next)
        .await
        .expect("a page");
    assert_eq!((second.articles.len(), second.next.as_str()), (1, ""));
    assert_eq!(
        list("archived", "", "")
            .await
            .expect("a page")
            .articles
            .len(),
        0
    );
    assert_eq!(code_of(list("lost", "", "").await), code::INVALID);
    running.test.finish().await;
}

#[tokio::test]
async fn the_console_is_locked() {
    let running = Running::start(Shape::Embedded).await;
    let call = async |path: &'static str, principal| {
        let mut client = tonic::client::Grpc::new(running.channel());
        client.ready().await.expect("ready");
        let request = running.signed(principal, proto::common::v1::Empty {});
        let path = tonic::codegen::http::uri::PathAndQuery::from_static(path);
        let codec =
            tonic_prost::ProstCodec::<proto::common::v1::Empty, proto::common::v1::Empty>::default(
            );
        match client.unary(request, path, codec).await {
            Ok(_) => tonic::Status::ok(""),
            Err(status) => status,
        }
    };
    console::locked(xl_content::NAME, call).await;
    running.test.finish().await;
}
