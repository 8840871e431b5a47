#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| modelkit::fuzz::run("cad_step", bytes));
