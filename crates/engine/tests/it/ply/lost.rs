//! The table of what PLY headers name: each is read, told, or changes nothing.

use crate::models::{png, read_bytes};
use crate::obj::Files;
use modelkit::open;
use modelkit::read::Input;
use modelkit::read::ply::{ELEMENTS, Loss, PROPERTIES, Treatment};
use modelkit::scene::{AlphaMode, Severity};
use modelkit::{Ctx, Scene, Silent};
use std::collections::HashMap;

/// A file with these properties of vertices, faces, strips and edges beside the usual ones; each has the value 1 or,
/// in the first row, 0.
fn file(element: &str, names: &[&str]) -> String {
    let mut text = String::from("ply\nformat ascii 1.0\n");
    let mut rows = String::new();
    for (own, basic, lines) in [
        (
            "vertex",
            "property float x\nproperty float y\nproperty float z\n",
            &["0 0 0", "2 0 0", "2 2 0", "0 2 0"][..],
        ),
        (
            "face",
            "property list uchar int vertex_indices\n",
            &["3 0 1 2", "3 0 2 3"][..],
        ),
        (
            "tristrips",
            "property list int int vertex_indices\n",
            &["3 0 1 2"][..],
        ),
        (
            "edge",
            "property int vertex1\nproperty int vertex2\n",
            &["0 1", "1 2"][..],
        ),
    ] {
        if element != own && ["tristrips", "edge"].contains(&own) {
            continue;
        }
        text += &format!("element {own} {}\n{basic}", lines.len());
        let extra: Vec<&&str> = names
            .iter()
            .filter(|name| own == element && !basic.contains(&format!(" {name}\n")))
            .collect();
        for name in &extra {
            text += &match **name {
                "texcoord" => "property list uchar float texcoord\n".to_owned(),
                name => format!("property float {name}\n"),
            };
        }
        for (i, line) in lines.iter().enumerate() {
            rows += line;
            for name in &extra {
                rows += match **name {
                    "texcoord" => " 6 0 0 1 0 1 1",
                    _ if i == 0 => " 0",
                    _ => " 1",
                };
            }
            rows += "\n";
        }
    }
    text + "end_header\n" + &rows
}

fn told(scene: &Scene) -> Vec<String> {
    scene.problems.iter().map(|p| p.message.clone()).collect()
}

fn content(text: &str) -> String {
    let mut scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
    scene.problems.clear();
    format!("{scene:?}")
}

fn words(loss: Loss) -> &'static str {
    match loss {
        Loss::Element => "种数据（element）未读取",
        Loss::Colour => "项颜色未显示",
        Loss::Coordinates => "项贴图坐标未使用",
        Loss::Value => "项属性未保留",
        Loss::Texture => "张贴图没有面使用",
        Loss::Line => "不是 PLY 的语句",
    }
}

#[test]
fn every_property_is_read_or_told_or_changes_nothing() {
    for (element, names, treatment) in PROPERTIES {
        match treatment {
            Treatment::Read => read(element, names),
            Treatment::Silent => {
                let text = file(element, names);
                assert_eq!(content(&text), content(&file(element, &[])), "{names:?}");
                assert_eq!(
                    told(&read_bytes(text.as_bytes(), "a.ply").unwrap()),
                    [""; 0],
                    "{names:?}"
                );
            }
            Treatment::Lost(loss) => {
                for name in *names {
                    let scene = read_bytes(file(element, &[name]).as_bytes(), "a.ply").unwrap();
                    let message = &told(&scene)[0];
                    assert!(
                        message.contains(words(*loss))
                            && message.contains(&format!("{element}.{name}")),
                        "{message}"
                    );
                }
            }
        }
    }
}

/// A complete group of properties of one kind shows in the scene; what lacks its companions is told.
fn read(element: &str, names: &[&str]) {
    let groups: &[&[&str]] = &[
        &["nx", "ny", "nz"],
        &["normal_x", "normal_y", "normal_z"],
        &["red", "green", "blue", "alpha"],
        &[
            "diffuse_red",
            "diffuse_green",
            "diffuse_blue",
            "diffuse_alpha",
        ],
        &["r", "g", "b", "a"],
        &["s", "t"],
        &["u", "v"],
        &["texture_u", "texture_v"],
        &["texture_s", "texture_t"],
        &["texcoord_u", "texcoord_v"],
        &["u0", "v0"],
        &["s0", "t0"],
        &["f_dc_0", "f_dc_1", "f_dc_2"],
        &["texcoord"],
    ];
    for name in names {
        // Every file has these, but for their other spelling; textures by number have a test of their own.
        if [
            "x",
            "y",
            "z",
            "vertex_indices",
            "vertex1",
            "vertex2",
            "texnumber",
        ]
        .contains(name)
        {
            continue;
        }
        if *name == "vertex_index" {
            let text = file(element, &[]);
            let other = text.replace("vertex_indices", "vertex_index");
            assert_eq!(content(&text), content(&other));
            continue;
        }
        let group = groups.iter().find(|group| group.contains(name));
        let group = group.unwrap_or_else(|| panic!("{name} has no case"));
        let text = file(element, group);
        let scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
        assert_ne!(
            content(&text),
            content(&file(element, &[])),
            "{element}.{name}"
        );
        assert!(
            told(&scene).iter().all(|m| m.contains("高斯泼溅")),
            "{:?}",
            told(&scene)
        );
        if group.len() > 1 {
            let scene = read_bytes(file(element, &[name]).as_bytes(), "a.ply").unwrap();
            let message = told(&scene).concat();
            assert!(
                message.contains(&format!("{element}.{name}")),
                "{name}: {message}"
            );
        }
    }
}

#[test]
fn other_elements_and_values_are_told_by_name() {
    for (name, treatment) in ELEMENTS {
        let text = file("", &[]).replace(
            "end_header\n",
            &format!("element {name} 1\nproperty list uchar int vertex_indices\nend_header\n"),
        );
        if *treatment == Treatment::Silent {
            let scene = read_bytes((text + "1 0\n").as_bytes(), "a.ply").unwrap();
            assert_eq!(told(&scene), [""; 0]);
        }
    }
    let text = file("", &[]).replace(
        "end_header\n",
        "element camera 1\nproperty float view_px\nelement material 0\nproperty int red\nend_header\n",
    );
    let scene = read_bytes((text + "1\n").as_bytes(), "a.ply").unwrap();
    let problem = &scene.problems[0];
    assert_eq!(problem.severity, Severity::Info);
    assert!(
        problem.message.contains("1 种") && problem.message.contains("camera"),
        "{problem:?}"
    );
    let scene = read_bytes(
        file("vertex", &["quality", "intensity"]).as_bytes(),
        "a.ply",
    )
    .unwrap();
    assert_eq!(
        told(&scene),
        ["2 项属性未保留：vertex.quality、vertex.intensity"]
    );
    // Those of splats are in the finding about splats.
    let splat = [
        "f_dc_0", "f_dc_1", "f_dc_2", "f_rest_0", "opacity", "scale_0", "rot_0",
    ];
    let scene = read_bytes(file("vertex", &splat).as_bytes(), "a.ply").unwrap();
    assert_eq!(told(&scene), [""; 0]);
}

#[test]
fn faces_have_their_own_colours() {
    let ascii = file("face", &["red", "green", "blue"]);
    let mut binary = ascii[..ascii.find("end_header").unwrap()]
        .replace("ascii", "binary_little_endian")
        .into_bytes();
    binary.extend(b"end_header\n");
    for row in [
        [0f32, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [0.0, 2.0, 0.0],
    ] {
        row.iter().for_each(|v| binary.extend(v.to_le_bytes()));
    }
    for (face, color) in [([0i32, 1, 2], 0f32), ([0, 2, 3], 1.0)] {
        binary.push(3);
        face.iter().for_each(|v| binary.extend(v.to_le_bytes()));
        (0..3).for_each(|_| binary.extend(color.to_le_bytes()));
    }
    for bytes in [ascii.into_bytes(), binary] {
        let scene = read_bytes(&bytes, "a.ply").unwrap();
        let p = &scene.meshes[0].primitives[0];
        let colors: Vec<f32> = p.indices.iter().map(|i| p.colors[*i as usize][0]).collect();
        assert_eq!(colors, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!((p.positions.len(), p.normals.len()), (6, 6));
        assert_eq!(scene.materials[0].base_color, [1.0; 4]);
        assert_eq!(scene.problems, []);
    }
    // Those of vertices win, and the loss is told.
    let both = file("face", &["red", "green", "blue"])
        .replacen(
            "property float z\n",
            "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n",
            1,
        )
        .replacen(
            "0 0 0\n2 0 0\n2 2 0\n0 2 0\n",
            "0 0 0 1 1 1\n2 0 0 1 1 1\n2 2 0 1 1 1\n0 2 0 1 1 1\n",
            1,
        );
    let scene = read_bytes(both.as_bytes(), "a.ply").unwrap();
    assert!(told(&scene)[0].contains("face.red"), "{:?}", told(&scene));
}

#[test]
fn opacity_is_shown() {
    let text = file("vertex", &["red", "green", "blue", "alpha"]);
    let scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
    assert_eq!(scene.meshes[0].primitives[0].colors[0][3], 0.0);
    assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Blend);
    let text = file("vertex", &["red", "green", "blue"]);
    let scene = read_bytes(text.as_bytes(), "a.ply").unwrap();
    assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Opaque);
}

#[test]
fn faces_choose_their_texture_by_number() {
    let text = file("face", &["texcoord", "texnumber"]).replace(
        "ascii 1.0\n",
        "ascii 1.0\ncomment TextureFile one.png\ncomment TextureFile two.png\n",
    );
    let side = Files(HashMap::from([
        ("one.png".to_owned(), png(4)),
        ("two.png".to_owned(), png(8)),
    ]));
    let read = |text: &str| {
        let input = Input {
            bytes: text.as_bytes(),
            name: "a.ply",
            side: &side,
        };
        open::read(&input, &Ctx::new(&Silent)).unwrap()
    };
    let scene = read(&text);
    let widths: Vec<u32> = scene.meshes[0]
        .primitives
        .iter()
        .map(|p| {
            let material = &scene.materials[p.material.unwrap() as usize];
            let texture = material.base_color_texture.unwrap().texture as usize;
            assert_eq!(
                (p.triangle_count(), p.positions.len(), p.uvs[0].len()),
                (1, 3, 3)
            );
            scene.images[scene.textures[texture].image as usize].width
        })
        .collect();
    assert_eq!(widths, [4, 8]);
    assert_eq!(scene.problems, []);
    // Without numbers the second has no face.
    let one = text.replace("property float texnumber\n", "property float flags\n");
    assert_eq!(told(&read(&one)), ["1 张贴图没有面使用，未读取：two.png"]);
}
