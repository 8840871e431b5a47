//! Prints the published contract: `cargo run -p xuanlan-proto > proto/openapi.json`.

fn main() {
    print!("{}", proto::openapi::document());
}
