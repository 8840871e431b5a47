//! Tests of the library's private functions, through `internals`.

mod gallery_view;
mod scene;
mod share_hosts;
mod share_options;
