//! Every embedded text, and how it is imported.

use std::collections::{BTreeMap, BTreeSet};

use chassis::testing::{SitePage, shapes, site_pages};
use proto::content::v1::ContentDetailRequest;
use xl_content::seed;

use crate::support::{Running, draft};

const FIXTURES: [(&str, &str); 2] = [
    (
        "help/fixture-upload.md",
        include_str!("../seed/help/fixture-upload.md"),
    ),
    (
        "help/fixture-report.md",
        include_str!("../seed/help/fixture-report.md"),
    ),
];

/// Addresses of the site's pages.
fn addresses() -> BTreeSet<String> {
    let pages = site_pages();
    let there = pages.iter().filter(|page| page.state != "gone");
    there.map(SitePage::address).collect()
}

#[test]
fn every_text_keeps_the_rules_and_leads_somewhere() {
    let (categories, seeds) = seed::all().expect("every seed is sound");
    let addresses = addresses();
    let known: BTreeSet<(&str, &str)> = seeds
        .iter()
        .map(|seed| (seed.kind.name(), seed.slug.as_str()))
        .collect();
    assert_eq!(known.len(), seeds.len(), "a slug stands twice in its kind");
    let named: BTreeMap<(&str, &str), &seed::Category> = categories
        .iter()
        .map(|one| ((one.kind.as_str(), one.slug.as_str()), one))
        .collect();
    assert_eq!(named.len(), categories.len(), "a category stands twice");
    for one in &categories {
        let parent = named.get(&(one.kind.as_str(), one.parent.as_str()));
        let sound = one.parent.is_empty() || parent.is_some_and(|parent| parent.parent.is_empty());
        assert!(sound, "the parent of {}/{}", one.kind, one.slug);
    }
    let mut wrong = Vec::new();
    for seed in &seeds {
        let (kind, place) = (seed.kind.name(), format!("{}/{}", seed.kind, seed.slug));
        if !seed.category.is_empty() && !named.contains_key(&(kind, seed.category.as_str())) {
            wrong.push(format!("{place}: there is no category {}", seed.category));
        }
        for reference in &seed.draft.related {
            let to = reference.split_once('/').unwrap_or((kind, reference));
            if !known.contains(&to) || to == (kind, seed.slug.as_str()) {
                wrong.push(format!(
                    "{place}: related to {reference}, which is not there"
                ));
            }
        }
        for link in seed.draft.content.links() {
            let page = link.split(['?', '#']).next().unwrap_or_default();
            let page = page.trim_end_matches('/').to_lowercase();
            let leads = link.starts_with("https://") || link.starts_with('#') || page.is_empty();
            if !leads && !addresses.contains(&page) {
                wrong.push(format!("{place}: {link} is no page"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn fixtures_are_read_into_blocks() {
    let [upload, report] = FIXTURES.map(|(path, text)| seed::read(path, text).expect("sound"));
    assert_eq!(upload.draft.content.steps(), 2);
    assert_eq!(upload.draft.content.anchors(), ["先看大小", "常见问题"]);
    assert_eq!(
        upload.draft.content.links(),
        ["#先看大小", "/workbench/myUpload"]
    );
    assert_eq!(report.draft.cover, None);
    let categories = seed::categories_of(include_str!("../seed/categories.toml")).expect("sound");
    assert_eq!(categories[1].parent, "fixture-start");
    let text = FIXTURES[0].1;
    for (from, to) in [
        ("slug = \"fixture-upload\"", "slug = \"other\""),
        ("revision = 1", "revision = 0"),
        ("date = \"2026-11-20\"", "date = \"2026\""),
        ("order = 10", "order = 10\nmore = 1"),
        ("#先看大小)", "#没有)"),
        ("(/workbench/myUpload)", "(//evil.test)"),
        ("(/workbench/myUpload)", "(https://evil.test)"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        assert!(seed::read(FIXTURES[0].0, &changed).is_err(), "{to}");
    }
    assert!(seed::read("nothing/fixture-upload.md", text).is_err());
}

/// A second start imports nothing again, and an operator's edit is kept.
#[tokio::test]
async fn what_comes_with_the_program_is_there_once() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let (_, seeds) = seed::all().expect("every seed is sound");
        let before = running.published().await;
        assert!(before.len() <= seeds.len());
        let mut edited = None;
        if let Some(seed) = seeds.iter().find(|seed| seed.kind.name() == "help") {
            let shown = running.detail("help", &seed.slug).await.expect("shown");
            let card = shown.card.expect("a card");
            assert_eq!(card.title, seed.draft.title);
            let saved = running
                .save((&card.id, 1), ("", ""), draft("改过", "正文"))
                .await;
            running
                .publish(&card.id, saved.expect("saved").revision, 0)
                .await
                .expect("published");
            edited = Some(card.id);
        }
        xl_content::migrate(&running.context).await.expect("again");
        assert_eq!(running.published().await, before);
        if let Some(id) = edited {
            let form = ContentDetailRequest {
                id,
                ..Default::default()
            };
            let shown = running
                .public()
                .content_detail(running.anonymous(form))
                .await;
            let shown = shown.expect("shown").into_inner();
            assert_eq!(shown.card.expect("a card").title, "改过");
        }
        running.test.finish().await;
    }
}

#[test]
fn the_table_of_pages_names_texts_that_exist() {
    // The table of pages names existing articles, for every kind that has articles.
    let (_, seeds) = seed::all().expect("every seed is sound");
    let table: toml::Table = include_str!("../../src/pages.toml")
        .parse()
        .expect("the table");
    for row in table["page"].as_array().expect("rows") {
        let article = row["article"].as_str().expect("an article");
        let (kind, slug) = article.split_once('/').expect("kind/slug");
        let of_kind = seeds.iter().any(|seed| seed.kind.name() == kind);
        let there = seeds
            .iter()
            .any(|seed| seed.kind.name() == kind && seed.slug == slug);
        assert!(there || !of_kind, "no text of {article}");
    }
}
