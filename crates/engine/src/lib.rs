//! The engine as programs start it: `modelkit` with its version and the page of offline packages. A crate of its own, built
//! after the engine, so that neither a new page nor another lock file compiles that again.

use modelkit::cli::Build;
use modelkit::pack::Page;
use std::ffi::OsString;

/// The page of offline packages; `None` in a build without the frontend.
pub fn page() -> Option<Page> {
    offline_viewer::page().map(|(html, licenses)| Page { html, licenses })
}

/// Runs the command; `args` includes the program's name. Returns the exit code, see [`modelkit::cli::main`].
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let build = Build {
        version: engine_version::VERSION,
        page: page(),
    };
    modelkit::cli::main(args, build)
}
