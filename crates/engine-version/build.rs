//! Sums up what the engine is made of: its sources, the pages it embeds, and the versions of all libraries.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

const MADE_OF: [&str; 10] = [
    "crates/modelkit/src",
    "crates/engine/src",
    "crates/engine/cad",
    "crates/engine/build.rs",
    "crates/codecs",
    "crates/facts/src",
    "crates/offline-viewer",
    "frontend/dist-offline",
    "Cargo.toml",
    "Cargo.lock",
];

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    for part in MADE_OF {
        let part = root.join(part);
        // A path that is not there would make every build begin with this; the frontend may not be built yet.
        if part.exists() {
            println!("cargo::rerun-if-changed={}", part.display());
            list(&part, &mut files)?;
        }
    }
    files.sort();
    let mut sum = DefaultHasher::new();
    for file in files {
        file.strip_prefix(&root).unwrap_or(&file).hash(&mut sum);
        std::fs::read(&file)?.hash(&mut sum);
    }
    println!("cargo::rustc-env=ENGINE_SOURCES={:016x}", sum.finish());
    Ok(())
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}
