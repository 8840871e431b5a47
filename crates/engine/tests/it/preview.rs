//! What web pages show of a model: the packed preview and its stand-in.

use crate::models::{animated, json_of, read_bytes, textured, write_bytes, write_packed};
use crate::validator::node_folder;
use modelkit::render::{Options, picture};
use modelkit::write::Compression;
use modelkit::{Ctx, Error, Scene, Silent, proxy, sample};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

fn modelkit(args: &[&str], dir: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_modelkit"))
        .args(args)
        .args(["--json", "--sandbox"])
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The preview of a file with these bytes.
fn preview(bytes: &[u8], name: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(name), bytes).unwrap();
    modelkit(&["check", name, "--preview", "p.glb"], dir.path());
    fs::read(dir.path().join("p.glb")).unwrap()
}

fn scenes() -> Vec<(&'static str, Scene)> {
    vec![
        ("gears", sample::generate("gears", Some(6000), 1).unwrap()),
        (
            "terrain",
            sample::generate("terrain", Some(6000), 1).unwrap(),
        ),
        ("pagoda", sample::generate("pagoda", Some(3000), 1).unwrap()),
        ("animated", animated(30)),
        ("small", textured(3)),
    ]
}

#[test]
fn a_preview_is_never_heavier_than_its_glb_and_keeps_the_model() {
    for (name, scene) in scenes() {
        for compression in [Compression::None, Compression::Meshopt, Compression::Draco] {
            let source = write_packed(&scene, "a.glb", compression);
            let made = preview(&source, "a.glb");
            let (was, is) = (source.len(), made.len());
            assert!(is <= was, "{name} {compression:?}: {was} → {is}");
            let back = read_bytes(&made, "p.glb").unwrap();
            assert_eq!(back.triangle_count(), scene.triangle_count(), "{name}");
            assert_eq!(back.materials.len(), scene.materials.len(), "{name}");
            assert_eq!(back.animations.len(), scene.animations.len(), "{name}");
            let (a, b) = (back.bounds(), scene.bounds());
            for k in 0..3 {
                let off = (a.min[k] - b.min[k]).abs() + (a.max[k] - b.max[k]).abs();
                assert!(off < b.diagonal() * 2e-4, "{name} {compression:?} {off}");
            }
        }
    }
}

#[test]
fn only_a_source_that_browsers_open_is_handed_on() {
    let scene = sample::generate("gears", Some(20_000), 1).unwrap();
    let draco = write_packed(&scene, "a.glb", Compression::Draco);
    assert_eq!(preview(&draco, "a.glb"), draco);
    // Bytes after its end, which the header does not count.
    let longer = [&draco[..], b"tail"].concat();
    assert_ne!(preview(&longer, "a.glb"), longer);
    // An image outside the file would be fetched by every viewer of the model.
    let mut json = json_of(&draco);
    json["images"] = serde_json::json!([{"uri": "https://example.com/pixel.png"}]);
    let start = 20 + u32::from_le_bytes(draco[12..16].try_into().unwrap()) as usize;
    let outside = crate::models::glb(&json.to_string(), &draco[start + 8..]);
    let made = preview(&outside, "a.glb");
    assert!(!String::from_utf8_lossy(&made).contains("example.com"));
}

#[test]
fn a_preview_is_as_light_as_gltfpack_makes_it() {
    let folder = node_folder();
    let dir = tempfile::tempdir().unwrap();
    let tool = folder.join("node_modules/gltfpack/cli.js");
    for (name, scene) in scenes().into_iter().take(3) {
        let source = write_bytes(&scene, "a.glb", false);
        fs::write(dir.path().join("a.glb"), &source).unwrap();
        // Names, materials and extras are kept, as they are in a preview.
        let done = Command::new("node")
            .arg(&tool)
            .args(["-cc", "-kn", "-km", "-ke", "-i", "a.glb", "-o", "b.glb"])
            .current_dir(dir.path())
            .output()
            .expect("node is needed for this test");
        assert!(done.status.success(), "{done:?}");
        let packed = fs::metadata(dir.path().join("b.glb")).unwrap().len() as usize;
        let made = preview(&source, "a.glb").len();
        assert!(
            made <= packed * 102 / 100,
            "{name}: {made}, gltfpack {packed}"
        );
    }
}

/// Mean difference of two models' pictures, 0…255.
fn unlike(a: &Scene, b: &Scene) -> f64 {
    let options = Options {
        yaw: Some(30.0),
        pitch: Some(20.0),
        ..Options::square(128)
    };
    let shot = |scene: &Scene| picture(scene, &options, &Ctx::new(&Silent)).unwrap();
    let (a, b) = (shot(a), shot(b));
    let bytes = a.as_raw().iter().zip(b.as_raw());
    let sum: u64 = bytes.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.as_raw().len() as f64
}

#[test]
fn a_stand_in_fits_its_budget_and_looks_like_the_model() {
    for kind in ["city", "turbine", "terrain", "molecule", "vase"] {
        let scene = sample::generate(kind, Some(60_000), 1).unwrap();
        for budget in [60_000, 200_000] {
            let made = proxy::make(&scene, budget, &Ctx::new(&Silent)).unwrap();
            assert!(made.bytes() <= budget, "{kind} {budget}: {}", made.bytes());
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("p.glb");
            made.write(&path).unwrap();
            let back = read_bytes(&fs::read(&path).unwrap(), "p.glb").unwrap();
            assert!(back.animations.is_empty(), "it stands still");
            let unlike = unlike(&back, &scene);
            assert!(unlike < 9.0, "{kind} {budget}: {unlike}");
        }
    }
    let tiny = proxy::make(&textured(8), 100, &Ctx::new(&Silent));
    assert!(matches!(tiny, Err(Error::Usage(_))));
}

#[test]
fn a_check_writes_a_stand_in_only_for_a_preview_above_it() {
    let dir = tempfile::tempdir().unwrap();
    let scene = sample::generate("terrain", Some(30_000), 1).unwrap();
    fs::write(
        dir.path().join("a.glb"),
        write_bytes(&scene, "a.glb", false),
    )
    .unwrap();
    let check = |budget: &str, to: &str| {
        let outputs = ["--preview", "p.glb", "--proxy", to, "--proxy-bytes", budget];
        modelkit(&[&["check", "a.glb"][..], &outputs].concat(), dir.path());
        fs::metadata(dir.path().join(to))
            .map(|meta| meta.len())
            .ok()
    };
    let made = check("50000", "small.glb").expect("a stand-in");
    assert!(made <= 50_000);
    assert_eq!(check("50000000", "none.glb"), None);
    let reply = modelkit(&["proxy", "a.glb", "c.glb", "--bytes", "50000"], dir.path());
    assert_eq!(
        (reply["needed"].as_bool(), reply["bytes"].as_u64()),
        (Some(true), Some(made))
    );
    let reply = modelkit(
        &["proxy", "a.glb", "d.glb", "--bytes", "50000000"],
        dir.path(),
    );
    assert_eq!(reply["needed"], false);
    assert!(!dir.path().join("d.glb").exists());
}

#[test]
fn a_broken_head_of_a_glb_is_told() {
    let whole = write_bytes(&textured(4), "a.glb", false);
    let reply = |at: usize, word: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        read_bytes(&bytes, "a.glb").unwrap_err().to_string()
    };
    assert!(reply(8, 0).contains("文件头已损坏"), "{}", reply(8, 0));
    assert!(reply(4, 0x7265_7469).contains("文件头已损坏"));
    assert!(reply(4, 1).contains("GLB 1.0 版本"));
}
