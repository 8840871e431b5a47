//! What moves in a clip is kept to a share of its own size, measured in the world.

use crate::models::{animated, read_bytes, sphere, write_bytes};
use crate::preview::modelkit as run;
use modelkit::Scene;
use modelkit::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Node, Transform,
};
use std::fs;
use tempfile::TempDir;

const KEYS: usize = 9;

/// A node with a mesh `size` metres wide, or without one.
fn node(
    scene: &mut Scene,
    name: &str,
    size: f32,
    transform: Transform,
    parent: Option<u32>,
) -> u32 {
    let mesh = (size > 0.0).then(|| scene.add_mesh(name, vec![sphere(4, size / 2.0)]));
    scene.add_node(
        Node {
            name: name.into(),
            mesh,
            transform,
            ..Node::default()
        },
        parent,
    )
}

/// A part `size` units wide of a model whose unit is `unit` metres.
fn in_units(scene: &mut Scene, unit: f32, size: f32) -> (u32, u32) {
    let model = node(scene, "model", 0.0, scaled(unit), None);
    let part = node(scene, "part", size, Transform::default(), Some(model));
    (model, part)
}

fn at(translation: [f32; 3]) -> Transform {
    Transform::translation(translation.map(f64::from))
}

fn scaled(scale: f32) -> Transform {
    Transform::Trs {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [scale; 3],
    }
}

/// Adds a clip that moves `node` to each value and back.
fn clip(scene: &mut Scene, node: u32, path: AnimationPath, rows: [Vec<f32>; 2]) {
    let values = (0..KEYS).flat_map(|i| rows[i % 2].clone()).collect();
    scene.animations.push(Animation {
        name: "press".into(),
        channels: vec![Channel {
            node,
            path,
            sampler: 0,
        }],
        samplers: vec![AnimationSampler {
            interpolation: Interpolation::Linear,
            times: (0..KEYS).map(|i| i as f32 * 0.5).collect(),
            values,
        }],
        extras: None,
    });
}

/// Adds a clip that moves `node` from its parent's origin to `to` and back.
fn slide(scene: &mut Scene, node: u32, to: [f32; 3]) {
    let rows = [vec![0.0; 3], to.to_vec()];
    clip(scene, node, AnimationPath::Translation, rows);
}

/// A folder with the scene as `a.glb`.
fn folder(scene: &Scene) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.glb"), write_bytes(scene, "a.glb", false)).unwrap();
    dir
}

/// The clips' values after lightening, by node and path, each as the range of its largest component's movement.
fn moved(scene: &Scene, options: &[&str]) -> Vec<f32> {
    let dir = folder(scene);
    run(
        &[&["lighten", "a.glb", "b.glb", "--ratio", "1"], options].concat(),
        dir.path(),
    );
    let out = read_bytes(&fs::read(dir.path().join("b.glb")).unwrap(), "b.glb").unwrap();
    let range = |clip: &Animation| {
        let sampler = &clip.samplers[0];
        let width = sampler.values.len() / sampler.times.len();
        let column = |k: usize| sampler.values.iter().skip(k).step_by(width);
        let span = |k: usize| {
            column(k).fold(f32::MIN, |m, v| m.max(*v)) - column(k).fold(f32::MAX, |m, v| m.min(*v))
        };
        (0..width).map(span).fold(0.0, f32::max)
    };
    out.animations.iter().map(range).collect()
}

/// A large scene: something three kilometres away.
fn large() -> Scene {
    let mut scene = Scene::default();
    node(&mut scene, "far", 0.1, at([3000.0, 0.0, 0.0]), None);
    scene
}

fn near(value: f32, wanted: f32) -> bool {
    (value / wanted - 1.0).abs() < 0.02
}

#[test]
fn a_small_part_of_a_large_scene_still_moves() {
    let mut scene = large();
    let lever = node(&mut scene, "lever", 0.1, Transform::default(), None);
    slide(&mut scene, lever, [0.0, 0.02, 0.0]);
    for options in [&["--plain"][..], &[], &["--draco"]] {
        let range = moved(&scene, options)[0];
        assert!(near(range, 0.02), "{options:?}: {range}");
    }
    let dir = folder(&scene);
    run(&["check", "a.glb", "--preview", "p.glb"], dir.path());
    let preview = read_bytes(&fs::read(dir.path().join("p.glb")).unwrap(), "p.glb").unwrap();
    let most = preview.animations[0].samplers[0]
        .values
        .iter()
        .fold(0.0f32, |m, v| m.max(*v));
    assert!(near(most, 0.02), "{most}");
}

#[test]
fn keys_are_in_the_units_of_the_parent() {
    // The parent's unit is a kilometre: twenty metres are two hundredths.
    let mut scene = Scene::default();
    let (parent, part) = in_units(&mut scene, 1000.0, 0.001);
    node(
        &mut scene,
        "far",
        0.001,
        at([3000.0, 0.0, 0.0]),
        Some(parent),
    );
    slide(&mut scene, part, [0.0, 0.02, 0.0]);
    assert!(near(moved(&scene, &["--plain"])[0], 0.02));
    // A millimetre: what does not show may go, though the numbers are large.
    let mut scene = Scene::default();
    let (_, part) = in_units(&mut scene, 0.001, 1000.0);
    slide(&mut scene, part, [0.0, 0.004, 0.0]);
    assert_eq!(moved(&scene, &["--plain"])[0], 0.0);
}

#[test]
fn a_turn_is_judged_by_what_it_moves_and_how_far_away_that_is() {
    // A tenth of a thousandth of a radian moves what is three kilometres away by thirty centimetres.
    let half = 4e-5f32;
    let turn = [vec![0.0, 0.0, 0.0, 1.0], vec![0.0, 0.0, half, 1.0]];
    let mut scene = Scene::default();
    let arm = node(&mut scene, "arm", 0.1, Transform::default(), None);
    let hand = node(&mut scene, "hand", 0.0, at([3000.0, 0.0, 0.0]), None);
    node(&mut scene, "tool", 0.1, at([3000.0, 0.0, 0.0]), Some(hand));
    clip(&mut scene, hand, AnimationPath::Rotation, turn.clone());
    // The hand's pivot is three kilometres from its tool.
    assert!(near(moved(&scene, &["--plain"])[0], half));
    // The same turn about itself moves the arm by some micrometres.
    clip(&mut scene, arm, AnimationPath::Rotation, turn);
    assert_eq!(moved(&scene, &["--plain"])[1], 0.0);
}

#[test]
fn a_scale_is_judged_by_itself_and_by_what_it_moves() {
    let mut scene = Scene::default();
    // Millimetres: a growth by four percent.
    let grows = node(&mut scene, "grows", 1000.0, scaled(0.001), None);
    clip(
        &mut scene,
        grows,
        AnimationPath::Scale,
        [vec![0.001; 3], vec![0.00104; 3]],
    );
    // A part far from the origin it is scaled about moves by twelve centimetres.
    let about = node(&mut scene, "about", 0.0, Transform::default(), None);
    node(&mut scene, "part", 0.1, at([3000.0, 0.0, 0.0]), Some(about));
    clip(
        &mut scene,
        about,
        AnimationPath::Scale,
        [vec![1.0; 3], vec![1.00004; 3]],
    );
    // What does not show may go.
    let still = node(&mut scene, "still", 0.1, Transform::default(), None);
    clip(
        &mut scene,
        still,
        AnimationPath::Scale,
        [vec![1.0; 3], vec![1.00004; 3]],
    );
    let ranges = moved(&scene, &["--plain"]);
    assert!(
        near(ranges[0], 0.00004) && ranges[1] > 0.00003,
        "{ranges:?}"
    );
    assert_eq!(ranges[2], 0.0);
}

#[test]
fn a_joint_moves_the_skin_that_follows_it() {
    let mut scene = animated(12);
    scene.animations.clear();
    node(&mut scene, "far", 1.0, at([30_000.0, 0.0, 0.0]), None);
    let head = scene.nodes.iter().position(|n| n.name == "head").unwrap() as u32;
    clip(
        &mut scene,
        head,
        AnimationPath::Translation,
        [vec![0.0, 0.5, 0.0], vec![0.0, 0.7, 0.0]],
    );
    let body = scene.nodes.iter().position(|n| n.name == "body").unwrap() as u32;
    clip(
        &mut scene,
        body,
        AnimationPath::Weights,
        [vec![0.0], vec![1e-5]],
    );
    let ranges = moved(&scene, &["--plain"]);
    assert!(near(ranges[0], 0.2) && near(ranges[1], 1e-5), "{ranges:?}");
}

#[test]
fn a_shared_track_keeps_what_the_smallest_of_its_parts_needs() {
    let mut scene = large();
    let large = node(&mut scene, "large", 1000.0, Transform::default(), None);
    let lever = node(&mut scene, "lever", 0.1, Transform::default(), None);
    slide(&mut scene, large, [0.0, 0.02, 0.0]);
    scene.animations[0].channels.push(Channel {
        node: lever,
        path: AnimationPath::Translation,
        sampler: 0,
    });
    assert!(near(moved(&scene, &["--plain"])[0], 0.02));
}

#[test]
fn a_clip_in_large_units_is_not_called_still() {
    let still = |unit: f32, step: f32| {
        let mut scene = Scene::default();
        let (_, part) = in_units(&mut scene, unit, 1.0 / unit);
        slide(&mut scene, part, [step, 0.0, 0.0]);
        let dir = folder(&scene);
        let report = run(&["check", "a.glb"], dir.path());
        report["problems"].to_string().contains("still-animation")
    };
    // Half a metre where the unit is a thousand kilometres.
    assert!(!still(1e6, 5e-7));
    assert!(still(1.0, 0.0));
}
