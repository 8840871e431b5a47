//! The module of each package: `order::v1` for `xuanlan.order.v1`. A new package needs no registration.

use std::collections::BTreeSet;
use std::fmt::Write;

use prost_reflect::DescriptorPool;

/// Our packages.
pub fn names(pool: &DescriptorPool) -> BTreeSet<String> {
    pool.files()
        .map(|file| file.package_name().to_owned())
        .filter(|name| name.starts_with("xuanlan."))
        .collect()
}

/// Modules that include the generated code of each package.
pub fn modules(pool: &DescriptorPool) -> String {
    let mut text = String::new();
    for package in names(pool) {
        let inside = format!(
            "include!(concat!(env!(\"OUT_DIR\"), \"/{package}.rs\"));\n\
             include!(concat!(env!(\"OUT_DIR\"), \"/{package}.messaging.rs\"));\n"
        );
        let path = package.split('.').skip(1).collect::<Vec<_>>();
        for module in &path {
            let _ = writeln!(text, "pub mod {module} {{");
        }
        text += &inside;
        text += &"}\n".repeat(path.len());
    }
    text
}
