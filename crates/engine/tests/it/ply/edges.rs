//! What the format allows and few programs write.

use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::scene::{AlphaMode, Mode};

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

/// Rows are words, however lines divide them: RealSense writes a vertex on three lines, others all on one.
#[test]
fn rows_need_no_lines_of_their_own() {
    let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement other 1\nproperty list int int a\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let rows = [
        "0 0 0|0 0 1|255 0 0",
        "1 0 0|0 0 1|255 0 0",
        "0 1 0|0 0 1|255 0 0",
        "2 5|6",
        "3 0 1|2",
    ];
    let whole = rows.join("\n").replace('|', " ");
    let three = rows.join("\n").replace('|', "\n");
    let one = whole.replace('\n', " ");
    let each = whole.replace(' ', "\n");
    let paired = whole.replacen('\n', " ", 1);
    let expected = read_bytes((head.to_owned() + &whole).as_bytes(), "a.ply").unwrap();
    for body in [three, one, each, paired] {
        let scene = read_bytes((head.to_owned() + &body).as_bytes(), "a.ply");
        let scene = scene.unwrap_or_else(|e| panic!("{body}: {e}"));
        let (found, wanted) = (
            &scene.meshes[0].primitives[0],
            &expected.meshes[0].primitives[0],
        );
        assert_eq!(found.positions, wanted.positions, "{body}");
        assert_eq!(
            (&found.colors, &found.indices),
            (&wanted.colors, &wanted.indices)
        );
        assert_eq!(found.colors[0], [1.0, 0.0, 0.0, 1.0]);
        // One word less, and it is not all there.
        let cut = body.trim_end().rsplit_once([' ', '\n']).unwrap().0;
        assert!(
            read_bytes((head.to_owned() + cut).as_bytes(), "a.ply").is_err(),
            "{body}"
        );
    }
    // Lines with more than the header says are rows all the same.
    let more = TRIANGLE.replace("0 0 0\n1 0 0\n0 1 0\n", "0 0 0 9\n1 0 0 9\n0 1 0 9\n");
    triangle(&more);
    let error = read_bytes(more.replace("vertex 3", "vertex 5").as_bytes(), "a.ply").unwrap_err();
    assert!(error.to_string().contains("不完整"), "{error}");
}

#[test]
fn a_strange_line_of_the_header_is_told() {
    let text = TRIANGLE.replace("ascii 1.0\n", "ascii 1.0\nCreated by Blender3D 2.79\n");
    let scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
    assert_eq!((scene.triangle_count(), scene.problems.len()), (1, 1));
    assert!(
        scene.problems[0]
            .message
            .contains("Created by Blender3D 2.79"),
        "{:?}",
        scene.problems
    );
    assert!(read_bytes(b"ply\nhello\nworld\n", "a.ply").is_err());
}

#[test]
fn faces_are_found_under_other_names() {
    for name in ["vertexIndices", "connectivity"] {
        triangle(&TRIANGLE.replace("vertex_indices", name));
    }
    // Two lists, of which none is known, may be anything.
    let two = TRIANGLE.replace(
        "list uchar int vertex_indices",
        "list uchar int a\nproperty list uchar int b",
    );
    let scene = read_bytes(
        two.replace("3 0 1 2", "3 0 1 2 3 0 1 2").as_bytes(),
        "a.ply",
    )
    .unwrap();
    assert_eq!(scene.triangle_count(), 0);
    assert!(
        scene.problems[0].message.contains("face.a"),
        "{:?}",
        scene.problems
    );
}

/// Many programs write an opacity of 0 and mean none.
#[test]
fn clear_everywhere_is_opaque() {
    let file = |alphas: [u8; 3], faces: bool| {
        let text = TRIANGLE.replace(
            "property float z\n",
            "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n",
        );
        let text = text.replace("0 0 0\n", &format!("0 0 0 9 0 0 {}\n", alphas[0]));
        let text = text.replace("1 0 0\n", &format!("1 0 0 9 0 0 {}\n", alphas[1]));
        let text = text.replace("0 1 0\n", &format!("0 1 0 9 0 0 {}\n", alphas[2]));
        match faces {
            true => text,
            false => text.replace("face 1", "face 0").replace("3 0 1 2\n", ""),
        }
    };
    for faces in [true, false] {
        let scene = read_bytes(file([0; 3], faces).as_bytes(), "a.ply").unwrap();
        let p = &scene.meshes[0].primitives[0];
        assert!(p.colors.iter().all(|c| c[3] == 1.0));
        assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Opaque);
        assert_eq!(scene.problems[0].code, "clear-material");
        let scene = read_bytes(file([0, 0, 200], faces).as_bytes(), "a.ply").unwrap();
        assert_eq!(scene.meshes[0].primitives[0].colors[0][3], 0.0);
        assert_eq!(
            (scene.materials[0].alpha_mode, scene.problems.len()),
            (AlphaMode::Blend, 0)
        );
    }
}

/// SuperSplat's compressed splats: positions of 11, 10 and 11 bits within the bounds of 256 splats, colours of 8 bits.
#[test]
fn compressed_splats_are_points() {
    let bounds = ["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"];
    let tones = ["min_r", "min_g", "min_b", "max_r", "max_g", "max_b"];
    let file = |tones: &[&str], splats: &[(u32, u32)]| {
        let chunks = splats.len().div_ceil(256);
        let mut text = format!("ply\nformat binary_little_endian 1.0\nelement chunk {chunks}\n");
        for name in bounds.iter().chain(tones) {
            text += &format!("property float {name}\n");
        }
        text += &format!(
            "element vertex {}\nproperty uint packed_position\nproperty uint packed_rotation\nproperty uint packed_scale\nproperty uint packed_color\nend_header\n",
            splats.len()
        );
        let mut bytes = text.into_bytes();
        for chunk in 0..chunks {
            let x = chunk as f32 * 100.0;
            let mut row = vec![x, 10.0, -1.0, x + 1.0, 20.0, 1.0];
            row.extend([0.5, 0.0, 0.0, 1.5, 1.0, 0.5].iter().take(tones.len()));
            bytes.extend(row.iter().flat_map(|v| v.to_le_bytes()));
        }
        for (place, colour) in splats {
            for word in [*place, 0, 0, *colour] {
                bytes.extend(word.to_le_bytes());
            }
        }
        bytes
    };
    let mut splats = vec![(0, 0xff00_00ff); 256];
    splats.push((u32::MAX, 0x00ff_ffff));
    let bytes = file(&[], &splats);
    let scene = read_bytes(&bytes, "a.ply").unwrap();
    let p = &scene.meshes[0].primitives[0];
    assert_eq!((p.mode, p.positions.len()), (Mode::Points, 257));
    assert_eq!(
        (p.positions[0], p.positions[256]),
        ([0.0, 10.0, -1.0], [101.0, 20.0, 1.0])
    );
    assert_eq!(
        (p.colors[0], p.colors[256]),
        ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0])
    );
    let codes: Vec<_> = scene.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["splats-as-points"]);
    // With bounds of their own, colours beyond white are white.
    let scene = read_bytes(&file(&tones, &splats), "a.ply").unwrap();
    let p = &scene.meshes[0].primitives[0];
    let half = 0.214_041_14;
    assert!((p.colors[0][0] - 1.0).abs() < 1e-6 && p.colors[0][1] == 0.0);
    assert!((p.colors[256][0] - half).abs() < 1e-4 && (p.colors[256][2] - half).abs() < 1e-4);
    for end in 0..bytes.len() {
        assert!(read_bytes(&bytes[..end], "a.ply").is_err(), "{end}");
    }
}
