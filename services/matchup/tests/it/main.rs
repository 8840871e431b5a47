//! Matchup from outside.

mod console;
mod demands;
mod leaving;
mod offers;
mod providers;
mod support;
mod units;
