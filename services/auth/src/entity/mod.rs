//! Rows of auth's own database.

pub mod account;
pub mod certification;
pub mod certified_number;
pub mod identity;
pub mod invitation;
pub mod invite_code;
pub mod known_device;
pub mod mail_code;
pub mod password_failure;
pub mod recovery_code;
pub mod second_factor;
pub mod session;
pub mod sign_in;
pub mod sms_code;
pub mod sms_gate;
