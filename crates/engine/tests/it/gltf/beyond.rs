//! What core glTF allows and the scene does not hold is told, with its place.

use super::{Doc, finding};
use crate::models::png;
use modelkit::scene::Severity;
use serde_json::{Value, json};

fn attributes(doc: &mut Doc) -> &mut Value {
    &mut doc.json["meshes"][0]["primitives"][0]["attributes"]
}

#[test]
fn attributes_that_are_not_read_are_named() {
    let mut doc = Doc::new();
    let two = doc.floats(&[0.0; 6], "VEC2");
    let four = doc.floats(&[0.5; 12], "VEC4");
    let sixteen = doc.floats(&[0.0; 48], "MAT4");
    let set = attributes(&mut doc);
    for (name, accessor) in [
        ("TEXCOORD_1", two),
        ("TEXCOORD_3", two),
        ("COLOR_0", four),
        ("COLOR_1", four),
        ("WEIGHTS_0", four),
        ("_HEAT", two),
        ("_FRAME", sixteen),
        ("SHININESS", two),
    ] {
        set[name] = accessor.into();
    }
    let scene = doc.scene();
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(
        (
            primitive.uvs.len(),
            primitive.colors.len(),
            primitive.custom.len()
        ),
        (2, 3, 1)
    );
    let told: Vec<_> = scene.problems.iter().collect();
    assert_eq!(told.len(), 2, "{told:?}");
    for (problem, severity, names) in [
        (told[0], Severity::Warning, &["TEXCOORD_3", "WEIGHTS_0"][..]),
        (
            told[1],
            Severity::Info,
            &["COLOR_1", "_FRAME", "SHININESS"][..],
        ),
    ] {
        assert_eq!(
            (problem.code, problem.severity, problem.place.as_str()),
            ("unread-data", severity, "网格 墙")
        );
        assert!(
            problem.message.starts_with(&format!("{} 项", names.len())),
            "{problem:?}"
        );
        for name in names {
            assert!(problem.message.contains(name), "{name}: {problem:?}");
        }
    }
}

#[test]
fn eight_sets_of_texture_coordinates_and_four_of_joints_are_read() {
    let mut doc = Doc::new();
    let two = doc.floats(&[0.0; 6], "VEC2");
    let weights = doc.floats(&[0.0625; 12], "VEC4");
    let joints = doc.accessor(&[0; 12], 5121, 3, "VEC4");
    for set in 0..9 {
        attributes(&mut doc)[format!("TEXCOORD_{set}")] = two.into();
    }
    for set in 0..5 {
        attributes(&mut doc)[format!("JOINTS_{set}")] = joints.into();
        attributes(&mut doc)[format!("WEIGHTS_{set}")] = weights.into();
    }
    let scene = doc.scene();
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!((primitive.uvs.len(), primitive.skin_sets.len()), (8, 4));
    let text = finding(&scene, "unread-data").message;
    assert!(text.starts_with("3 项"), "{text}");
    for name in ["TEXCOORD_8", "JOINTS_4", "WEIGHTS_4"] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn morph_targets_keep_three_attributes_and_name_the_others() {
    let mut doc = Doc::new();
    let three = doc.floats(&[0.5; 9], "VEC3");
    let two = doc.floats(&[0.5; 6], "VEC2");
    doc.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{"POSITION": three, "NORMAL": three, "TANGENT": three, "TEXCOORD_0": two}]);
    let scene = doc.scene();
    let target = &scene.meshes[0].primitives[0].targets[0];
    assert_eq!(
        [
            target.positions.len(),
            target.normals.len(),
            target.tangents.len()
        ],
        [3; 3]
    );
    let problem = finding(&scene, "unread-data");
    assert!(problem.message.contains("TEXCOORD_0"), "{problem:?}");
}

#[test]
fn primitives_without_positions_are_counted() {
    let mut doc = Doc::new();
    let primitives = doc.json["meshes"][0]["primitives"].as_array_mut().unwrap();
    primitives.push(json!({"attributes": {}}));
    let scene = doc.scene();
    assert_eq!(scene.triangle_count(), 1);
    let problem = finding(&scene, "skipped-draws");
    assert!(
        problem.message.contains("POSITION") && problem.place == "网格 墙",
        "{problem:?}"
    );
}

#[test]
fn meshes_outside_the_scene_that_is_shown_are_told() {
    let mut doc = Doc::new();
    let other = doc.push("nodes", json!({"name": "库", "mesh": 0}));
    doc.push("nodes", json!({"name": "空"}));
    doc.push("scenes", json!({"nodes": [other]}));
    let problem = finding(&doc.scene(), "unread-data");
    assert_eq!(
        (problem.place.as_str(), problem.severity),
        ("节点 库", Severity::Info)
    );
    assert!(problem.message.starts_with("1 个"), "{problem:?}");
}

#[test]
fn channels_without_a_node_of_the_scene_are_told() {
    let mut doc = Doc::new();
    let times = doc.floats(&[0.0, 1.0], "SCALAR");
    let moves = doc.floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0], "VEC3");
    let away = doc.push("nodes", json!({"name": "外"}));
    let aim = |target: Value| json!({"sampler": 0, "target": target});
    let clip = json!({
        "name": "走",
        "samplers": [{"input": times, "output": moves}],
        "channels": [
            aim(json!({"path": "translation", "node": 0})),
            aim(json!({"path": "scale"})),
            aim(json!({"path": "translation", "node": away})),
            aim(json!({"path": "visibility", "node": 0})),
        ],
    });
    doc.push("animations", clip);
    let scene = doc.scene();
    assert_eq!(scene.animations[0].channels.len(), 1);
    let aimless = finding(&scene, "unread-data");
    assert!(
        aimless.message.starts_with("2 条") && aimless.place == "动画 走",
        "{aimless:?}"
    );
    let beyond = finding(&scene, "unsupported-extension");
    assert!(beyond.message.contains("visibility"), "{beyond:?}");
}

#[test]
fn extras_are_kept_where_the_scene_has_a_place_and_told_elsewhere() {
    let mut doc = Doc::new();
    let texture = doc.texture(&png(8));
    doc.push("samplers", json!({}));
    doc.push(
        "cameras",
        json!({"type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}),
    );
    doc.json["nodes"][0]["camera"] = 0.into();
    doc.json["materials"][0]["emissiveTexture"] = json!({"index": texture});
    let kept = [
        "/scenes/0",
        "/nodes/0",
        "/meshes/0",
        "/meshes/0/primitives/0",
        "/materials/0",
        "/textures/0",
        "/images/0",
        "/cameras/0",
    ];
    for pointer in kept {
        doc.json.pointer_mut(pointer).unwrap()["extras"] = json!({"at": pointer});
    }
    assert!(
        doc.scene().problems.is_empty(),
        "{:?}",
        doc.scene().problems
    );
    let json = doc.converted();
    for pointer in kept {
        assert_eq!(json.pointer(pointer).unwrap()["extras"]["at"], pointer);
    }
    for pointer in [
        "",
        "/asset",
        "/materials/0/emissiveTexture",
        "/samplers/0",
        "/accessors/0",
        "/bufferViews/0",
    ] {
        let mut doc = Doc {
            json: doc.json.clone(),
            bin: doc.bin.clone(),
        };
        doc.json.pointer_mut(pointer).unwrap()["extras"] = json!(1);
        let problem = finding(&doc.scene(), "unread-data");
        assert!(
            problem.message.contains("extras") && problem.severity == Severity::Info,
            "{problem:?}"
        );
    }
}

#[test]
fn copyright_is_kept() {
    let mut doc = Doc::new();
    doc.json["asset"]["copyright"] = "© 2026 某人".into();
    assert_eq!(doc.converted()["asset"]["copyright"], "© 2026 某人");
}

#[test]
fn files_for_a_later_version_are_refused() {
    let mut doc = Doc::new();
    doc.json["asset"] = json!({"version": "2.1", "minVersion": "2.0"});
    assert!(doc.read().is_ok());
    doc.json["asset"]["minVersion"] = "2.1".into();
    let error = doc.read().unwrap_err();
    assert_eq!(error.code(), "unsupported-format");
    assert!(error.to_string().contains("2.1"), "{error}");
}

#[test]
fn references_to_textures_and_pictures_that_do_not_exist_are_told() {
    let mut doc = Doc::new();
    doc.json["materials"][0]["normalTexture"] = json!({"index": 5});
    let old = json!({"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": {"index": 9}}});
    doc.push("materials", json!({"name": "旧", "extensions": old}));
    assert_eq!(
        finding(&doc.scene(), "missing-texture").place,
        "材质 木头、旧"
    );
    for texture in [json!({}), json!({"source": 7})] {
        let mut doc = Doc::new();
        doc.push("textures", texture);
        doc.json["materials"][0]["normalTexture"] = json!({"index": 0});
        assert!(
            finding(&doc.scene(), "missing-texture")
                .message
                .contains("第 1 个")
        );
    }
}
