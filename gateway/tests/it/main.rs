//! The gateway as seen by its callers: real HTTP, real sockets, services behind it that implement the generated traits.

mod calls;
mod console;
mod embed;
mod heads;
mod live;
mod push;
mod refusals;
mod replicas;
mod sessions;
mod signature;
mod site;
mod support;
