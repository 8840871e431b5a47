//! The JSON of a glTF as other readers take it: those in JavaScript know one kind of number, see nothing in `null`,
//! and take numbers in quotes. What remains unusable is removed and told with its path.

use super::extensions::Extension;
use super::schema::{self, Fields, Kind};
use crate::scene::{Problem, Severity};
use crate::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

/// Places that are told.
const TOLD: usize = 4;
/// Characters of a path or a value in a message.
const SHOWN: usize = 80;

/// Parses the JSON; the second value is a finding about what was unusable in it.
///
/// # Errors
/// `Corrupt` with the place of what is no JSON; `UnsupportedFormat` for glTF 1.0, whose JSON is another.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<(T, Option<Problem>)> {
    // Sound files need no second look. Lists would be taken for objects without the names of their fields.
    if text.trim_start().starts_with('{')
        && let Ok(root) = serde_json::from_str(text)
    {
        return Ok((root, None));
    }
    let mut value: Value = serde_json::from_str(text)
        .or_else(|error| serde_json::from_str(&mended(text)).map_err(|_| error))
        .map_err(|error| broken(text, &error))?;
    if !value.is_object() {
        return Err(Error::corrupt(
            "glTF 的 JSON 最外层应为对象，请重新导出后上传",
        ));
    }
    first_version(&value)?;
    let mut tidy = Tidy::default();
    tidy.fits(&mut value, Kind::Object(schema::ROOT));
    let root = serde_json::from_value(value).map_err(|error| {
        let error: String = error.to_string().chars().take(SHOWN).collect();
        Error::corrupt(format!(
            "glTF 的 JSON 里有无法读取的数据（{error}），请重新导出后上传"
        ))
    })?;
    Ok((root, tidy.problem()))
}

/// Whether the extension objects need no mending.
pub fn extensions_fit(extensions: &mut Map<String, Value>) -> bool {
    let mut tidy = Tidy::default();
    tidy.extensions(extensions);
    !tidy.changed
}

/// Refuses glTF 1.0: it has objects by name where 2.0 has lists.
fn first_version(root: &Value) -> Result<()> {
    let version = root.pointer("/asset/version");
    let version = version.map_or(String::new(), |v| v.to_string().replace('"', ""));
    let named = ["meshes", "nodes", "accessors", "buffers"];
    let named = named.iter().any(|list| root[*list].is_object());
    match version.trim() {
        "" if named => {}
        old if old.starts_with("1.") || old.starts_with("0.") || old == "1" => {}
        _ => return Ok(()),
    }
    Err(Error::unsupported(
        "暂不支持 glTF 1.0 版本，请导出为 glTF 2.0 后上传",
    ))
}

/// Why a text is no JSON, and where.
fn broken(text: &str, error: &serde_json::Error) -> Error {
    if error.is_eof() {
        return Error::corrupt("glTF 的 JSON 不完整（可能上传或导出中断），请重新导出后上传");
    }
    let line = text.split('\n').nth(error.line().saturating_sub(1));
    let line = line.unwrap_or_default().as_bytes();
    let before = line.get(..error.column().min(line.len()));
    let before = String::from_utf8_lossy(before.unwrap_or_default());
    let column = before.chars().count();
    let near: Vec<char> = before.chars().rev().take(24).collect();
    let near: String = near.into_iter().rev().filter(|c| !c.is_control()).collect();
    let why = error.to_string();
    let why = [
        ("recursion limit", "嵌套超过 128 层"),
        ("trailing comma", "多了一个逗号"),
        ("control character", "字符串里有控制字符"),
        ("trailing characters", "末尾有多余的内容"),
        ("invalid escape", "字符串里的转义有误"),
    ]
    .into_iter()
    .find_map(|(known, text)| why.contains(known).then_some(text))
    .unwrap_or("语法错误");
    Error::corrupt(format!(
        "glTF 的 JSON 第 {} 行第 {column} 个字符处{why}（“{near}”之后），请重新导出后上传",
        error.line(),
    ))
}

/// The text without what JavaScript takes and Rust's strings and numbers cannot hold: halves of surrogate pairs, and
/// numbers beyond double precision.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_number = |c: char| c.is_ascii_digit() || ['+', '-', '.', 'e', 'E'].contains(&c);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => string(rest, &mut out),
            '-' | '0'..='9' => {
                let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
                let number = &rest[..end];
                let beyond = number.parse::<f64>().is_ok_and(f64::is_infinite);
                out.push_str(if beyond { "null" } else { number });
                end
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// Copies the string that `text` begins with; returns its length in bytes.
fn string(text: &str, out: &mut String) -> usize {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let bytes = text.as_bytes();
    let (mut at, mut copied) = (1, 0);
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'"' => {
                at += 1;
                break;
            }
            b'\\' => match (unit(at), unit(at + 6)) {
                (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
                (Some(0xd800..=0xdfff), _) => {
                    out.push_str(&text[copied..at]);
                    out.push_str("\\ufffd");
                    copied = at + 6;
                    6
                }
                _ => 2,
            },
            _ => 1,
        };
    }
    // A backslash may be the last byte of the text, or stand before a character of several.
    while !text.is_char_boundary(at.min(text.len())) {
        at += 1;
    }
    let end = at.min(text.len());
    out.push_str(&text[copied..end]);
    end
}

#[derive(Default)]
struct Tidy {
    path: String,
    changed: bool,
    told: Vec<String>,
    count: usize,
}

impl Tidy {
    /// Mends a value; whether there is anything left of it.
    fn fits(&mut self, value: &mut Value, kind: Kind) -> bool {
        if value.is_null() {
            self.changed = true;
            return false;
        }
        match kind {
            Kind::Index => self.whole(value, u64::from(u32::MAX)),
            Kind::Count => self.whole(value, u64::MAX),
            Kind::Number => match (value.is_number(), number(value)) {
                (true, _) => true,
                (false, Some(mended)) => self.replace(value, mended.into()),
                (false, None) => self.wrong(value, "数"),
            },
            Kind::Truth => match (&*value, number(value)) {
                (Value::Bool(_), _) => true,
                (Value::String(s), _) if s == "true" => self.replace(value, true.into()),
                (Value::String(s), _) if s == "false" => self.replace(value, false.into()),
                (_, Some(number)) => self.replace(value, (number != 0.0).into()),
                _ => self.wrong(value, " true 或 false"),
            },
            Kind::Text => match value {
                Value::String(_) => true,
                Value::Number(_) | Value::Bool(_) => {
                    let text = value.to_string();
                    self.replace(value, text.into())
                }
                _ => self.wrong(value, "字符串"),
            },
            Kind::Numbers(count) => self.numbers(value, count),
            Kind::Rgba => {
                if let Value::Array(items) = &mut *value
                    && items.len() == 3
                {
                    self.changed = true;
                    items.push(1.into());
                }
                self.numbers(value, 4)
            }
            Kind::NumberList => self.list(value, Kind::Number, 0.into()),
            Kind::Indices => self.list(value, Kind::Index, u32::MAX.into()),
            Kind::Texts => self.list(value, Kind::Text, "".into()),
            Kind::Objects(fields) => self.list(value, Kind::Object(fields), Map::new().into()),
            Kind::Targets => self.list(value, Kind::Attributes, Map::new().into()),
            Kind::Object(_) | Kind::Attributes | Kind::Extensions | Kind::Surface => {
                let Value::Object(map) = value else {
                    return self.wrong(value, "对象");
                };
                self.map(map, kind);
                true
            }
        }
    }

    fn map(&mut self, map: &mut Map<String, Value>, kind: Kind) {
        match kind {
            Kind::Object(fields) => self.object(map, fields),
            Kind::Extensions => self.extensions(map),
            Kind::Surface => {
                map.retain(|name, value| self.below(name, value, schema::of_surface(name)));
            }
            _ => map.retain(|name, value| self.below(name, value, Kind::Index)),
        }
    }

    fn object(&mut self, map: &mut Map<String, Value>, fields: &Fields) {
        for (name, kind) in fields {
            let fits = |value: &mut Value| self.below(name, value, *kind);
            if !map.get_mut(*name).is_none_or(fits) {
                map.shift_remove(*name);
            }
        }
    }

    fn extensions(&mut self, map: &mut Map<String, Value>) {
        map.retain(|name, value| match Extension::named(name) {
            Some(extension) if Extension::is_honoured(name) => {
                self.below(name, value, schema::of(extension))
            }
            _ => !value.is_null(),
        });
    }

    /// Mends what lies below the current path.
    fn below(&mut self, name: &str, value: &mut Value, kind: Kind) -> bool {
        let length = self.path.len();
        if !self.path.is_empty() {
            self.path.push('/');
        }
        self.path.push_str(name);
        let fits = self.fits(value, kind);
        self.path.truncate(length);
        fits
    }

    /// The numbers of a list's items have a meaning: `instead` takes the place of unusable ones.
    fn list(&mut self, value: &mut Value, kind: Kind, instead: Value) -> bool {
        let Value::Array(items) = value else {
            return self.wrong(value, "数组");
        };
        for (i, item) in items.iter_mut().enumerate() {
            if !self.below(&i.to_string(), item, kind) {
                *item = instead.clone();
            }
        }
        true
    }

    fn numbers(&mut self, value: &mut Value, count: usize) -> bool {
        let what = format!(" {count} 个数");
        let sound = |item: &Value| number(item).is_some();
        let Value::Array(items) = &mut *value else {
            return self.wrong(value, &what);
        };
        if items.len() < count || !items.iter().take(count).all(sound) {
            return self.wrong(value, &what);
        }
        if items.len() > count {
            items.truncate(count);
            self.changed = true;
            self.tell(&format!("应为{what}，只用了前面的"));
        }
        for item in items.iter_mut().filter(|item| !item.is_number()) {
            let mended = number(item).unwrap_or_default();
            self.changed = true;
            *item = mended.into();
        }
        true
    }

    fn whole(&mut self, value: &mut Value, most: u64) -> bool {
        if value.as_u64().is_some_and(|n| n <= most) {
            return true;
        }
        let Some(found) = number(value) else {
            return self.wrong(value, "非负整数");
        };
        // What writers of files put where there is nothing.
        if found == -1.0 {
            self.changed = true;
            return false;
        }
        // Whole numbers are exact in double precision up to 2^53.
        if found.fract() != 0.0 || !(0.0..=(most.min(1 << 53) as f64)).contains(&found) {
            return self.wrong(value, "非负整数");
        }
        self.replace(value, Number::from(found as u64).into())
    }

    fn replace(&mut self, value: &mut Value, with: Value) -> bool {
        self.changed = true;
        *value = with;
        true
    }

    fn wrong(&mut self, value: &Value, expected: &str) -> bool {
        let found = match value {
            Value::Array(items) if expected.ends_with("个数") => format!("{} 项", items.len()),
            Value::Array(_) => "数组".to_owned(),
            Value::Object(_) => "对象".to_owned(),
            value => short(&value.to_string()),
        };
        self.changed = true;
        self.tell(&format!("应为{expected}，实际为 {found}"));
        false
    }

    fn tell(&mut self, what: &str) {
        self.count += 1;
        if self.told.len() < TOLD {
            self.told.push(format!("{} {what}", short(&self.path)));
        }
    }

    fn problem(self) -> Option<Problem> {
        let text = format!(
            "glTF 的 JSON 里有 {} 处数据的类型或取值有误，已忽略：{}",
            self.count,
            self.told.join("；")
        );
        let advice = "请升级或更换导出程序后重新导出";
        (self.count > 0).then(|| Problem::new("bad-values", Severity::Warning, "", text, advice))
    }
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        value => value.as_f64()?,
    };
    number.is_finite().then_some(number)
}

fn short(text: &str) -> String {
    let text = text.chars().filter(|c| !c.is_control());
    text.take(SHOWN).collect()
}
