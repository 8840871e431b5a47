//! Rounded positions keep thin parts, and what is lost is part of the error told.

use crate::models::{read_bytes, sphere, write_bytes};
use crate::preview::modelkit as run;
use modelkit::Scene;
use modelkit::scene::{Node, Primitive, Transform};
use serde_json::Value;
use std::fs;

/// A closed box with corners of its own for each side.
fn block(size: [f32; 3], at: [f32; 3]) -> Primitive {
    let mut p = Primitive::default();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            let base = p.positions.len() as u32;
            for (u, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
                let mut unit = [0.0; 3];
                (unit[axis], unit[(axis + 1) % 3], unit[(axis + 2) % 3]) = (side, u, v);
                p.positions
                    .push(std::array::from_fn(|k| at[k] + unit[k] * size[k]));
            }
            let turned = [0, 2, 1, 0, 3, 2].map(|i| base + i);
            let straight = [0, 1, 2, 0, 2, 3].map(|i| base + i);
            p.indices
                .extend(if side == 0.0 { turned } else { straight });
        }
    }
    p
}

fn scene(p: Primitive, transform: Transform) -> Scene {
    let mut scene = Scene::default();
    let mesh = scene.add_mesh("rail", vec![p]);
    scene.add_node(
        Node {
            mesh: Some(mesh),
            transform,
            ..Node::default()
        },
        None,
    );
    scene
}

fn made(scene: &Scene, args: &[&str], output: &str) -> (Vec<u8>, Value) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.glb"), write_bytes(scene, "a.glb", false)).unwrap();
    let (command, options) = args.split_first().unwrap();
    let answer = run(
        &[&[*command, "a.glb", output], options].concat(),
        dir.path(),
    );
    (fs::read(dir.path().join(output)).unwrap(), answer)
}

const FORMS: [&[&str]; 4] = [
    &["lighten", "--ratio", "1"],
    &["lighten", "--ratio", "1", "--draco"],
    &["convert", "--compress"],
    &["convert", "--draco"],
];

#[test]
fn a_long_thin_part_keeps_its_width_and_height() {
    let rail = scene(block([3000.0, 0.15, 0.07], [0.0; 3]), Transform::default());
    let mut outputs: Vec<(String, Scene)> = FORMS
        .iter()
        .map(|args| {
            let (bytes, _) = made(&rail, args, "b.glb");
            (format!("{args:?}"), read_bytes(&bytes, "b.glb").unwrap())
        })
        .collect();
    let (bytes, _) = made(&rail, &["convert"], "b.amrt");
    outputs.push(("amrt".into(), read_bytes(&bytes, "b.amrt").unwrap()));
    let dir = tempfile::tempdir().unwrap();
    // With bytes after its end a file is not handed on.
    let source = [&write_bytes(&rail, "a.glb", false)[..], b"tail"].concat();
    fs::write(dir.path().join("a.glb"), source).unwrap();
    run(&["check", "a.glb", "--preview", "p.glb"], dir.path());
    let preview = fs::read(dir.path().join("p.glb")).unwrap();
    outputs.push(("preview".into(), read_bytes(&preview, "p.glb").unwrap()));
    for (name, out) in outputs {
        let mut size = out.bounds().size();
        size.sort_by(f64::total_cmp);
        assert!((size[0] / 0.07 - 1.0).abs() < 0.1, "{name}: {size:?}");
        assert!((size[1] / 0.15 - 1.0).abs() < 0.1, "{name}: {size:?}");
        assert_eq!((out.nodes.len(), out.triangle_count()), (1, 12), "{name}");
    }
}

#[test]
fn a_turned_plate_among_others_keeps_its_thickness() {
    // Bounds say nothing of a part's thickness if it is turned, nor of its neighbours'.
    let (sin, cos) = 0.7f32.sin_cos();
    let mut p = block([60.0, 0.02, 40.0], [0.0; 3]);
    for v in &mut p.positions {
        *v = [v[0] * cos - v[1] * sin, v[0] * sin + v[1] * cos, v[2]];
    }
    let big = block([900.0, 900.0, 900.0], [100.0; 3]);
    let base = p.positions.len() as u32;
    p.positions.extend(big.positions);
    p.indices.extend(big.indices.iter().map(|i| i + base));
    let source = scene(p, Transform::default());
    for args in FORMS {
        let (bytes, _) = made(&source, args, "b.glb");
        let out = read_bytes(&bytes, "b.glb").unwrap();
        let world = out.world_matrices();
        let node = out.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
        let rows = &out.meshes[0].primitives[0].positions;
        let across = rows
            .iter()
            .map(|v| modelkit::scene::math::point(&world[node], *v))
            .filter(|v| v[0] < 90.0)
            .map(|v| v[1] * f64::from(cos) - v[0] * f64::from(sin));
        let (low, high) = across.fold((f64::MAX, f64::MIN), |(low, high), v| {
            (low.min(v), high.max(v))
        });
        let thickness = high - low;
        assert!(
            (thickness / 0.02 - 1.0).abs() < 0.2,
            "{args:?}: {thickness}"
        );
    }
}

#[test]
fn the_error_told_covers_the_error_made() {
    // Detail that no part's thickness shows: a bump on a large ground, under a node with a large scale.
    let mut ground = sphere(60, 1.0);
    ground.positions[2000] = ground.positions[2000].map(|v| v * 1.00001);
    let scale = Transform::Trs {
        translation: [5.0, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1000.0, 1000.0, 10.0],
    };
    let source = scene(ground, scale);
    let diagonal = source.bounds().diagonal();
    let points = |scene: &Scene| {
        let world = scene.world_matrices();
        let node = scene.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
        let rows = &scene.meshes[0].primitives[0].positions;
        rows.iter()
            .map(|v| modelkit::scene::math::point(&world[node], *v))
            .collect::<Vec<[f64; 3]>>()
    };
    let before = points(&source);
    for args in FORMS {
        let (bytes, answer) = made(&source, args, "b.glb");
        let told = answer["error"].as_f64().unwrap() * diagonal;
        let distance =
            |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let after = points(&read_bytes(&bytes, "b.glb").unwrap());
        let nearest = |a: &[f64; 3]| {
            before
                .iter()
                .map(|b| distance(a, b))
                .fold(f64::MAX, f64::min)
        };
        let true_error = after.iter().map(nearest).fold(0.0, f64::max);
        assert!(true_error > 0.0, "{args:?}");
        assert!(told >= true_error * 0.999, "{args:?}: {told} {true_error}");
        assert!(told <= true_error * 4.0, "{args:?}: {told} {true_error}");
    }
    let (_, answer) = made(&source, &["convert"], "b.glb");
    assert_eq!(answer["error"], 0.0);
}

#[test]
fn the_error_told_includes_the_rounded_places_of_instances() {
    // Posts of a fence whose local places are exact in single precision, with the mesh's own place they are not.
    let mut source = Scene::default();
    let post = source.add_mesh("post", vec![block([0.01; 3], [0.3, 0.1, 0.7])]);
    let fence = Node {
        name: "fence".into(),
        ..Node::default()
    };
    let fence = source.add_node(fence, None);
    for i in 0..12 {
        let node = Node {
            name: format!("fence {}", i + 1),
            mesh: Some(post),
            transform: Transform::Trs {
                translation: [8192.0 + f64::from(i), 0.0, 4096.0],
                rotation: [0.0, 0.0, 0.0, 1.0],
                scale: [1.0; 3],
            },
            ..Node::default()
        };
        source.add_node(node, Some(fence));
    }
    let diagonal = source.bounds().diagonal();
    let corners = |scene: &Scene| {
        let world = scene.world_matrices();
        let drawn = scene.nodes.iter().zip(world);
        let mut all: Vec<[f64; 3]> = drawn
            .filter_map(|(node, world)| Some((scene.meshes.get(node.mesh? as usize)?, world)))
            .flat_map(|(mesh, world)| {
                let rows = mesh.primitives[0].positions.iter();
                rows.map(move |v| modelkit::scene::math::point(&world, *v))
                    .collect::<Vec<_>>()
            })
            .collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        all
    };
    let before = corners(&source);
    let (bytes, answer) = made(&source, &["convert", "--compress"], "b.glb");
    let after = read_bytes(&bytes, "b.glb").unwrap();
    let told = answer["error"].as_f64().unwrap() * diagonal;
    let distance =
        |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    let nearest = |a: &[f64; 3]| {
        let all = before.iter().map(|b| distance(a, b));
        all.fold(f64::MAX, f64::min)
    };
    let after = corners(&after);
    assert_eq!(after.len(), before.len());
    let made = after.iter().map(nearest).fold(0.0, f64::max);
    // A quarter of a millimetre, where the grid's steps are far below it.
    assert!(made > 1e-4, "{made}");
    assert!(told >= made * 0.999 && told < made * 4.0, "{told} {made}");
}

#[test]
fn an_error_below_the_rounding_is_not_said_to_be_reached() {
    let ball = scene(sphere(60, 1.0), Transform::default());
    let (_, answer) = made(
        &ball,
        &["lighten", "--error", "0.000002", "--draco"],
        "b.glb",
    );
    assert_eq!(answer["reached"], false);
    let problems = answer["problems"].to_string();
    assert!(problems.contains("坐标取整"), "{problems}");
    let (_, answer) = made(&ball, &["lighten", "--error", "0.001", "--draco"], "b.glb");
    assert_eq!(answer["reached"], true);
    assert!(answer["error"].as_f64().unwrap() <= 0.001001);
    let (_, answer) = made(
        &ball,
        &["lighten", "--error", "0.000002", "--plain"],
        "b.glb",
    );
    assert_eq!(answer["reached"], true);
}
