//! The service against real backends; process is played by a handler that copies small objects.

mod comments;
mod console;
mod gallery;
mod leaving;
mod shares;
mod support;
mod units;
mod works;
