//! The tables.

pub mod check_message;
pub mod entitlement;
pub mod file;
pub mod garbage;
pub mod job;
pub mod result;
pub mod user_counter;
