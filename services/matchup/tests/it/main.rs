//! Matchup, tested through its calls.

mod console;
mod demands;
mod leaving;
mod offers;
mod providers;
mod support;
mod units;
