//! The tables.

pub mod entry;
