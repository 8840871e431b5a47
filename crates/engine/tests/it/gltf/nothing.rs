//! Files with nothing to show are refused with the reason, where one is known.

use super::{Doc, finding};
use crate::models::read_bytes;
use modelkit::Error;
use serde_json::json;

fn refusal(doc: &Doc) -> String {
    match doc.read() {
        Err(Error::EmptyModel(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_reason_is_what_was_left_out() {
    let mut nan = Doc::new();
    let far = nan.floats(&[f32::NAN, f32::INFINITY, 1e35].repeat(3), "VEC3");
    nan.json["meshes"][0]["primitives"][0]["attributes"] = json!({"POSITION": far});
    let mut beyond = Doc::new();
    let indices = beyond.accessor(&[7, 8, 9], 5121, 3, "SCALAR");
    beyond.json["meshes"][0]["primitives"][0]["indices"] = indices.into();
    let mut hidden = Doc::new();
    hidden.json["nodes"][0]["extensions"] = json!({"KHR_node_visibility": {"visible": false}});
    hidden.uses("KHR_node_visibility");
    let mut shapeless = Doc::new();
    shapeless.json["meshes"][0]["primitives"][0]["attributes"] = json!({});
    let mut unused = Doc::new();
    unused.json["nodes"] = json!([{"name": "空"}]);
    let mut broken = Doc::new();
    broken.json["nodes"] = json!({"屋": {}});
    for (doc, reason) in [
        (nan, "3 个顶点的坐标不是有效数字"),
        (beyond, "1 个面引用了不存在的顶点"),
        (hidden, "1 个隐藏节点"),
        (shapeless, "POSITION"),
        (unused, "1 个网格没有被任何节点使用"),
        (broken, "nodes 应为数组"),
    ] {
        let text = refusal(&doc);
        assert!(text.contains(reason), "{reason}: {text}");
    }
    let mut plain = Doc::new();
    plain.json["meshes"] = json!([]);
    assert!(refusal(&plain).contains("漏选"), "{}", refusal(&plain));
}

#[test]
fn a_skeleton_is_not_said_to_be_alone_where_meshes_were_left_out() {
    let mut doc = Doc::new();
    doc.json["skins"] = json!([{"joints": [0]}]);
    let times = doc.floats(&[0.0, 1.0], "SCALAR");
    let moves = doc.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], "VEC3");
    doc.json["animations"] = json!([{"samplers": [{"input": times, "output": moves}],
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]);
    doc.json["nodes"][0]["extensions"] = json!({"KHR_node_visibility": {"visible": false}});
    doc.uses("KHR_node_visibility");
    let told = finding(&doc.scene(), "no-geometry").message;
    assert!(told.contains("隐藏节点"), "{told}");
    doc.json["nodes"] = json!([{}]);
    doc.json["meshes"] = json!([]);
    let told = finding(&doc.scene(), "no-geometry").message;
    assert_eq!(told, "文件只有骨骼和动画，没有几何");
}

#[test]
fn other_formats_tell_the_reason_too() {
    let stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex nan 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\nnan 0 0\nnan 0 0\n0 nan 0\n3 0 1 2\n";
    let obj = "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (name, text) in [("a.stl", stl), ("a.ply", ply), ("a.obj", obj)] {
        let error = read_bytes(text.as_bytes(), name).unwrap_err();
        assert!(
            matches!(&error, Error::EmptyModel(text) if text.contains("不是有效数字")),
            "{name}: {error:?}"
        );
    }
}

#[test]
fn a_default_scene_without_meshes_gives_way_to_one_with_some() {
    let mut doc = Doc::new();
    doc.json["nodes"] = json!([{"name": "空"}, {"name": "屋", "mesh": 0}, {"mesh": 0}]);
    doc.json["scenes"] = json!([{"nodes": [0]}, {"name": "院", "nodes": [1]}]);
    let scene = doc.scene();
    assert_eq!((scene.name.as_str(), scene.triangle_count()), ("院", 1));
    let told = finding(&scene, "default-scene-empty").message;
    assert!(told.contains("场景 院"), "{told}");
    // No scene has a mesh: all nodes are shown.
    doc.json["scenes"] = json!([{"nodes": [0]}]);
    let scene = doc.scene();
    let drawn = scene.nodes.iter().filter(|n| n.mesh.is_some()).count();
    assert_eq!(drawn, 2);
    finding(&scene, "default-scene-empty");
}
