//! The service against real backends.

mod entries;
mod world;
