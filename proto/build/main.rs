//! Compiles all .proto files to one descriptor set (with protox, so protoc need not be installed) and generates the Rust types and
//! clients, the typed calls, events and commands, and the module of each package.

mod calls;
mod commands;
mod events;
mod messaging;
mod packages;
mod pages;
mod pushes;
mod rows;
mod rules;

use std::error::Error;
use std::{env, fs, path::PathBuf};

use prost::Message;
use prost_reflect::DescriptorPool;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    println!("cargo:rerun-if-changed=xuanlan");
    println!("cargo:rerun-if-changed=build");

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true);
    compiler.open_files(proto_files(root.join("xuanlan"))?)?;
    // encode_file_descriptor_set keeps the custom options, which prost's own type drops.
    let encoded = compiler.encode_file_descriptor_set();
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), &encoded)?;
    let pool = DescriptorPool::decode(encoded.as_slice())?;
    let messaging = messaging::read(&pool)?;
    let pushes = pushes::read(&pool)?;
    let rows = rows::Rows::read(&root)?;

    let mut set = FileDescriptorSet::decode(encoded.as_slice())?;
    // Commands are sent over the bus and need no gRPC stubs.
    for file in &mut set.file {
        let package = file.package().to_owned();
        let is_grpc = |name: &str| {
            let full = format!("{package}.{name}");
            !messaging.commands.iter().any(|c| c.full_name == full)
        };
        file.service.retain(|service| is_grpc(service.name()));
    }
    let mut types = tonic_prost_build::configure().build_server(false);
    for (path, attribute) in rules::attributes(&pool)? {
        let is_message = pool.get_message_by_name(&path).is_some();
        types = match is_message {
            true => types.message_attribute(path, attribute),
            false => types.field_attribute(path, attribute),
        };
    }
    types.compile_fds(set)?;
    for package in packages::names(&pool) {
        let text = events::of_package(&messaging, &package)
            + &pushes::of_package(&pushes, &package)
            + &commands::of_package(&messaging, &package)
            + &calls::of_package(&pool, &rows, &package)?
            + &pages::of_package(&pool, &package)
            + &rules::of_package(&pool, &package);
        fs::write(out.join(format!("{package}.messaging.rs")), text)?;
    }
    fs::write(out.join("packages.rs"), packages::modules(&pool))?;
    fs::write(out.join("events.rs"), events::table(&messaging))?;
    fs::write(out.join("commands.rs"), commands::table(&messaging))?;
    fs::write(out.join("pushes.rs"), pushes::table(&pushes))?;
    Ok(())
}

fn proto_files(root: PathBuf) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut files = Vec::new();
    let mut folders = vec![root];
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
    Ok(files)
}
