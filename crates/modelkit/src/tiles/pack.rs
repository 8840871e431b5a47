//! A tileset as one file: an uncompressed ZIP with an index, so that a viewer can read single tiles by byte ranges (3D
//! Tiles Archive, `.3tz`).

use crate::progress::{Ctx, Stage};
use crate::{Error, Result};
use md5::{Digest, Md5};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write, copy};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The last entry: hash and offset of every other.
const INDEX: &str = "@3dtilesIndex1@";

fn fail(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("packing: {error}"))
}

/// Packs everything in `folder` into `out`; returns the bytes written.
pub fn pack(folder: &Path, out: &Path, ctx: &Ctx) -> Result<u64> {
    let io = |e: std::io::Error| Error::io(out, &e);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(false);
    let mut names = Vec::new();
    list(folder, "", &mut names)?;
    // The entry point first, the rest by name.
    names.sort_by_key(|name| (name != "tileset.json", name.clone()));
    let mut zip = ZipWriter::new(BufWriter::new(File::create(out).map_err(io)?));
    for name in &names {
        ctx.report(Stage::Write, 0.99, "正在打包")?;
        let path = folder.join(name);
        zip.start_file(name.as_str(), options).map_err(fail)?;
        let mut file = BufReader::new(File::open(&path).map_err(|e| Error::io(&path, &e))?);
        copy(&mut file, &mut zip).map_err(io)?;
    }
    zip.finish().map_err(fail)?.flush().map_err(io)?;
    let index = index(out)?;
    let file = File::options()
        .read(true)
        .write(true)
        .open(out)
        .map_err(io)?;
    let mut zip = ZipWriter::new_append(file).map_err(fail)?;
    zip.start_file(INDEX, options).map_err(fail)?;
    zip.write_all(&index).map_err(io)?;
    zip.finish().map_err(fail)?;
    Ok(std::fs::metadata(out).map_err(io)?.len())
}

/// MD5 of the name (16 bytes) and offset of the local header (8 bytes), sorted by hash.
fn index(out: &Path) -> Result<Vec<u8>> {
    let file = File::open(out).map_err(|e| Error::io(out, &e))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(fail)?;
    let mut rows = Vec::with_capacity(archive.len());
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at).map_err(fail)?;
        let hash: [u8; 16] = Md5::digest(entry.name_raw()).into();
        rows.push((hash, entry.header_start()));
    }
    // Compared as two little-endian numbers, the first half first.
    let half = |hash: &[u8; 16], at: usize| {
        hash[at..at + 8]
            .iter()
            .rev()
            .fold(0u64, |n, byte| n << 8 | u64::from(*byte))
    };
    rows.sort_by_key(|(hash, _)| (half(hash, 0), half(hash, 8)));
    let bytes = |(hash, start): ([u8; 16], u64)| hash.into_iter().chain(start.to_le_bytes());
    Ok(rows.into_iter().flat_map(bytes).collect())
}

fn list(root: &Path, folder: &str, out: &mut Vec<String>) -> Result<()> {
    let at = root.join(folder);
    for entry in std::fs::read_dir(&at).map_err(|e| Error::io(&at, &e))? {
        let entry = entry.map_err(|e| Error::io(&at, &e))?;
        let name = super::source::join(folder, &entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => list(root, &name, out)?,
            false => out.push(name),
        }
    }
    Ok(())
}
