//! The schema's rules for blocks, and those it cannot express: unique anchors, as many cells in each row.

use std::collections::HashSet;
use std::fmt;

use super::{Block, Content, Inline, Inlines, Params, VERSION};

/// Most blocks of an article, including those of steps and answers.
const MOST_BLOCKS: usize = 400;
/// Most blocks of one step or answer.
const MOST_INNER: usize = 60;
/// Most bytes of all texts.
const MOST_BYTES: usize = 200_000;
const MOST_ITEMS: usize = 100;
const MOST_ROWS: usize = 200;
const MOST_CELLS: usize = 12;
const MOST_GROUPS: usize = 40;
const MOST_PARAMS: usize = 12;
const MOST_INLINES: usize = 200;
const LONGEST_INLINE: usize = 4_000;
const LONGEST_LINE: usize = 200;
const LONGEST_CODE: usize = 8_000;
const LONGEST_LABEL: usize = 40;
const LONGEST_HREF: usize = 500;
const LONGEST_ID: usize = 80;

/// A broken rule and its place, worded for the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong(pub String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

type Checked = Result<(), Wrong>;

/// Errors: the first rule that is broken.
pub fn check(content: &Content) -> Checked {
    if content.version != VERSION {
        return wrong(format!("内容格式的版本应为 {VERSION}"));
    }
    if content.each().count() > MOST_BLOCKS {
        return wrong(format!("内容块不能超过 {MOST_BLOCKS} 个"));
    }
    let bytes: usize = super::plain(content).len();
    if bytes > MOST_BYTES {
        return wrong(format!("全文不能超过 {} 千字节", MOST_BYTES / 1000));
    }
    let mut ids = HashSet::new();
    for (number, block) in content.blocks.iter().enumerate() {
        at(number, self::block(block, true))?;
        if let Block::Heading { id, .. } = block
            && !ids.insert(id)
        {
            return wrong(format!("第 {} 块：锚点“{id}”重复", number + 1));
        }
    }
    for block in content.each() {
        for one in block.inlines().into_iter().flatten() {
            let anchor = one.href.as_deref().and_then(|href| href.strip_prefix('#'));
            if let Some(anchor) = anchor
                && !ids.iter().any(|id| *id == anchor)
            {
                return wrong(format!("链接“#{anchor}”没有对应的小标题"));
            }
        }
    }
    Ok(())
}

fn wrong(text: String) -> Checked {
    Err(Wrong(text))
}

/// Adds the number of the block.
fn at(number: usize, checked: Checked) -> Checked {
    checked.map_err(|Wrong(text)| Wrong(format!("第 {} 块：{text}", number + 1)))
}

fn block(block: &Block, outer: bool) -> Checked {
    match block {
        Block::Heading { .. } | Block::Questions { .. } | Block::Steps { .. } if !outer => {
            wrong("步骤和回答里不能再有小标题、问答或步骤".to_owned())
        }
        Block::Heading { level, id, text } => {
            if !matches!(level, 2 | 3) {
                return wrong("小标题只有二级和三级".to_owned());
            }
            let plain = id.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
            if !plain {
                return wrong("锚点只含文字、数字、连字符、下划线和点".to_owned());
            }
            line("锚点", id, LONGEST_ID)?;
            inlines(text, false)
        }
        Block::Text { text } => inlines(text, false),
        Block::List { items, .. } => {
            count("列表", items.len(), MOST_ITEMS)?;
            items.iter().try_for_each(|item| inlines(item, false))
        }
        Block::Table { head, rows } => table(head, rows),
        Block::Code { language, text } => {
            if language.chars().count() > 20 {
                return wrong("代码的语言名太长".to_owned());
            }
            block_text("代码", text, LONGEST_CODE)
        }
        Block::Picture {
            sample,
            params,
            view,
            alt,
        } => {
            recipe(sample, params)?;
            if !is_name(view) {
                return wrong(format!("没有“{view}”这个视角"));
            }
            line("图片说明", alt, LONGEST_LINE)
        }
        Block::Model {
            sample,
            params,
            note,
        }
        | Block::Compare {
            sample,
            params,
            note,
        } => {
            recipe(sample, params)?;
            line("模型说明", note, LONGEST_LINE)
        }
        Block::Action { path, label } => {
            if !is_site_path(path) {
                return wrong(format!("“{path}”不是本站地址"));
            }
            line("按钮文字", label, LONGEST_LABEL)
        }
        Block::Figure {
            value,
            source,
            note,
        } => {
            line("数值", value, LONGEST_LABEL)?;
            line("数值的出处", source, LONGEST_LINE)?;
            line("数值的说明", note, LONGEST_LINE)
        }
        Block::Questions { items } => {
            count("问答", items.len(), MOST_GROUPS)?;
            for item in items {
                line("问题", &item.question, LONGEST_LINE)?;
                inner(&item.blocks)?;
            }
            Ok(())
        }
        Block::Steps { items } => {
            count("步骤", items.len(), MOST_GROUPS)?;
            for item in items {
                line("步骤标题", &item.title, LONGEST_LINE)?;
                inner(&item.blocks)?;
            }
            Ok(())
        }
    }
}

fn inner(blocks: &[Block]) -> Checked {
    if blocks.len() > MOST_INNER {
        return wrong(format!("一个步骤或回答不能超过 {MOST_INNER} 块"));
    }
    blocks.iter().try_for_each(|one| block(one, false))
}

fn table(head: &[Inlines], rows: &[Vec<Inlines>]) -> Checked {
    count("表格的列", head.len(), MOST_CELLS)?;
    count("表格的行", rows.len(), MOST_ROWS)?;
    if rows.iter().any(|row| row.len() != head.len()) {
        return wrong("表格每一行的列数应与表头相同".to_owned());
    }
    let mut cells = head.iter().chain(rows.iter().flatten());
    cells.try_for_each(|cell| inlines(cell, true))
}

fn inlines(text: &[Inline], may_be_empty: bool) -> Checked {
    if text.is_empty() && !may_be_empty {
        return wrong("文字是空的".to_owned());
    }
    if text.len() > MOST_INLINES {
        return wrong("一段文字的样式变化太多".to_owned());
    }
    for one in text {
        block_text("文字", &one.text, LONGEST_INLINE)?;
        if let Some(href) = &one.href
            && !is_address(href)
        {
            return wrong(format!("“{href}”不是可用的链接"));
        }
    }
    Ok(())
}

fn count(what: &str, number: usize, most: usize) -> Checked {
    match number {
        0 => wrong(format!("{what}是空的")),
        _ if number > most => wrong(format!("{what}不能超过 {most} 项")),
        _ => Ok(()),
    }
}

/// One line of text.
fn line(what: &str, text: &str, most: usize) -> Checked {
    if text.contains(['\n', '\r']) {
        return wrong(format!("{what}只能有一行"));
    }
    block_text(what, text, most)
}

fn block_text(what: &str, text: &str, most: usize) -> Checked {
    if text.is_empty() {
        return wrong(format!("{what}是空的"));
    }
    if text.chars().count() > most {
        return wrong(format!("{what}不能超过 {most} 个字"));
    }
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        return wrong(format!("{what}含有不可见的字符"));
    }
    Ok(())
}

fn recipe(sample: &str, params: &Params) -> Checked {
    if !is_name(sample) {
        return wrong(format!("没有“{sample}”这个示例模型"));
    }
    let key = |name: &str| {
        name.len() <= 32
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
    };
    let sound = |(name, value): (&String, &String)| key(name) && value.chars().count() <= 64;
    if params.len() > MOST_PARAMS || !params.iter().all(sound) {
        return wrong("示例模型的参数不正确".to_owned());
    }
    Ok(())
}

/// Whether the text may name a sample or a view.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=40).contains(&text.len())
        && !text.starts_with('-')
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// A path of the site: browsers treat `//host` and `/\host` as other sites.
pub(crate) fn is_site_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= LONGEST_HREF
        && !path.contains('\\')
        && !path.chars().any(|c| c.is_control() || c.is_whitespace())
}

fn is_address(href: &str) -> bool {
    let plain = href.len() <= LONGEST_HREF
        && !href
            .chars()
            .any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let elsewhere = href
        .strip_prefix("https://")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    plain && (is_site_path(href) || elsewhere || (href.len() > 1 && href.starts_with('#')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(href: Option<&str>) -> Content {
        Content::new(vec![Block::Text {
            text: vec![Inline {
                text: "看".to_owned(),
                href: href.map(str::to_owned),
                ..Inline::default()
            }],
        }])
    }

    #[test]
    fn links_lead_to_the_site_or_over_https() {
        for href in ["/helpCenter", "/news/detail?id=1", "https://example.test/a"] {
            assert_eq!(check(&text(Some(href))), Ok(()), "{href}");
        }
        for href in [
            "//evil.test",
            "/\\evil.test",
            "javascript:alert(1)",
            "http://example.test",
            "https://",
            "https:// x",
            "data:text/html,x",
            "/a b",
            "#nowhere",
            "#",
            "",
        ] {
            assert!(check(&text(Some(href))).is_err(), "{href}");
        }
    }

    #[test]
    fn unknown_fields_and_blocks_are_refused() {
        for text in [
            r#"{"version":1,"blocks":[{"type":"html","text":"<b>"}]}"#,
            r#"{"version":1,"blocks":[{"type":"text","text":[{"text":"a"}],"style":"x"}]}"#,
            r#"{"version":1,"blocks":[{"type":"text","text":[{"text":"a","onclick":"x"}]}]}"#,
            r#"{"version":1,"blocks":[],"more":1}"#,
        ] {
            assert!(serde_json::from_str::<Content>(text).is_err(), "{text}");
        }
        let other = r#"{"version":2,"blocks":[]}"#;
        assert!(check(&serde_json::from_str(other).unwrap()).is_err());
    }

    #[test]
    fn steps_hold_no_steps_and_rows_are_even() {
        let step = |blocks| Block::Steps {
            items: vec![super::super::Step {
                title: "做".to_owned(),
                blocks,
            }],
        };
        let plain = text(None).blocks;
        assert_eq!(check(&Content::new(vec![step(plain.clone())])), Ok(()));
        assert!(check(&Content::new(vec![step(vec![step(plain)])])).is_err());
        let cell = |t: &str| {
            vec![Inline {
                text: t.to_owned(),
                ..Inline::default()
            }]
        };
        let table = |row: Vec<Inlines>| {
            Content::new(vec![Block::Table {
                head: vec![cell("a"), cell("b")],
                rows: vec![row],
            }])
        };
        assert_eq!(check(&table(vec![cell("1"), vec![]])), Ok(()));
        assert!(check(&table(vec![cell("1")])).is_err());
    }

    /// The schema and the types have the same kinds of blocks with the same fields.
    #[test]
    fn the_schema_tells_of_the_same_blocks() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../blocks.schema.json")).unwrap();
        let mut problems = Vec::new();
        for variant in schema["$defs"]["block"]["oneOf"].as_array().unwrap() {
            let kind = &variant["properties"]["type"];
            let names = match kind["const"].as_str() {
                Some(name) => vec![name],
                None => kind["enum"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|v| v.as_str().unwrap())
                    .collect(),
            };
            let fields: Vec<&String> = variant["properties"].as_object().unwrap().keys().collect();
            for name in names {
                problems.push((
                    name.to_owned(),
                    fields.iter().map(|f| f.to_string()).collect::<Vec<_>>(),
                ));
            }
        }
        problems.sort();
        let mut known: Vec<(String, Vec<String>)> = one_of_each()
            .iter()
            .map(|block| {
                let value = serde_json::to_value(block).unwrap();
                let object = value.as_object().unwrap();
                let mut fields: Vec<String> = object.keys().cloned().collect();
                fields.sort();
                (object["type"].as_str().unwrap().to_owned(), fields)
            })
            .collect();
        known.sort();
        for (_, fields) in &mut problems {
            fields.sort();
        }
        assert_eq!(problems, known);
    }

    fn one_of_each() -> Vec<Block> {
        let t = || "x".to_owned();
        let params = || Params::from([(t(), t())]);
        vec![
            Block::Heading {
                level: 2,
                id: t(),
                text: vec![],
            },
            Block::Text { text: vec![] },
            Block::List {
                ordered: true,
                items: vec![],
            },
            Block::Table {
                head: vec![],
                rows: vec![],
            },
            Block::Code {
                language: t(),
                text: t(),
            },
            Block::Picture {
                sample: t(),
                params: params(),
                view: t(),
                alt: t(),
            },
            Block::Model {
                sample: t(),
                params: params(),
                note: t(),
            },
            Block::Compare {
                sample: t(),
                params: params(),
                note: t(),
            },
            Block::Action {
                path: t(),
                label: t(),
            },
            Block::Figure {
                value: t(),
                source: t(),
                note: t(),
            },
            Block::Questions { items: vec![] },
            Block::Steps { items: vec![] },
        ]
    }
}
