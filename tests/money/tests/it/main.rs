//! The invariants of docs/payments.md, each by its number, on embedded parts and on real servers.

mod auditor;
mod brokers;
mod channels;
mod closing;
mod coupons;
mod delivery;
mod distributed;
mod faults;
mod operators;
mod permutations;
mod purchase;
mod races;
mod support;
mod till;
