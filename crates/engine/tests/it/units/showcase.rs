//! Unit tests of `showcase`: the facts and the stand-in, without pictures.

use crate::models::{animated, json_of, png, read_bytes, sphere, textured};
use modelkit::check::check;
use modelkit::internals::{facts, stand_in};
use modelkit::limits::Limits;
use modelkit::scene::{Image, Material, MorphTarget, Node, Primitive, Sampler, TextureRef};
use modelkit::showcase::Options;
use modelkit::{Ctx, Scene, Silent, open};
use serde_json::{Value, json};

fn facts_of(scene: &Scene) -> Value {
    facts::of(scene, None, None, &Ctx::new(&Silent)).unwrap()
}

/// What is said of the stand-in, and its GLB.
fn stood_in(scene: &Scene) -> (Value, Vec<u8>) {
    let options = Options {
        mark: "XUANLAN".into(),
        seed: "l1".into(),
        score: None,
    };
    let made = stand_in::make(scene, &options, &Ctx::new(&Silent)).unwrap();
    let made = made.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proxy.glb");
    made.glb.write(&path).unwrap();
    (made.report(), std::fs::read(path).unwrap())
}

#[test]
fn facts_have_the_findings_of_the_check_up() {
    let mut scene = textured(12);
    let primitive = &mut scene.meshes[0].primitives[0];
    primitive.indices.extend([0, 26, 1, 0, 26, 1]);
    primitive
        .normals
        .iter_mut()
        .for_each(|n| *n = n.map(|v| -v));
    scene.add_node(Node::default(), None);
    let report = check(&scene, 1000, &Ctx::new(&Silent)).unwrap();
    assert!(report.problems.len() >= 3, "{:?}", report.problems);
    let expected: Vec<Value> = report
        .problems
        .iter()
        .map(|problem| {
            let mut one = serde_json::to_value(problem).unwrap();
            let fields = one.as_object_mut().unwrap();
            assert!(fields.remove("where").is_some() && fields.remove("advice").is_some());
            one
        })
        .collect();
    assert_eq!(facts_of(&scene)["problems"], json!(expected));
}

/// Names are the maker's: they may say where a model is from, or anything else.
#[test]
fn facts_name_nothing_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let obj = folder.path().join("model.obj");
    let lines = "mtllib secret.mtl\nmtllib material.mtl\no secret\nv 0 0 0\nv 1 0 0\nv 0 1 0\n\
                 usemtl secret\nf 1 2 3\nf 1 2 9\nusemtl known\nf 1 3 2\nsecret 1\n";
    std::fs::write(&obj, lines).unwrap();
    let library = "newmtl known\nmap_Kd secret.png\nmap_Ks secret/other.png\nsecret 2\n";
    std::fs::write(folder.path().join("material.mtl"), library).unwrap();
    let from_obj = open::read_path(&obj, None, &Ctx::new(&Silent)).unwrap();
    let gltf = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["SECRET_thing"],
        "scene": 0,
        "scenes": [{"nodes": []}, {"name": "secret", "nodes": [0]}],
        "nodes": [{"name": "secret", "mesh": 0, "scale": [0, 1, 1], "extensions": {"SECRET_thing": {}}}],
        "meshes": [{"name": "secret", "primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "materials": [{"name": "secret", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": "secret"}}],
        "textures": [{"source": 0}],
        "images": [{"name": "secret", "uri": "secret.png"}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
    });
    let from_gltf = read_bytes(gltf.to_string().as_bytes(), "model.gltf").unwrap();
    for (scene, codes) in [
        (
            from_obj,
            &["missing-material-library", "missing-texture", "unread-data"][..],
        ),
        (
            from_gltf,
            &[
                "missing-texture",
                "unsupported-extension",
                "bad-values",
                "default-scene-empty",
            ],
        ),
    ] {
        let named = |p: &&modelkit::scene::Problem| p.message.to_lowercase().contains("secret");
        let told = scene.problems.iter().filter(named).map(|p| p.code);
        let told: Vec<&str> = told.collect();
        for code in codes {
            assert!(told.contains(code), "{code}: {:?}", scene.problems);
        }
        let facts = facts_of(&scene);
        let problems = facts["problems"].as_array().unwrap();
        for code in codes {
            let found = problems.iter().find(|p| p["code"] == *code).unwrap();
            assert!(
                found["message"].as_str().unwrap().chars().count() > 4,
                "{found}"
            );
        }
        let text = facts.to_string().to_lowercase();
        assert!(!text.contains("secret"), "{text}");
    }
}

/// Corners of the triangles in the file, as its own JSON states them.
fn written(glb: &[u8]) -> u64 {
    let json = json_of(glb);
    let meshes = json["meshes"].as_array().unwrap();
    let primitives: Vec<&Value> = meshes
        .iter()
        .flat_map(|m| m["primitives"].as_array().unwrap())
        .collect();
    assert!(
        meshes.iter().all(|m| m["primitives"][0].is_object()),
        "{json}"
    );
    let count = |p: &&Value| {
        let indices = p["indices"].as_u64().unwrap() as usize;
        json["accessors"][indices]["count"].as_u64().unwrap()
    };
    primitives.iter().map(count).sum()
}

/// A ball with so many morph targets that its first stand-in is too large.
fn heavy() -> Scene {
    let mut scene = Scene::default();
    let mut ball = sphere(60, 1.0);
    let count = ball.positions.len();
    for target in 0..90usize {
        let offset = |i: usize| {
            let noise = |k: usize| {
                let mixed = (i * 31 + target * 17 + k * 7).wrapping_mul(2_654_435_761) % 10_007;
                mixed as f32 / 40_000.0
            };
            [noise(1), noise(2), noise(3)]
        };
        ball.targets.push(MorphTarget {
            positions: (0..count).map(offset).collect(),
            ..MorphTarget::default()
        });
    }
    let small = sphere(8, 0.01);
    let meshes = [
        scene.add_mesh("", vec![ball]),
        scene.add_mesh("", vec![small]),
    ];
    scene.meshes[0].weights = vec![0.0; 90];
    for mesh in meshes {
        let node = Node {
            mesh: Some(mesh),
            ..Node::default()
        };
        scene.add_node(node, None);
    }
    scene
}

#[test]
fn a_stand_in_has_the_triangles_that_are_said_of_it() {
    for scene in [textured(60), animated(40), heavy()] {
        let (said, glb) = stood_in(&scene);
        assert!(glb.len() <= 1_500_000);
        assert_eq!(said["bytes"], glb.len());
        assert_eq!(said["triangles"].as_u64().unwrap() * 3, written(&glb));
    }
}

/// A ball whose only picture glows.
fn glowing() -> Scene {
    let mut scene = Scene::default();
    let image = Image::from_encoded("sign.png", &png(300), &Limits::default()).unwrap();
    let texture = scene.add_texture(image, Sampler::default());
    scene.materials.push(Material {
        emissive: [1.0; 3],
        emissive_texture: Some(TextureRef {
            texture,
            ..TextureRef::default()
        }),
        ..Material::plain("", [0.0, 0.0, 0.0, 1.0])
    });
    let ball = Primitive {
        material: Some(0),
        ..sphere(40, 1.0)
    };
    let mesh = Some(scene.add_mesh("", vec![ball]));
    let node = Node {
        mesh,
        ..Node::default()
    };
    scene.add_node(node, None);
    scene
}

#[test]
fn a_picture_that_glows_is_marked_like_a_colour() {
    let scene = glowing();
    let (said, glb) = stood_in(&scene);
    assert_eq!(
        (&said["marked"], &said["textureSide"]),
        (&json!(true), &json!(300))
    );
    let proxy = read_bytes(&glb, "proxy.glb").unwrap();
    let picture = |scene: &Scene| {
        let found = image::load_from_memory(&scene.images[0].bytes).unwrap();
        found.to_rgb8()
    };
    let (shown, original) = (picture(&proxy), picture(&scene));
    let differs =
        |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| (0..3).any(|k| a.0[k].abs_diff(b.0[k]) > 40);
    let marked = shown
        .pixels()
        .zip(original.pixels())
        .filter(differs)
        .count();
    assert!(marked > 300 * 300 / 50, "{marked} pixels");
    // What is dark stays dark: letters would shine there.
    let dark = |p: &(&image::Rgb<u8>, &image::Rgb<u8>)| p.1.0[0] < 10 && p.1.0[1] < 10;
    let mut dark = shown.pixels().zip(original.pixels()).filter(dark);
    assert!(dark.all(|(a, _)| a.0.iter().all(|v| *v < 170)));
}

#[test]
fn a_model_without_pictures_has_no_mark() {
    let mut plain = textured(40);
    plain.materials[0].base_color_texture = None;
    let (said, _) = stood_in(&plain);
    assert_eq!(
        (&said["marked"], &said["textureSide"]),
        (&json!(false), &json!(0))
    );
    assert_eq!(stood_in(&textured(40)).0["marked"], json!(true));
}
