//! The public reads: lists, articles, neighbours, the search, the map (HD016).

use chassis::testing::{Shape, shapes};
use proto::code;
use proto::content::v1::*;

use crate::support::{Running, code_of, draft, with};

impl Running {
    async fn list(&self, kind: &str, category: &str, page: i32) -> ContentListReply {
        let form = ContentListRequest {
            kind: kind.to_owned(),
            category_id: category.to_owned(),
            page_no: page,
            page_size: 2,
            ..Default::default()
        };
        let list = self.public().content_list(self.anonymous(form)).await;
        list.expect("a list").into_inner()
    }

    async fn find(&self, keyword: &str, kind: &str) -> ContentSearchReply {
        let form = ContentSearchRequest {
            keyword: keyword.to_owned(),
            kind: kind.to_owned(),
            ..Default::default()
        };
        let found = self.public().content_search(self.anonymous(form)).await;
        found.expect("an answer").into_inner()
    }

    /// Publishes an article; returns its id.
    pub async fn write(&self, kind: &str, slug: &str, draft: ArticleDraft) -> String {
        let saved = self
            .save(("", 0), (kind, slug), draft)
            .await
            .expect("saved");
        let shown = self.publish(&saved.id, saved.revision, 0).await;
        assert_eq!(shown.expect("published").state, "published");
        saved.id
    }
}

fn titles(list: &ContentListReply) -> Vec<&str> {
    list.results
        .iter()
        .map(|card| card.title.as_str())
        .collect()
}

#[tokio::test]
async fn news_is_listed_by_date_paged_and_has_neighbours() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let before = running.list("news", "", 1).await.total_count;
        let mut ids = Vec::new();
        for number in 1..=3 {
            // Each a second later than the one before.
            running.test.parts.clock.advance_ms(1_000);
            let title = format!("夹具新闻 {number}");
            let slug = format!("fixture-{number}");
            ids.push(running.write("news", &slug, draft(&title, "正文")).await);
        }
        let first = running.list("news", "", 1).await;
        assert_eq!(first.total_count, before + 3);
        assert_eq!(titles(&first), ["夹具新闻 3", "夹具新闻 2"]);
        assert_eq!(titles(&running.list("news", "", 2).await)[0], "夹具新闻 1");
        assert_eq!(first.results[0].path, format!("/news/detail?id={}", ids[2]));

        let middle = running.detail("news", "fixture-2").await.expect("shown");
        assert_eq!(middle.previous.expect("newer").id, ids[2]);
        assert_eq!(middle.next.expect("older").id, ids[0]);
        assert_eq!(middle.card.expect("a card").id, ids[1]);
        let by_id = ContentDetailRequest {
            id: ids[1].clone(),
            ..Default::default()
        };
        let by_id = running
            .public()
            .content_detail(running.anonymous(by_id))
            .await;
        let content = by_id.expect("by id").into_inner().content.expect("blocks");
        let content = chassis::json::value_of(content);
        assert_eq!(content["version"], 1);
        assert_eq!(content["blocks"][0]["text"][0]["text"], "正文");

        assert_eq!(
            code_of(running.detail("news", "no-such").await),
            code::NOT_FOUND
        );
        assert_eq!(code_of(running.detail("nothing", "x").await), code::INVALID);
        running.test.finish().await;
    }
}

#[tokio::test]
async fn categories_have_children_and_lists_follow_them() {
    let running = Running::start(Shape::Embedded).await;
    let category = async |parent: &str, slug: &str, kind: &str| {
        let form = ContentCategorySaveRequest {
            kind: kind.to_owned(),
            slug: slug.to_owned(),
            parent_id: parent.to_owned(),
            title: slug.to_owned(),
            ..Default::default()
        };
        let mut console = running.console();
        let saved = console.content_category_save(running.by_operator("anna", form));
        saved.await.map(|saved| saved.into_inner())
    };
    let outer = category("", "fixture-outer", "case")
        .await
        .expect("saved")
        .id;
    let inner = category(&outer, "fixture-inner", "case")
        .await
        .expect("saved")
        .id;
    assert_eq!(
        code_of(category("", "fixture-outer", "case").await),
        code::CONFLICT
    );
    assert_eq!(
        code_of(category(&inner, "fixture-deep", "case").await),
        code::INVALID
    );
    assert_eq!(
        code_of(category(&outer, "fixture-news", "news").await),
        code::INVALID
    );
    let of = |category: &str, order: i32, title: &str| ArticleDraft {
        category_id: category.to_owned(),
        order,
        ..draft(title, "正文")
    };
    running
        .write("case", "fixture-b", of(&inner, 20, "二"))
        .await;
    running
        .write("case", "fixture-a", of(&outer, 10, "一"))
        .await;
    assert_eq!(titles(&running.list("case", &outer, 1).await), ["一", "二"]);
    assert_eq!(
        titles(&running.list("case", "fixture-inner", 1).await),
        ["二"]
    );
    let shown = running.detail("case", "fixture-b").await.expect("shown");
    let trail: Vec<&str> = shown
        .categories
        .iter()
        .map(|one| one.slug.as_str())
        .collect();
    assert_eq!(trail, ["fixture-outer", "fixture-inner"]);
    let form = ContentCategoriesRequest {
        kind: "case".to_owned(),
    };
    let all = running
        .public()
        .content_categories(running.anonymous(form))
        .await;
    let all = all.expect("categories").into_inner().categories;
    let inner = all.iter().find(|one| one.id == inner).expect("listed");
    assert_eq!(
        (inner.articles, inner.parent_id.as_str()),
        (1, outer.as_str())
    );
    let wrong = ArticleDraft {
        category_id: outer.clone(),
        ..draft("错", "正文")
    };
    let wrong = running
        .save(("", 0), ("news", "fixture-wrong"), wrong)
        .await;
    assert_eq!(code_of(wrong), code::INVALID);
    running.test.finish().await;
}

#[tokio::test]
async fn the_search_finds_words_then_parts_of_them() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let text = draft("夹具甲", "把犀鸟ＳＴＬ，文件和犎牛放进来。100% 与 _ 都在。");
        running.write("help", "fixture-a", text).await;
        running
            .write("news", "fixture-b", draft("犀鸟stl 来了", "另一篇。"))
            .await;
        let both = running.find("犀鸟 STL", "").await;
        assert_eq!(both.total_count, 2);
        assert!(!both.partial);
        // A title counts more.
        let first = both.results[0].card.as_ref().expect("a card");
        assert_eq!(first.title, "犀鸟stl 来了");
        let count = |kind: &str| {
            let found = both.counts.iter().find(|one| one.kind == kind);
            found.expect("counted").count
        };
        assert_eq!((count("help"), count("news"), count("case")), (1, 1, 0));
        let help = running.find("犀鸟stl文件", "help").await;
        assert_eq!(help.total_count, 1);
        assert!(help.results[0].excerpt.contains("犀鸟"));
        // One character is wrong: two pairs of three are found.
        let near = running.find("犀鸟犎牛", "help").await;
        assert!(near.partial && near.total_count == 1, "{near:?}");
        assert_eq!(running.find("鬯鬱", "").await.total_count, 0);
        let empty = |keyword: &str| ContentSearchRequest {
            keyword: keyword.to_owned(),
            ..Default::default()
        };
        for keyword in ["", "%", "__", &"字".repeat(65)] {
            let mut public = running.public();
            let refused = public.content_search(running.anonymous(empty(keyword)));
            assert_eq!(code_of(refused.await), code::INVALID, "{keyword}");
        }
        running.test.finish().await;
    }
}

#[tokio::test]
async fn the_map_links_what_is_published_and_nothing_else() {
    let running = Running::start(Shape::Embedded).await;
    let shown = running
        .write("help", "fixture-shown", draft("在", "正文"))
        .await;
    let hidden = running.save(("", 0), ("help", "fixture-hidden"), draft("不在", "正文"));
    let hidden = hidden.await.expect("saved").id;
    let map = running
        .public()
        .content_pages(running.anonymous(ContentPagesRequest {}))
        .await
        .expect("a map")
        .into_inner();
    let links: Vec<&str> = map
        .groups
        .iter()
        .flat_map(|group| &group.pages)
        .map(|page| page.path.as_str())
        .collect();
    assert!(links.contains(&format!("/helpCenter?id={shown}").as_str()));
    assert!(!links.iter().any(|link| link.contains(&hidden)));
    assert_eq!(links.len(), running.published().await.len());
    running.test.finish().await;
}

#[tokio::test]
async fn related_articles_are_those_that_are_shown() {
    let running = Running::start(Shape::Embedded).await;
    running
        .write("news", "fixture-other", draft("另一种", "正文"))
        .await;
    let of = ArticleDraft {
        related: ["fixture-gone", "news/fixture-other"]
            .map(str::to_owned)
            .to_vec(),
        ..with(
            "有关",
            &serde_json::json!({"version": 1, "blocks": [{"type": "steps", "items": [
                {"title": "一", "blocks": []}, {"title": "二", "blocks": []}]}]}),
        )
    };
    running.write("teach", "fixture-course", of).await;
    let shown = running
        .detail("teach", "fixture-course")
        .await
        .expect("shown");
    let related: Vec<&str> = shown
        .related
        .iter()
        .map(|card| card.slug.as_str())
        .collect();
    assert_eq!(related, ["fixture-other"]);
    assert_eq!(shown.card.expect("a card").steps, 2);
    running.test.finish().await;
}
