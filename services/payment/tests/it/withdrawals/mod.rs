//! Bank cards and withdrawals: encrypted numbers, one withdrawal for each number, and exactly one outcome of what is held (13).

mod cards;
mod closing;
mod outcomes;
mod world;
