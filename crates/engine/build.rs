//! Compiles the part of `modelkit-cad` that calls OCCT, if OCCT is installed. Without it everything still builds, and
//! reading STEP or IGES reports what is missing. Only that program is linked with OCCT, and dynamically, as the LGPL
//! requires.

use std::path::{Path, PathBuf};

/// A header that only the package for STEP (and with it IGES) installs.
const HEADER: &str = "STEPCAFControl_Reader.hxx";

const FOLDERS: [&str; 4] = [
    "/usr/include/opencascade",
    "/usr/local/include/opencascade",
    "/usr/include/occt",
    "/opt/opencascade/include/opencascade",
];

const LIBRARIES: [&str; 19] = [
    "TKXDESTEP",
    "TKXDEIGES",
    "TKXCAF",
    "TKVCAF",
    "TKV3d",
    "TKMesh",
    "TKIGES",
    "TKSTEP",
    "TKSTEPAttr",
    "TKSTEPBase",
    "TKXSBase",
    "TKCAF",
    "TKLCAF",
    "TKCDF",
    "TKTopAlgo",
    "TKBRep",
    "TKG3d",
    "TKMath",
    "TKernel",
];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(occt)");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=cad");
    println!("cargo::rerun-if-env-changed=OCCT_INCLUDE_DIR");
    println!("cargo::rerun-if-env-changed=OCCT_LIB_DIR");
    let Some(headers) = headers() else {
        // Rerun when packages are installed.
        println!("cargo::rerun-if-changed=/usr/include");
        return;
    };
    println!("cargo::rerun-if-changed={}", headers.join(HEADER).display());
    println!("cargo::rustc-cfg=occt");
    compile(&headers);
}

fn headers() -> Option<PathBuf> {
    let has = |folder: &Path| folder.join(HEADER).is_file();
    if let Some(chosen) = std::env::var_os("OCCT_INCLUDE_DIR") {
        return Some(PathBuf::from(chosen)).filter(|folder| has(folder));
    }
    FOLDERS
        .map(PathBuf::from)
        .into_iter()
        .find(|folder| has(folder))
}

fn compile(headers: &Path) {
    let sources = [
        "cad", "document", "facts", "file", "iges", "mesh", "step", "stream", "tree",
    ]
    .map(|name| format!("cad/{name}.cpp"));
    native::cpp()
        .flag("-isystem")
        .flag(headers)
        // modelkit's own optimisation level is set by the cargo profile; this part spends its time in OCCT.
        .opt_level(2)
        .debug(false)
        .warnings(true)
        .extra_warnings(true)
        .files(sources)
        // Nothing else in this package may be linked with it.
        .cargo_metadata(false)
        .compile("modelkit_cad");
    let folder = std::env::var("OUT_DIR").unwrap_or_default();
    let argument = |text: String| println!("cargo::rustc-link-arg-bin=modelkit-cad={text}");
    argument(format!("{folder}/libmodelkit_cad.a"));
    if let Ok(libraries) = std::env::var("OCCT_LIB_DIR") {
        argument(format!("-L{libraries}"));
    }
    for library in LIBRARIES {
        argument(format!("-l{library}"));
    }
    argument("-lstdc++".to_owned());
}
