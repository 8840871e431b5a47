//! What operators see and do in the console, beside each other's accounts: users, the log, how the installation runs.

pub mod actor;
pub mod chain;
pub mod freeze;
mod log;
mod running;
pub(crate) mod settings;
mod users;
