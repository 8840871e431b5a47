//! The byte level of OSGB: header, compression, numbers, brackets.

use crate::read::encoding::{Encoding, Names};
use crate::{Error, Result};
use flate2::read::{GzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// First eight bytes of every file.
pub const MAGIC: &[u8] = b"\xa1\x0e\x91\x6c\x45\x45\xfb\x1a";

/// Nesting depth of objects; real files stay below thirty.
const MOST_DEPTH: usize = 128;

/// An open file: payload decompressed, header parsed.
pub struct File<'a> {
    pub version: u32,
    brackets: bool,
    body: Cow<'a, [u8]>,
}

pub fn broken() -> Error {
    Error::corrupt("OSGB 文件不完整或已损坏，请重新导出后上传")
}

impl<'a> File<'a> {
    /// Reads the header and decompresses the rest; `most` limits the decompressed size.
    pub fn open(bytes: &'a [u8], most: u64) -> Result<File<'a>> {
        if !bytes.starts_with(MAGIC) {
            return Err(Error::corrupt("这不是 OSGB 文件，请重新导出后上传"));
        }
        let mut head = Stream::new(&bytes[MAGIC.len()..], 0, false);
        let kind = head.u32()?;
        let version = head.u32()?;
        let attributes = head.u32()?;
        if !(1..=3).contains(&kind) || version > 100_000 {
            return Err(broken());
        }
        // Versions of plug-ins; none of the supported classes belongs to one.
        if attributes & 1 != 0 {
            for _ in 0..head.u32()? {
                head.string()?;
                head.u32()?;
            }
        }
        if attributes & 2 != 0 {
            return Err(Error::unsupported(
                "暂不支持带自定义字段说明（schema）的 OSGB 文件，请用默认设置重新导出",
            ));
        }
        let compressor = head.string()?;
        let rest = head.rest();
        let body = match compressor.as_str() {
            "0" => Cow::Borrowed(rest),
            "zlib" if rest.starts_with(&[0x1f, 0x8b]) => unpack(GzDecoder::new(rest), most)?,
            "zlib" => unpack(ZlibDecoder::new(rest), most)?,
            "null" => Cow::Borrowed(rest.get(4..).ok_or_else(broken)?),
            other => {
                let shown: String = other
                    .chars()
                    .filter(|c| c.is_alphanumeric())
                    .take(16)
                    .collect();
                return Err(Error::unsupported(format!(
                    "OSGB 文件使用了不支持的压缩方式 {shown}，请不压缩重新导出"
                )));
            }
        };
        Ok(File {
            version,
            brackets: attributes & 4 != 0,
            body,
        })
    }

    pub fn stream(&self, encoding: Encoding) -> Stream<'_> {
        Stream {
            encoding,
            ..Stream::new(&self.body, self.version, self.brackets)
        }
    }

    pub fn length(&self) -> usize {
        self.body.len()
    }
}

fn unpack<'a>(from: impl Read, most: u64) -> Result<Cow<'a, [u8]>> {
    let mut out = Vec::new();
    let read = from.take(most.saturating_add(1)).read_to_end(&mut out);
    if out.len() as u64 > most {
        return Err(Error::TooLarge(format!(
            "OSGB 文件解压后超出上限 {} MB，请拆分后上传",
            most >> 20
        )));
    }
    read.map_err(|_| broken())?;
    Ok(Cow::Owned(out))
}

/// A cursor; every read checks what is left.
pub struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    pub version: u32,
    brackets: bool,
    /// Assumed; what was met tells the right one.
    encoding: Encoding,
    pub names: Names,
    /// Ends of the open brackets, if the file has them.
    ends: Vec<usize>,
    depth: usize,
}

macro_rules! number {
    ($name:ident, $type:ty) => {
        pub fn $name(&mut self) -> Result<$type> {
            let (bytes, _) = self
                .take(size_of::<$type>())?
                .split_first_chunk()
                .ok_or_else(broken)?;
            Ok(<$type>::from_le_bytes(*bytes))
        }
    };
}

impl<'a> Stream<'a> {
    fn new(bytes: &'a [u8], version: u32, brackets: bool) -> Stream<'a> {
        Stream {
            bytes,
            at: 0,
            version,
            brackets,
            encoding: Encoding::UTF8,
            names: Names::default(),
            ends: Vec::new(),
            depth: 0,
        }
    }

    number!(u32, u32);
    number!(i32, i32);
    number!(f32, f32);
    number!(f64, f64);

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let part = self.rest().get(..count).ok_or_else(broken)?;
        self.at += count;
        Ok(part)
    }

    pub fn bool(&mut self) -> Result<bool> {
        Ok(self.take(1)?[0] != 0)
    }

    /// A count of items of at least `each` bytes: never more than the rest can hold.
    pub fn count(&mut self, each: usize) -> Result<usize> {
        let count = self.u32()? as usize;
        match count.checked_mul(each) {
            Some(bytes) if bytes <= self.rest().len() => Ok(count),
            _ => Err(broken()),
        }
    }

    /// `count` rows of `T`.
    pub fn rows<T, const N: usize>(
        &mut self,
        count: usize,
        from: fn([u8; N]) -> T,
    ) -> Result<Vec<T>> {
        let bytes = self.take(count.checked_mul(N).ok_or_else(broken)?)?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|c| from(*c)).collect())
    }

    pub fn doubles<const N: usize>(&mut self) -> Result<[f64; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = self.f64()?;
        }
        Ok(out)
    }

    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = self.f32()?;
        }
        Ok(out)
    }

    pub fn string(&mut self) -> Result<String> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        self.names.add(bytes);
        Ok(self.encoding.decode(bytes).into_owned())
    }

    /// Opens a bracket; reads nothing in files without them.
    pub fn open(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Error::corrupt("OSGB 文件嵌套过深，请重新导出后上传"));
        }
        if !self.brackets {
            return Ok(());
        }
        let begin = self.at as u64;
        let size = if self.version > 148 {
            let (bytes, _) = self.take(8)?.split_first_chunk().ok_or_else(broken)?;
            u64::from_le_bytes(*bytes)
        } else {
            u64::from(self.u32()?)
        };
        let end = begin.checked_add(size).ok_or_else(broken)?;
        let end = usize::try_from(end).map_err(|_| broken())?;
        if end < self.at || end > self.bytes.len() {
            return Err(broken());
        }
        self.ends.push(end);
        Ok(())
    }

    /// Closes a bracket at the current position.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.ends.pop();
    }

    /// Closes an object's bracket, skipping what was not read of it.
    pub fn skip_to_close(&mut self) {
        self.depth -= 1;
        if let Some(end) = self.ends.pop() {
            self.at = end.max(self.at);
        }
    }

    /// Whether unknown objects can be skipped.
    pub fn can_skip(&self) -> bool {
        self.brackets
    }
}
