//! What the format allows and few programs write.

use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::scene::Mode;

const TRIANGLE: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn triangle(text: &str) -> Scene {
    let scene = read_bytes(text.as_bytes(), "a.ply").unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(
        (scene.triangle_count(), scene.problems.len()),
        (1, 0),
        "{text}"
    );
    assert_eq!(scene.bounds().max, [1.0, 1.0, 0.0], "{text}");
    scene
}

#[test]
fn text_in_any_layout() {
    triangle(TRIANGLE);
    for (from, to) in [
        ("\n", "\r\n"),
        ("\n", "\r"),
        (" ", "\t  "),
        ("ascii 1.0\n", "ascii 1.0 \t\nobj_info a b\ncomment\n"),
        ("element face", "comment between\nelement face"),
        ("1 0 0", "1e0 +0 -0."),
        ("1 0 0", "+1. .0 0E5"),
        ("3 0 1 2", "3.0 0 1.0 2e0"),
        ("list uchar int", "list float float"),
        ("element vertex", "element Vertex"),
        ("end_header\n", "end_header\n\n\n"),
        (
            "end_header\n",
            "element odd 0\nproperty list int int a\nend_header\n",
        ),
    ] {
        assert!(TRIANGLE.contains(from), "{from}");
        triangle(&TRIANGLE.replace(from, to));
    }
}

#[test]
fn faces_of_few_corners_are_no_loss() {
    let text = TRIANGLE
        .replace("face 1", "face 5")
        .replace("3 0 1 2", "0\n1 0\n2 0 1\n-3\n3 0 1 2");
    triangle(&text);
}

/// In a file whose lines end with CR alone, the first byte of data may look like the second half of a line's end.
#[test]
fn data_may_begin_with_a_line_feed() {
    for (end, first) in [("\r", 10u8), ("\n", 10), ("\r\n", 10), ("\r", 13)] {
        let head = "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty uchar x\nproperty uchar y\nproperty uchar z\nend_header\n";
        let mut bytes = head.replace('\n', end).into_bytes();
        bytes.extend([first, 0, 0, 1, 2, 3]);
        let scene = read_bytes(&bytes, "a.ply").unwrap();
        assert_eq!(scene.bounds().max, [f64::from(first), 2.0, 3.0], "{end:?}");
        // Programs that change a header may end its last line in another way than the others.
        let mut mixed = head.replace('\n', end).into_bytes();
        mixed.truncate(mixed.len() - end.len());
        mixed.extend(*b"\r\n");
        mixed.extend([7, 0, 0, 1, 2, 3]);
        if end != "\r" {
            let scene = read_bytes(&mixed, "a.ply").unwrap();
            assert_eq!(scene.bounds().max, [7.0, 2.0, 3.0], "{end:?}");
        }
    }
}

#[test]
fn counts_beyond_the_file_are_refused() {
    let head = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\n\
                element face 1\nproperty list COUNT uchar vertex_indices\nend_header\n";
    let file = |kind: &str, count: &[u8]| {
        let mut bytes = head.replace("COUNT", kind).into_bytes();
        bytes.extend([0, 0, 0, 1, 0, 0, 0, 1, 0]);
        bytes.extend(count);
        bytes.extend([0, 1, 2]);
        bytes
    };
    assert_eq!(
        read_bytes(&file("uint", &[0, 0, 0, 3]), "a.ply")
            .unwrap()
            .triangle_count(),
        1
    );
    let error = read_bytes(&file("uint", &[255; 4]), "a.ply").unwrap_err();
    assert!(error.to_string().contains("不完整"), "{error}");
    // A negative number is none.
    let scene = read_bytes(&file("char", &[255]), "a.ply").unwrap();
    assert_eq!(scene.meshes[0].primitives[0].mode, Mode::Points);
}

#[test]
fn edges_may_have_lists() {
    let ascii = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n\
                 element edge 1\nproperty list uchar int more\nproperty int vertex1\nproperty int vertex2\nend_header\n0 0 0\n1 0 0\n2 9 9 0 1\n";
    let mut binary = ascii[..ascii.find("0 0 0").unwrap()]
        .replace("ascii", "binary_little_endian")
        .into_bytes();
    for value in [0f32, 0.0, 0.0, 1.0, 0.0, 0.0] {
        binary.extend(value.to_le_bytes());
    }
    binary.push(1);
    for value in [9i32, 0, 1] {
        binary.extend(value.to_le_bytes());
    }
    for bytes in [ascii.as_bytes(), &binary] {
        let scene = read_bytes(bytes, "a.ply").unwrap();
        let p = &scene.meshes[0].primitives[0];
        assert_eq!((p.mode, p.positions.len()), (Mode::Lines, 2));
        assert!(scene.problems[0].message.contains("edge.more"));
    }
}
