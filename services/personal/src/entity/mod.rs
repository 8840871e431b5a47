//! The tables.

pub mod guide;
pub mod profile;
pub mod statistics;
