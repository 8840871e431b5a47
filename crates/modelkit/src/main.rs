//! The command `modelkit`.

fn main() {
    std::process::exit(modelkit::cli::main(std::env::args_os()));
}
