//! The checked-in contract.

use proto::openapi;

#[test]
fn the_checked_in_contract_is_current() {
    let checked_in = include_str!("../../openapi.json");
    assert!(
        checked_in == openapi::document(),
        "proto/openapi.json is out of date: cargo run -p xuanlan-proto > proto/openapi.json"
    );
    let console = include_str!("../../openapi-console.json");
    assert!(
        console == openapi::console_document(),
        "out of date: cargo run -p xuanlan-proto -- console > proto/openapi-console.json"
    );
}
