//! For build scripts: compiles C++, through ccache where that is installed, so that what a clean clone compiles was compiled
//! before. Its folder is that of the other caches; environment variables of cargo would compile third-party crates anew.

use std::env;
use std::path::{Path, PathBuf};

const MOST_BYTES: &str = "1G";

/// A build of C++ 17.
pub fn cpp() -> cc::Build {
    if let Some(folder) = folder() {
        // SAFETY: a build script has one thread when it begins.
        unsafe {
            env::set_var("CCACHE_DIR", folder);
            env::set_var("CCACHE_MAXSIZE", MOST_BYTES);
            // Objects of one content, wherever the clone lies.
            env::set_var("CCACHE_NOHASHDIR", "1");
            env::set_var("CXX", "ccache c++");
        }
    }
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17");
    build
}

/// None without ccache, and where the environment names a compiler.
fn folder() -> Option<PathBuf> {
    let chosen = ["CXX", "HOST_CXX", "TARGET_CXX"];
    if chosen.iter().any(|name| env::var_os(name).is_some())
        || !Path::new("/usr/bin/ccache").exists()
    {
        return None;
    }
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("xuanlan/ccache"))
}
