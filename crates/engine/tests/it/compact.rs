//! What a source holds compactly is written compactly; a file larger than its source is told.

use crate::models::{animated, json_of, read_bytes, sphere, textured, write_bytes};
use crate::preview::modelkit as run;
use crate::validator::assert_valid;
use modelkit::Scene;
use modelkit::scene::{Material, MorphTarget, Node, Primitive, Transform, math};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;

/// Every form of a GLB: the command's arguments after input and output.
pub const FORMS: [(&str, &[&str]); 6] = [
    ("convert", &[]),
    ("convert", &["--compress"]),
    ("convert", &["--draco"]),
    ("lighten", &["--ratio", "1", "--plain"]),
    ("lighten", &["--ratio", "1"]),
    ("lighten", &["--ratio", "1", "--draco"]),
];

/// What a command makes of a GLB, and its answer.
pub fn made(source: &[u8], command: &str, options: &[&str]) -> (Vec<u8>, Value) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.glb"), source).unwrap();
    let answer = run(
        &[&[command, "a.glb", "b.glb"], options].concat(),
        dir.path(),
    );
    (fs::read(dir.path().join("b.glb")).unwrap(), answer)
}

fn preview(source: &[u8], name: &str) -> (Vec<u8>, Value) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(name), source).unwrap();
    let answer = run(&["check", name, "--preview", "p.glb"], dir.path());
    (fs::read(dir.path().join("p.glb")).unwrap(), answer)
}

pub fn told(answer: &Value) -> Option<&Value> {
    let problems = answer["problems"].as_array().unwrap();
    problems.iter().find(|p| p["code"] == "larger-than-source")
}

/// A sphere with targets: one that moves three vertices and turns one of them, one that moves nothing, one that moves
/// all, and twenty that move five each.
fn face() -> Scene {
    let mut p = sphere(40, 1.0);
    let count = p.positions.len();
    let still = vec![[0.0; 3]; count];
    let mut few = MorphTarget {
        positions: still.clone(),
        normals: still.clone(),
        ..MorphTarget::default()
    };
    for i in [7, 900, count - 3] {
        few.positions[i] = [0.25, -0.5, 0.125];
    }
    few.normals[900] = [0.0, -0.25, 0.5];
    let none = MorphTarget {
        positions: still.clone(),
        normals: still.clone(),
        ..MorphTarget::default()
    };
    let all = MorphTarget {
        positions: p.positions.iter().map(|v| v.map(|c| c * 0.25)).collect(),
        normals: still.clone(),
        ..MorphTarget::default()
    };
    p.targets = vec![few, none, all];
    for target in 0..20 {
        let mut rows = still.clone();
        for k in 0..5 {
            rows[(target * 131 + k * 17 + 40) % count] = [0.0, 0.125 * (k + 1) as f32, 0.0];
        }
        p.targets.push(MorphTarget {
            positions: rows,
            ..MorphTarget::default()
        });
    }
    let mut scene = Scene::default();
    let mesh = scene.add_mesh("face", vec![p]);
    scene.meshes[0].weights = vec![0.0; 23];
    scene.add_node(
        Node {
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    scene
}

/// Place and offset in the world and turn of each moved vertex of each target, independent of the order of vertices.
fn moves(scene: &Scene) -> Vec<Vec<[i32; 9]>> {
    let node = scene.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
    let world = scene.world_matrices()[node];
    let p = &scene.meshes[0].primitives[0];
    // What no triangle uses may go.
    let used: HashSet<u32> = p.indices.iter().copied().collect();
    let whole = |v: [f64; 3]| v.map(|c| (c * 200.0).round() as i32);
    let target = |t: &MorphTarget| {
        let mut rows: Vec<[i32; 9]> = (0..p.positions.len())
            .filter(|i| used.contains(&(*i as u32)))
            .map(|i| (i, math::direction(&world, t.positions[i])))
            .filter(|(_, offset)| offset.iter().any(|c| c.abs() > 1e-3))
            .map(|(i, offset)| {
                let turn = t.normals.get(i).copied().unwrap_or_default();
                let place = math::point(&world, p.positions[i]);
                let [a, b, c] = [place, offset, turn.map(f64::from)].map(whole);
                [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
            })
            .collect();
        rows.sort_unstable();
        rows
    };
    p.targets.iter().map(target).collect()
}

/// Whether two lists hold the same rows, up to a unit in each number; equal vertices may have been merged.
fn alike(a: &[[i32; 9]], b: &[[i32; 9]]) -> bool {
    let near = |a: &[i32; 9], b: &[i32; 9]| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1);
    let all = |a: &[[i32; 9]], b: &[[i32; 9]]| a.iter().all(|row| b.iter().any(|o| near(row, o)));
    all(a, b) && all(b, a)
}

#[test]
fn targets_that_move_few_vertices_are_sparse_in_every_form() {
    let scene = face();
    let wanted = moves(&scene);
    let source = write_bytes(&scene, "a.glb", false);
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (i, (command, options)) in FORMS.into_iter().enumerate() {
        let (bytes, _) = made(&source, command, options);
        let json = json_of(&bytes);
        let accessors = json["accessors"].as_array().unwrap();
        let targets = json["meshes"][0]["primitives"][0]["targets"]
            .as_array()
            .unwrap();
        let accessor = |target: usize, name: &str| {
            let index = targets[target][name].as_u64().unwrap();
            &accessors[index as usize]
        };
        let name = format!("{command} {options:?}");
        assert_eq!(accessor(0, "POSITION")["sparse"]["count"], 3, "{name}");
        assert_eq!(accessor(0, "NORMAL")["sparse"]["count"], 1, "{name}");
        // Nothing moves: no view. Programs that read core glTF only may refuse an accessor without any row.
        let plain = options.contains(&"--plain") || options.contains(&"--draco") || i == 0;
        let row = match plain {
            true => serde_json::json!(1),
            false => Value::Null,
        };
        let still = accessor(1, "POSITION");
        assert_eq!(still["sparse"]["count"], row, "{name}");
        assert!(accessor(1, "POSITION")["bufferView"].is_null(), "{name}");
        assert_eq!(accessor(1, "POSITION")["max"], serde_json::json!([0, 0, 0]));
        assert!(accessor(2, "POSITION")["sparse"].is_null(), "{name}");
        for target in 3..23 {
            assert_eq!(accessor(target, "POSITION")["sparse"]["count"], 5, "{name}");
        }
        // The bounds include the vertices that stay.
        let one = accessor(0, "POSITION");
        let scale = one["max"][0].as_f64().unwrap() / 0.25;
        let near = |v: &Value, wanted: f64| (v.as_f64().unwrap() / scale - wanted).abs() < 1e-3;
        assert!(
            near(&one["min"][0], 0.0) && near(&one["min"][1], -0.5),
            "{name} {one}"
        );
        assert!(
            near(&one["max"][1], 0.0) && near(&one["max"][2], 0.125),
            "{name} {one}"
        );
        let back = read_bytes(&bytes, "b.glb").unwrap();
        let got = moves(&back);
        for (target, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            assert!(alike(got, wanted), "{name}, target {target}");
        }
        assert!(bytes.len() <= source.len(), "{name}: {}", bytes.len());
        let path = dir.path().join(format!("{i}.glb"));
        fs::write(&path, bytes).unwrap();
        files.push(path);
    }
    let (bytes, _) = preview(&source, "a.glb");
    assert!(bytes.len() <= source.len());
    assert_valid(&files);
}

#[test]
fn twenty_small_targets_cost_next_to_nothing() {
    let mut scene = face();
    let full = write_bytes(&scene, "a.glb", false);
    scene.meshes[0].primitives[0].targets.truncate(3);
    scene.meshes[0].weights.truncate(3);
    let short = write_bytes(&scene, "a.glb", false);
    for (command, options) in FORMS {
        let more = made(&full, command, options).0.len();
        let fewer = made(&short, command, options).0.len();
        // 100 offsets, and some 300 bytes of the document for each target.
        assert!(
            more < fewer + 10_000,
            "{command} {options:?}: {fewer} → {more}"
        );
    }
}

#[test]
fn primitives_that_share_vertices_do_so_in_the_output() {
    let mut scene = Scene::default();
    let whole = sphere(40, 1.0);
    let triangles = whole.indices.as_chunks::<3>().0;
    let parts = (0..8).map(|k| {
        scene
            .materials
            .push(Material::plain(format!("m{k}"), [1.0; 4]));
        Primitive {
            // Every eighth triangle: each part uses vertices of all the others.
            indices: triangles
                .iter()
                .skip(k)
                .step_by(8)
                .copied()
                .flatten()
                .collect(),
            material: Some(k as u32),
            ..whole.clone()
        }
    });
    let parts = parts.collect();
    let mesh = scene.add_mesh("parts", parts);
    scene.add_node(
        Node {
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    let source = write_bytes(&scene, "a.glb", false);
    let vertices = whole.positions.len() * 32;
    assert!(source.len() < vertices * 2, "{}", source.len());
    for (command, options) in FORMS {
        let (bytes, answer) = made(&source, command, options);
        // Streams of Draco cannot share vertices.
        let larger = bytes.len() > source.len();
        assert_eq!(larger, told(&answer).is_some(), "{command} {options:?}");
        assert!(!larger || options.contains(&"--draco"), "{}", bytes.len());
    }
}

#[test]
fn equal_images_and_streams_are_written_once() {
    let mut scene = textured(30);
    let image = scene.images[0].clone();
    scene.images.push(image);
    scene.textures.push(scene.textures[0].clone());
    scene.textures[1].image = 1;
    let mut other = scene.materials[0].clone();
    other.base_color_texture.as_mut().unwrap().texture = 1;
    scene.materials.push(other);
    let again = Primitive {
        material: Some(1),
        ..scene.meshes[0].primitives[0].clone()
    };
    let mesh = scene.add_mesh("again", vec![again]);
    scene.add_node(
        Node {
            mesh: Some(mesh),
            transform: Transform::translation([9.0, 0.0, 0.0]),
            ..Node::default()
        },
        None,
    );
    let source = write_bytes(&scene, "a.glb", false);
    for options in [&[][..], &["--compress"], &["--draco"]] {
        let twice = made(&source, "convert", options).0;
        let once = made(
            &write_bytes(&textured(30), "a.glb", false),
            "convert",
            options,
        )
        .0;
        let more = twice.len() - once.len();
        assert!(
            more < 2_500,
            "{options:?}: {} → {}",
            once.len(),
            twice.len()
        );
        let json = json_of(&twice);
        assert_eq!(
            json["images"][0]["bufferView"],
            json["images"][1]["bufferView"]
        );
        let back = read_bytes(&twice, "b.glb").unwrap();
        assert_eq!(back.triangle_count(), scene.triangle_count(), "{options:?}");
    }
}

#[test]
fn a_column_that_differs_in_few_rows_refers_to_the_other() {
    let mut scene = Scene::default();
    let ball = sphere(120, 1.0);
    let mut dented = ball.clone();
    dented.positions[500] = [0.0, 0.25, 0.0];
    for (k, p) in [ball.clone(), dented.clone()].into_iter().enumerate() {
        let mesh = scene.add_mesh(format!("ball {k}"), vec![p]);
        scene.add_node(
            Node {
                mesh: Some(mesh),
                ..Node::default()
            },
            None,
        );
    }
    let (bytes, _) = made(&write_bytes(&scene, "a.glb", false), "convert", &[]);
    let rows = ball.positions.len() * 32 + ball.indices.len() * 2;
    assert!(bytes.len() < rows + 4_000, "{} for {rows}", bytes.len());
    let json = json_of(&bytes);
    let second = json["meshes"][1]["primitives"][0]["attributes"]["POSITION"]
        .as_u64()
        .unwrap();
    let second = &json["accessors"][second as usize];
    assert_eq!(second["sparse"]["count"], 1);
    assert!(second["bufferView"].is_u64());
    let back = read_bytes(&bytes, "b.glb").unwrap();
    assert_eq!(back.meshes[1].primitives[0].positions, dented.positions);
    assert_eq!(back.meshes[0].primitives[0].positions, ball.positions);
}

#[test]
fn an_attribute_of_zeros_has_one_row() {
    let mut ball = sphere(120, 1.0);
    ball.uvs = vec![vec![[0.0; 2]; ball.positions.len()]];
    let (uvs, normals) = (ball.positions.len() * 8, ball.positions.len() * 12);
    let mut scene = Scene::default();
    let mesh = scene.add_mesh("ball", vec![ball.clone()]);
    scene.add_node(
        Node {
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    let (bytes, _) = made(&write_bytes(&scene, "a.glb", false), "convert", &[]);
    let json = json_of(&bytes);
    let attributes = &json["meshes"][0]["primitives"][0]["attributes"];
    let zeros = &json["accessors"][attributes["TEXCOORD_0"].as_u64().unwrap() as usize];
    assert_eq!(zeros["sparse"]["count"], 1);
    assert!(zeros["bufferView"].is_null(), "{zeros}");
    let rows = normals * 2 + ball.indices.len() * 2;
    assert!(bytes.len() < rows + uvs / 2, "{} for {rows}", bytes.len());
    let back = read_bytes(&bytes, "b.glb").unwrap();
    assert_eq!(back.meshes[0].primitives[0].uvs, ball.uvs);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.glb");
    fs::write(&path, bytes).unwrap();
    assert_valid(&[path]);
}

#[test]
fn a_file_larger_than_its_source_is_told_with_the_reason() {
    let plain = write_bytes(&textured(40), "a.glb", false);
    let (draco, answer) = made(&plain, "convert", &["--draco"]);
    assert!(draco.len() < plain.len() && told(&answer).is_none());
    let (bytes, answer) = made(&draco, "convert", &[]);
    assert!(bytes.len() > draco.len());
    let problem = told(&answer).unwrap();
    assert_eq!(problem["severity"], "info");
    let text = problem["message"].as_str().unwrap();
    assert!(text.contains("输出未压缩"), "{text}");
    assert!(problem["advice"].as_str().unwrap().contains("Draco"));
    let (_, answer) = made(&draco, "lighten", &["--ratio", "1", "--plain"]);
    assert!(told(&answer).is_some());
    let (_, answer) = made(&draco, "lighten", &["--ratio", "0.1"]);
    assert!(told(&answer).is_none());
    // Points of one byte per coordinate, which no form of a GLB has.
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 5000\nproperty uchar x\nproperty uchar y\nproperty uchar z\nend_header\n";
    let mut ply = head.as_bytes().to_vec();
    let mut state = 1u32;
    ply.extend((0..15_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    let (bytes, answer) = preview(&ply, "a.ply");
    assert!(bytes.len() > ply.len());
    assert!(
        told(&answer).unwrap()["message"]
            .as_str()
            .unwrap()
            .contains("网页预览")
    );
    let (_, answer) = preview(&write_bytes(&animated(20), "a.glb", false), "a.glb");
    assert!(told(&answer).is_none());
    // A single triangle costs less in STL than a document does, which is no reason to say anything.
    let mut stl = vec![0; 134];
    stl[80] = 1;
    for (at, v) in [(96 + 12, 1.0f32), (96 + 28, 1.0)] {
        stl[at..at + 4].copy_from_slice(&v.to_le_bytes());
    }
    let (bytes, answer) = preview(&stl, "a.stl");
    assert!(bytes.len() > stl.len() && told(&answer).is_none());
}
