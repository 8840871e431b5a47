//! Which file in an archive is the model.

use super::package::{Entry, Package};
use crate::Error;
use crate::read::detect;

/// Formats in order of preference: those that hold more of a scene come first.
const PREFERENCE: &[&str] = &[
    "glb", "gltf", "amrt", "fbx", "dae", "step", "stp", "iges", "igs", "obj", "3ds", "ply", "stl",
    "osgb", "rvt", "jt",
];

fn extension(entry: &Entry) -> String {
    let name = entry.path.rsplit('/').next().unwrap_or("");
    name.rsplit_once('.')
        .map_or(String::new(), |(_, ext)| ext.to_lowercase())
}

/// All models, the one to read first: by preference, then by size, largest first.
pub fn models(package: &Package) -> Vec<usize> {
    let mut found: Vec<(usize, u64, usize)> = Vec::new();
    for (i, entry) in package.entries().iter().enumerate() {
        let ext = extension(entry);
        if let Some(rank) = PREFERENCE.iter().position(|p| *p == ext) {
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
        .filter(|i| matches!(extension(&entries[*i]).as_str(), "zip" | "rar"))
        .collect();
    found.sort_by_key(|i| std::cmp::Reverse(entries[*i].size));
    found.truncate(16);
    found
}

/// Why nothing can be read: names an unsupported format and what to do about it.
pub fn nothing(package: &Package) -> Error {
    const OTHERS: &[&str] = &["ifc", "max", "blend", "skp", "c4d", "mb", "ma", "7z"];
    let entries = package.entries();
    let other = entries
        .iter()
        .find(|entry| OTHERS.contains(&extension(entry).as_str()));
    if let Some(other) = other
        && let Err(error) = detect(b"", &other.path)
    {
        return error;
    }
    if entries.is_empty() {
        return Error::MissingMainFile("压缩包是空的，请把模型文件打包后上传".into());
    }
    Error::MissingMainFile(
        "压缩包里没有模型文件，请把 GLB、glTF、FBX、DAE、OBJ、3DS、PLY、STL、STEP 或 IGES 文件和贴图一起打包后上传"
            .into(),
    )
}
