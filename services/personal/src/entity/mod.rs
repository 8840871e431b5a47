//! The tables.

pub mod guide;
pub mod member;
pub mod package;
pub mod profile;
pub mod statistics;
pub mod term;
