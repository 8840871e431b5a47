//! Instances of a compact source stay instances where that loses nothing.

use crate::compact::{FORMS, made, told};
use crate::models::{glb, json_of, read_bytes, write_bytes};
use crate::validator::assert_valid;
use modelkit::Scene;
use modelkit::scene::{Node, Transform, math};
use serde_json::{Value, json};
use std::fs;

/// Two thousand turned and scaled plates below a turned node, as one node with instances.
fn forest() -> Vec<u8> {
    let mut bin = Vec::new();
    let mut put = |values: &[f32]| values.iter().for_each(|v| bin.extend(v.to_le_bytes()));
    put(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.25]);
    for i in 0..2000 {
        put(&[(i % 50) as f32 * 3.0, (i / 50) as f32 * 0.5, 100.0]);
    }
    for i in 0..2000 {
        let half = i as f32 * 0.001;
        put(&[0.0, half.sin(), 0.0, half.cos()]);
    }
    for i in 0..2000 {
        put(&[1.0 + (i % 3) as f32, 1.0, 1.5]);
    }
    let view = |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    let rows = |view: usize, kind: &str| json!({"bufferView": view, "componentType": 5126, "count": if view == 0 { 3 } else { 2000 }, "type": kind});
    let mut positions = rows(0, "VEC3");
    positions["min"] = json!([0, 0, 0]);
    positions["max"] = json!([1, 2, 0.25]);
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "extensionsRequired": ["EXT_mesh_gpu_instancing"],
        "scene": 0,
        "scenes": [{"nodes": [2]}],
        "nodes": [
            {"name": "树", "mesh": 0, "rotation": [0.5, 0.5, 0.5, 0.5], "extensions": {
                "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 1, "ROTATION": 2, "SCALE": 3}}}},
            {"name": "one", "mesh": 0},
            {"name": "all", "children": [0, 1], "translation": [5, 0, 0]},
        ],
        "meshes": [{"name": "plate", "primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [positions, rows(1, "VEC3"), rows(2, "VEC4"), rows(3, "VEC3")],
        "bufferViews": [view(0, 36), view(36, 24_000), view(24_036, 32_000), view(56_036, 24_000)],
        "buffers": [{"byteLength": 80_036}],
    });
    glb(&document.to_string(), &bin)
}

/// Corners of every plate in the world, in order, in tenths of a millimetre, and the names of their nodes.
fn plates(bytes: &[u8]) -> Vec<(String, Vec<[i64; 3]>)> {
    let scene = read_bytes(bytes, "a.glb").unwrap();
    let world = scene.world_matrices();
    let mut out = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let p = &scene.meshes[mesh as usize].primitives[0];
        let corner = |v: &[f32; 3]| math::point(&world[i], *v).map(|c| (c * 1e4).round() as i64);
        let mut corners: Vec<[i64; 3]> = p.positions.iter().map(corner).collect();
        corners.sort_unstable();
        // Nodes that only hold a grid have no names.
        let named = |n: usize| scene.nodes[n].children.contains(&(i as u32));
        let parent = (0..scene.nodes.len()).find(|n| named(*n));
        let name = match node.name.is_empty() {
            true => parent.map_or("", |n| scene.nodes[n].name.as_str()),
            false => &node.name,
        };
        out.push((name.to_owned(), corners));
    }
    out.sort_unstable();
    out
}

#[test]
fn instances_stay_instances_in_compressed_files() {
    let source = forest();
    let wanted = plates(&source);
    assert_eq!(wanted.len(), 2001);
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (command, options) in FORMS {
        let (bytes, answer) = made(&source, command, options);
        let found = plates(&bytes);
        assert_eq!(found.len(), wanted.len(), "{command} {options:?}");
        for ((name, corners), (expected, places)) in found.iter().zip(&wanted) {
            assert_eq!(name, expected, "{command} {options:?}");
            for (corner, place) in corners.iter().flatten().zip(places.iter().flatten()) {
                // The grid's steps are a fifteen-thousandth of two units or less.
                assert!(
                    (corner - place).abs() <= 3,
                    "{command} {options:?} {name}: {corner} {place}"
                );
            }
        }
        let json = json_of(&bytes);
        let plain = options.contains(&"--plain") || (command == "convert" && options.is_empty());
        // Programs that read core glTF only take plain files; that they are larger is told.
        assert_eq!(
            json.to_string().contains("EXT_mesh_gpu_instancing"),
            !plain,
            "{command} {options:?}"
        );
        assert_eq!(
            told(&answer).is_some(),
            bytes.len() > source.len(),
            "{command} {options:?}"
        );
        if !plain {
            // Draco's files hold the places as they are.
            assert!(bytes.len() < source.len() + 1000, "{}", bytes.len());
            assert!(
                json["extensionsRequired"]
                    .to_string()
                    .contains("instancing")
            );
        }
        let path = dir
            .path()
            .join(format!("{command}{}.glb", options.concat()));
        fs::write(&path, &bytes).unwrap();
        files.push(path);
    }
    assert_valid(&files);
}

#[test]
fn only_nodes_that_are_nothing_else_become_instances() {
    // A name of its own, a child, a light, a joint, a place beyond single precision: each keeps the nodes.
    let changes: [fn(&mut Scene, usize); 5] = [
        |scene, i| scene.nodes[i].name = "oak".into(),
        |scene, i| {
            scene.add_node(Node::default(), Some(i as u32));
        },
        |scene, i| scene.nodes[i].extras = Some(Value::Bool(true)),
        |scene, i| scene.nodes[i].weights = vec![0.5],
        |scene, i| scene.nodes[i].transform = Transform::translation([1.0 / 3.0, 0.0, 0.0]),
    ];
    let before = read_bytes(&forest(), "a.glb").unwrap();
    let is_folded = |scene: &Scene| {
        json_of(&write_bytes(scene, "a.glb", true))
            .to_string()
            .contains("EXT_mesh_gpu_instancing")
    };
    assert!(is_folded(&before));
    for (case, change) in changes.iter().enumerate() {
        let mut scene = before.clone();
        let last = scene.nodes.len() - 1;
        change(&mut scene, last);
        assert!(!is_folded(&scene), "{case}");
    }
}
