//! Which file in an archive is the model.

use super::entry::Entry;
use super::gzip;
use super::package::Package;
use crate::Error;
use crate::read::{Format, detect, extension, refused};
use facts::Row;

fn format(entry: &Entry) -> Option<Format> {
    Format::of_extension(&extension(&gzip::name_inside(&entry.path)))
}

/// All models, the one to read first: by preference, then by size, largest first.
pub fn models(package: &Package) -> Vec<usize> {
    let mut found: Vec<(u32, u64, usize)> = Vec::new();
    for (i, entry) in package.entries().iter().enumerate() {
        if let Some(rank) = format(entry).and_then(|format| format.row().preference) {
            found.push((rank, u64::MAX - entry.size, i));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, i)| i).collect()
}

/// Nested archives, largest first.
pub fn nested(package: &Package) -> Vec<usize> {
    let entries = package.entries();
    let mut found: Vec<usize> = (0..entries.len())
        .filter(|i| format(&entries[*i]).is_some_and(Format::is_archive))
        .collect();
    found.sort_by_key(|i| std::cmp::Reverse(entries[*i].size));
    found.truncate(16);
    found
}

/// Why nothing can be read: names an unsupported format and what to do about it.
pub fn nothing(package: &Package) -> Error {
    let entries = package.entries();
    // The document of a 3MF package has this name.
    let is_3mf = |path: &str| path.to_lowercase().ends_with("3d/3dmodel.model");
    let other = entries.iter().find_map(|entry| match is_3mf(&entry.path) {
        true => Some("a.3mf"),
        false => refused(&extension(&entry.path)).map(|_| entry.path.as_str()),
    });
    if let Some(Err(error)) = other.map(|name| detect(b"", name)) {
        return error;
    }
    if entries.is_empty() {
        return Error::MissingMainFile("压缩包是空的，请把模型文件打包后上传".into());
    }
    let models = facts::titles(Row::is_read_alone);
    Error::MissingMainFile(format!(
        "压缩包里没有模型文件，请把 {models} 文件和贴图一起打包后上传"
    ))
}
