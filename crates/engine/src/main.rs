//! The command `modelkit`.

fn main() {
    std::process::exit(engine::main(std::env::args_os()));
}
