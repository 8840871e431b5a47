//! The contract against what others rely on, and against itself.

mod catalogue;
mod contract;
mod events;
mod openapi;
mod rules;
