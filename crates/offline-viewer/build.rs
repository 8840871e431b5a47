//! Takes the page that the frontend's build has made. Without it everything still builds, and packing says what is
//! missing. A crate of its own, so that a new page compiles nothing else again.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FOLDER: &str = "../../frontend/dist-offline";
const FILES: [&str; 2] = ["viewer.html", "LICENSES.txt"];

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(built)");
    println!("cargo::rerun-if-changed=build.rs");
    // The folder, which is always there, rather than the files: a file that is missing would count as changed.
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
