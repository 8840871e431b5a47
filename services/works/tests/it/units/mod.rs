//! Tests of the library's inner functions, by its `internals`.

mod gallery_view;
mod scene;
mod share_hosts;
mod share_options;
