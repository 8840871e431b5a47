//! Primitives on one vertex buffer keep the rows that they refer to.

use super::Doc;
use serde_json::{Value, json};

const PARTS: u32 = 20;

/// Twenty parts of two triangles on one buffer of eighty vertices, each with a value of its own.
fn doc() -> Doc {
    let mut doc = Doc::new();
    let count = PARTS * 4;
    let rows = |row: &dyn Fn(f32) -> Vec<f32>| {
        (0..count).flat_map(|i| row(i as f32)).collect::<Vec<f32>>()
    };
    let positions = rows(&|i| vec![i, (i * 7.0) % 5.0, (i * 3.0) % 4.0]);
    let positions = doc.floats(&positions, "VEC3");
    let uvs = doc.floats(&rows(&|i| vec![i / 80.0, 1.0]), "VEC2");
    let ids = doc.floats(&rows(&|i| vec![i]), "SCALAR");
    // Row 5 moves, by a sparse accessor without a dense part.
    let index = doc.view(&[5]);
    let moved = doc.view(&[1.0f32, 2.0, 3.0].map(f32::to_le_bytes).concat());
    let target = doc.push(
        "accessors",
        json!({"componentType": 5126, "count": count, "type": "VEC3", "sparse": {
            "count": 1,
            "indices": {"bufferView": index, "componentType": 5121},
            "values": {"bufferView": moved},
        }}),
    );
    let primitives: Vec<Value> = (0..PARTS as u8)
        .map(|part| {
            let own = [0, 1, 2, 2, 1, 3].map(|i| part * 4 + i);
            let indices = doc.accessor(&own, 5121, 6, "SCALAR");
            json!({
                "attributes": {"POSITION": positions, "TEXCOORD_0": uvs, "_ID": ids},
                "indices": indices,
                "targets": [{"POSITION": target}],
            })
        })
        .collect();
    doc.json["meshes"] = json!([{"name": "墙", "primitives": primitives}]);
    doc
}

#[test]
fn each_part_has_its_own_rows_of_everything() {
    let scene = doc().scene();
    assert_eq!(scene.problems, []);
    for (part, p) in scene.meshes[0].primitives.iter().enumerate() {
        let first = part as f32 * 4.0;
        let own = [0.0, 1.0, 2.0, 3.0].map(|k| first + k);
        let across: Vec<f32> = p.positions.iter().map(|p| p[0]).collect();
        assert_eq!(across, own, "{part}");
        assert_eq!(p.indices, [0, 1, 2, 2, 1, 3]);
        assert_eq!(p.custom[0].values, own);
        let uvs: Vec<f32> = p.uvs[0].iter().map(|uv| uv[0]).collect();
        assert_eq!(uvs, own.map(|v| v / 80.0));
        let mut moved = vec![[0.0; 3]; 4];
        if part == 1 {
            moved[1] = [1.0, 2.0, 3.0];
        }
        assert_eq!(p.targets[0].positions, moved, "{part}");
    }
}

#[test]
fn limits_count_the_rows_that_are_kept() {
    let doc = doc();
    let limits = modelkit::limits::Limits {
        // Each of twenty parts looks at a row of the sparse accessor.
        vertices: 4 * PARTS as usize + PARTS as usize,
        ..Default::default()
    };
    let ctx = modelkit::Ctx {
        limits,
        ..modelkit::Ctx::new(&modelkit::Silent)
    };
    crate::models::read_with(&doc.bytes(), "a.glb", &ctx).unwrap();
}

#[test]
fn faces_beyond_the_shared_rows_are_told() {
    let mut doc = doc();
    let beyond = doc.accessor(&[0, 1, 200], 5121, 3, "SCALAR");
    doc.json["meshes"][0]["primitives"][0]["indices"] = beyond.into();
    let scene = doc.scene();
    super::finding(&scene, "bad-indices");
    assert_eq!(scene.triangle_count(), 2 * (PARTS as usize - 1));
}

#[test]
fn a_buffer_of_one_part_stays_whole() {
    let mut doc = Doc::new();
    let many = doc.floats(&[0.5; 300], "VEC3");
    let indices = doc.accessor(&[0, 1, 2], 5121, 3, "SCALAR");
    doc.json["meshes"][0]["primitives"][0] =
        json!({"attributes": {"POSITION": many}, "indices": indices});
    // What nothing refers to is told by the check.
    assert_eq!(doc.scene().meshes[0].primitives[0].positions.len(), 100);
}
