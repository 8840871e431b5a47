//! Every kind of GLB passes Khronos' validator without an error.

use crate::models::{animated, textured, write_packed};
use modelkit::lighten::{self, Options, Target, TextureFormat};
use modelkit::write::Compression;
use modelkit::{Ctx, Scene, Silent, sample};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const ALL: [Compression; 3] = [Compression::None, Compression::Meshopt, Compression::Draco];

fn lightened(mut scene: Scene, textures: TextureFormat) -> Scene {
    let options = Options {
        target: Target::Ratio(0.5),
        texture_max: None,
        textures,
    };
    lighten::lighten(&mut scene, &options, &|_| Ok(0), &Ctx::new(&Silent)).unwrap();
    scene
}

/// Every variant of the writer's output, written to `dir`.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut scenes: Vec<(String, Scene)> = sample::KINDS
        .iter()
        .map(|(kind, _)| {
            let scene = sample::generate(kind, Some(2000), 1).unwrap();
            (format!("sample-{kind}"), scene)
        })
        .collect();
    scenes.push(("animated".into(), animated(10)));
    for (name, format) in [
        ("keep", TextureFormat::Keep),
        ("webp", TextureFormat::Webp),
        ("ktx2", TextureFormat::Ktx2),
        ("uastc", TextureFormat::Ktx2Uastc),
    ] {
        scenes.push((format!("textured-{name}"), lightened(textured(12), format)));
    }
    let mut out = Vec::new();
    for (name, scene) in &scenes {
        for compression in ALL {
            let path = dir.join(format!("{name}-{compression:?}.glb"));
            std::fs::write(&path, write_packed(scene, "a.glb", compression)).unwrap();
            out.push(path);
        }
    }
    let gltf = dir.join("textured.gltf");
    std::fs::write(
        &gltf,
        write_packed(&textured(8), "a.gltf", Compression::None),
    )
    .unwrap();
    out.push(gltf);
    out
}

/// The folder of the tests' Node packages, installed.
pub fn node_folder() -> PathBuf {
    // Tests of one program install once.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = ONE.lock();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    let has = |name: &str| folder.join("node_modules").join(name).is_dir();
    if !has("gltf-validator") || !has("gltfpack") {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund"]);
        let installed = npm.current_dir(&folder).status();
        assert!(installed.expect("npm is needed for this test").success());
    }
    folder
}

/// None of these files has an error in Khronos' validator.
pub fn assert_valid(files: &[PathBuf]) {
    let output = Command::new("node")
        .arg("validate.mjs")
        .args(files)
        .current_dir(node_folder())
        .output()
        .expect("node is needed for this test");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn no_output_has_an_error_in_khronos_validator() {
    let dir = tempfile::tempdir().unwrap();
    assert_valid(&files(dir.path()));
}
