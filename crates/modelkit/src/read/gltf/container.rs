//! The GLB container and the buffers of a glTF.

use super::extensions::Extension;
use super::json::{MeshoptView, Root};
use crate::progress::Ctx;
use crate::read::Input;
use crate::read::names::{percent_bytes, percent_decoded};
use crate::read::side::needed_uri;
use crate::{Error, Result};
use base64::Engine;
use std::borrow::Cow;

const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;
/// Versions of GLB that exist or may come.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=9;
/// Bytes of the header and of its first chunk's.
const HEAD: usize = 20;

/// JSON text and binary chunk of a GLB, or the whole text of a `.gltf`.
pub fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), None));
    }
    let truncated = || Error::corrupt("GLB 文件不完整（可能上传或导出中断），请重新导出后上传");
    let version = word(bytes, 4).ok_or_else(truncated)?;
    // Any other value is no version but damage.
    if !VERSIONS.contains(&version) {
        return Err(Error::corrupt("GLB 文件头已损坏，请重新导出后上传"));
    }
    if version != 2 {
        return Err(Error::unsupported(format!(
            "暂不支持 GLB {version}.0 版本，请导出为 glTF 2.0 后上传"
        )));
    }
    let total = word(bytes, 8).ok_or_else(truncated)? as usize;
    if total < HEAD {
        return Err(Error::corrupt(
            "GLB 文件头已损坏（总长度有误），请重新导出后上传",
        ));
    }
    // What follows the declared length is not part of the file (glTF 2.0, 4.4.2).
    let bytes = bytes.get(..total).ok_or_else(truncated)?;
    let (mut json, mut bin, mut at) = (None, None, 12);
    while let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) {
        let start = at + 8;
        let end = start.checked_add(length as usize).ok_or_else(truncated)?;
        let chunk = bytes.get(start..end).ok_or_else(truncated)?;
        match kind {
            JSON if json.is_none() => json = Some(unpadded(chunk)),
            BIN if bin.is_none() => bin = Some(chunk),
            _ => {}
        }
        at = end;
    }
    Ok((
        json.ok_or_else(|| Error::corrupt("GLB 文件缺少 JSON 数据块，请重新导出后上传"))?,
        bin,
    ))
}

/// JSON is padded with spaces; some writers use zeros.
fn unpadded(mut json: &[u8]) -> &[u8] {
    while let Some(shorter) = json.strip_suffix(b"\0") {
        json = shorter;
    }
    json
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// Decodes a `data:` URI; `None` if it is not one or not base64.
pub fn data_uri(uri: &str) -> Option<Vec<u8>> {
    let (head, body) = uri.strip_prefix("data:")?.split_once(',')?;
    if head.ends_with(";base64") {
        let engine = base64::engine::GeneralPurpose::new(
            &base64::alphabet::STANDARD,
            base64::engine::GeneralPurposeConfig::new()
                .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
        );
        let mut body = percent_bytes(body);
        body.retain(|b| !b.is_ascii_whitespace());
        return engine.decode(body).ok();
    }
    Some(percent_bytes(body))
}

/// All buffers, and the decoded buffer views that were compressed.
pub struct Buffers<'a> {
    data: Vec<Cow<'a, [u8]>>,
    unpacked: Vec<Option<Vec<u8>>>,
    views: Vec<(u32, u64, u64, Option<u64>)>,
}

impl<'a> Buffers<'a> {
    pub fn load(
        root: &Root,
        bin: Option<&'a [u8]>,
        input: &'a Input,
        ctx: &Ctx,
    ) -> Result<Buffers<'a>> {
        let mut data = Vec::with_capacity(root.buffers.len());
        for (i, buffer) in root.buffers.iter().enumerate() {
            let bytes: Cow<[u8]> = match (&buffer.uri, bin) {
                (None, Some(bin)) if i == 0 => Cow::Borrowed(bin),
                // A fallback buffer of compressed views is empty.
                (None, _) => Cow::Borrowed(&[]),
                (Some(uri), _) if uri.starts_with("data:") => {
                    let text =
                        || Error::corrupt("glTF 内嵌数据（data URI）无法解码，请重新导出后上传");
                    Cow::Owned(data_uri(uri).ok_or_else(text)?)
                }
                (Some(uri), _) => {
                    let found = needed_uri(input.side, uri);
                    found.map_err(|why| missing_buffer(&percent_decoded(uri), &why))?
                }
            };
            data.push(bytes);
        }
        let views = root.buffer_views.iter();
        let views = views
            .map(|v| (v.buffer, v.byte_offset, v.byte_length, v.byte_stride))
            .collect();
        let mut buffers = Buffers {
            data,
            unpacked: Vec::new(),
            views,
        };
        buffers.unpack(root, ctx)?;
        Ok(buffers)
    }

    fn unpack(&mut self, root: &Root, ctx: &Ctx) -> Result<()> {
        let mut total = 0u64;
        for view in &root.buffer_views {
            let names = [
                Extension::MeshoptCompression,
                Extension::MeshoptCompressionKhr,
            ];
            let packed = names.into_iter().find_map(|n| view.extensions.get(n));
            let Some(packed) = packed else {
                self.unpacked.push(None);
                continue;
            };
            let packed: MeshoptView =
                serde_json::from_value(packed.clone()).map_err(|_| broken_view())?;
            total = total.saturating_add(packed.count.saturating_mul(packed.byte_stride));
            if total > ctx.limits.archive_bytes {
                return Err(Error::TooLarge(
                    "压缩的几何数据解开后超出上限，请拆分模型后上传".into(),
                ));
            }
            let source = self.slice(packed.buffer, packed.byte_offset, packed.byte_length)?;
            self.unpacked
                .push(Some(super::meshopt_view::decode(&packed, source)?));
        }
        Ok(())
    }

    fn slice(&self, buffer: u32, offset: u64, length: u64) -> Result<&[u8]> {
        let data = self.data.get(buffer as usize).ok_or_else(broken_view)?;
        let start = usize::try_from(offset).map_err(|_| broken_view())?;
        let end = start.checked_add(usize::try_from(length).map_err(|_| broken_view())?);
        data.get(start..end.ok_or_else(broken_view)?)
            .ok_or_else(broken_view)
    }

    /// Bytes and stride of a buffer view.
    pub fn view(&self, index: u32) -> Result<(&[u8], Option<u64>)> {
        let at = index as usize;
        let &(buffer, offset, length, stride) = self.views.get(at).ok_or_else(broken_view)?;
        if let Some(Some(bytes)) = self.unpacked.get(at) {
            return Ok((bytes, stride));
        }
        Ok((self.slice(buffer, offset, length)?, stride))
    }
}

/// `why` a file that is there cannot be used; empty if there is none.
fn missing_buffer(name: &str, why: &str) -> Error {
    let short = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if !why.is_empty() {
        return Error::corrupt(format!("几何数据文件 {short} 无法使用：{why}"));
    }
    Error::MissingMainFile(format!(
        "缺少几何数据文件 {short}，请把 .gltf、.bin 和贴图一起打包成 zip 上传"
    ))
}

fn broken_view() -> Error {
    Error::corrupt("glTF 的数据区间越界，文件可能不完整，请重新导出后上传")
}
