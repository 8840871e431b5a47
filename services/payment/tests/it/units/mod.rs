//! Tests of the library's inner functions, by its `internals`.

mod attempt;
mod cards;
mod cards_number;
mod channel_breaker;
mod channel_skew;
mod config;
mod counts;
mod earning_months;
mod pay;
mod withdrawal;
