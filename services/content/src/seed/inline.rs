//! `**bold**`, `` `code` `` and `[text](address)` within a line; a backslash escapes the next character.

use anyhow::{Context as _, bail};

use crate::blocks::{Inline, Inlines};

/// Errors: a style or a link that does not end, or raw HTML.
pub(super) fn read(text: &str) -> anyhow::Result<Inlines> {
    let mut reader = Reader::default();
    reader.read(text, None)?;
    if reader.bold {
        bail!("** does not end in {text:?}");
    }
    reader.flush(None);
    Ok(reader.out)
}

#[derive(Default)]
struct Reader {
    out: Inlines,
    text: String,
    bold: bool,
}

impl Reader {
    fn flush(&mut self, href: Option<&str>) {
        if self.text.is_empty() {
            return;
        }
        self.out.push(Inline {
            text: std::mem::take(&mut self.text),
            bold: self.bold,
            code: false,
            href: href.map(str::to_owned),
        });
    }

    fn read(&mut self, text: &str, href: Option<&str>) -> anyhow::Result<()> {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(after) = rest.strip_prefix("**") {
                self.flush(href);
                self.bold = !self.bold;
                rest = after;
            } else if let Some(after) = rest.strip_prefix('`') {
                let (code, after) = after.split_once('`').context("` does not end")?;
                self.flush(href);
                self.out.push(Inline {
                    text: code.to_owned(),
                    bold: self.bold,
                    code: true,
                    href: href.map(str::to_owned),
                });
                rest = after;
            } else if let Some(after) = rest.strip_prefix('\\') {
                let escaped = after.chars().next().filter(char::is_ascii_punctuation);
                self.text.push(escaped.unwrap_or('\\'));
                rest = &after[escaped.map_or(0, char::len_utf8)..];
            } else if let Some((label, address, after)) = link(rest) {
                if href.is_some() {
                    bail!("a link within a link: {rest:?}");
                }
                self.flush(None);
                self.read(label, Some(address))?;
                self.flush(Some(address));
                rest = after;
            } else {
                if first == '<' && is_tag(&rest[1..]) {
                    bail!("no raw HTML: {rest:?}");
                }
                self.text.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        Ok(())
    }
}

/// Label, address and what follows, where a link begins.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    if label.is_empty() || label.contains('[') {
        return None;
    }
    let (address, rest) = rest.split_once(')')?;
    Some((label, address, rest))
}

fn is_tag(after: &str) -> bool {
    after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!')
}

#[cfg(test)]
#[path = "tests/inline.rs"]
mod tests;
