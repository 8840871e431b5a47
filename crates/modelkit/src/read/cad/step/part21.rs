//! The clear text of ISO 10303-21: its statements and their parameters. Only what the engine itself looks at is parsed.

use crate::read::text::{parse_f64, parse_i64};
use std::ops::Range;

/// `#12=KEYWORD(…)`. Ranges are bytes of the text.
#[derive(Debug, Clone)]
pub struct Entity {
    pub number: u32,
    /// The whole statement without its semicolon.
    pub statement: Range<usize>,
    pub keyword: Range<usize>,
    /// Without the parentheses around them.
    pub parameters: Range<usize>,
}

/// The statements of a text, without their semicolons. What is behind the last semicolon is not one.
pub fn statements(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = end_of_statement(text, start)?;
        let statement = skip_blanks(text, start)..end;
        start = end + 1;
        Some(statement.start.min(end)..end)
    })
}

fn end_of_statement(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let rest = text.get(at..)?;
        at += rest.iter().position(|b| matches!(b, b';' | b'\'' | b'/'))?;
        at = match text[at] {
            b';' => return Some(at),
            b'\'' => end_of_string(text, at),
            _ => end_of_comment(text, at).unwrap_or(at + 1),
        };
    }
}

/// The place behind the string that begins here. A doubled quote in it ends one and begins another, which is as good.
fn end_of_string(text: &[u8], at: usize) -> usize {
    let rest = text.get(at + 1..).unwrap_or_default();
    let end = rest.iter().position(|b| *b == b'\'');
    end.map_or(text.len(), |end| at + end + 2)
}

/// The place behind the comment that begins here; `None` if none does.
fn end_of_comment(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?.strip_prefix(b"/*")?;
    let end = rest.windows(2).position(|pair| pair == b"*/");
    Some(end.map_or(text.len(), |end| at + end + 4))
}

/// The next place that is neither blank nor in a comment.
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        at = match end_of_comment(text, at) {
            Some(end) => end,
            None if byte.is_ascii_whitespace() => at + 1,
            None => break,
        };
    }
    at
}

/// The keyword at the start of a statement or of an entity.
pub fn keyword(text: &[u8], at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let is_part = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    at..at + rest.iter().take_while(|b| is_part(b)).count()
}

/// A simple entity; `None` for others.
pub fn entity(text: &[u8], statement: Range<usize>) -> Option<Entity> {
    let digits = text.get(statement.clone())?.strip_prefix(b"#")?;
    let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&digits[..count]).ok()?.parse().ok()?;
    let equals = skip_blanks(text, statement.start + 1 + count);
    if text.get(equals) != Some(&b'=') {
        return None;
    }
    let keyword = keyword(text, skip_blanks(text, equals + 1));
    let open = skip_blanks(text, keyword.end);
    let inside = text.get(open..statement.end)?.strip_prefix(b"(")?;
    let length = inside.iter().rposition(|b| *b == b')')?;
    (!keyword.is_empty()).then(|| Entity {
        number,
        statement,
        keyword,
        parameters: open + 1..open + 1 + length,
    })
}

/// Parameters, read one after the other. Each step is `None` if the next is something else.
pub struct Parameters<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parameters<'a> {
    pub fn new(text: &'a [u8], range: Range<usize>) -> Self {
        let text = text.get(..range.end).unwrap_or(text);
        let at = skip_blanks(text, range.start);
        Self { text, at }
    }

    /// Steps over a parameter of any kind; returns its place.
    pub fn skip(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            self.at = match byte {
                b'\'' => end_of_string(self.text, self.at),
                b',' | b')' if depth == 0 => break,
                _ => {
                    depth += i32::from(byte == b'(') - i32::from(byte == b')');
                    end_of_comment(self.text, self.at).unwrap_or(self.at + 1)
                }
            };
        }
        let end = self.at;
        self.separate();
        (end > start).then_some(start..end)
    }

    /// Steps over the blanks and the comma behind a parameter.
    fn separate(&mut self) {
        self.at = skip_blanks(self.text, self.at);
        if self.text.get(self.at) == Some(&b',') {
            self.at = skip_blanks(self.text, self.at + 1);
        }
    }

    fn token(&mut self) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_end =
            |b: &u8| matches!(b, b',' | b')' | b'(' | b'/' | b'\'') || b.is_ascii_whitespace();
        &rest[..rest.iter().position(is_end).unwrap_or(rest.len())]
    }

    fn parsed<T>(&mut self, value: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
        let token = self.token();
        let value = value(token)?;
        self.at += token.len();
        self.separate();
        Some(value)
    }

    pub fn real(&mut self) -> Option<f64> {
        self.parsed(parse_f64)
    }

    pub fn index(&mut self) -> Option<u32> {
        self.parsed(|token| u32::try_from(parse_i64(token)?).ok())
    }

    /// The number of an entity.
    pub fn reference(&mut self) -> Option<u32> {
        self.parsed(|token| {
            let digits = token.strip_prefix(b"#")?;
            u32::try_from(parse_i64(digits)?).ok()
        })
    }

    /// A parameter that is left out.
    pub fn unset(&mut self) -> bool {
        self.parsed(|token| matches!(token, b"$" | b"*").then_some(()))
            .is_some()
    }

    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if self.text.get(self.at) != Some(&b'(') {
            return None;
        }
        self.at = skip_blanks(self.text, self.at + 1);
        let mut items = Vec::new();
        while self.text.get(self.at)? != &b')' {
            items.push(item(self)?);
        }
        self.at += 1;
        self.separate();
        Some(items)
    }

    pub fn references(&mut self) -> Option<Vec<u32>> {
        self.list(Self::reference)
    }
}

/// The text that a string with its quotes stands for: its escapes (ISO 10303-21, 6.4.3) decoded.
pub fn string(written: &[u8]) -> Option<String> {
    let inner = written.strip_prefix(b"'")?.strip_suffix(b"'")?;
    let text = String::from_utf8_lossy(inner).replace("''", "'");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let wide = escape.strip_prefix("X2\\").map(|hex| (hex, 4));
        let wide = wide.or_else(|| escape.strip_prefix("X4\\").map(|hex| (hex, 8)));
        if let Some((hex, digits)) = wide {
            let (codes, after) = hex.split_once("\\X0\\").unwrap_or((hex, ""));
            out.push_str(&characters(codes, digits));
            rest = after;
        } else if let Some(code) = escape
            .strip_prefix("X\\")
            .and_then(|hex| hex.get(..2))
            .filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()))
        {
            out.push_str(&characters(code, 2));
            rest = &escape[4..];
        } else {
            out.push('\\');
            rest = escape.strip_prefix('\\').unwrap_or(escape);
        }
    }
    Some(out + rest)
}

/// Characters by their codes in hexadecimal digits; pairs of surrogates are joined.
fn characters(codes: &str, digits: usize) -> String {
    let codes = codes.as_bytes().chunks(digits);
    let codes =
        codes.filter_map(|code| u32::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
    if digits == 8 {
        return codes.filter_map(char::from_u32).collect();
    }
    let units: Vec<u16> = codes.map(|code| code as u16).collect();
    String::from_utf16_lossy(&units)
}
