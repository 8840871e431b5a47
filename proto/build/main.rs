//! Compiles every .proto to one descriptor set (protox: no protoc to install) and generates the Rust types and stubs from it.
use std::{env, fs, path::PathBuf};

use prost::Message;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut files = Vec::new();
    let mut folders = vec![root.join("xuanlan")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "proto") {
                files.push(path);
            }
        }
    }
    files.sort();
    println!("cargo:rerun-if-changed=xuanlan");
    println!("cargo:rerun-if-changed=google");

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(&files)?;
    // encode_file_descriptor_set keeps the custom options, which prost's own type drops.
    let encoded = compiler.encode_file_descriptor_set();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), &encoded)?;
    let set = prost_types::FileDescriptorSet::decode(encoded.as_slice())?;
    tonic_prost_build::configure().compile_fds(set)?;
    Ok(())
}
