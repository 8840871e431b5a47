//! Titles, descriptions, and schema.org data.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::address;
use crate::blocks::{Block, Content, plain};
use crate::draft::Draft;
use crate::entity::article::Model;
use crate::entity::category;
use crate::kind::Kind;

const PRODUCT: &str = "玄览云";
/// Replaced by the origin of the request in the gateway.
const SITE: &str = "%SITE%";

pub(super) fn title(of: &str) -> String {
    format!("{of} - {PRODUCT}")
}

pub(super) fn list_description(kind: Kind) -> String {
    let text = match kind {
        Kind::Help => "按要做的事找到步骤：上传、体检、轻量化、转换、查看、商城与账户。",
        Kind::Teach => "一步一步的教程，每一步旁边都有那一刻的模型。",
        Kind::News => "版本、实测数据、使用方法与通知。",
        Kind::Case => "示例工程：一个可以转动的场景，怎么做的，处理前后各多重。",
        Kind::Solution => "按行业看三维模型从交付到上线的做法。",
        Kind::Campaign => "可以直接试用的专题页面。",
        Kind::Brochure => "产品手册：格式、效果、开发工具与模型资源。",
        Kind::Product => "玄览云的产品：轻量化、格式转换、倾斜摄影与应用。",
    };
    text.to_owned()
}

/// JSON-LD of an article's page, safe inside a script element.
pub(super) fn of_article(
    row: &Model,
    draft: &Draft,
    categories: &[category::Model],
    path: &str,
) -> String {
    let mut graph = vec![
        article(row, draft, path),
        trail(row, draft, categories, path),
    ];
    graph.extend(how_to(draft));
    graph.extend(questions(&draft.content));
    let all = json!({"@context": "https://schema.org", "@graph": graph});
    in_script(&all.to_string())
}

/// Escapes characters that could end the script element or a line of the script.
fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

fn article(row: &Model, draft: &Draft, path: &str) -> Value {
    let kind = match row.kind {
        Kind::News => "NewsArticle",
        Kind::Help | Kind::Teach => "TechArticle",
        _ => "Article",
    };
    json!({
        "@type": kind,
        "headline": draft.title,
        "description": draft.summary,
        "inLanguage": "zh-CN",
        "datePublished": moment(row.published_at),
        "dateModified": moment(row.shown_changed_at.max(row.published_at)),
        "mainEntityOfPage": format!("{SITE}{path}"),
        "author": {"@type": "Organization", "name": PRODUCT, "url": format!("{SITE}/")},
        "publisher": {"@type": "Organization", "name": PRODUCT, "url": format!("{SITE}/")},
    })
}

fn trail(row: &Model, draft: &Draft, categories: &[category::Model], path: &str) -> Value {
    let mut steps = vec![
        (PRODUCT.to_owned(), "/".to_owned()),
        (
            row.kind.title().to_owned(),
            address::list_of(row.kind).to_owned(),
        ),
    ];
    for one in categories {
        steps.push((one.title.clone(), address::of_category(row.kind, &one.id)));
    }
    steps.push((draft.title.clone(), path.to_owned()));
    let items: Vec<Value> = steps
        .into_iter()
        .enumerate()
        .map(|(at, (name, path))| {
            json!({"@type": "ListItem", "position": at + 1, "name": name, "item": format!("{SITE}{path}")})
        })
        .collect();
    json!({"@type": "BreadcrumbList", "itemListElement": items})
}

fn how_to(draft: &Draft) -> Option<Value> {
    let mut steps = Vec::new();
    for block in &draft.content.blocks {
        if let Block::Steps { items } = block {
            for item in items {
                let text = words_of(&item.blocks);
                let text = if text.is_empty() {
                    item.title.clone()
                } else {
                    text
                };
                steps.push(json!({"@type": "HowToStep", "name": item.title, "text": text}));
            }
        }
    }
    (!steps.is_empty()).then(|| json!({"@type": "HowTo", "name": draft.title, "step": steps}))
}

fn questions(content: &Content) -> Option<Value> {
    let mut all = Vec::new();
    for block in &content.blocks {
        if let Block::Questions { items } = block {
            for item in items {
                let text = words_of(&item.blocks);
                let answer = json!({"@type": "Answer", "text": text});
                all.push(
                    json!({"@type": "Question", "name": item.question, "acceptedAnswer": answer}),
                );
            }
        }
    }
    (!all.is_empty()).then(|| json!({"@type": "FAQPage", "mainEntity": all}))
}

fn words_of(blocks: &[Block]) -> String {
    plain(&Content::new(blocks.to_vec())).trim().to_owned()
}

/// As of ISO 8601; empty for a time that no calendar has.
fn moment(at_ms: i64) -> String {
    let at = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok();
    at.and_then(|at| at.format(&Rfc3339).ok())
        .unwrap_or_default()
}
