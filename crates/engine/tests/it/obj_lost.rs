//! Everything that OBJ and MTL can say is read, told, or without effect on what is seen.

use crate::models::{png, read_bytes};
use crate::obj::with_files;
use modelkit::Scene;
use modelkit::internals::{MATERIAL_STATEMENTS, ObjFate, ObjLoss, STATEMENTS};
use modelkit::scene::{AlphaMode, Severity, decode};
use serde_json::json;

const BASE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n";

fn obj(more: &str) -> Scene {
    read_bytes(format!("{BASE}{more}").as_bytes(), "a.obj").unwrap()
}

/// What is shown, and what is told.
fn looks(scene: &Scene) -> (String, Vec<String>) {
    let shown = Scene {
        problems: Vec::new(),
        ..scene.clone()
    };
    let told = scene.problems.iter().map(|p| p.message.clone()).collect();
    (format!("{shown:?}"), told)
}

/// Lines that show that a statement of OBJ is read.
fn sample(keyword: &str) -> &'static str {
    match keyword {
        "v" => "v 5 5 5\nf 1 2 -1",
        "vt" => "vt 0.5 0.5\nf 1/-1 2/-1 3/-1",
        "vn" => "vn 1 0 0\nf 1//1 2//1 3//1",
        "f" => "f 1 2 4",
        "fo" => "fo 1 2 4",
        "l" => "l 1 2 4",
        "p" => "p 4",
        "o" => "o roof\nf 1 2 4",
        "g" => "g roof\nf 1 2 4",
        "s" => "s 1\nf 1 2 4\ns 2\nf 1 4 3",
        "usemtl" => "usemtl wood\nf 1 2 4",
        "mtllib" => "mtllib none.mtl",
        other => panic!("no case for {other}"),
    }
}

#[test]
fn every_statement_of_obj_is_read_or_told_or_without_effect() {
    let (plain, none) = looks(&obj(""));
    assert!(none.is_empty(), "{none:?}");
    for (keyword, fate) in STATEMENTS {
        let line = format!("{keyword} 1 2 3 4\n");
        match fate {
            ObjFate::Read => {
                let (shown, told) = looks(&obj(sample(keyword)));
                let missing = told.iter().any(|text| text.contains("none.mtl"));
                assert!(shown != plain || missing, "{keyword}: nothing changes");
            }
            ObjFate::Silent => {
                let (shown, told) = looks(&obj(&line));
                assert!(shown == plain && told.is_empty(), "{keyword}: {told:?}");
            }
            ObjFate::Lost(loss) => {
                let scene = obj(&line.repeat(2));
                let [problem] = &scene.problems[..] else {
                    panic!("{keyword}: {:?}", scene.problems);
                };
                let named = loss == ObjLoss::Curve || problem.message.contains(keyword);
                let text = &problem.message;
                assert!(named && text.contains(" 2 ") && !problem.advice.is_empty());
                assert_eq!(problem.severity, Severity::Warning, "{keyword}");
                assert_eq!(looks(&scene).0, plain, "{keyword}");
            }
        }
    }
}

#[test]
fn what_is_no_statement_is_counted_and_named() {
    let scene = obj("vv 1 2 3\nlight 1\nlight 2\n#unknown 1\n\0\0\0\0\nusemap off\n");
    let [problem] = &scene.problems[..] else {
        panic!("{:?}", scene.problems);
    };
    assert_eq!(problem.code, "bad-lines");
    for part in ["3 行", "vv", "light"] {
        assert!(problem.message.contains(part), "{problem:?}");
    }
}

#[test]
fn every_strange_statement_of_a_large_file_is_counted() {
    // More than one chunk.
    let scene = obj(&"light 1 2 3 4 5 6 7 8 9 10\n".repeat(400_000));
    let [problem] = &scene.problems[..] else {
        panic!("{:?}", scene.problems);
    };
    assert!(problem.message.contains("400000 行"), "{problem:?}");
    assert!(problem.message.ends_with("：light"), "{problem:?}");
}

#[test]
fn a_file_of_strange_statements_is_refused_by_their_names() {
    let refused = read_bytes(b"V 0 0 0\nV 1 0 0\nV 0 1 0\nF 1 2 3\n", "a.obj").unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("V、F") && text.contains("小写"), "{text}");
}

#[test]
fn references_to_nothing_and_lines_of_one_point_are_told() {
    let scene = obj("f 1/9 2/2 3/3\nf 1//7 2//7 3//7\nf 1/1 2/2 4/3\n");
    assert_eq!(scene.triangle_count(), 4);
    let [problem] = &scene.problems[..] else {
        panic!("{:?}", scene.problems);
    };
    assert!(problem.code == "index-out-of-range" && problem.message.contains("2 个面"));
    assert_eq!(obj("l 4\n").problems[0].code, "bad-lines");
}

#[test]
fn colours_of_zbrush_are_read() {
    let scene = obj("#MRGB ff0000ffff00ff00ffff0000\n#MRGB 00808080\n");
    let colors = &scene.meshes[0].primitives[0].colors;
    assert_eq!(
        colors[..],
        [
            [0.0, 0.0, 1.0, 1.0],
            [0.0, 1.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 1.0]
        ]
    );
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
    let scene = obj("#MRGB ff0000ffff00ff00\n");
    assert!(scene.meshes[0].primitives[0].colors.is_empty());
    assert!(scene.problems[0].message.contains("#MRGB"));
}

/// A triangle of a material with these statements.
fn mtl(statements: &str) -> Scene {
    let library = format!("newmtl 木头\n{statements}\nnewmtl unused\nmap_Ks other.png\n");
    let picture = png(4);
    with_files(
        &format!("mtllib m.mtl\nusemtl 木头\n{BASE}"),
        &[("m.mtl", library.as_bytes()), ("a.png", &picture)],
    )
}

/// Statements that show that one is read.
fn setting(keyword: &str) -> &'static str {
    match keyword {
        "kd" | "ke" => "0.25 0.5 0.75",
        "ns" => "90",
        "pcr" => "0.5\nPc 1",
        "d" | "tr" | "pr" | "pm" | "pc" => "0.25",
        map if map.starts_with("map_") || ["bump", "norm"].contains(&map) => "a.png",
        other => panic!("no case for {other}"),
    }
}

#[test]
fn every_statement_of_mtl_is_read_or_told_or_without_effect() {
    let (plain, none) = looks(&mtl("Kd 0.5 0.5 0.5"));
    assert!(none.is_empty(), "{none:?}");
    for (keyword, fate) in MATERIAL_STATEMENTS {
        let with = |value: &str| mtl(&format!("Kd 0.5 0.5 0.5\n{keyword} {value}"));
        match fate {
            ObjFate::Read if keyword == "newmtl" => {}
            ObjFate::Read if keyword == "kd" => {
                let scene = mtl("Kd 0.25 0.5 0.75");
                assert_ne!(looks(&scene).0, plain);
            }
            ObjFate::Read => {
                let scene = with(setting(keyword));
                assert_ne!(looks(&scene).0, plain, "{keyword}: nothing changes");
                assert!(scene.problems.is_empty(), "{keyword}: {:?}", scene.problems);
            }
            ObjFate::Silent => {
                let (shown, told) = looks(&with("0.25 0.5 0.75"));
                assert!(shown == plain && told.is_empty(), "{keyword}: {told:?}");
            }
            ObjFate::Lost(loss) => {
                let value = match loss {
                    ObjLoss::Map => "a.png",
                    _ => "0.25 0.5 0.75",
                };
                let scene = with(value);
                let [problem] = &scene.problems[..] else {
                    panic!("{keyword}: {:?}", scene.problems);
                };
                assert_eq!(
                    (problem.code, problem.place.as_str()),
                    ("unread-data", "材质 木头")
                );
                let named = loss != ObjLoss::Map || problem.message.contains(keyword);
                assert!(named && !problem.advice.is_empty(), "{problem:?}");
                assert_eq!(looks(&scene).0, plain, "{keyword}");
            }
        }
    }
}

#[test]
fn what_exporters_write_by_default_is_not_told() {
    // Of Blender, 3ds Max and Maya: grey highlights, no filter, maps without names.
    let scene = mtl(
        "Ns 250\nKa 1 1 1\nKs 0.5 0.5 0.5\nKe 0 0 0\nNi 1.45\nd 1\nillum 2\nPs 0\naniso 0\nanisor 0\n\
         Tf 1 1 1\nTr 0\nmap_Ka a.png\nmap_Kd a.png\nmap_Ks\nmap_Bump -bm 1 -imfchan l -mm 0 1 -t 0 0 0 a.png",
    );
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
}

#[test]
fn what_a_material_loses_has_words_of_its_own() {
    for (statements, code, words) in [
        ("Kd spectral a.rfl 1", "unread-data", "spectral"),
        ("Kd xyz 0.3 0.4 0.5", "unread-data", "xyz"),
        ("Ks 1 0.2 0", "unread-data", "Ks"),
        ("map_Kd a.png\nmap_Ka b.png", "unread-data", "map_ka"),
        ("norm a.png\nbump b.png", "unread-data", "凹凸"),
        ("map_Kd -cc on a.png", "unread-data", "-cc"),
        ("map_Kd -mm 0.1 2 a.png", "unread-data", "-mm"),
        ("map_Kd -t 0.5 a.png", "unread-data", "-t"),
        ("map_Kd -imfchan r a.png", "unread-data", "-imfchan"),
        ("d -halo 0.5", "unread-data", "-halo"),
        ("d 0", "clear-material", "完全透明"),
        ("Tr 1", "clear-material", "完全透明"),
        ("Kd red", "unread-data", "kd"),
        ("texture a.png", "unread-data", "texture"),
        ("\nnewmtl 木头\nKd 1 0 0", "unread-data", "重名"),
    ] {
        let scene = mtl(statements);
        let told = scene
            .problems
            .iter()
            .find(|p| p.message.contains(words))
            .unwrap_or_else(|| panic!("{statements}: {:?}", scene.problems));
        assert_eq!(
            (told.code, told.place.as_str()),
            (code, "材质 木头"),
            "{statements}"
        );
    }
    assert_eq!(mtl("d -halo 0.5").materials[0].base_color[3], 0.5);
    assert_eq!(mtl("d -halo 0.5").materials[0].alpha_mode, AlphaMode::Blend);
}

#[test]
fn coats_and_bright_emission_are_read() {
    let material = &mtl("Pc 0.8\nPcr 0.25\nKe 6 3 0").materials[0];
    assert_eq!(
        material.extensions["KHR_materials_clearcoat"],
        json!({"clearcoatFactor": 0.8f32, "clearcoatRoughnessFactor": 0.25})
    );
    assert_eq!(
        material.extensions["KHR_materials_emissive_strength"],
        json!({"emissiveStrength": 6.0})
    );
    let [r, g, b] = material.emissive;
    assert!((r - 1.0).abs() < 1e-6 && (g - 0.21404).abs() < 1e-4 && b == 0.0);
}

#[test]
fn maps_of_single_values_use_the_channel_that_is_stated() {
    // Red grows to the right, green downwards, blue is 90.
    let pixel = |statements: &str, base: bool| {
        let scene = mtl(statements);
        let material = &scene.materials[0];
        let texture = match base {
            true => material.base_color_texture,
            false => material.metallic_roughness_texture,
        };
        let texture = &scene.textures[texture.unwrap().texture as usize];
        let bytes = &scene.images[texture.image as usize].bytes;
        let limits = modelkit::limits::Limits::default();
        decode(bytes, &limits).unwrap().to_rgba8().get_pixel(3, 1).0
    };
    for (channel, value) in [("r", 3), ("g", 1), ("b", 90), ("m", 255)] {
        let statement = format!("map_d -imfchan {channel} a.png");
        assert_eq!(pixel(&statement, true)[3], value, "{statement}");
    }
    let packed = pixel("map_Pr -imfchan g a.png\nmap_Pm -imfchan b a.png", false);
    assert_eq!(packed[1..3], [1, 90]);
    let swapped = pixel("map_Pr -imfchan b a.png\nmap_Pm -imfchan r a.png", false);
    assert_eq!(swapped[1..3], [90, 3]);
}
