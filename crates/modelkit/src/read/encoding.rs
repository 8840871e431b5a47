//! The encoding of names and texts, decided once for a whole file or archive.
//!
//! What a container or a format states is binding; its readers decode it themselves or pass it to [`Encoding::stated`].
//! Where nothing is stated, the decision is made over all names (or the whole text) together: UTF-8 if all of it is
//! valid, else a legacy encoding, in the first place GBK, the code page of Chinese Windows.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// Longest name kept, in characters.
const NAME_CHARS: usize = 1000;
/// Longest word looked at to either side of a character.
const WORD_CHARS: usize = 40;
/// Bytes that the detector of legacy encodings looks at.
const DETECTED_BYTES: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    pub const UTF8: Encoding = Encoding(UTF_8);

    /// The encoding of names, one per line, or of a text that states none.
    pub fn of(text: &[u8]) -> Encoding {
        match std::str::from_utf8(text) {
            Ok(utf8) if text.is_ascii() || !is_chinese_by_chance(utf8) => Encoding(UTF_8),
            Ok(_) => Encoding(GBK),
            Err(_) => Encoding(legacy(text)),
        }
    }

    /// The encoding of a text that has to be UTF-8: only what is not falls back to another.
    pub fn stated(text: &[u8]) -> Encoding {
        match std::str::from_utf8(text) {
            Ok(_) => Encoding(UTF_8),
            Err(_) => Encoding(legacy(text)),
        }
    }

    /// The encoding that a label like `gb2312` names.
    fn labelled(label: &[u8]) -> Option<Encoding> {
        encoding_rs::Encoding::for_label(label).map(Encoding)
    }

    /// Whether each byte is a character: such a decision rests on little.
    pub fn is_single_byte(self) -> bool {
        self.0.is_single_byte()
    }

    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    /// `None` if some bytes are not of this encoding.
    fn decode_exactly(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        self.0
            .decode_without_bom_handling_and_without_replacement(bytes)
    }

    /// A name, without whitespace around it and control characters.
    pub fn name(self, bytes: &[u8]) -> String {
        clean(&self.decode(super::text::trim(bytes)))
    }
}

/// Names met in a binary file, for the decision about all of them; only those beyond ASCII matter to it.
#[derive(Debug, Default)]
pub struct Names(Vec<u8>);

impl Names {
    pub fn add(&mut self, name: &[u8]) {
        if !name.is_ascii() && self.0.len() < DETECTED_BYTES {
            self.0.extend_from_slice(name);
            self.0.push(b'\n');
        }
    }

    pub fn extend(&mut self, other: &Names) {
        if self.0.len() < DETECTED_BYTES {
            self.0.extend_from_slice(&other.0);
        }
    }

    /// The encoding that all of them are in.
    pub fn encoding(&self) -> Encoding {
        Encoding::of(&self.0)
    }
}

/// A name of limited length without control characters.
pub fn clean(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_control());
    kept.take(NAME_CHARS).collect()
}

/// A whole text: by its byte order mark, else by [`Encoding::of`].
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    marked(bytes).unwrap_or_else(|| Encoding::of(bytes).decode(bytes))
}

/// JSON, which has to be UTF-8.
pub fn json(bytes: &[u8]) -> Cow<'_, str> {
    marked(bytes).unwrap_or_else(|| Encoding::stated(bytes).decode(bytes))
}

/// XML: by its byte order mark, else as its declaration states, which is UTF-8 if it states nothing (XML 1.0, 4.3.3).
/// What is not in that encoding is decoded by [`Encoding::of`].
pub fn xml(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = marked(bytes) {
        return text;
    }
    if let Some(text) = wide(bytes) {
        return text;
    }
    let declared = declared(bytes).and_then(Encoding::labelled);
    // A declaration that can be read is not in UTF-16.
    let declared = declared.filter(|e| e.0.is_ascii_compatible());
    let exact = declared.and_then(|encoding| encoding.decode_exactly(bytes));
    exact.unwrap_or_else(|| Encoding::of(bytes).decode(bytes))
}

/// The text after a byte order mark.
fn marked(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let (encoding, mark) = encoding_rs::Encoding::for_bom(bytes)?;
    let (text, _) = encoding.decode_without_bom_handling(bytes.get(mark..)?);
    Some(text)
}

/// XML in UTF-16 without a mark: its first character is `<` (XML 1.0, appendix F).
fn wide(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let encoding = match bytes {
        [b'<', 0, ..] => encoding_rs::UTF_16LE,
        [0, b'<', ..] => encoding_rs::UTF_16BE,
        _ => return None,
    };
    Some(encoding.decode_without_bom_handling(bytes).0)
}

/// The encoding in an XML declaration.
fn declared(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().take(512).position(|b| *b == b'>')?;
    let head = bytes
        .get(..end)?
        .trim_ascii_start()
        .strip_prefix(b"<?xml")?;
    let at = head.windows(8).position(|w| w == b"encoding")?;
    let rest = head[at + 8..].trim_ascii_start().strip_prefix(b"=")?;
    let (quote, rest) = rest.trim_ascii_start().split_first()?;
    let end = rest.iter().position(|b| b == quote)?;
    matches!(quote, b'"' | b'\'').then_some(&rest[..end])
}

/// Whether a text is in UTF-16, which has a mark in files.
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Other texts that a name garbled by reading it in a wrong encoding may stand for.
pub fn regarbled(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    if name.is_ascii() {
        return found;
    }
    let mut add = |text: Cow<'_, str>| {
        if text != name && !found.iter().any(|known| *known == text) {
            found.push(text.into_owned());
        }
    };
    // GBK that was read as UTF-8.
    if let Some(text) = Encoding(GBK).decode_exactly(name.as_bytes()) {
        add(text);
    }
    // UTF-8 or GBK that was read as GBK or as the code page of western Windows.
    for wrong in [GBK, WINDOWS_1252] {
        let (bytes, _, unmappable) = wrong.encode(name);
        if unmappable {
            continue;
        }
        for right in [UTF_8, GBK] {
            if let Some(text) = Encoding(right).decode_exactly(&bytes) {
                add(text.into_owned().into());
            }
        }
    }
    found
}

/// The encoding of bytes that are not UTF-8.
fn legacy(text: &[u8]) -> &'static encoding_rs::Encoding {
    if is_plain_chinese(text) {
        return GBK;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut left = DETECTED_BYTES;
    // Lines in ASCII say nothing.
    for line in text.split_inclusive(|b| *b == b'\n') {
        if !line.is_ascii() {
            let (line, _) = line.split_at(line.len().min(left));
            detector.feed(line, false);
            left -= line.len();
        }
    }
    detector.feed(b"", true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let fits =
        |text: Cow<'_, str>| [BIG5, SHIFT_JIS, EUC_JP, EUC_KR].contains(&guess) || is_common(&text);
    match Encoding(guess).decode_exactly(text).is_some_and(fits) {
        true => guess,
        false => GBK,
    }
}

/// Whether bytes in GBK are what a Chinese text consists of: characters of GB 2312, mostly of its first level, which
/// are the 3,755 frequent ones. A rare one between letters (`Gr鲞e`) is a letter of another encoding (`Größe`).
pub fn is_plain_chinese(text: &[u8]) -> bool {
    let (mut frequent, mut rare) = (0usize, 0usize);
    let mut before = b' ';
    let mut at = 0;
    while let Some(&lead) = text.get(at) {
        at += 1;
        if lead < 0x80 {
            before = lead;
            continue;
        }
        let Some(&trail) = text.get(at).filter(|trail| **trail >= 0xa1) else {
            return false;
        };
        at += 1;
        let after = text.get(at).copied().unwrap_or(b' ');
        match lead {
            _ if is_frequent([lead, trail]) => frequent += 1,
            0xd8..=0xf7 if !(before.is_ascii_alphabetic() && after.is_ascii_alphabetic()) => {
                rare += 1;
            }
            // Punctuation, signs, full-width and Greek letters.
            0xa1..=0xa3 | 0xa6 => {}
            _ => return false,
        }
        before = b' ';
    }
    frequent > 0 && frequent >= rare
}

/// Whether a character of GBK is one of the first level of GB 2312.
fn is_frequent([lead, trail]: [u8; 2]) -> bool {
    (0xb0..=0xd7).contains(&lead) && (0xa1..=0xfe).contains(&trail)
}

/// Whether valid UTF-8 is rather GBK: two bytes each, all of them frequent in Chinese, while the characters of UTF-8 are
/// not (`ľͷ` is `木头`).
fn is_chinese_by_chance(text: &str) -> bool {
    let frequent = |c: char| {
        let mut bytes = [0; 4];
        match c.encode_utf8(&mut bytes).as_bytes() {
            &[lead, trail] => is_frequent([lead, trail]),
            _ => false,
        }
    };
    let all = text.chars().filter(|c| !c.is_ascii()).all(frequent);
    all && !is_common(text)
}

/// Whether all characters beyond ASCII are usual where they stand.
fn is_common(text: &str) -> bool {
    let mut before = None;
    let mut rest = text.chars().peekable();
    // Whether the current word has a letter of ASCII, also behind the character.
    let mut at = 0;
    while let Some(c) = rest.next() {
        let after = rest.peek().copied();
        if !c.is_ascii() && !is_usual(before, c, after, || word_has_ascii(text, at)) {
            return false;
        }
        at += c.len_utf8();
        before = Some(c);
    }
    true
}

fn is_usual(
    before: Option<char>,
    c: char,
    after: Option<char>,
    in_latin_word: impl Fn() -> bool,
) -> bool {
    let is = |c: Option<char>, what: fn(char) -> bool| c.is_some_and(what);
    let beside = |script: std::ops::RangeInclusive<char>| {
        [before, after].iter().flatten().any(|c| script.contains(c))
    };
    match c {
        '×' | 'Ø' | 'ø' => true,
        '°' | '²' | '³' | 'º' | '»' => is(before, char::is_alphanumeric),
        '½' | '¼' | '¾' => is(before, |c| c.is_ascii_digit()),
        '±' | '§' => is(after, |c| c.is_ascii_digit()),
        'µ' | '«' => is(after, char::is_alphabetic),
        '·' => is(before, char::is_alphanumeric) && is(after, char::is_alphanumeric),
        '®' => is(before, char::is_alphanumeric),
        '©' => is(after, |c| c == ' ' || c.is_ascii_digit()),
        'À'..='\u{17f}' => in_latin_word(),
        '\u{300}'..='\u{36f}' => is(before, |c| c.is_alphabetic() || is_mark(c)),
        '\u{386}'..='\u{3ce}' => true,
        '\u{400}'..='\u{45f}' | 'Ґ' | 'ґ' => beside('\u{400}'..='\u{491}'),
        '\u{531}'..='\u{587}' => beside('\u{531}'..='\u{587}'),
        '\u{5d0}'..='\u{5ea}' => beside('\u{5d0}'..='\u{5ea}'),
        '\u{621}'..='\u{64a}' => beside('\u{621}'..='\u{64a}'),
        // Boxes and blocks, private characters, what could not be decoded.
        '\u{2500}'..='\u{259f}' | '\u{e000}'..='\u{f8ff}' | '\u{fffd}' => false,
        c => c as u32 >= 0x800,
    }
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Whether the word around the character at `at` has a letter of ASCII.
fn word_has_ascii(text: &str, at: usize) -> bool {
    let of_word = |c: &char| c.is_alphabetic() || is_mark(*c);
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let (before, after) = text.split_at(at);
    let mut before = before.chars().rev().take(WORD_CHARS).take_while(of_word);
    let mut after = after.chars().take(WORD_CHARS).take_while(of_word);
    before.any(is_letter) || after.any(is_letter)
}

/// Whether all characters beyond ASCII are letters in words of Latin letters.
pub fn is_latin(text: &str) -> bool {
    let latin = |(at, c): (usize, char)| {
        c.is_ascii() || (('À'..='\u{17f}').contains(&c) && word_has_ascii(text, at))
    };
    text.char_indices().all(latin)
}
