//! Prints the published contract, `cargo run -p xuanlan-proto > proto/openapi.json`, or the table of events as JSON,
//! `cargo run -p xuanlan-proto -- events`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        None => print!("{}", proto::openapi::document()),
        Some("events") => print!("{}", proto::events::document()),
        Some(other) => {
            eprintln!("{other}: unknown; `events` is the only argument");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
