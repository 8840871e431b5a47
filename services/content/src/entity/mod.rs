//! Rows.

pub mod article;
pub mod category;
pub mod preview;
pub mod redirect;
pub mod revision;
