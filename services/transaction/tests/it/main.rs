//! The service against real backends; process is played by a handler that takes every command.

mod cart;
mod favourite;
mod grants;
mod listing;
mod modeler;
mod paid;
mod rating;
mod review;
mod search;
mod support;
mod units;
