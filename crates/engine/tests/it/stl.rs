//! STL, binary and ASCII.

mod edges;

use crate::models::{read_bytes, write_bytes};
use crate::obj::drawn_triangles;
use proptest::prelude::*;

/// A binary file with the given header text and triangles.
fn binary(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0u8; 12]);
        for value in triangle.iter().flatten() {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0xff, 0x7f]);
    }
    bytes
}

const TETRA: [[[f32; 3]; 3]; 4] = [
    [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0], [10.0, 0.0, 0.0]],
    [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 0.0, 10.0]],
    [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [0.0, 10.0, 0.0]],
    [[10.0, 0.0, 0.0], [0.0, 10.0, 0.0], [-0.0, 0.0, 10.0]],
];

#[test]
fn a_binary_file_that_begins_with_solid_is_binary() {
    let scene = read_bytes(&binary(b"solid from a careless exporter", &TETRA), "a.stl").unwrap();
    assert_eq!(scene.triangle_count(), 4);
    // Four corners welded, then split again by the creases: three faces each.
    assert_eq!(scene.vertex_count(), 12);
    assert_eq!(scene.units.source, "unknown(mm assumed)");
    assert!((scene.bounds().size()[0] - 0.01).abs() < 1e-9);
    let inches = read_bytes(&binary(b"UNITS=in", &TETRA), "a.stl").unwrap();
    assert_eq!(inches.units.source, "in");
    assert!((inches.bounds().size()[0] - 0.254).abs() < 1e-6);
}

#[test]
fn ascii_in_any_layout() {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1e0 0 0\nvertex 0 1.0E+0 0\nendloop\nendfacet\n";
    let two = format!("solid 左\n{facet}endsolid 左\nsolid b\n{facet}{facet}endsolid b\n");
    let scene = read_bytes(two.as_bytes(), "a.stl").unwrap();
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!((names, scene.triangle_count()), (vec!["左", "b"], 3));
    let odd = two.to_uppercase().replace('\n', "\r\n\t ");
    assert_eq!(
        read_bytes(odd.as_bytes(), "a.stl")
            .unwrap()
            .triangle_count(),
        3
    );
}

#[test]
fn a_long_ascii_file_is_the_same_in_pieces() {
    let mut text = String::from("solid big\n");
    for i in 0..20_000 {
        text += &format!(
            " facet normal 0 0 0\n  outer loop\n   vertex {i} 0 0\n   vertex {i} 1 0\n   vertex {i} 0 1\n  endloop\n endfacet\n"
        );
    }
    text += "endsolid big\n";
    let scene = read_bytes(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(
        (scene.triangle_count(), scene.vertex_count()),
        (20_000, 60_000)
    );
}

#[test]
fn truncated_false_and_poisoned_files() {
    let whole = binary(b"x", &TETRA);
    for cut in [84, 100, 150, whole.len() - 1] {
        let error = read_bytes(&whole[..cut], "a.stl").unwrap_err();
        assert_eq!(error.code(), "corrupt-file");
        assert!(error.to_string().contains("不完整"), "{error}");
    }
    let mut extra = whole.clone();
    extra.extend([7; 33]);
    assert_eq!(read_bytes(&extra, "a.stl").unwrap().triangle_count(), 4);

    let mut poisoned = TETRA;
    poisoned[1][2][0] = f32::NAN;
    poisoned[2][0][1] = f32::INFINITY;
    let scene = read_bytes(&binary(b"x", &poisoned), "a.stl").unwrap();
    assert_eq!(scene.triangle_count(), 2);
    assert_eq!(scene.problems[0].code, "nan-positions");
    assert!(read_bytes(&binary(b"x", &[]), "a.stl").is_err());
    let text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0";
    assert_eq!(
        read_bytes(text.as_bytes(), "a.stl").unwrap_err().code(),
        "corrupt-file"
    );
}

/// A file of four triangles that declares another number, followed by `tail`.
fn declaring(count: u32, tail: &[u8]) -> Vec<u8> {
    let mut bytes = [binary(b"x", &TETRA), tail.to_vec()].concat();
    bytes[80..84].copy_from_slice(&count.to_le_bytes());
    bytes
}

#[test]
fn the_length_decides_the_number_of_triangles() {
    let told = |bytes: &[u8]| {
        let scene = read_bytes(bytes, "a.stl").unwrap();
        let told = scene
            .problems
            .iter()
            .find(|p| p.code == "stl-count-differs");
        (scene.triangle_count(), told.map(|p| p.message.clone()))
    };
    for count in [0, 1, 3, 5, 1_000_000_000, u32::MAX] {
        let (read, message) = told(&declaring(count, b""));
        assert_eq!(read, 4, "{count}");
        let message = message.unwrap();
        assert!(
            message.contains(&count.to_string()) && message.contains("有 4 个"),
            "{message}"
        );
    }
    assert_eq!(told(&declaring(4, b"")), (4, None));
    // Padding and text are no geometry; other bytes may be.
    assert_eq!(told(&declaring(4, &[0; 50])), (4, None));
    assert_eq!(told(&declaring(4, b"made by hand, in a hurry")), (4, None));
    let (read, message) = told(&declaring(4, &[1, 2, 3]));
    assert_eq!((read, message.is_some()), (4, true));
    let (read, message) = told(&declaring(0, &[1, 2, 3]));
    assert_eq!((read, message.is_some()), (4, true));
    let error = read_bytes(&declaring(9, &[1, 2, 3]), "a.stl").unwrap_err();
    assert!(error.to_string().contains("声明 9 个"), "{error}");
}

#[test]
fn a_facet_of_many_corners_is_cut_as_a_polygon() {
    let corners = ["0 0 0", "4 0 0", "4 4 0", "2 1 0", "0 4 0"];
    let vertices: String = corners.iter().map(|c| format!("vertex {c}\n")).collect();
    let text = format!(
        "solid a\nfacet normal 0 0 1\nouter loop\n{vertices}endloop\nendfacet\nendsolid a\n"
    );
    let scene = read_bytes(text.as_bytes(), "a.stl").unwrap();
    let p = &scene.meshes[0].primitives[0];
    let area: f32 = p
        .indices
        .as_chunks::<3>()
        .0
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| p.positions[i as usize].map(|v| v * 1000.0));
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0
        })
        .sum();
    assert!((area - 10.0).abs() < 1e-3, "{area}");
}

#[test]
fn round_trip_bakes_every_node() {
    let scene = modelkit::sample::generate("molecule", Some(2000), 3).unwrap();
    let bytes = write_bytes(&scene, "a.stl", false);
    assert_eq!(bytes.len(), 84 + 50 * drawn_triangles(&scene));
    let back = read_bytes(&bytes, "a.stl").unwrap();
    assert_eq!(back.triangle_count(), drawn_triangles(&scene));
    assert_eq!(back.units.source, "mm");
    for axis in 0..3 {
        let (a, b) = (scene.bounds().size()[axis], back.bounds().size()[axis]);
        assert!((a - b).abs() <= a * 1e-5, "{a} {b}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..700), count in 0u32..14) {
        let _ = read_bytes(&bytes, "a.stl");
        let mut framed = vec![0u8; 80];
        framed.extend(count.to_le_bytes());
        framed.extend(&bytes);
        let _ = read_bytes(&framed, "a.stl");
    }

    #[test]
    fn random_words_never_panic(words in prop::collection::vec(prop_oneof![
        Just("solid"), Just("facet"), Just("vertex"), Just("endfacet"), Just("endsolid"),
        Just("1"), Just("-2.5e3"), Just("nan"), Just("\n"), Just("outer loop"), Just("x")], 0..80))
    {
        let _ = read_bytes(format!("solid {}", words.join(" ")).as_bytes(), "a.stl");
    }
}
