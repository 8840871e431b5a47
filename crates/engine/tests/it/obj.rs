//! OBJ and MTL: real and hostile files.

use crate::models::{png, read_bytes, write_bytes};
use modelkit::open::read;
use modelkit::read::{Input, SideFiles};
use modelkit::scene::{AlphaMode, Mode, Primitive};
use modelkit::{Ctx, Scene, Silent};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;

/// Side files by exact name.
pub struct Files(pub HashMap<String, Vec<u8>>);

impl SideFiles for Files {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0
            .get(name)
            .map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

pub fn with_files(obj: &str, files: &[(&str, &[u8])]) -> Scene {
    let side = Files(
        files
            .iter()
            .map(|(n, b)| ((*n).to_owned(), b.to_vec()))
            .collect(),
    );
    let input = Input {
        bytes: obj.as_bytes(),
        name: "model.obj",
        side: &side,
    };
    read(&input, &Ctx::new(&Silent)).unwrap()
}

fn only(scene: &Scene) -> &Primitive {
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(scene.meshes[0].primitives.len(), 1);
    &scene.meshes[0].primitives[0]
}

fn codes(scene: &Scene) -> Vec<&'static str> {
    scene.problems.iter().map(|p| p.code).collect()
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn indices_may_be_negative_continued_and_oddly_spaced() {
    let text = "# comment\r\n  v\t0 0  0 \r\nv 1 0 0\r\nv 1 1 \\\r\n 0\r\nv 0 1 0\r\n\r\nf -4 -3 \\\r\n-2 -1\r\n";
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    let p = only(&scene);
    assert_eq!((p.triangle_count(), p.positions.len()), (2, 4));
    assert!(p.normals.iter().all(|n| (n[2] - 1.0).abs() < 1e-6));
    assert_eq!(scene.units.source, "unknown(m assumed)");
    // Classic Mac line ends.
    let scene = read_bytes(text.replace("\r\n", "\r").as_bytes(), "a.obj").unwrap();
    assert_eq!(scene.triangle_count(), 2);
}

#[test]
fn relative_indices_reach_over_the_parts_read_in_parallel() {
    // Far more than one chunk, each face with relative indices.
    let mut text = String::new();
    for i in 0..60_000 {
        text += &format!("v {i} 0 0\nv {i} 1 0\nv {i} 0 1\nf -3 -2 -1\n");
    }
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    assert_eq!(
        (scene.triangle_count(), scene.vertex_count()),
        (60_000, 180_000)
    );
    let p = only(&scene);
    for triangle in p.indices.chunks_exact(3) {
        let x = triangle
            .iter()
            .map(|&i| p.positions[i as usize][0])
            .collect::<Vec<_>>();
        assert!(x[0] == x[1] && x[1] == x[2]);
    }
}

#[test]
fn objects_groups_and_materials_part_the_model() {
    let text = format!(
        "{SQUARE}o body\ng left\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\ng right\nusemtl red\nf 1 2 4\no body\ng left\nf 2 3 4\n"
    );
    let mtl = b"newmtl red\nKd 1 0 0\nNs 98\nnewmtl blue\nKd 0 0 1\nd 0.5\nPm 1\nPr 0.25\n";
    let scene = with_files(&format!("mtllib x.mtl\n{text}"), &[("x.mtl", mtl)]);
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["body/left", "body/right"]);
    assert_eq!(scene.meshes[0].primitives.len(), 2);
    assert_eq!(scene.meshes[0].primitives[0].triangle_count(), 2);
    let red = scene.materials.iter().find(|m| m.name == "red").unwrap();
    assert_eq!(red.base_color, [1.0, 0.0, 0.0, 1.0]);
    assert!((red.roughness - 0.02f32.sqrt()).abs() < 1e-6);
    let blue = scene.materials.iter().find(|m| m.name == "blue").unwrap();
    assert_eq!(
        (blue.metallic, blue.roughness, blue.alpha_mode),
        (1.0, 0.25, AlphaMode::Blend)
    );
}

#[test]
fn concave_faces_keep_their_area_and_loops_their_corners() {
    let text = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nf 1 2 3 4 5\n";
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    let p = only(&scene);
    let mut area = 0.0;
    for t in p.indices.chunks_exact(3) {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| p.positions[i as usize]);
        area += ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0;
    }
    assert_eq!(p.triangle_count(), 3);
    assert!((area - 2.5).abs() < 1e-6, "{area}");
}

#[test]
fn colours_lines_points_and_units() {
    let text = "# File units = centimeters\nv 0 0 0 1 0 0\nv 100 0 0 0 1 0\nv 0 100 0 0 0 1\nf 1 2 3\nl 1 2 3\np 3\n";
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    let modes: Vec<Mode> = scene.meshes[0].primitives.iter().map(|p| p.mode).collect();
    assert_eq!(modes, [Mode::Triangles, Mode::Lines, Mode::Points]);
    assert_eq!(
        scene.meshes[0].primitives[0].colors[0],
        [1.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(scene.units.source, "cm");
    assert!((scene.bounds().size()[0] - 1.0).abs() < 1e-6);
    let cloud = read_bytes(b"v 0 0 0\nv 1 2 3\n", "a.obj").unwrap();
    assert_eq!(
        (only(&cloud).mode, only(&cloud).positions.len()),
        (Mode::Points, 2)
    );
}

#[test]
fn smoothing_groups_are_obeyed() {
    let fold = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\n";
    let smooth = read_bytes(format!("{fold}s 1\nf 1 3 2\nf 1 2 4\n").as_bytes(), "a.obj").unwrap();
    assert_eq!(only(&smooth).positions.len(), 4);
    let hard = read_bytes(
        format!("{fold}s 1\nf 1 3 2\ns 2\nf 1 2 4\n").as_bytes(),
        "a.obj",
    )
    .unwrap();
    assert_eq!(only(&hard).positions.len(), 6);
}

#[test]
fn textures_become_pbr_maps() {
    let mtl = "newmtl m\nKd 0 0 0\nmap_Kd -s 2 2 1 wood.png\nmap_Bump -bm 0.5 bump.png\nmap_Pr r.png\nmap_Pm m.png\nmap_d d.png\nmap_Ke wood.png\n";
    let image = png(32);
    let obj = format!("mtllib m.mtl\n{SQUARE}vt 0 0\nvt 1 0\nvt 1 1\nusemtl m\nf 1/1 2/2 3/3\n");
    let files = ["wood.png", "bump.png", "r.png", "m.png", "d.png"].map(|n| (n, image.as_slice()));
    let mut all = vec![("m.mtl", mtl.as_bytes())];
    all.extend(files);
    let scene = with_files(&obj, &all);
    let m = &scene.materials[0];
    assert_eq!(m.base_color, [1.0; 4]);
    let base = m.base_color_texture.unwrap();
    assert_eq!(base.transform.unwrap().scale, [2.0, 2.0]);
    assert!(m.normal_texture.is_some() && m.metallic_roughness_texture.is_some());
    assert_eq!((m.emissive, m.roughness, m.metallic), ([1.0; 3], 1.0, 1.0));
    // Derived: colour with alpha, normals, packed channels; unchanged: the emissive one.
    assert_eq!(scene.images.len(), 4);
    assert_eq!(only(&scene).uvs[0][0], [0.0, 1.0]);
}

#[test]
fn what_is_missing_is_named() {
    let obj = format!("mtllib 材质.mtl\n{SQUARE}usemtl a\nf 1 2 3\n");
    let scene = with_files(&obj, &[]);
    assert_eq!(codes(&scene), ["missing-material-library"]);
    assert!(scene.problems[0].message.contains("材质.mtl"));
    let mtl = "newmtl a\nmap_Kd C:\\tex\\Wood.PNG\n";
    let scene = with_files(&obj, &[("材质.mtl", mtl.as_bytes())]);
    assert_eq!(codes(&scene), ["missing-texture"]);
    assert_eq!(scene.problems[0].message, "找不到贴图 Wood.PNG");
    assert_eq!(scene.problems[0].place, "材质 a");
}

#[test]
fn bad_numbers_and_indices_are_dropped_and_counted() {
    let text = format!(
        "{SQUARE}v nan 0 0\nf 1 2 3\nf 1 2 99\nf 1 2 -99\nf 1 2 5\nf 0 1 2\nf 1 2\nf 1 x 3\nf 1 2 99999999999999999999\n"
    );
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    assert_eq!(scene.triangle_count(), 1);
    let codes = codes(&scene);
    for code in ["bad-lines", "index-out-of-range", "nan-positions"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    for text in ["", "# nothing\n", "v 0 0\nf 1 1 1\n", "v 0 0 0\nf 1 2 3\n"] {
        assert!(read_bytes(text.as_bytes(), "a.obj").is_err(), "{text}");
    }
}

#[test]
fn zip_round_trip_keeps_counts_materials_and_textures() {
    for kind in ["vase", "gears", "city"] {
        let scene = modelkit::sample::generate(kind, Some(4000), 1).unwrap();
        let drawn = drawn_triangles(&scene);
        let back = read_bytes(&write_bytes(&scene, "a.zip", false), "a.zip").unwrap();
        assert_eq!(back.format, "obj");
        assert_eq!(back.triangle_count(), drawn, "{kind}");
        let used: std::collections::HashSet<_> = scene
            .meshes
            .iter()
            .flat_map(|m| &m.primitives)
            .map(|p| p.material)
            .collect();
        assert_eq!(back.materials.len(), used.len(), "{kind}");
        let (a, b) = (scene.bounds(), back.bounds());
        for axis in 0..3 {
            assert!((a.size()[axis] - b.size()[axis]).abs() <= a.diagonal() * 1e-5);
        }
        for material in &back.materials {
            let name = material.name.replace('_', " ");
            let old = scene.materials.iter().find(|m| m.name == name).unwrap();
            assert_eq!(old.base_color, material.base_color, "{kind} {name}");
            assert_eq!(
                old.base_color_texture.is_some(),
                material.base_color_texture.is_some()
            );
            assert!((old.metallic - material.metallic).abs() < 1e-6);
        }
        assert!(codes(&back).is_empty(), "{:?}", back.problems);
    }
}

/// Triangles, counting every use of a mesh.
pub fn drawn_triangles(scene: &Scene) -> usize {
    let of = |mesh: u32| {
        scene.meshes[mesh as usize]
            .primitives
            .iter()
            .map(Primitive::triangle_count)
            .sum::<usize>()
    };
    scene.nodes.iter().filter_map(|n| n.mesh).map(of).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_statements_never_panic(lines in prop::collection::vec(
        prop_oneof![
            r"v( -?[0-9.]{1,4}){0,7}", r"vt [0-9 .-]{0,9}", r"vn [0-9 .-]{0,12}",
            r"f( -?[0-9]{1,2}(/-?[0-9]{0,2}){0,3}){0,9}", r"[lp]( -?[0-9]{1,3}){0,5}",
            r"(o|g|s|usemtl|mtllib) \PC{0,6}", r"\PC{0,20}\\?",
        ], 0..60))
    {
        let _ = read_bytes(lines.join("\n").as_bytes(), "a.obj");
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_bytes(&bytes, "a.obj");
        let mut text = b"v 0 0 0\nmtllib a\n".to_vec();
        text.extend(&bytes);
        let _ = read_bytes(&text, "a.obj");
        let side = Files(HashMap::from([("a".to_owned(), bytes)]));
        let obj = b"mtllib a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
        let input = Input { bytes: obj, name: "a.obj", side: &side };
        prop_assert!(read(&input, &Ctx::new(&Silent)).is_ok());
    }
}

/// Four numbers behind a position: a colour with its opacity, or a weight and a colour.
#[test]
fn colours_with_an_opacity() {
    let file = |four: [&str; 3]| {
        let [a, b, c] = four;
        format!("v 0 0 0 {a}\nv 1 0 0 {b}\nv 0 1 0 {c}\nf 1 2 3\n")
    };
    let read = |four| {
        let scene = read_bytes(file(four).as_bytes(), "a.obj").unwrap();
        let p = only(&scene);
        let colors: Vec<[f32; 4]> = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
            .iter()
            .map(|xy| p.colors[p.positions.iter().position(|p| p[..2] == *xy).unwrap()])
            .collect();
        (colors, scene.materials[0].alpha_mode)
    };
    let (red, green, blue) = (
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 1.0],
    );
    let (colors, mode) = read(["1 0 0 1", "0 1 0 1", "0 0 1 1"]);
    assert_eq!((colors, mode), (vec![red, green, blue], AlphaMode::Opaque));
    let (colors, mode) = read(["1 0 0 0.5", "0 1 0 1", "0 0 1 1"]);
    assert_eq!(
        (colors, mode),
        (vec![[1.0, 0.0, 0.0, 0.5], green, blue], AlphaMode::Blend)
    );
    let (colors, mode) = read(["255 0 0 51", "0 255 0 255", "0 0 255 255"]);
    assert_eq!(
        (colors, mode),
        (vec![[1.0, 0.0, 0.0, 0.2], green, blue], AlphaMode::Blend)
    );
    // The weight of all vertices is one.
    let (colors, mode) = read(["1.0 1 0 0", "1.0 0 1 0", "1.0 0 0 1"]);
    assert_eq!((colors, mode), (vec![red, green, blue], AlphaMode::Opaque));
    // Some with three numbers, some with four.
    let (colors, _) = read(["1 0 0", "0 1 0 1", "0 0 1"]);
    assert_eq!(colors, vec![red, green, blue]);
    // An opacity of 0 everywhere is none.
    let scene = read_bytes(file(["1 0 0 0", "0 1 0 0", "0 0 1 0"]).as_bytes(), "a.obj").unwrap();
    assert_eq!(
        (only(&scene).colors[0][3], scene.materials[0].alpha_mode),
        (1.0, AlphaMode::Opaque)
    );
    assert!(
        codes(&scene).contains(&"clear-material"),
        "{:?}",
        scene.problems
    );
}

#[test]
fn garbage_is_no_text() {
    let mut bytes = b"o \x01\x02\x03\x00\x05".to_vec();
    bytes.extend((0..2000u32).flat_map(|i| (i.wrapping_mul(2_654_435_761)).to_le_bytes()));
    let error = read_bytes(&bytes, "a.obj").unwrap_err().to_string();
    assert!(
        error.contains("不是 OBJ 文本") && error.chars().all(|c| !c.is_control()),
        "{error}"
    );
    let error = read_bytes(b"V 0 0 0\nF 1 2 3\n", "a.obj")
        .unwrap_err()
        .to_string();
    assert!(error.contains("不认识的语句"), "{error}");
}
