//! The tables.

pub mod guide;
pub mod member;
pub mod profile;
pub mod statistics;
pub mod term;
