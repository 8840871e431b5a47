//! Broken and hostile files: an error or a reported problem, never a panic.

use crate::models::{animated, glb, json_of, read_bytes, textured, write_bytes};

/// A triangle at buffer offset 0 with the given JSON parts.
fn triangle(nodes: &str, accessor: &str, bin: &[u8]) -> Vec<u8> {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "buffers":[{{"byteLength":{}}}],"bufferViews":[{{"buffer":0,"byteLength":{}}}],
        "accessors":[{accessor}]}}"#,
        bin.len(),
        bin.len()
    );
    glb(&json, bin)
}

const ACCESSOR: &str = r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}"#;

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn corners() -> Vec<u8> {
    floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
}

#[test]
fn truncation_at_any_byte_is_an_error() {
    for (name, bytes) in [
        ("a.glb", write_bytes(&animated(6), "a.glb", true)),
        ("a.glb", write_bytes(&textured(6), "a.glb", false)),
        ("a.gltf", write_bytes(&textured(4), "a.gltf", false)),
    ] {
        for part in 0..60 {
            let end = bytes.len() * part / 60;
            assert!(
                read_bytes(&bytes[..end], name).is_err(),
                "{name} cut at {end} of {}",
                bytes.len()
            );
        }
    }
}

#[test]
fn flipped_bytes_never_panic() {
    for name in ["a.glb", "a.obj", "a.stl", "a.ply", "a.zip"] {
        let bytes = write_bytes(&textured(5), name, false);
        let step = (bytes.len() / 300).max(1);
        for at in (0..bytes.len()).step_by(step) {
            for value in [0, 0x7f, 0xff, bytes[at] ^ 1] {
                let mut broken = bytes.clone();
                broken[at] = value;
                let _ = read_bytes(&broken, name);
            }
        }
    }
}

#[test]
fn flipped_bytes_in_packed_geometry_never_panic() {
    let bytes = write_bytes(&animated(6), "a.glb", true);
    for at in (0..bytes.len()).step_by(7) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        let _ = read_bytes(&broken, "a.glb");
    }
}

#[test]
fn more_rows_than_can_be_counted_are_refused() {
    for count in ["18446744073709551615", "9223372036854775808"] {
        let accessor = ACCESSOR.replace(r#""count":3"#, &format!(r#""count":{count}"#));
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}},{{"attributes":{{"POSITION":0}}}}]}}],
            "buffers":[{{"byteLength":36}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{accessor}]}}"#
        );
        let read = read_bytes(&glb(&json, &corners()), "a.glb");
        assert!(read.is_err(), "{count}");
    }
}

#[test]
fn cyclic_nodes_are_cut_and_named() {
    let nodes = r#"{"mesh":0,"children":[1]},{"children":[0,1,2]},{"children":[77]}"#;
    let scene = read_bytes(&triangle(nodes, ACCESSOR, &corners()), "a.glb").unwrap();
    assert_eq!(scene.nodes.len(), 3);
    assert!(scene.problems.iter().any(|p| p.code == "broken-tree"));
    assert_eq!(scene.walk().len(), 3);
}

#[test]
fn false_counts_and_offsets_are_errors() {
    for accessor in [
        r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}"#,
        r#"{"bufferView":0,"componentType":5126,"count":18446744073709551615,"type":"VEC3"}"#,
        r#"{"bufferView":0,"componentType":5126,"count":4000000000,"type":"VEC3"}"#,
        r#"{"componentType":5126,"count":500000000,"type":"VEC3"}"#,
        r#"{"bufferView":0,"byteOffset":18446744073709551615,"componentType":5126,"count":3,"type":"VEC3"}"#,
        r#"{"bufferView":9,"componentType":5126,"count":3,"type":"VEC3"}"#,
        r#"{"bufferView":0,"componentType":1,"count":3,"type":"VEC3"}"#,
        r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC9"}"#,
        r#"{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":9999999999,
            "indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}}"#,
    ] {
        let error =
            read_bytes(&triangle(r#"{"mesh":0}"#, accessor, &corners()), "a.glb").unwrap_err();
        assert!(
            ["corrupt-file", "too-large"].contains(&error.code()),
            "{accessor}: {error}"
        );
    }
}

#[test]
fn nan_vertices_are_dropped_and_named() {
    let mut values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    values.extend([f32::NAN, 0.0, 0.0, 1.0, f32::INFINITY, 0.0, 0.0, 1.0, 0.0]);
    let accessor = r#"{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3"}"#;
    let scene = read_bytes(
        &triangle(r#"{"mesh":0}"#, accessor, &floats(&values)),
        "a.glb",
    )
    .unwrap();
    assert_eq!(scene.triangle_count(), 1);
    assert!(scene.problems.iter().any(|p| p.code == "nan-positions"));
    assert!(scene.bounds().size().iter().all(|v| v.is_finite()));
}

#[test]
fn only_nan_is_an_empty_model() {
    let values = [f32::NAN; 9];
    let error = read_bytes(
        &triangle(r#"{"mesh":0}"#, ACCESSOR, &floats(&values)),
        "a.glb",
    )
    .unwrap_err();
    assert_eq!(error.code(), "empty-model");
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let mut nodes = String::new();
    for i in 0..20_000 {
        nodes += &format!(r#"{{"children":[{}]}},"#, i + 1);
    }
    nodes += r#"{"mesh":0}"#;
    // The mesh is below the depth limit, so nothing is left to show.
    let error = read_bytes(&triangle(&nodes, ACCESSOR, &corners()), "a.glb");
    assert!(error.is_ok() || error.is_err());
    let json = "[".repeat(100_000);
    assert_eq!(
        read_bytes(&glb(&json, &[]), "a.glb").unwrap_err().code(),
        "corrupt-file"
    );
}

#[test]
fn broken_images_become_problems() {
    let mut bytes = write_bytes(&textured(4), "a.glb", false);
    let json = json_of(&bytes);
    let view = json["images"][0]["bufferView"].as_u64().unwrap() as usize;
    let offset = json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let start = 20 + length + 8 + offset;
    bytes[start..start + 24].fill(0);
    let scene = read_bytes(&bytes, "a.glb").unwrap();
    assert!(scene.images.is_empty());
    assert!(scene.materials[0].base_color_texture.is_none());
    assert!(
        scene
            .problems
            .iter()
            .any(|p| p.code == "unreadable-texture")
    );
}

#[test]
fn unknown_formats_are_refused_by_name() {
    assert_eq!(
        read_bytes(b"hello world", "a.max").unwrap_err().code(),
        "unsupported-format"
    );
    assert_eq!(
        read_bytes(b"; FBX 7.4.0 project file\nnonsense", "a.fbx")
            .unwrap_err()
            .exit_code(),
        2
    );
    assert_eq!(
        read_bytes(b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0junk", "a.fbx")
            .unwrap_err()
            .exit_code(),
        2
    );
}
