//! Integration tests of modelkit on generated models.

mod broken;
mod command;
mod lighten;
mod models;
mod roundtrip;
