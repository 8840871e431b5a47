//! Unit tests of `showcase`, without pictures.

use crate::models::{read_bytes, textured};
use modelkit::check::check;
use modelkit::internals::facts;
use modelkit::scene::Node;
use modelkit::{Ctx, Scene, Silent, open};
use serde_json::{Value, json};

fn facts_of(scene: &Scene) -> Value {
    facts::of(scene, None, None, &Ctx::new(&Silent)).unwrap()
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
