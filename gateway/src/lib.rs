//! The API gateway: one pipeline for every call, pushes to browsers, and the files of the frontend.
//! [`start`] serves on a listener until shutdown. [`Upstreams`] defines where the services run, in this process or elsewhere; the
//! pipeline does not depend on it.

#[cfg(feature = "client")]
pub mod client;
pub mod config;
mod console;
mod embed;
mod headers;
mod input;
mod keys;
mod live;
mod nonces;
mod notes;
mod notify;
mod pipeline;
pub mod process;
mod push;
mod refused;
mod routes;
mod server;
mod sessions;
mod site;
mod stages;
mod state;
mod transcode;
mod upstream;

pub use live::ConfigSource;
pub use server::{GatewayHandle, Options, start};
pub use upstream::{Upstream, Upstreams};

/// The gateway's part of the configuration, commented.
pub const DEFAULTS: &str = include_str!("default.toml");
