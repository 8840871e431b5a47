//! Values as other readers take them; what is unusable is left out and told.

use super::{Doc, finding};
use crate::models::{glb, read_bytes};
use modelkit::scene::Severity;
use modelkit::{Error, Scene};
use serde_json::{Value, json};

fn text(doc: &Doc) -> String {
    let mut json = doc.json.clone();
    json["buffers"] = json!([{"byteLength": doc.bin.len()}]);
    json.to_string()
}

fn of_text(doc: &Doc, text: &str) -> Result<Scene, Error> {
    read_bytes(&glb(text, &doc.bin), "a.glb")
}

/// Whole and without findings.
fn assert_whole(scene: &Scene, what: &str) {
    let p = &scene.meshes[0].primitives[0];
    assert_eq!(
        (scene.triangle_count(), p.uvs.len(), p.material),
        (1, 1, Some(0)),
        "{what}"
    );
    assert_eq!(scene.problems, [], "{what}");
}

#[test]
fn whole_numbers_may_be_written_with_a_fraction_or_an_exponent() {
    let mut doc = Doc::new();
    let texture = doc.texture(&crate::models::png(2));
    doc.json["materials"][0]["extensions"] =
        json!({"KHR_materials_clearcoat": {"clearcoatTexture": {"index": texture}}});
    doc.uses("KHR_materials_clearcoat");
    let before = text(&doc);
    for (from, to) in [
        ("\"componentType\":5126", "\"componentType\":5126.0"),
        ("\"count\":3", "\"count\":3e0"),
        ("\"mesh\":0", "\"mesh\":0.0"),
        ("\"POSITION\":0", "\"POSITION\":0.0"),
        ("\"byteOffset\":0,", "\"byteOffset\":0.0,"),
        ("\"index\":0", "\"index\":0.0"),
    ] {
        let after = before.replace(from, to);
        assert_ne!(before, after, "{from}");
        let scene = of_text(&doc, &after).unwrap();
        assert_whole(&scene, to);
        let uses = scene.materials[0].texture_uses();
        assert_eq!(uses, [("clearcoat".to_owned(), 0)], "{to}");
    }
}

#[test]
fn values_that_scripts_take_are_taken() {
    let cases: [(&str, Value); 15] = [
        ("/animations", Value::Null),
        ("/extensions", Value::Null),
        ("/asset/copyright", Value::Null),
        ("/asset/version", json!(2.0)),
        ("/asset/version", json!("2")),
        ("/asset", Value::Null),
        ("/nodes/0/children", Value::Null),
        ("/nodes/0/skin", json!(-1)),
        ("/nodes/0/name", json!(7)),
        ("/nodes/0/scale", json!(["1", "1", "1.0"])),
        ("/materials/0/doubleSided", json!(1)),
        (
            "/materials/0/pbrMetallicRoughness",
            json!({"metallicFactor": "0.5"}),
        ),
        ("/accessors/0/count", json!("3")),
        ("/accessors/0/normalized", json!("false")),
        ("/accessors/0/extensions", json!({"KHR_other": null})),
    ];
    for (path, value) in cases {
        let mut doc = Doc::new();
        let (parent, name) = path.rsplit_once('/').unwrap();
        doc.json.pointer_mut(parent).unwrap()[name] = value.clone();
        let scene = doc.read();
        let scene = scene.unwrap_or_else(|error| panic!("{path} {value}: {error}"));
        assert_whole(&scene, &format!("{path} {value}"));
    }
}

#[test]
fn taken_values_have_their_meaning() {
    let mut doc = Doc::new();
    doc.json["nodes"][0]["name"] = json!(7);
    doc.json["nodes"][0]["translation"] = json!(["1", 2, "3.5"]);
    doc.json["materials"][0]["doubleSided"] = json!(1);
    doc.json["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorFactor": [0.5, 0.25, 0]});
    doc.json["materials"][0]["emissiveFactor"] = json!([0.5, "0.25", 1, 9]);
    let scene = doc.scene();
    assert_eq!(scene.nodes[0].name, "7");
    assert_eq!(scene.nodes[0].transform.matrix()[12..15], [1.0, 2.0, 3.5]);
    assert!(scene.materials[0].double_sided);
    assert_eq!(scene.materials[0].base_color, [0.5, 0.25, 0.0, 1.0]);
    assert_eq!(scene.materials[0].emissive, [0.5, 0.25, 1.0]);
    let told = finding(&scene, "bad-values");
    assert!(
        told.message.contains("materials/0/emissiveFactor"),
        "{told:?}"
    );
}

#[test]
fn texts_that_only_scripts_can_hold_are_read() {
    let doc = Doc::new();
    let before = text(&doc);
    for (from, to) in [
        ("\"屋\"", "\"\\ud83d屋\\\\\\ud800\""),
        ("\"scene\":0", "\"scene\":3,\"scene\":0"),
        ("\"scene\":0", "\"scene\":0,\"extras\":1e999"),
    ] {
        let after = before.replace(from, to);
        assert_ne!(before, after);
        assert_whole(&of_text(&doc, &after).unwrap(), to);
    }
    let named = before.replace("\"屋\"", "\"\\ud83d屋\\\\\\ud83d\\ude00\"");
    let scene = of_text(&doc, &named).unwrap();
    assert_eq!(scene.nodes[0].name, "\u{fffd}屋\\\u{1f600}");
}

#[test]
fn unusable_values_are_left_out_and_told_with_their_path() {
    for (path, value, expected) in [
        (
            "/nodes/0/matrix",
            json!([1, 2]),
            "应为 16 个数，实际为 2 项",
        ),
        ("/nodes/0/skin", json!("头"), "应为非负整数，实际为 \"头\""),
        ("/nodes/0/camera", json!(1.5), "应为非负整数，实际为 1.5"),
        ("/nodes/0/name", json!(["屋"]), "应为字符串，实际为 数组"),
        ("/materials/0/alphaCutoff", json!({}), "应为数，实际为 对象"),
        (
            "/materials/0/doubleSided",
            json!("也许"),
            "应为 true 或 false",
        ),
        ("/animations", json!({"走": 1}), "应为数组，实际为 对象"),
        (
            "/meshes/0/primitives/0/attributes/NORMAL",
            json!("1x"),
            "应为非负整数",
        ),
        (
            "/materials/0/extensions",
            json!({"KHR_materials_ior": {"ior": "x"}}),
            "/KHR_materials_ior/ior 应为数",
        ),
    ] {
        let mut doc = Doc::new();
        let (parent, name) = path.rsplit_once('/').unwrap();
        doc.json.pointer_mut(parent).unwrap()[name] = value;
        let scene = doc.scene();
        assert_eq!(scene.triangle_count(), 1, "{path}");
        let problem = finding(&scene, "bad-values");
        assert_eq!(problem.severity, Severity::Warning);
        let told = &problem.message;
        assert!(
            told.contains(&path[1..]) && told.contains(expected),
            "{path}: {problem:?}"
        );
    }
}

#[test]
fn what_cannot_be_read_for_an_unusable_value_names_it() {
    let mut doc = Doc::new();
    doc.json["accessors"][0]["count"] = json!("三");
    doc.json["accessors"][0]["componentType"] = json!([]);
    let Err(error) = doc.read() else {
        panic!("read");
    };
    let text = error.to_string();
    assert!(
        text.contains("accessors/0/componentType 应为非负整数"),
        "{text}"
    );
}

#[test]
fn broken_json_is_told_with_line_and_character() {
    let doc = Doc::new();
    let broken = text(&doc).replace("{\"name\":\"屋\"", "{\n\"name\":\"屋\",,");
    let told = |text: &str| of_text(&doc, text).unwrap_err().to_string();
    let message = told(&broken);
    // The second comma.
    assert!(message.contains("第 2 行第 12 个字符"), "{message}");
    assert!(message.contains("\"屋\""), "{message}");
    let whole = text(&doc);
    let message = told(&whole[..whole.len() / 2]);
    assert!(message.contains("不完整"), "{message}");
    let deep = whole.replace(
        "\"scene\":0",
        &format!("\"extras\":{}1{}", "[".repeat(200), "]".repeat(200)),
    );
    assert!(told(&deep).contains("嵌套"), "{}", told(&deep));
    let message = told("[]");
    assert!(message.contains("对象"), "{message}");
}

#[test]
fn the_first_version_is_refused_as_such() {
    let first = json!({
        "meshes": {"mesh": {"primitives": []}}, "nodes": {}, "scene": "defaultScene",
        "asset": {"version": "1.0"},
    });
    let unnamed = json!({"meshes": {"mesh": {"primitives": []}}});
    for text in [first.to_string(), unnamed.to_string()] {
        let error = read_bytes(text.as_bytes(), "a.gltf").unwrap_err();
        assert!(
            matches!(&error, Error::UnsupportedFormat(text) if text.contains("glTF 1.0")),
            "{error:?}"
        );
    }
    let mut doc = Doc::new();
    doc.json["asset"]["minVersion"] = json!("2.1");
    let error = doc.read().unwrap_err().to_string();
    assert!(error.contains("2.1"), "{error}");
}

#[test]
fn a_stride_of_zero_means_packed() {
    let mut doc = Doc::new();
    doc.json["bufferViews"][0]["byteStride"] = json!(0);
    let scene = doc.scene();
    assert_whole(&scene, "stride");
    assert_eq!(scene.meshes[0].primitives[0].positions[1], [1.0, 0.0, 0.0]);
}

#[test]
fn unusable_attributes_are_left_out_and_told() {
    let mut doc = Doc::new();
    let three = doc.floats(&[0.5; 9], "VEC3");
    let two = doc.floats(&[0.5; 6], "VEC2");
    let few = doc.floats(&[1.0; 6], "VEC3");
    let beyond = doc.push(
        "accessors",
        json!({"bufferView": 99, "componentType": 5126, "count": 3, "type": "VEC4"}),
    );
    let set = &mut doc.json["meshes"][0]["primitives"][0];
    set["attributes"]["NORMAL"] = few.into();
    set["attributes"]["TANGENT"] = three.into();
    set["attributes"]["TEXCOORD_0"] = three.into();
    set["attributes"]["TEXCOORD_1"] = two.into();
    set["attributes"]["COLOR_0"] = beyond.into();
    set["targets"] = json!([{"POSITION": two}]);
    let scene = doc.scene();
    let p = &scene.meshes[0].primitives[0];
    assert_eq!(
        (p.normals.len(), p.tangents.len(), p.colors.len()),
        (0, 0, 0)
    );
    // Materials refer to the second set by its number.
    assert_eq!(p.uvs, [vec![[0.0; 2]; 3], vec![[0.5; 2]; 3]]);
    let problem = finding(&scene, "unread-data");
    assert_eq!(
        (problem.severity, problem.place.as_str()),
        (Severity::Warning, "网格 墙")
    );
    for what in [
        "NORMAL（有 2 行，顶点却有 3 个）",
        "TANGENT（",
        "实际为 VEC3",
        "TEXCOORD_0",
        "COLOR_0",
        "POSITION",
    ] {
        assert!(problem.message.contains(what), "{what}: {problem:?}");
    }
    let mut doc = Doc::new();
    doc.json["accessors"][0]["type"] = json!("VEC2");
    let error = doc.read().unwrap_err().to_string();
    assert!(
        error.contains("网格 墙") && error.contains("VEC2"),
        "{error}"
    );
}

#[test]
fn unusable_skins_and_clips_are_left_out_and_told() {
    let mut doc = Doc::new();
    let joints = doc.accessor(&[0; 12], 5121, 3, "VEC4");
    let weights = doc.floats(&[1.0, 0.0, 0.0, 0.0].repeat(3), "VEC4");
    let times = doc.floats(&[0.0, 1.0], "SCALAR");
    let moves = doc.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], "VEC3");
    let set = &mut doc.json["meshes"][0]["primitives"][0]["attributes"];
    set["JOINTS_0"] = joints.into();
    set["WEIGHTS_0"] = weights.into();
    doc.json["skins"] = json!([{"name": "骨", "joints": [0], "inverseBindMatrices": times}]);
    doc.json["nodes"][0]["skin"] = json!(0);
    let channel =
        |sampler: u32, path: &str| json!({"sampler": sampler, "target": {"node": 0, "path": path}});
    doc.json["animations"] = json!([{"name": "走", "samplers": [
        {"input": times, "output": moves}, {"input": times, "output": 99},
    ], "channels": [channel(0, "translation"), channel(1, "scale")]}]);
    let scene = doc.scene();
    assert_eq!(scene.nodes[0].skin, None);
    assert_eq!(scene.animations[0].channels.len(), 1);
    let told: Vec<&str> = scene.problems.iter().map(|p| p.message.as_str()).collect();
    assert!(told.iter().any(|t| t.contains("绑定矩阵")), "{told:?}");
    assert!(
        told.iter().any(|t| t.contains("动画轨道的数据有误")),
        "{told:?}"
    );
}
