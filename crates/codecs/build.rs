//! Compiles the C and C++ shims: Draco, JPEG and Zstandard against Debian's libraries, Basis Universal from the source
//! that the package `basisu_c_sys` ships. That package itself is never compiled: it leaves SSE4.1 out, which makes
//! encoding several times slower, forbids exceptions, and needs libclang.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Formats glTF cannot use, or that only serve tools: left out of the transcoder.
const WITHOUT: [&str; 11] = [
    "BASISD_SUPPORT_DXT1",
    "BASISD_SUPPORT_DXT5A",
    "BASISD_SUPPORT_BC7",
    "BASISD_SUPPORT_PVRTC1",
    "BASISD_SUPPORT_PVRTC2",
    "BASISD_SUPPORT_ETC2_EAC_A8",
    "BASISD_SUPPORT_ETC2_EAC_RG11",
    "BASISD_SUPPORT_ASTC",
    "BASISD_SUPPORT_ATC",
    "BASISD_SUPPORT_FXT1",
    "BASISU_SUPPORT_OPENCL",
];

/// The encoder sources that ETC1S and UASTC execute. The others (HDR, ASTC, other file formats) are needed only to link
/// and are compiled without optimisation, which halves the build time.
const ENCODER: [&str; 11] = [
    "basisu_backend.cpp",
    "basisu_basis_file.cpp",
    "basisu_comp.cpp",
    "basisu_enc.cpp",
    "basisu_etc.cpp",
    "basisu_frontend.cpp",
    "basisu_gpu_texture.cpp",
    "basisu_kernels_sse.cpp",
    "basisu_resample_filters.cpp",
    "basisu_resampler.cpp",
    "basisu_uastc_enc.cpp",
];

fn main() {
    println!("cargo::rerun-if-changed=native");
    println!("cargo::rerun-if-changed=build.rs");
    draco();
    jpeg();
    basis(&basis_source());
}

fn cpp() -> cc::Build {
    let mut build = native::cpp();
    build.warnings(false);
    build
}

fn draco() {
    if !Path::new("/usr/include/draco/compression/decode.h").exists() {
        println!("cargo::warning=Draco is looked for where Debian's package libdraco-dev puts it");
    }
    cpp().file("native/draco.cpp").compile("xl_draco");
    println!("cargo::rustc-link-lib=dylib=draco");
}

fn jpeg() {
    if !Path::new("/usr/include/jpeglib.h").exists() {
        println!(
            "cargo::warning=libjpeg is looked for where Debian's package libjpeg62-turbo-dev puts it"
        );
    }
    cc::Build::new().file("native/jpeg.c").compile("xl_jpeg");
    println!("cargo::rustc-link-lib=dylib=jpeg");
}

fn basis(source: &Path) {
    if !Path::new("/usr/include/zstd.h").exists() {
        println!(
            "cargo::warning=Zstandard is looked for where Debian's package libzstd-dev puts it"
        );
    }
    let (ours, others): (Vec<PathBuf>, Vec<PathBuf>) = sources(&source.join("encoder"))
        .into_iter()
        .partition(|path| ENCODER.iter().any(|name| path.ends_with(name)));
    library(source)
        .file("native/basis.cpp")
        .files(ours)
        .file(source.join("transcoder/basisu_transcoder.cpp"))
        .compile("xl_basis");
    library(source)
        .files(others)
        .files(sources(&source.join("encoder/3rdparty")))
        .opt_level(0)
        .compile("xl_basis_unused");
    println!("cargo::rustc-link-lib=dylib=zstd");
}

fn library(source: &Path) -> cc::Build {
    let mut build = cpp();
    // The library casts between types; its own build sets this flag too.
    build
        .include("native/checked")
        .include(source)
        .flag("-fno-strict-aliasing");
    for name in WITHOUT {
        build.define(name, "0");
    }
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64") {
        build.define("BASISU_SUPPORT_SSE", "1").flag("-msse4.1");
    }
    build
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the encoder's sources are readable");
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "cpp"))
        .filter(|path| !path.to_string_lossy().contains("wasm"))
        .collect();
    found.sort();
    found
}

/// Where cargo unpacked the package that ships Basis Universal.
fn basis_source() -> PathBuf {
    let output = Command::new(std::env::var("CARGO").expect("cargo sets CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .expect("cargo metadata runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {text}");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata answers JSON");
    let manifest = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == "basisu_c_sys")
        .and_then(|package| package["manifest_path"].as_str())
        .expect("Cargo.toml names basisu_c_sys");
    Path::new(manifest)
        .with_file_name("vendored")
        .join("basis_universal")
}
