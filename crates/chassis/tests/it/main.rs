//! The parts of a service on every backend they have.

mod bus;
mod cache;
mod database;
mod dead;
mod frozen;
mod lanes;
mod links;
mod ops;
mod report;
mod rows;
mod rpc;
mod silent;
mod start;
mod stream;
