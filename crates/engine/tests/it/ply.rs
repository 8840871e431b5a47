//! PLY in its three encodings.

mod edges;
mod lost;

use crate::models::{png, read_bytes, write_bytes};
use crate::obj::{Files, drawn_triangles};
use modelkit::open::read;
use modelkit::read::Input;
use modelkit::scene::Mode;
use modelkit::{Ctx, Silent};
use proptest::prelude::*;
use std::collections::HashMap;

const ASCII: &str = "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty uchar red\n\
property float x\nproperty double y\nproperty float z\nproperty uchar green\nproperty uchar blue\n\
property float s\nproperty float t\nelement face 2\nproperty list uchar int vertex_index\n\
property uchar flags\nelement odd 1\nproperty list int float whatever\nend_header\n\
255 0 0 0 0 0 0 0\n0 1 0 0 255 0 1 0\n0 1 1 0 0 255 1 1\n10 0 1 0 10 10 0 1\n\
4 0 1 2 3 7\n3 0 2 3 7\n2 1.5 2.5\n";

#[test]
fn any_order_of_properties_and_foreign_elements() {
    let scene = read_bytes(ASCII.as_bytes(), "a.ply").unwrap();
    let p = &scene.meshes[0].primitives[0];
    assert_eq!((p.triangle_count(), p.positions.len()), (3, 4));
    assert_eq!(p.positions[2], [1.0, 1.0, 0.0]);
    assert_eq!(p.colors[1], [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(p.uvs[0][2], [1.0, 0.0]);
    assert!((p.colors[3][0] - 0.003_035).abs() < 1e-5, "sRGB to linear");
    let crlf = ASCII.replace('\n', "\r\n");
    assert_eq!(
        read_bytes(crlf.as_bytes(), "a.ply")
            .unwrap()
            .triangle_count(),
        3
    );
}

/// The same square as binary, in either byte order.
fn binary(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement face 1\nproperty list ushort short vertex_indices\n\
         element vertex 4\nproperty double x\nproperty short y\nproperty float z\nend_header\n"
    )
    .into_bytes();
    let mut put = |raw: &[u8]| {
        let mut raw = raw.to_vec();
        if big {
            raw.reverse();
        }
        bytes.extend(raw);
    };
    put(&4u16.to_le_bytes());
    for i in 0..4i16 {
        put(&i.to_le_bytes());
    }
    for (x, y) in [(0.0f64, 0i16), (2.0, 0), (2.0, 3), (0.0, 3)] {
        put(&x.to_le_bytes());
        put(&y.to_le_bytes());
        put(&0.5f32.to_le_bytes());
    }
    bytes
}

#[test]
fn both_byte_orders_agree_and_faces_may_come_first() {
    for big in [false, true] {
        let scene = read_bytes(&binary(big), "a.ply").unwrap();
        let p = &scene.meshes[0].primitives[0];
        assert_eq!(p.triangle_count(), 2);
        assert_eq!(scene.bounds().max, [2.0, 3.0, 0.5]);
        assert_eq!(p.normals[0], [0.0, 0.0, 1.0]);
    }
}

#[test]
fn strips_clouds_edges_and_splats() {
    let head = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n";
    let rows = "0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 0\n";
    let strip = format!(
        "{head}element tristrips 1\nproperty list int int vertex_indices\nend_header\n{rows}8 0 1 2 3 -1 2 3 4\n"
    );
    let scene = read_bytes(strip.as_bytes(), "a.ply").unwrap();
    assert_eq!(scene.triangle_count(), 3);
    let p = &scene.meshes[0].primitives[0];
    assert!(p.normals.iter().all(|n| n[2].abs() > 0.99));

    let cloud = read_bytes(format!("{head}end_header\n{rows}").as_bytes(), "a.ply").unwrap();
    assert_eq!(
        (cloud.meshes[0].primitives[0].mode, cloud.vertex_count()),
        (Mode::Points, 5)
    );

    let edges = format!(
        "{head}element edge 2\nproperty int vertex1\nproperty int vertex2\nend_header\n{rows}0 1\n3 77\n"
    );
    let scene = read_bytes(edges.as_bytes(), "a.ply").unwrap();
    assert_eq!(
        (scene.meshes[0].primitives[0].mode, scene.vertex_count()),
        (Mode::Lines, 2)
    );

    let splat = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
                 property float f_dc_0\nproperty float f_dc_1\nproperty float f_dc_2\nend_header\n1 2 3 1.7724539 0 -9\n";
    let scene = read_bytes(splat.as_bytes(), "a.ply").unwrap();
    let color = scene.meshes[0].primitives[0].colors[0];
    assert!(
        (color[0] - 1.0).abs() < 1e-3 && (color[1] - 0.214).abs() < 1e-3 && color[2] == 0.0,
        "{color:?}"
    );
    assert_eq!(scene.problems[0].code, "splats-as-points");
}

#[test]
fn wedge_coordinates_and_texture_of_mesh_tools() {
    let text = "ply\nformat ascii 1.0\ncomment TextureFile tex.png\nelement vertex 4\nproperty float x\nproperty float y\n\
                property float z\nelement face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n\
                end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 0.5 0.5 0 1\n";
    let side = Files(HashMap::from([("tex.png".to_owned(), png(8))]));
    let input = Input {
        bytes: text.as_bytes(),
        name: "a.ply",
        side: &side,
    };
    let scene = read(&input, &Ctx::new(&Silent)).unwrap();
    let p = &scene.meshes[0].primitives[0];
    // Vertex 2 has two coordinates, vertex 0 one.
    assert_eq!((p.positions.len(), p.uvs[0].len()), (5, 5));
    assert!(scene.materials[0].base_color_texture.is_some());
    let alone = read_bytes(text.as_bytes(), "a.ply").unwrap();
    assert_eq!(alone.problems[0].message, "找不到贴图 tex.png");
}

#[test]
fn false_counts_bad_indices_and_cuts() {
    for count in ["1000000000", "99999999999999999", "-3"] {
        let text = ASCII.replace("element vertex 4", &format!("element vertex {count}"));
        assert!(read_bytes(text.as_bytes(), "a.ply").is_err(), "{count}");
    }
    let huge = "ply\nformat binary_little_endian 1.0\nelement vertex 100000000\nproperty float x\nproperty float y\nproperty float z\nend_header\nabc";
    assert_eq!(
        read_bytes(huge.as_bytes(), "a.ply").unwrap_err().code(),
        "corrupt-file"
    );
    let whole = binary(false);
    for cut in 0..whole.len() {
        assert!(read_bytes(&whole[..cut], "a.ply").is_err(), "{cut}");
    }
    let wrong = ASCII
        .replace("3 0 2 3 7", "3 0 2 9 7")
        .replace("10 0 1 0 10 10", "10 nan 1 0 10 10");
    let scene = read_bytes(wrong.as_bytes(), "a.ply").unwrap_err();
    assert_eq!(scene.code(), "empty-model");
    let text = ASCII.replace("3 0 2 3 7", "3 0 2 9 7");
    let scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
    assert_eq!(
        (scene.triangle_count(), scene.problems[0].code),
        (2, "index-out-of-range")
    );
}

#[test]
fn round_trip_keeps_counts_colours_and_coordinates() {
    for kind in ["vase", "molecule"] {
        let scene = modelkit::sample::generate(kind, Some(3000), 1).unwrap();
        let back = read_bytes(&write_bytes(&scene, "a.ply", false), "a.ply").unwrap();
        let p = &back.meshes[0].primitives[0];
        assert_eq!(back.triangle_count(), drawn_triangles(&scene), "{kind}");
        assert_eq!(
            (p.normals.len(), p.uvs[0].len(), p.colors.len()),
            (p.positions.len(), p.positions.len(), p.positions.len())
        );
        assert_eq!(back.units.source, "m");
        for axis in 0..3 {
            assert!((scene.bounds().max[axis] - back.bounds().max[axis]).abs() < 1e-5);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bodies_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0usize..700, flip in any::<u8>()) {
        let mut whole = binary(cut % 2 == 0);
        let at = cut % whole.len();
        whole[at] ^= flip;
        let _ = read_bytes(&whole, "a.ply");
        for encoding in ["ascii", "binary_little_endian", "binary_big_endian"] {
            let mut file = format!(
                "ply\nformat {encoding} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                 element face 3\nproperty list char int vertex_indices\nend_header\n").into_bytes();
            file.extend(&bytes);
            let _ = read_bytes(&file, "a.ply");
        }
    }

    #[test]
    fn random_headers_never_panic(lines in prop::collection::vec(prop_oneof![
        Just("element vertex 2"), Just("element face 1"), Just("property float x"), Just("property int y"),
        Just("property char z"), Just("property list uchar uint vertex_indices"), Just("property list float int a"),
        Just("format binary_big_endian 1.0"), Just("comment \u{4e2d}"), Just("property"), Just("element e 0"), Just("end_header")], 0..14))
    {
        let text = format!("ply\nformat ascii 1.0\n{}\nend_header\n1 2 3\n1 2 3\n3 0 1 2\n", lines.join("\n"));
        let _ = read_bytes(text.as_bytes(), "a.ply");
    }
}
