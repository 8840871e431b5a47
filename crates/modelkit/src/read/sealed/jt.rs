//! JT (ISO 14306): the version is in the first 80 bytes.

use super::{Format, Sealed};

const HEADER_BYTES: usize = 80;

fn header(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes.get(..HEADER_BYTES)?).ok()?;
    text.starts_with("Version ").then_some(text)
}

/// `Version 10.5 JT  DM 11.0.0.0 …`, padded with spaces.
pub fn is_jt(bytes: &[u8]) -> bool {
    header(bytes).is_some_and(|text| version(text).is_some())
}

fn version(text: &str) -> Option<&str> {
    let mut words = text.split_ascii_whitespace().skip(1);
    let number = words.next()?;
    let plain = number.len() <= 8 && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (plain && words.next()? == "JT").then_some(number)
}

pub fn look(bytes: &[u8]) -> Sealed {
    let number = header(bytes).and_then(version).unwrap_or("");
    Sealed {
        format: Format::Jt,
        version: format!("JT {number}").trim_end().to_owned(),
        facts: Vec::new(),
        picture: None,
    }
}
