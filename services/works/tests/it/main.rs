//! The service against real backends; a handler that copies small objects stands in for process.

mod comments;
mod console;
mod gallery;
mod leaving;
mod shares;
mod support;
mod units;
mod works;
