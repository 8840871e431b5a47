//! Colours, and what writers of STL allow themselves.

use super::{TETRA, binary};
use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::scene::AlphaMode;

/// The tetrahedron with these words after its triangles.
fn words(header: &[u8], words: [u16; 4]) -> Vec<u8> {
    let mut bytes = binary(header, &TETRA);
    for (record, word) in words.iter().enumerate() {
        bytes[84 + record * 50 + 48..][..2].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The colour of each triangle.
fn colors(scene: &Scene) -> Vec<[f32; 4]> {
    let p = &scene.meshes[0].primitives[0];
    let triangles = p.indices.as_chunks::<3>().0.iter();
    triangles
        .map(|t| {
            let own = t.map(|i| p.colors[i as usize]);
            assert_eq!((own[0], own[1]), (own[1], own[2]));
            own[0]
        })
        .collect()
}

#[test]
fn colours_are_read_in_both_ways() {
    // VisCAM and SolidView: blue lowest, the highest bit says that there is a colour.
    let scene = read_bytes(&words(b"x", [0x801f, 0x83e0, 0xfc00, 0]), "a.stl").unwrap();
    let [red, green, blue] =
        [0, 1, 2].map(|k| std::array::from_fn(|i| f32::from(i == k || i == 3)));
    assert_eq!(colors(&scene), [blue, green, red, [0.72, 0.74, 0.77, 1.0]]);
    assert_eq!(
        (scene.materials[0].base_color, scene.problems.len()),
        ([1.0; 4], 0)
    );
    assert_eq!(scene.triangle_count(), 4);
    // Magics: red lowest, the highest bit says that the whole part's colour counts.
    let header = b"COLOR=\xff\x00\x00\x80,MATERIAL=\xff\xff\xff\xff";
    let scene = read_bytes(&words(header, [0x001f, 0x03e0, 0x7c00, 0x8000]), "a.stl").unwrap();
    let part = [1.0, 0.0, 0.0, 128.0 / 255.0];
    assert_eq!(colors(&scene), [red, green, blue, part]);
    assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Blend);
    // Numbers of five bits, sRGB.
    let scene = read_bytes(&words(b"x", [0x8010; 4]), "a.stl").unwrap();
    assert!(
        (colors(&scene)[0][2] - 0.228).abs() < 2e-3,
        "{:?}",
        colors(&scene)
    );
}

#[test]
fn words_that_are_no_colours_stay_what_they_are() {
    for plain in [[0; 4], [0x7fff; 4], [1, 2, 3, 4]] {
        let scene = read_bytes(&words(b"x", plain), "a.stl").unwrap();
        assert!(scene.meshes[0].primitives[0].colors.is_empty());
        assert_eq!(scene.problems, []);
    }
    let scene = read_bytes(&words(b"x", [0x801f, 0x1234, 0, 0]), "a.stl").unwrap();
    assert!(scene.meshes[0].primitives[0].colors.is_empty());
    assert_eq!(scene.problems[0].code, "stl-colors-skipped");
}

#[test]
fn colours_keep_to_their_triangles_when_others_are_dropped() {
    let mut bytes = words(b"x", [0x801f, 0x83e0, 0xfc00, 0x801f]);
    bytes[84 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let scene = read_bytes(&bytes, "a.stl").unwrap();
    assert_eq!(colors(&scene)[0], [0.0, 1.0, 0.0, 1.0]);
}

const FACET: &str =
    "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet";

fn parts(text: &str) -> Vec<String> {
    let scene = read_bytes(text.as_bytes(), "a.stl").unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(scene.triangle_count(), 2, "{text}");
    scene.nodes.iter().map(|n| n.name.clone()).collect()
}

#[test]
fn text_in_any_layout() {
    let two = format!("solid one\n{FACET}\nendsolid one\nsolid two\n{FACET}\nendsolid two\n");
    let long = two
        .replace("outer", "\nouter")
        .replace("vertex", "\n vertex")
        .replace("endloop", "\nendloop\n");
    for text in [
        &two,
        &long,
        &long.replace('\n', "\r\n"),
        &long.replace('\n', "\r"),
        &long.replace(' ', "\t"),
        &long
            .to_lowercase()
            .replace("vertex", "VERTEX")
            .replace("facet", "Facet")
            .replace("solid", "SOLID"),
        &two.replace('\n', " "),
        &two.replace("facet normal", "facetnormal")
            .replace("endfacet", "endfacet\n"),
        &two.replace("endsolid one\n", "")
            .replace("endsolid two\n", ""),
        &two.replace("solid two\n", "solid empty\nendsolid empty\nsolid two\n")
            .replace("endsolid empty\nendsolid", "endsolid"),
        &two.replace("0 0 1 outer", "nan 0 1 outer"),
        &two.replace("endsolid one\n", "endsolid one\n; exported by hand\n"),
        &two.replace("vertex 1 0 0", "vertex 1, 0, 0")
            .replace("vertex 0 1 0", "vertex +0 1.e0 .0"),
        &two.replace("vertex 1 0 0", "vertex 1,0 0,0 0,0"),
    ] {
        assert_eq!(parts(text), ["one", "two"], "{text}");
    }
    // A name may hold the words of a facet.
    let named = two.replace("one", "facet plate");
    assert_eq!(parts(&named), ["facet plate", "two"]);
    let same = format!("solid\n{FACET}\n{FACET}\nendsolid\n");
    assert_eq!(parts(&same), ["a"]);
}

#[test]
fn colours_of_text_are_told() {
    let text = format!("solid a\ncolor 1 0 0\n{FACET}\nendsolid a\n");
    let scene = read_bytes(text.as_bytes(), "a.stl").unwrap();
    assert_eq!(
        (scene.triangle_count(), scene.problems[0].code),
        (1, "stl-colors-skipped")
    );
}

/// FORTRAN programs part the words that end something, leave some out, and write exponents with a D.
#[test]
fn words_that_end_may_be_parted_or_missing() {
    let text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    let expected = read_bytes(text.as_bytes(), "a.stl").unwrap();
    for (from, to) in [
        ("endfacet", "end facet"),
        ("endfacet", "End Facet"),
        ("endloop", "end loop"),
        ("endsolid", "end solid"),
        ("endfacet\n", ""),
        ("endloop\nendfacet\n", "end loop\n"),
        (" 1 ", " 1.0D+00 "),
        (" 1 ", " 0.1d1 "),
    ] {
        let scene = read_bytes(text.replace(from, to).as_bytes(), "a.stl");
        let scene = scene.unwrap_or_else(|e| panic!("{to}: {e}"));
        let p = &scene.meshes[0].primitives[0];
        assert_eq!(
            (scene.triangle_count(), scene.problems.len()),
            (2, 0),
            "{to}"
        );
        assert_eq!(
            p.positions, expected.meshes[0].primitives[0].positions,
            "{to}"
        );
        assert_eq!(scene.meshes[0].name, expected.meshes[0].name, "{to}");
    }
    // What ends within a triangle is not whole.
    let cut = text.split("vertex 1 1 0").next().unwrap();
    assert!(read_bytes(cut.as_bytes(), "a.stl").is_err());
}
