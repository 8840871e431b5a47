//! What operators see and do in the console, apart from operator accounts: users, the log, the state of the installation.

pub mod actor;
pub mod chain;
pub mod freeze;
mod health;
mod log;
mod running;
pub(crate) mod settings;
mod users;
mod ways;
