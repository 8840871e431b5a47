//! Round trips through the writers and readers.

use crate::models::{animated, glb, json_of, read_bytes, textured, write_bytes};
use modelkit::scene::Bounds;

fn close(a: &Bounds, b: &Bounds, tolerance: f64) {
    for axis in 0..3 {
        assert!((a.min[axis] - b.min[axis]).abs() < tolerance, "{a:?} {b:?}");
        assert!((a.max[axis] - b.max[axis]).abs() < tolerance, "{a:?} {b:?}");
    }
}

#[test]
fn glb_keeps_everything() {
    let scene = textured(16);
    let back = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
    assert_eq!(back.triangle_count(), scene.triangle_count());
    assert_eq!(
        back.meshes[0].primitives[0].positions,
        scene.meshes[0].primitives[0].positions
    );
    assert_eq!(
        back.meshes[0].primitives[0].uvs,
        scene.meshes[0].primitives[0].uvs
    );
    assert_eq!(back.materials, scene.materials);
    assert_eq!(back.images[0].bytes, scene.images[0].bytes);
    assert_eq!(back.nodes[0].extras, scene.nodes[0].extras);
    assert_eq!(
        (back.name.as_str(), back.nodes[0].name.as_str()),
        ("测试", "root")
    );
    close(&back.bounds(), &scene.bounds(), 1e-5);
}

#[test]
fn packed_glb_is_smaller_and_close() {
    let scene = textured(64);
    let plain = write_bytes(&scene, "a.glb", false);
    let packed = write_bytes(&scene, "a.glb", true);
    // The plain one has positions and normals once: those of a sphere with a radius of one are equal.
    assert!(
        packed.len() * 2 < plain.len(),
        "{} {}",
        packed.len(),
        plain.len()
    );
    let required = &json_of(&packed)["extensionsRequired"];
    assert_eq!(
        required,
        &serde_json::json!(["EXT_meshopt_compression", "KHR_mesh_quantization"])
    );
    let back = read_bytes(&packed, "a.glb").unwrap();
    assert_eq!(back.triangle_count(), scene.triangle_count());
    // 16 bits over two metres.
    close(&back.bounds(), &scene.bounds(), 1e-4);
    let normals = &back.meshes[0].primitives[0].normals;
    let unit = |n: &[f32; 3]| (n.iter().map(|v| v * v).sum::<f32>() - 1.0).abs() < 1e-3;
    assert!(normals.iter().all(unit));
}

#[test]
fn skins_morphs_and_clips_survive_packing() {
    for compress in [false, true] {
        let scene = animated(12);
        let back = read_bytes(&write_bytes(&scene, "a.glb", compress), "a.glb").unwrap();
        assert_eq!(back.skins[0].joints.len(), 2);
        assert_eq!(back.animations[0].name, "Run");
        assert_eq!(back.animations[0].channels.len(), 2);
        assert_eq!(back.animations[0].seconds(), 1.5);
        assert_eq!(back.meshes[0].target_names, ["wide"]);
        // The rest pose is unchanged whatever the quantisation has folded into the skin.
        close(&back.bounds(), &scene.bounds(), 1e-3);
        let rotation = &back.animations[0].samplers[0].values;
        for (a, b) in rotation.iter().zip(&scene.animations[0].samplers[0].values) {
            assert!((a - b).abs() < 1e-3, "{rotation:?}");
        }
    }
}

#[test]
fn gltf_with_data_uris_reads_back() {
    let scene = textured(8);
    let back = read_bytes(&write_bytes(&scene, "a.gltf", false), "a.gltf").unwrap();
    assert_eq!(back.triangle_count(), scene.triangle_count());
    assert_eq!(back.images.len(), 1);
}

#[test]
fn every_output_format_keeps_shape_in_world_space() {
    let scene = textured(16);
    for name in ["a.obj", "a.zip", "a.stl", "a.ply", "a.glb"] {
        let bytes = write_bytes(&scene, name, false);
        let back = read_bytes(&bytes, name).unwrap();
        assert_eq!(back.triangle_count(), scene.triangle_count(), "{name}");
        close(&back.bounds(), &scene.bounds(), 1e-3);
    }
}

#[test]
fn sparse_interleaved_and_normalised_accessors() {
    // Three vertices, interleaved: u16x3 normalised position + pad, then u8x4 colour.
    let mut bin = Vec::new();
    for (x, y) in [(0u16, 0u16), (65535, 0), (0, 65535)] {
        for v in [x, y, 0, 0] {
            bin.extend(v.to_le_bytes());
        }
        bin.extend([255, 0, 0, 128]);
    }
    // Sparse: vertex 2 gets z = 1.
    bin.extend([2, 0, 0, 0]);
    for v in [0u16, 65535, 65535, 0] {
        bin.extend(v.to_le_bytes());
    }
    let json = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_mesh_quantization"],
      "scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
      "meshes":[{"primitives":[{"attributes":{"POSITION":0,"COLOR_0":1}}]}],
      "buffers":[{"byteLength":48}],
      "bufferViews":[{"buffer":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":36,"byteLength":4},
        {"buffer":0,"byteOffset":40,"byteLength":8}],
      "accessors":[{"bufferView":0,"componentType":5123,"normalized":true,"count":3,"type":"VEC3",
        "sparse":{"count":1,"indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}},
       {"bufferView":0,"byteOffset":8,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"}]}"#;
    let scene = read_bytes(&glb(json, &bin), "a.glb").unwrap();
    let p = &scene.meshes[0].primitives[0];
    assert_eq!(
        p.positions,
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]
    );
    assert_eq!(p.colors[0], [1.0, 0.0, 0.0, 128.0 / 255.0]);
    assert_eq!(p.indices, [0, 1, 2]);
}
