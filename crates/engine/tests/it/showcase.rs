//! A model is shown without being given away.

use crate::models::{animated, json_of, read_bytes, textured, write_bytes};
use modelkit::render::{Manner, Options as Picture, picture};
use modelkit::scene::bake;
use modelkit::showcase::descriptor::{self, Descriptor};
use modelkit::showcase::{Options, make};
use modelkit::{Ctx, Scene, Silent, open, sample};
use serde_json::Value;
use std::path::Path;

fn options() -> Options {
    Options {
        mark: "XUANLAN".into(),
        seed: "l1".into(),
        score: Some(88),
    }
}

fn shown(scene: &Scene) -> (tempfile::TempDir, Value) {
    let folder = tempfile::tempdir().unwrap();
    let reply = make(scene, folder.path(), &options(), &Ctx::new(&Silent)).unwrap();
    (folder, reply)
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

fn places(scene: &Scene) -> Vec<[f32; 3]> {
    let mut out = Vec::new();
    bake(scene, &mut |part| {
        out.extend(part.positions);
        Ok(())
    })
    .unwrap();
    out
}

/// Share of the vertices of `scene` within 1e-5 of the diagonal of one of `proxy`.
fn known(scene: &Scene, proxy: &Scene) -> f64 {
    let near = scene.bounds().diagonal() * 1e-5;
    let mut found = places(proxy);
    found.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    let all = places(scene);
    let close = |p: &&[f32; 3]| {
        let from = found.partition_point(|q| f64::from(q[0]) < f64::from(p[0]) - near);
        let mut around = found[from..].iter();
        around
            .by_ref()
            .take_while(|q| f64::from(q[0]) <= f64::from(p[0]) + near)
            .any(|q| (0..3).all(|k| f64::from((p[k] - q[k]).abs()) <= near))
    };
    all.iter().filter(close).count() as f64 / all.len() as f64
}

#[test]
fn a_proxy_gives_away_neither_vertices_nor_names_nor_textures() {
    let mut moving = animated(40);
    moving.nodes[0].name = "secret".into();
    for scene in [
        textured(60),
        moving,
        sample::generate("gears", Some(20_000), 1).unwrap(),
    ] {
        let (folder, reply) = shown(&scene);
        let total = scene.triangle_count();
        let glb = bytes(folder.path(), "proxy.glb");
        assert!(glb.len() <= 1_500_000);
        let proxy = read_bytes(&glb, "proxy.glb").unwrap();
        let left = proxy.triangle_count();
        assert!(
            left * 10 <= total * 3 && left <= 30_000 && left > 100,
            "{left} of {total}"
        );
        let share = known(&scene, &proxy);
        assert!(share <= 0.3, "{share} of the vertices are given away");
        assert!(proxy.animations.len() <= 2);
        for times in proxy
            .animations
            .iter()
            .flat_map(|c| &c.samplers)
            .map(|s| &s.times)
        {
            assert!(times.windows(2).all(|t| t[1] - t[0] > 0.09), "{times:?}");
        }
        let json = json_of(&glb).to_string();
        assert!(!json.contains("secret") && !json.contains("测试") && !json.contains("extras"));
        for image in &proxy.images {
            assert!(image.width.max(image.height) <= 1024);
            assert!(scene.images.iter().all(|other| other.bytes != image.bytes));
        }
        assert_eq!(reply["facts"]["triangles"], total);
        assert_eq!(reply["facts"]["score"], 88);
        let source = write_bytes(&scene, "source.glb", false);
        for file in reply["files"].as_array().unwrap() {
            let made = bytes(folder.path(), file["name"].as_str().unwrap());
            assert!(made != source && !made.is_empty(), "{file}");
            // A small map is not given away whole.
            if file["kind"] == "texture" {
                let made = image::load_from_memory(&made).unwrap();
                let longest = scene.images.iter().map(|one| one.width.max(one.height));
                let most = (longest.max().unwrap() / 2).min(256);
                assert!(made.width().max(made.height()) <= most, "{file}");
            }
        }
        let kinds = |kind: &str| {
            let files = reply["files"].as_array().unwrap().iter();
            files.filter(|f| f["kind"] == kind).count()
        };
        assert_eq!(
            (kinds("beauty"), kinds("wire"), kinds("turntable")),
            (6, 6, 1)
        );
        // The stand-in, the facts and a picture come first.
        let first: Vec<&str> = (0..3)
            .map(|i| reply["files"][i]["kind"].as_str().unwrap())
            .collect();
        assert_eq!(first, ["proxy", "facts", "beauty"]);
    }
}

#[test]
fn a_tiny_model_is_shown_in_pictures_only() {
    let scene = textured(8);
    assert!(scene.triangle_count() < 1000);
    let (folder, reply) = shown(&scene);
    assert!(!folder.path().join("proxy.glb").exists());
    assert_eq!(reply["facts"]["proxy"], Value::Null);
    assert!(folder.path().join("picture-6.webp").exists());
    let bad = Options {
        mark: "玄览".into(),
        ..options()
    };
    assert!(make(&scene, folder.path(), &bad, &Ctx::new(&Silent)).is_err());
}

fn described(scene: &Scene) -> Descriptor {
    descriptor::of(scene, &Ctx::new(&Silent)).unwrap()
}

#[test]
fn one_model_in_other_files_has_nearly_its_descriptor_and_others_have_not() {
    let of = |kind: &str| sample::generate(kind, Some(6_000), 1).unwrap();
    let families = [
        "lens-cube",
        "gears",
        "vase",
        "pagoda",
        "robot-arm",
        "terrain",
    ];
    let scenes: Vec<Scene> = families.iter().map(|kind| of(kind)).collect();
    let known: Vec<Descriptor> = scenes.iter().map(described).collect();
    for (i, scene) in scenes.iter().enumerate() {
        assert_eq!(described(scene), known[i]);
        let folder = tempfile::tempdir().unwrap();
        let obj = folder.path().join("model.obj");
        let ctx = Ctx::new(&Silent);
        modelkit::write::obj::write(scene, &obj, &ctx).unwrap();
        let obj = open::read_path(&obj, None, &ctx).unwrap();
        let mut turned = scene.clone();
        for p in turned.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
            if p.indices.len().is_multiple_of(3) {
                let by = p.indices.len() / 9 * 3;
                p.indices.rotate_left(by);
            }
        }
        for (what, other) in [("obj", obj), ("order", turned)] {
            let away = descriptor::distance(&known[i], &described(&other));
            assert!(away < 12.0, "{} as {what}: {away}", families[i]);
        }
        for (j, other) in known.iter().enumerate().filter(|(j, _)| *j != i) {
            let away = descriptor::distance(&known[i], other);
            assert!(away > 30.0, "{} and {}: {away}", families[i], families[j]);
        }
    }
}

#[test]
fn each_manner_shows_something_else() {
    let scene = textured(24);
    let shot = |manner: Manner, zoom: f32| {
        let options = Picture {
            manner,
            zoom,
            ..Picture::square(128)
        };
        picture(&scene, &options, &Ctx::new(&Silent)).unwrap()
    };
    let all = [
        Manner::Shaded,
        Manner::Wire,
        Manner::Clay,
        Manner::Normal,
        Manner::Uv,
    ];
    let pictures: Vec<_> = all.iter().map(|manner| shot(*manner, 1.0)).collect();
    for (i, a) in pictures.iter().enumerate() {
        for b in &pictures[..i] {
            assert_ne!(a.as_raw(), b.as_raw());
        }
    }
    let covered = |p: &image::RgbaImage| p.pixels().filter(|p| p.0[3] > 200).count();
    assert!(covered(&shot(Manner::Wire, 2.0)) > covered(&pictures[1]) * 5 / 4);
}
