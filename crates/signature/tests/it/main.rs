//! The published vectors, and properties over random requests.

mod properties;
mod vectors;
