//! 3DS files from hand-written chunks.

use crate::models::{png, read_bytes};
use modelkit::read::{Input, SideFiles};
use modelkit::{Ctx, Scene, Silent, open};
use std::borrow::Cow;

pub fn chunk(id: u16, body: &[u8]) -> Vec<u8> {
    let mut out = id.to_le_bytes().to_vec();
    out.extend((body.len() as u32 + 6).to_le_bytes());
    out.extend(body);
    out
}

pub fn name(text: &[u8]) -> Vec<u8> {
    [text, b"\0"].concat()
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn words(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// A unit square in the x-z plane (z is up), two triangles, the second with a material.
pub fn square(title: &[u8], frame: &[f32]) -> Vec<u8> {
    let vertices = [
        words(&[4]),
        floats(&[0., 0., 0., 1., 0., 0., 1., 0., 1., 0., 0., 1.]),
    ];
    let uvs = [words(&[4]), floats(&[0., 0., 1., 0., 1., 1., 0., 1.])];
    let material = [name("砖墙".as_bytes()), words(&[1, 1])].concat();
    let groups = [1u32.to_le_bytes(), 1u32.to_le_bytes()].concat();
    let faces = [
        words(&[2, 0, 1, 2, 7, 0, 2, 3, 7]),
        chunk(0x4130, &material),
        chunk(0x4150, &groups),
    ];
    let mesh = [
        chunk(0x4110, &vertices.concat()),
        chunk(0x4140, &uvs.concat()),
        chunk(0x4160, &floats(frame)),
        chunk(0x4120, &faces.concat()),
    ];
    chunk(
        0x4000,
        &[name(title), chunk(0x4100, &mesh.concat())].concat(),
    )
}

pub const STRAIGHT: [f32; 12] = [1., 0., 0., 0., 1., 0., 0., 0., 1., 0.5, 0., 0.5];

fn material() -> Vec<u8> {
    let map = [
        chunk(0xa300, &name(b"WALL.PNG")),
        chunk(0xa356, &floats(&[2.0])),
    ];
    chunk(
        0xafff,
        &[
            chunk(0xa000, &name("砖墙".as_bytes())),
            chunk(0xa020, &chunk(0x0011, &[255, 0, 0])),
            chunk(0xa050, &chunk(0x0030, &words(&[25]))),
            chunk(0xa200, &map.concat()),
            chunk(0xa081, &[]),
        ]
        .concat(),
    )
}

pub fn file(editor: &[Vec<u8>], rest: &[Vec<u8>]) -> Vec<u8> {
    let editor = chunk(0x3d3d, &editor.concat());
    let version = chunk(0x0002, &3u32.to_le_bytes());
    chunk(0x4d4d, &[version, editor, rest.concat()].concat())
}

fn plain() -> Vec<u8> {
    let unit = chunk(0x0100, &floats(&[100.0 / 2.54]));
    file(&[unit, material(), square(b"Wall", &STRAIGHT)], &[])
}

/// A track with one key.
pub fn key(id: u16, values: &[f32]) -> Vec<u8> {
    let mut body = vec![0; 10];
    body.extend(1u32.to_le_bytes());
    body.extend([0; 6]);
    body.extend(floats(values));
    chunk(id, &body)
}

pub fn node(number: u16, object: &[u8], parent: u16, at: [f32; 3]) -> Vec<u8> {
    let header = [name(object), words(&[0, 0, parent])].concat();
    chunk(
        0xb002,
        &[
            chunk(0xb030, &words(&[number])),
            chunk(0xb010, &header),
            chunk(0xb013, &floats(&[0.0; 3])),
            key(0xb020, &at),
        ]
        .concat(),
    )
}

struct Wall;

impl SideFiles for Wall {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (name == "WALL.PNG").then(|| Cow::Owned(png(8)))
    }
}

fn read_with_wall(bytes: &[u8]) -> Scene {
    let input = Input {
        bytes,
        name: "wall.3ds",
        side: &Wall,
    };
    open::read(&input, &Ctx::new(&Silent)).unwrap()
}

#[test]
fn geometry_is_y_up_in_metres_with_its_pivot() {
    let scene = read_with_wall(&plain());
    assert_eq!(scene.format, "3ds");
    assert_eq!(scene.units.up_axis, "Z");
    assert_eq!(scene.triangle_count(), 2);
    let bounds = scene.bounds();
    // z of the file is y here, and 39.37 inches are one metre.
    for (found, wanted) in bounds.max.iter().zip([1.0, 1.0, 0.0]) {
        assert!((found - wanted).abs() < 1e-4, "{bounds:?}");
    }
    let wall = &scene.nodes[scene.roots[0] as usize];
    assert_eq!(wall.name, "Wall");
    let pivot = wall.transform.matrix();
    assert!((pivot[12] - 0.5).abs() < 1e-4 && (pivot[13] - 0.5).abs() < 1e-4);
    assert_eq!(scene.meshes[0].primitives.len(), 2);
}

#[test]
fn materials_carry_colour_opacity_and_texture() {
    let scene = read_with_wall(&plain());
    let material = &scene.materials[0];
    assert_eq!(material.name, "砖墙");
    assert!(material.double_sided);
    assert!((material.base_color[3] - 0.75).abs() < 1e-6);
    let texture = material.base_color_texture.unwrap();
    assert_eq!(texture.transform.unwrap().scale, [1.0, 2.0]);
    assert_eq!(scene.images.len(), 1);
    let used = &scene.meshes[0].primitives[1];
    assert_eq!(used.material, Some(0));
    // v runs downwards in glTF.
    assert!(used.uvs[0].contains(&[0.0, 1.0]) && used.uvs[0].contains(&[1.0, 0.0]));
    let missing = read_bytes(&plain(), "wall.3ds").unwrap();
    assert!(missing.problems.iter().any(|p| p.code == "missing-texture"));
}

#[test]
fn a_mirrored_frame_keeps_shape_and_winding() {
    let mirrored = [-1., 0., 0., 0., 1., 0., 0., 0., 1., 0.5, 0., 0.5];
    let one = read_with_wall(&plain());
    let unit = chunk(0x0100, &floats(&[100.0 / 2.54]));
    let two = read_with_wall(&file(&[unit, square(b"Wall", &mirrored)], &[]));
    assert_eq!(
        one.bounds().max.map(|v| v.round()),
        two.bounds().max.map(|v| v.round())
    );
    let world = two.world_matrices();
    assert!(modelkit::scene::math::determinant(&world[0]) > 0.0);
}

#[test]
fn the_keyframer_gives_tree_and_instances() {
    let keys = [
        node(0, b"Wall", 0xffff, [0.5, 0.0, 0.5]),
        node(1, b"$$$DUMMY", 0, [0.0; 3]),
        node(2, b"Wall", 1, [10.0, 0.0, 0.0]),
    ];
    let unit = chunk(0x0100, &floats(&[100.0 / 2.54]));
    let keys = chunk(0xb000, &keys.concat());
    let scene = read_with_wall(&file(&[unit, square(b"Wall", &STRAIGHT)], &[keys]));
    assert_eq!(
        (scene.roots.len(), scene.nodes.len(), scene.meshes.len()),
        (1, 3, 1)
    );
    // The second wall is ten units further along x than the first one's pivot.
    assert!(
        (scene.bounds().max[0] - 11.0).abs() < 1e-3,
        "{:?}",
        scene.bounds()
    );
    assert!(scene.bounds().min[0].abs() < 1e-3);
}

#[test]
fn links_in_a_circle_end() {
    let keys = [node(0, b"Wall", 1, [0.0; 3]), node(1, b"Wall", 0, [0.0; 3])];
    let keys = chunk(0xb000, &keys.concat());
    let scene = read_with_wall(&file(&[square(b"Wall", &STRAIGHT)], &[keys]));
    assert_eq!(scene.walk().len(), scene.nodes.len());
}

#[test]
fn truncated_and_lying_files_are_errors_or_noted() {
    let bytes = plain();
    for end in 0..bytes.len() {
        assert!(read_bytes(&bytes[..end], "a.3ds").is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for value in [0, 0x7f, 0xff] {
            let mut broken = bytes.clone();
            broken[at] = value;
            let _ = read_bytes(&broken, "a.3ds");
        }
    }
    let empty = file(&[material()], &[]);
    assert_eq!(
        read_bytes(&empty, "a.3ds").unwrap_err().code(),
        "empty-model"
    );
    // Triangles with corners beyond the vertices are left out.
    let mut square = square(b"Wall", &STRAIGHT);
    let faces = square.windows(4).position(|w| w == [1, 0, 2, 0]).unwrap();
    square[faces] = 200;
    let scene = read_with_wall(&file(&[square], &[]));
    assert_eq!(scene.triangle_count(), 1);
}
