//! Texture coordinates and vertex colours of compressed files are as exact as they show.

use crate::models::{png, read_bytes, write_packed};
use crate::preview::modelkit as run;
use modelkit::Scene;
use modelkit::limits::Limits;
use modelkit::scene::{Image, Material, Node, Primitive, Sampler, TextureRef, TextureTransform};
use modelkit::write::Compression;
use serde_json::json;
use std::fs;

const SIDE: u32 = 1024;

/// A strip of quads whose corners have these coordinates across; with a texture of 1024 pixels.
fn strip(across: &[f32], slot: TextureRef) -> Scene {
    let mut p = Primitive::default();
    for (i, &u) in across.iter().enumerate() {
        let base = p.positions.len() as u32;
        for up in [0.0, 1.0] {
            p.positions.push([i as f32, up, 0.0]);
            p.uvs.resize(1, Vec::new());
            p.uvs[0].push([u, up]);
        }
        if i > 0 {
            p.indices
                .extend([base - 2, base, base - 1, base - 1, base, base + 1]);
        }
    }
    p.material = Some(0);
    let mut scene = Scene::default();
    let image = Image::from_encoded("t.png", &png(SIDE), &Limits::default()).unwrap();
    let texture = scene.add_texture(image, Sampler::default());
    scene.materials.push(Material {
        base_color_texture: Some(TextureRef { texture, ..slot }),
        ..Material::default()
    });
    let mesh = scene.add_mesh("", vec![p]);
    let node = Node {
        mesh: Some(mesh),
        ..Node::default()
    };
    scene.add_node(node, None);
    scene
}

/// The file in every compressed form, by name.
fn forms(scene: &Scene) -> Vec<(&'static str, Scene)> {
    let dir = tempfile::tempdir().unwrap();
    // With bytes after its end a file is not handed on.
    let source = [
        &write_packed(scene, "a.glb", Compression::None)[..],
        b"tail",
    ]
    .concat();
    fs::write(dir.path().join("a.glb"), source).unwrap();
    run(&["check", "a.glb", "--preview", "p.glb"], dir.path());
    run(
        &["tile", "a.glb", "tiles", "--tile-triangles", "300"],
        dir.path(),
    );
    let tiles = fs::read_dir(dir.path().join("tiles/tiles")).unwrap();
    let tile = tiles.map(|t| t.unwrap().path()).next().unwrap();
    run(&["convert", "a.glb", "b.amrt"], dir.path());
    let read = |name: &str| read_bytes(&fs::read(dir.path().join(name)).unwrap(), name).unwrap();
    let packed =
        |compression| read_bytes(&write_packed(scene, "a.glb", compression), "b.glb").unwrap();
    vec![
        ("meshopt", packed(Compression::Meshopt)),
        ("draco", packed(Compression::Draco)),
        ("preview", read("p.glb")),
        ("amrt", read("b.amrt")),
        ("tile", read(tile.to_str().unwrap())),
    ]
}

/// Largest error of the coordinates across in texels of the texture.
fn worst(source: &Scene, out: &Scene, scale: f32) -> f32 {
    let mut worst = 0.0f32;
    let source = &source.meshes[0].primitives[0];
    let least = |p: &Primitive| p.positions.iter().fold(f32::INFINITY, |m, p| m.min(p[0]));
    let p = &out.meshes[0].primitives[0];
    let reach = p
        .positions
        .iter()
        .fold(f32::NEG_INFINITY, |m, p| m.max(p[0]))
        - least(p);
    let columns = source.positions.len() as f32 / 2.0 - 1.0;
    for (position, uv) in p.positions.iter().zip(&p.uvs[0]) {
        let column = ((position[0] - least(p)) / reach * columns).round() as usize;
        let error = (uv[0] - source.uvs[0][2 * column][0]).abs();
        worst = worst.max(error * scale * SIDE as f32);
    }
    worst
}

#[test]
fn texture_coordinates_far_out_are_right_to_half_a_texel() {
    let even = |from: f32, to: f32| -> Vec<f32> {
        (0..40)
            .map(|i| from + (to - from) * i as f32 / 39.0)
            .collect()
    };
    let with = |corner: f32| [even(0.0, 1.0), vec![corner]].concat();
    for (what, across) in [
        ("unit", even(0.0, 1.0)),
        ("tiled", even(0.0, 100.0)),
        ("offset", even(500.0, 501.0)),
        ("corner", with(1000.0)),
        ("far corner", with(-1e5)),
    ] {
        let source = strip(&across, TextureRef::default());
        for (form, out) in forms(&source) {
            let worst = worst(&source, &out, 1.0);
            assert!(worst <= 0.5, "{what} {form}: {worst}");
        }
    }
}

#[test]
fn transforms_of_textures_count() {
    let across: Vec<f32> = (0..40).map(|i| i as f32 / 39.0).collect();
    let transform = TextureTransform {
        scale: [200.0, 200.0],
        ..TextureTransform::default()
    };
    let slot = TextureRef {
        transform: Some(transform),
        ..TextureRef::default()
    };
    let mut source = strip(&across, slot);
    for extension in [false, true] {
        if extension {
            let material = &mut source.materials[0];
            material.base_color_texture = None;
            let info = json!({"index": 0, "extensions": {"KHR_texture_transform": {"scale": [200.0, 200.0]}}});
            let coat = json!({"clearcoatFactor": 1.0, "clearcoatTexture": info});
            material
                .extensions
                .insert("KHR_materials_clearcoat".into(), coat);
        }
        for compression in [Compression::Meshopt, Compression::Draco] {
            let bytes = write_packed(&source, "a.glb", compression);
            let out = read_bytes(&bytes, "b.glb").unwrap();
            let worst = worst(&source, &out, 200.0);
            assert!(worst <= 0.5, "{extension} {compression:?}: {worst}");
        }
    }
}

#[test]
fn coordinates_that_need_no_more_bits_take_none() {
    let across: Vec<f32> = (0..400).map(|i| (i as f32 * 0.37).fract()).collect();
    let source = strip(&across, TextureRef::default());
    let mut bare = source.clone();
    bare.materials[0].base_color_texture = None;
    (bare.textures, bare.images) = (Vec::new(), Vec::new());
    for compression in [Compression::Meshopt, Compression::Draco] {
        let out = |scene: &Scene| {
            let bytes = write_packed(scene, "a.glb", compression);
            read_bytes(&bytes, "b.glb").unwrap().meshes[0].primitives[0]
                .uvs
                .clone()
        };
        assert_eq!(out(&source), out(&bare), "{compression:?}");
    }
}

fn srgb(c: f32) -> f32 {
    match c <= 0.003_130_8 {
        true => 12.92 * c,
        false => 1.055 * c.powf(1.0 / 2.4) - 0.055,
    }
}

fn linear(c: f32) -> f32 {
    match c <= 0.04045 {
        true => c / 12.92,
        false => ((c + 0.055) / 1.055).powf(2.4),
    }
}

#[test]
fn dark_vertex_colours_keep_every_step() {
    let across: Vec<f32> = (0..128).map(|i| i as f32 / 127.0).collect();
    let mut source = strip(&across, TextureRef::default());
    let p = &mut source.meshes[0].primitives[0];
    let tone = |i: usize, k: usize| ((i + 3 * k) % 256) as f32 / 255.0;
    p.colors = (0..p.positions.len())
        .map(|i| {
            [
                linear(tone(i, 0)),
                linear(tone(i, 1)),
                linear(tone(i, 2)),
                0.5,
            ]
        })
        .collect();
    for (form, out) in forms(&source) {
        let p = &out.meshes[0].primitives[0];
        let least = p.positions.iter().fold(f32::INFINITY, |m, p| m.min(p[0]));
        let most = p
            .positions
            .iter()
            .fold(f32::NEG_INFINITY, |m, p| m.max(p[0]));
        let low = p.positions.iter().fold(f32::INFINITY, |m, p| m.min(p[1]));
        for (position, color) in p.positions.iter().zip(&p.colors) {
            let column = ((position[0] - least) / (most - least) * 127.0).round() as usize;
            let up = usize::from(position[1] - low > (most - least) / 300.0);
            for (k, value) in color[..3].iter().enumerate() {
                let error = (srgb(*value) - tone(2 * column + up, k)).abs() * 255.0;
                assert!(error < 0.6, "{form} {column} {k}: {error}");
            }
            assert!((color[3] - 0.5).abs() < 0.003, "{form}: {}", color[3]);
        }
    }
}

#[test]
fn colours_of_eight_bits_stay_so() {
    let across: Vec<f32> = (0..128).map(|i| i as f32 / 127.0).collect();
    let mut source = strip(&across, TextureRef::default());
    let p = &mut source.meshes[0].primitives[0];
    let tone = |i: usize| (i % 256) as f32 / 255.0;
    p.colors = (0..p.positions.len())
        .map(|i| [tone(i), tone(i + 1), tone(i + 2), 1.0])
        .collect();
    for compression in [Compression::Meshopt, Compression::Draco] {
        let json = crate::models::json_of(&write_packed(&source, "a.glb", compression));
        let color = json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"]
            .as_u64()
            .unwrap();
        assert_eq!(json["accessors"][color as usize]["componentType"], 5121);
    }
}
