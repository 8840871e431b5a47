//! The invariants of docs/payments.md, each by its number, on embedded parts and on real servers.

mod auditor;
mod brokers;
mod channels;
mod closing;
mod counts;
mod coupons;
mod delivery;
mod distributed;
mod faults;
mod goods;
mod leaving;
mod misfits;
mod operators;
mod permutations;
mod purchase;
mod queues;
mod races;
mod support;
mod till;
mod withdrawals;
