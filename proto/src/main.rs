//! Prints the published contract (`cargo run -p xuanlan-proto > proto/openapi.json`), that of the operators' console (`cargo run -p
//! xuanlan-proto -- console > proto/openapi-console.json`), or the table of events as JSON (`cargo run -p xuanlan-proto --
//! events`).

use std::process::ExitCode;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        None => print!("{}", proto::openapi::document()),
        Some("console") => print!("{}", proto::openapi::console_document()),
        Some("events") => print!("{}", proto::events::document()),
        Some(other) => {
            eprintln!("{other}: unknown; `console` and `events` are the arguments");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
