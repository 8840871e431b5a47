//! The parts of a service on every backend they have.

mod bus;
mod cache;
mod database;
mod ops;
mod rpc;
mod stream;
