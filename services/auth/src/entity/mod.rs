//! Rows of auth's own database.

pub mod account;
pub mod password_failure;
pub mod session;
pub mod sms_code;
pub mod sms_gate;
