//! Embeds the page that the frontend's build has produced. Without it everything still builds, and packing reports what
//! is missing. A crate of its own, so that a new page recompiles nothing else.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FOLDER: &str = "../../frontend/dist-offline";
const FILES: [&str; 2] = ["viewer.html", "LICENSES.txt"];

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(built)");
    println!("cargo::rerun-if-changed=build.rs");
    // Watches the folder, which always exists, rather than the files: a missing file counts as changed every time.
    println!("cargo::rerun-if-changed={FOLDER}");
    let folder = Path::new(FOLDER);
    if !FILES.iter().all(|file| folder.join(file).is_file()) {
        return Ok(());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for file in FILES {
        fs::copy(folder.join(file), out.join(file))?;
    }
    println!("cargo::rustc-cfg=built");
    Ok(())
}
