//! The tables.

pub mod demand;
pub mod file;
pub mod offer;
pub mod provider;
pub mod rating;
