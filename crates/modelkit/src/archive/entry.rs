//! An entry of an archive: its path, and what is refused.

use crate::read::encoding::Encoding;
use crate::{Error, Result};

/// A file in the archive.
pub struct Entry {
    /// Decoded path with `/`.
    pub path: String,
    pub size: u64,
    /// Its index in the archive's own order.
    pub index: usize,
    /// How it is compressed, if that cannot be undone.
    pub sealed: Option<String>,
}

pub fn entry_too_large(path: &str) -> Error {
    Error::TooLarge(format!(
        "压缩包里的 {path} 解开后超出大小上限，请拆分后上传"
    ))
}

pub fn entry_broken(path: &str) -> Error {
    Error::corrupt(format!("压缩包里的 {path} 已损坏，请重新打包后上传"))
}

/// Of an entry that is compressed in a way that is not read.
pub fn entry_sealed(path: &str, method: &str) -> Error {
    Error::unsupported(format!(
        "压缩包里的 {path} 使用了不支持的压缩方式 {method}，请用系统自带的压缩功能重新打包成 ZIP 后上传"
    ))
}

pub fn encrypted() -> Error {
    Error::unsupported("压缩包设有密码，无法读取，请去掉密码后重新打包上传")
}

pub fn broken() -> Error {
    Error::corrupt("压缩包不完整或已损坏，请重新打包后上传")
}

pub fn one_of_several() -> Error {
    Error::unsupported("这是分卷压缩包的其中一卷，无法单独读取，请合并后打包成一个 ZIP 再上传")
}

/// A path in an archive's encoding.
pub fn decode(raw: &[u8], encoding: Encoding) -> String {
    path(&encoding.decode(raw))
}

/// Both slashes separate folders. An absolute path counts from the archive's root, as other unpackers have it.
pub fn path(written: &str) -> String {
    let path = written.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let path = match path.as_bytes() {
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => path.get(2..).unwrap_or(path),
        _ => path,
    };
    path.trim_start_matches('/').to_owned()
}

/// Files that operating systems leave behind: resource forks, hidden files, thumbnails.
pub fn is_junk(path: &str) -> bool {
    path.is_empty()
        || path.ends_with('/')
        || path.split('/').any(|part| {
            let hidden = part.starts_with('.') && part != "." && part != "..";
            hidden || part == "__MACOSX" || part.eq_ignore_ascii_case("thumbs.db")
        })
}

/// Longest path in bytes.
const MOST_PATH: usize = 4096;

/// Paths that lead out of the archive are treated as an attack, not a mistake.
pub fn check_path(path: &str) -> Result<()> {
    let outside = path.split('/').any(|part| part == "..")
        || path.as_bytes().get(1) == Some(&b':')
        || path.contains('\0');
    match outside || path.len() > MOST_PATH {
        true => Err(unsafe_path(path)),
        false => Ok(()),
    }
}

/// Checks a path as stored.
pub fn check_length(raw: &[u8]) -> Result<()> {
    match raw.get(..MOST_PATH + 1) {
        Some(start) => Err(unsafe_path(&String::from_utf8_lossy(start))),
        None => Ok(()),
    }
}

fn unsafe_path(path: &str) -> Error {
    let shown: String = path.chars().filter(|c| !c.is_control()).take(60).collect();
    Error::corrupt(format!("压缩包内有不安全的路径 {shown}，请重新打包后上传"))
}
