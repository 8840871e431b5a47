//! What web pages show of a model: the packed preview and its stand-in.

use crate::models::{animated, json_of, read_bytes, textured, write_bytes, write_packed};
use crate::validator::{assert_valid, node_folder};
use base64::Engine;
use modelkit::render::{Options, picture};
use modelkit::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Node, Transform,
};
use modelkit::write::Compression;
use modelkit::{Ctx, Error, Scene, Silent, proxy, sample};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

pub fn modelkit(args: &[&str], dir: &Path) -> Value {
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
    // Bytes after its end, which the header does not count: packed anew, and not heavier for it.
    let longer = [&draco[..], b"tail"].concat();
    let made = preview(&longer, "a.glb");
    assert_ne!(made, longer);
    assert!(made.len() <= longer.len(), "{}", made.len());
    // An image outside the file would be fetched by every viewer of the model.
    let mut json = json_of(&draco);
    json["images"] = serde_json::json!([{"uri": "https://example.com/pixel.png"}]);
    let start = 20 + u32::from_le_bytes(draco[12..16].try_into().unwrap()) as usize;
    let outside = crate::models::glb(&json.to_string(), &draco[start + 8..]);
    let made = preview(&outside, "a.glb");
    assert!(!String::from_utf8_lossy(&made).contains("example.com"));
}

/// What gltfpack makes of a GLB.
fn gltfpack(source: &[u8], options: &[&str]) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.glb"), source).unwrap();
    let done = Command::new("node")
        .arg(node_folder().join("node_modules/gltfpack/cli.js"))
        .args(options)
        .args(["-i", "a.glb", "-o", "b.glb"])
        .current_dir(dir.path())
        .output()
        .expect("node is needed for this test");
    assert!(done.status.success(), "{done:?}");
    fs::read(dir.path().join("b.glb")).unwrap()
}

/// Names, materials and extras are kept, as they are in a preview.
const KEEPING: [&str; 4] = ["-cc", "-kn", "-km", "-ke"];

#[test]
fn a_preview_is_no_heavier_than_gltfpack_makes_it() {
    let turning = ("turning", walking(false));
    let still = ("still", walking(true));
    let rigid = scenes().into_iter().filter(|(name, _)| *name != "animated");
    for (name, scene) in rigid.chain([turning, still]) {
        let source = write_bytes(&scene, "a.glb", false);
        let packed = gltfpack(&source, &KEEPING).len();
        let made = preview(&source, "a.glb").len();
        // Its many small parts each keep a grid of their own, where gltfpack has one for all.
        let most = match name == "pagoda" {
            true => packed * 102 / 100,
            false => packed,
        };
        assert!(made <= most, "{name}: {made}, gltfpack {packed}");
    }
}

#[test]
fn a_glb_of_either_meshopt_extension_is_no_lighter_than_its_preview() {
    for (name, scene) in scenes() {
        let plain = write_bytes(&scene, "a.glb", false);
        for options in [
            &["-cc"][..],
            &["-cc", "-ce", "khr"],
            &["-c"],
            &["-vp", "10"],
        ] {
            let source = gltfpack(&plain, options);
            let (was, is) = (source.len(), preview(&source, "a.glb").len());
            assert!(is <= was, "{name} {options:?}: {was} → {is}");
        }
    }
}

/// A row of parts of which some sway, in parts of their clip at rest; as exporters write it, with a key for every frame.
fn walking(still: bool) -> Scene {
    let mut scene = textured(6);
    let keys = 24;
    let times: Vec<f32> = (0..keys).map(|i| i as f32 / 24.0).collect();
    let mut clip = Animation {
        name: "Take 001".into(),
        channels: Vec::new(),
        samplers: Vec::new(),
        extras: None,
    };
    for part in 0..12 {
        let node = Node {
            name: format!("part {part}"),
            mesh: Some(0),
            transform: Transform::translation([f64::from(part as f32) / 7.0, 0.8, 0.3]),
            ..Node::default()
        };
        let node = scene.add_node(node, None);
        let angle = |i: usize| match i.saturating_sub(part) {
            _ if still => 0.0,
            from => (from as f32 * 0.4).min(1.0) * 0.3,
        };
        let turn = |i| [0.0, (angle(i) / 2.0).sin(), 0.0, (angle(i) / 2.0).cos()];
        clip.channels.push(Channel {
            node,
            path: AnimationPath::Rotation,
            sampler: part as u32,
        });
        clip.samplers.push(AnimationSampler {
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values: (0..keys).flat_map(turn).collect(),
        });
    }
    scene.animations.push(clip);
    scene
}

#[test]
fn clips_stay_unless_none_of_them_moves_the_model() {
    let clips = |scene: &Scene| {
        let made = preview(&write_bytes(scene, "a.glb", false), "a.glb");
        let back = read_bytes(&made, "p.glb").unwrap();
        let names = back.animations.iter().map(|clip| clip.name.clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(clips(&walking(true)), Vec::<String>::new());
    let mut both = walking(false);
    both.animations.extend(walking(true).animations);
    assert_eq!(clips(&both), ["Take 001", "Take 001"]);
}

#[test]
fn tracks_with_some_keys_of_others_take_their_times_and_show_the_same() {
    let mut scene = walking(false);
    // A bend in each frame, of which tracks lack different ones.
    for (part, sampler) in scene.animations[0].samplers.iter_mut().enumerate() {
        let frames: Vec<usize> = (0..24).filter(|i| part == 0 || i % 12 != part).collect();
        let turn = |i: usize| (i as f32 * 2.4).sin() * 0.3;
        sampler.times = frames.iter().map(|i| *i as f32 / 24.0).collect();
        let value = |i: &usize| [0.0, turn(*i).sin(), 0.0, turn(*i).cos()];
        sampler.values = frames.iter().flat_map(value).collect();
    }
    let made = preview(&write_bytes(&scene, "a.glb", false), "a.glb");
    let back = read_bytes(&made, "p.glb").unwrap();
    let (was, is) = (&scene.animations[0], &back.animations[0]);
    let first = &is.samplers[0].times;
    assert!(is.samplers.iter().all(|s| s.times == *first));
    for (a, b) in was.samplers.iter().zip(&is.samplers) {
        for (k, time) in b.times.iter().enumerate() {
            // The gap of one frame is the arc's middle.
            let at = a.times.partition_point(|t| t < time).min(a.times.len() - 1);
            let angle = |i: usize| a.values[i * 4 + 1].atan2(a.values[i * 4 + 3]);
            let own = a.times[at] == *time;
            let wanted = match own || at == 0 || *time > a.times[at] {
                true => angle(at),
                false => (angle(at - 1) + angle(at)) / 2.0,
            };
            let made = b.values[k * 4 + 1].atan2(b.values[k * 4 + 3]);
            assert!((made - wanted).abs() < 2e-3, "{time}: {made}, not {wanted}");
        }
    }
}

/// A glTF whose buffer is embedded in its text, in two pieces, with its pictures as data URIs.
fn as_text(glb: &[u8]) -> Vec<u8> {
    let mut json = json_of(glb);
    let bin = &glb[28 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize..];
    let uri = |bytes: &[u8], mime: &str| {
        let text = base64::engine::general_purpose::STANDARD.encode(bytes);
        format!("data:{mime};base64,{text}")
    };
    let place = |view: &Value| {
        let number = |name| view[name].as_u64().unwrap_or(0) as usize;
        number("byteOffset")..number("byteOffset") + number("byteLength")
    };
    let views = json["bufferViews"].clone();
    let images = json.get_mut("images").and_then(Value::as_array_mut);
    for image in images.into_iter().flatten() {
        let view = image["bufferView"].as_u64().unwrap() as usize;
        image["uri"] = uri(&bin[place(&views[view])], "image/png").into();
        image.as_object_mut().unwrap().remove("bufferView");
    }
    let last = json["bufferViews"]
        .as_array_mut()
        .unwrap()
        .last_mut()
        .unwrap();
    let second = place(last);
    last["buffer"] = 1.into();
    last["byteOffset"] = 0.into();
    let octets = "application/octet-stream";
    let first = &bin[..second.start];
    json["buffers"] = serde_json::json!([
        {"byteLength": first.len(), "uri": uri(first, octets)},
        {"byteLength": second.len(), "uri": uri(&bin[second], octets)},
    ]);
    serde_json::to_vec_pretty(&json).unwrap()
}

#[test]
fn a_gltf_lighter_than_its_repacked_form_becomes_one_glb() {
    let dir = tempfile::tempdir().unwrap();
    let gears = sample::generate("gears", Some(20_000), 1).unwrap();
    for (name, scene) in [("gears", gears), ("textured", textured(60))] {
        let draco = write_packed(&scene, "a.glb", Compression::Draco);
        let made = preview(&as_text(&draco), "a.gltf");
        // The picture is still in the first buffer too.
        let (was, is) = (draco.len(), made.len());
        assert!(is <= was + 1024, "{name}: {was} → {is}");
        let required = &json_of(&made)["extensionsRequired"];
        assert_eq!(required[0], "KHR_draco_mesh_compression", "{name}");
        let back = read_bytes(&made, "p.glb").unwrap();
        assert_eq!(back.triangle_count(), scene.triangle_count(), "{name}");
        assert_eq!(back.images.len(), scene.images.len(), "{name}");
        let path = dir.path().join(format!("{name}.glb"));
        fs::write(&path, &made).unwrap();
        assert_valid(&[path]);
    }
}

#[test]
fn a_gltf_in_an_archive_is_handed_on_with_its_side_files() {
    let scene = sample::generate("gears", Some(20_000), 1).unwrap();
    let draco = write_packed(&scene, "a.glb", Compression::Draco);
    let mut json = json_of(&draco);
    json["buffers"][0]["uri"] = "part%201.bin".into();
    let bin = &draco[28 + u32::from_le_bytes(draco[12..16].try_into().unwrap()) as usize..];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [
        ("m/a.gltf", json.to_string().as_bytes()),
        ("m/part 1.bin", bin),
    ] {
        zip.start_file(name, options).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    let made = preview(&zip.finish().unwrap().into_inner(), "a.zip");
    assert!(
        made.len() <= draco.len(),
        "{} of {}",
        made.len(),
        draco.len()
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.glb");
    fs::write(&path, &made).unwrap();
    assert_valid(&[path]);
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
            let drawn = made.triangles as u64;
            assert!(drawn * 9 <= budget, "{kind} {budget}: {drawn} triangles");
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
