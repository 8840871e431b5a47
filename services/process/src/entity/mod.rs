//! The tables.

pub mod check_message;
pub mod entitlement;
pub mod feedback;
pub mod file;
pub mod job;
pub mod result;
pub mod user_counter;
