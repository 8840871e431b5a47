//! The draft of an article, by an operator or from the texts embedded in the program.

use serde::{Deserialize, Serialize};
use time::Date;
use time::macros::format_description;

use crate::blocks::{self, Content, Wrong};

const LONGEST_TITLE: usize = 32;
const LONGEST_SUMMARY: usize = 120;
const LONGEST_ALT: usize = 200;
const MOST_RELATED: usize = 12;
const LONGEST_SLUG: usize = 64;
/// Largest distance of a place in an order from 0.
const FURTHEST: i32 = 100_000;

/// A revision as stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    pub title: String,
    pub summary: String,
    /// Empty: none.
    pub category_id: String,
    pub order: i32,
    /// yyyy-mm-dd.
    pub date: String,
    pub cover: Option<Cover>,
    /// `slug` of the same kind or `kind/slug`.
    pub related: Vec<String>,
    pub content: Content,
}

/// A picture of a generated model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    pub sample: String,
    pub view: String,
    pub alt: String,
}

impl Draft {
    /// Errors: the first rule that is broken.
    pub fn check(&self) -> Result<(), Wrong> {
        line("标题", &self.title, 1, LONGEST_TITLE)?;
        line("摘要", &self.summary, 1, LONGEST_SUMMARY)?;
        if !(-FURTHEST..=FURTHEST).contains(&self.order) {
            return Err(Wrong("排序的数值太大".to_owned()));
        }
        if day(&self.date).is_none() {
            return Err(Wrong("日期应写成 2026-11-20 这样".to_owned()));
        }
        if let Some(cover) = &self.cover {
            if !blocks::is_name(&cover.sample) || !blocks::is_name(&cover.view) {
                return Err(Wrong("封面的模型或视角不正确".to_owned()));
            }
            line("封面说明", &cover.alt, 1, LONGEST_ALT)?;
        }
        if self.related.len() > MOST_RELATED {
            return Err(Wrong(format!("相关内容不能超过 {MOST_RELATED} 篇")));
        }
        if !self.related.iter().all(|one| is_reference(one)) {
            return Err(Wrong("相关内容应写成“名称”或“类型/名称”".to_owned()));
        }
        blocks::check(&self.content)
    }
}

/// One line of a bounded length without control characters.
fn line(what: &str, text: &str, least: usize, most: usize) -> Result<(), Wrong> {
    let length = text.chars().count();
    if length < least || length > most || text.trim().len() != text.len() {
        return Err(Wrong(format!(
            "{what}为 {least} 至 {most} 个字，首尾没有空格"
        )));
    }
    seen(what, text)
}

/// Refuses control characters.
pub(crate) fn seen(what: &str, text: &str) -> Result<(), Wrong> {
    match text.chars().any(char::is_control) {
        true => Err(Wrong(format!("{what}含有不可见的字符"))),
        false => Ok(()),
    }
}

/// Whether the text may replace an id in addresses.
pub(crate) fn is_slug(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=LONGEST_SLUG).contains(&text.len())
        && text.bytes().all(plain)
        && !text.starts_with('-')
        && !text.ends_with('-')
        // Ids consist of digits alone.
        && text.bytes().any(|b| b.is_ascii_lowercase())
}

fn is_reference(text: &str) -> bool {
    match text.split_once('/') {
        Some((kind, slug)) => crate::kind::Kind::of(kind).is_some() && is_slug(slug),
        None => is_slug(text),
    }
}

/// Midnight in China of a day, Unix time in milliseconds.
pub(crate) fn day(date: &str) -> Option<i64> {
    let form = format_description!("[year]-[month]-[day]");
    let date = Date::parse(date, form).ok()?;
    let midnight = date.midnight().assume_offset(time::macros::offset!(+8));
    Some(midnight.unix_timestamp() * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_no_ids_and_days_are_days() {
        for good in ["a", "upload-first-model", "v2"] {
            assert!(is_slug(good), "{good}");
        }
        for bad in ["", "-a", "a-", "A", "a_b", "123", "a/b", &"a".repeat(65)] {
            assert!(!is_slug(bad), "{bad}");
        }
        assert!(is_reference("help/start") && is_reference("start"));
        assert!(!is_reference("nothing/start") && !is_reference("help/"));
        assert_eq!(day("2026-11-20"), Some(1_795_104_000_000));
        assert_eq!(day("2026-02-30"), None);
        assert_eq!(day("2026-11-20T00:00"), None);
    }
}
