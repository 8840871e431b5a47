//! STL, binary and ASCII.

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
    let mut lying = whole.clone();
    lying[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    assert_eq!(
        read_bytes(&lying, "a.stl").unwrap_err().code(),
        "corrupt-file"
    );
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
