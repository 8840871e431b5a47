//! Tests of the contract's consistency, and of what its users rely on.

mod catalogue;
mod contract;
mod events;
mod openapi;
mod rules;
