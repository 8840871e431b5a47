//! The PLY header: the elements that follow and their properties.

use super::super::encoding::Encoding as Names;
use super::super::text;
use crate::{Error, Result};

/// More than any exporter writes.
const HEADER_BYTES: usize = 256 * 1024;
const MOST_ELEMENTS: usize = 64;
const MOST_PROPERTIES: usize = 512;
/// Textures that faces can name.
pub const MOST_TEXTURES: usize = 1024;

/// Lines outside the format that are named.
const MOST_STRANGE: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    Little,
    Big,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of(name: &[u8]) -> Option<Kind> {
        Some(match name {
            b"char" | b"int8" => Kind::I8,
            b"uchar" | b"uint8" => Kind::U8,
            b"short" | b"int16" => Kind::I16,
            b"ushort" | b"uint16" => Kind::U16,
            b"int" | b"int32" => Kind::I32,
            b"uint" | b"uint32" => Kind::U32,
            b"float" | b"float32" => Kind::F32,
            b"double" | b"float64" => Kind::F64,
            _ => return None,
        })
    }

    pub fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }

    /// Divisor that normalises a colour component of this kind.
    pub fn full(self) -> f32 {
        match self {
            Kind::I8 | Kind::U8 => 255.0,
            Kind::I16 | Kind::U16 => 65535.0,
            Kind::I32 | Kind::U32 => 255.0,
            Kind::F32 | Kind::F64 => 1.0,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Property {
    pub name: String,
    /// Kind of the count, for lists.
    pub list: Option<Kind>,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

impl Element {
    /// Bytes of one binary row, or the minimum if it has lists.
    pub fn least_bytes(&self) -> usize {
        self.properties
            .iter()
            .map(|p| p.list.unwrap_or(p.kind).size())
            .sum()
    }

    pub fn has_lists(&self) -> bool {
        self.properties.iter().any(|p| p.list.is_some())
    }
}

#[derive(Debug)]
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Texts after `TextureFile`.
    pub textures: Vec<String>,
    /// Lines that are no statement of the format, the first of them.
    pub strange: Vec<String>,
    /// Offset of the data.
    pub body: usize,
}

fn broken(what: &str) -> Error {
    Error::corrupt(format!("PLY 文件头有误：{what}，请重新导出"))
}

pub fn parse(bytes: &[u8]) -> Result<Header> {
    let limit = bytes.len().min(HEADER_BYTES);
    let end = bytes[..limit].windows(10).position(|w| w == b"end_header");
    let names = Names::of(&bytes[..end.unwrap_or(limit)]);
    let mut header = Header {
        encoding: Encoding::Ascii,
        elements: Vec::new(),
        textures: Vec::new(),
        strange: Vec::new(),
        body: 0,
    };
    let mut at = 0;
    let mut format_seen = false;
    // Whether lines end with CR alone, by the first.
    let mut alone = None;
    while at < limit {
        let end = at
            + bytes[at..limit]
                .iter()
                .position(|b| text::is_line_end(*b))
                .unwrap_or(limit - at);
        let mut line = &bytes[at..end];
        at = end + 1;
        // In a file with CR alone the byte after the header is data, whatever it is.
        let both = bytes.get(end) == Some(&b'\r') && bytes.get(end + 1) == Some(&b'\n');
        if !*alone.get_or_insert(!both && bytes.get(end) == Some(&b'\r')) && both {
            at += 1;
        }
        let whole = line;
        let Some(keyword) = text::token(&mut line) else {
            continue;
        };
        match keyword {
            b"ply" | b"obj_info" => {}
            b"comment" => comment(&mut header, line, names),
            b"format" => {
                header.encoding = encoding(&mut line)?;
                format_seen = true;
            }
            b"element" => element(&mut header, line, names)?,
            b"property" => property(&mut header, line, names)?,
            b"end_header" => {
                if !format_seen {
                    return Err(broken("没有 format 一行"));
                }
                header.body = at.min(bytes.len());
                return Ok(header);
            }
            // A comment without its keyword, as some programs write it.
            _ if header.strange.len() < MOST_STRANGE => header.strange.push(names.name(whole)),
            _ => {}
        }
    }
    Err(broken("没有 end_header 一行"))
}

fn comment(header: &mut Header, mut line: &[u8], names: Names) {
    if text::token(&mut line).is_some_and(|word| word.eq_ignore_ascii_case(b"texturefile")) {
        let name = names.name(line);
        if !name.is_empty() && header.textures.len() < MOST_TEXTURES {
            header.textures.push(name);
        }
    }
}

fn encoding(line: &mut &[u8]) -> Result<Encoding> {
    match text::token(line) {
        Some(b"ascii") => Ok(Encoding::Ascii),
        Some(b"binary_little_endian") => Ok(Encoding::Little),
        Some(b"binary_big_endian") => Ok(Encoding::Big),
        _ => Err(broken("编码方式不是 ascii 或 binary")),
    }
}

fn element(header: &mut Header, mut line: &[u8], names: Names) -> Result<()> {
    let name = text::token(&mut line).ok_or_else(|| broken("element 没有名字"))?;
    let count = text::token(&mut line).and_then(text::parse_i64);
    let count = count.and_then(|n| usize::try_from(n).ok());
    let count = count.ok_or_else(|| broken("element 的数量不是有效数字"))?;
    if header.elements.len() >= MOST_ELEMENTS {
        return Err(broken("element 过多"));
    }
    let name = names.name(name).to_ascii_lowercase();
    header.elements.push(Element {
        name,
        count,
        properties: Vec::new(),
    });
    Ok(())
}

fn property(header: &mut Header, mut line: &[u8], names: Names) -> Result<()> {
    let element = header
        .elements
        .last_mut()
        .ok_or_else(|| broken("property 之前没有 element"))?;
    if element.properties.len() >= MOST_PROPERTIES {
        return Err(broken("property 过多"));
    }
    let kind = |line: &mut &[u8]| {
        text::token(line)
            .and_then(Kind::of)
            .ok_or_else(|| broken("property 的类型不认识"))
    };
    let mut rest = line;
    let list = if text::token(&mut rest) == Some(b"list") {
        line = rest;
        Some(kind(&mut line)?)
    } else {
        None
    };
    let kind = kind(&mut line)?;
    let name = text::token(&mut line).ok_or_else(|| broken("property 没有名字"))?;
    let name = names.name(name).to_ascii_lowercase();
    element.properties.push(Property { name, list, kind });
    Ok(())
}
