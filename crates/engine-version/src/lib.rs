//! The engine's version. It ends with a sum over its sources, so that whatever changes what the engine makes changes the
//! version too, without a manual step: reports and results are taken over from an earlier run only if they are of the same
//! version. A crate of its own, since the build of the engine compiles C++.

/// For example `0.1.0+8f14e45fceea167a`.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("ENGINE_SOURCES"));
