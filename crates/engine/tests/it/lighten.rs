//! Lightening reaches its targets and preserves what it must.

use crate::models::{animated, read_bytes, sphere, textured, write_bytes};
use modelkit::lighten::{self, Options, Outcome, Target, TextureFormat};
use modelkit::scene::{
    AnimationPath, AnimationSampler, Channel, Interpolation, Material, Mode, Node, Primitive,
    Transform,
};
use modelkit::{Ctx, Scene, Silent};

fn run(scene: &mut Scene, target: Target) -> Outcome {
    let options = Options {
        target,
        texture_max: None,
        textures: TextureFormat::Keep,
    };
    let measure = |s: &Scene| Ok(write_bytes(s, "a.glb", true).len() as u64);
    lighten::lighten(scene, &options, &measure, &Ctx::new(&Silent)).unwrap()
}

#[test]
fn ratio_is_met_within_a_percent_and_shape_is_kept() {
    let mut scene = textured(100);
    let before = scene.bounds();
    let full = scene.triangle_count();
    let outcome = run(&mut scene, Target::Ratio(0.1));
    assert!(outcome.reached);
    let ratio = scene.triangle_count() as f64 / full as f64;
    assert!((ratio - 0.1).abs() < 0.001, "{ratio}");
    assert_eq!(outcome.ratio, ratio);
    assert!(
        outcome.error > 0.0 && outcome.error < 0.01,
        "{}",
        outcome.error
    );
    let after = scene.bounds();
    assert!((after.diagonal() / before.diagonal() - 1.0).abs() < 0.01);
    let p = &scene.meshes[0].primitives[0];
    assert!(
        p.uvs[0]
            .iter()
            .flatten()
            .all(|v| (-0.02..=1.02).contains(v))
    );
    assert!(p.positions.len() < full / 10);
    let text = write_bytes(&scene, "a.glb", true);
    assert_eq!(
        read_bytes(&text, "a.glb").unwrap().triangle_count(),
        scene.triangle_count()
    );
}

#[test]
fn one_budget_over_all_parts() {
    // A fine and a coarse sphere of the same size: they must end up alike.
    let mut scene = Scene::default();
    for (i, rows) in [120, 16].into_iter().enumerate() {
        scene
            .materials
            .push(Material::plain(format!("m{i}"), [1.0; 4]));
        let mesh = scene.add_mesh(
            format!("s{i}"),
            vec![Primitive {
                material: Some(i as u32),
                ..sphere(rows, 1.0)
            }],
        );
        let transform = Transform::translation([3.0 * i as f64, 0.0, 0.0]);
        scene.add_node(
            Node {
                mesh: Some(mesh),
                transform,
                ..Node::default()
            },
            None,
        );
    }
    let outcome = run(&mut scene, Target::Triangles(2000));
    assert!(outcome.reached);
    let left: Vec<usize> = scene
        .meshes
        .iter()
        .map(|m| m.primitives[0].triangle_count())
        .collect();
    assert!(left.iter().sum::<usize>() <= 2020);
    // Spheres of the same size need similar numbers, although one started with 60 times more.
    assert!(left[0] < left[1] * 2 && left[1] < left[0] * 2, "{left:?}");
    assert!(
        scene
            .meshes
            .iter()
            .all(|m| m.primitives[0].material.is_some())
    );
}

#[test]
fn skins_morphs_and_clips_stay() {
    let mut scene = animated(60);
    let outcome = run(&mut scene, Target::Ratio(0.2));
    assert!(outcome.reached);
    let p = &scene.meshes[0].primitives[0];
    assert_eq!(p.skin_sets[0].joints.len(), p.positions.len());
    assert_eq!(p.targets[0].positions.len(), p.positions.len());
    assert_eq!(
        (scene.skins.len(), scene.animations.len(), scene.nodes.len()),
        (1, 1, 3)
    );
    // Morph offsets still belong to their vertices.
    for (position, offset) in p.positions.iter().zip(&p.targets[0].positions) {
        assert!((position[0] * 0.25 - offset[0]).abs() < 1e-6);
    }
}

#[test]
fn error_target_is_kept() {
    let mut scene = textured(100);
    let full = scene.triangle_count();
    let outcome = run(&mut scene, Target::Error(0.002));
    assert!(
        outcome.reached && outcome.error <= 0.00201,
        "{}",
        outcome.error
    );
    assert!(scene.triangle_count() * 2 < full);
}

#[test]
fn size_target_is_kept() {
    let mut scene = textured(150);
    let wanted = 0.05;
    let outcome = run(&mut scene, Target::SizeMb(wanted));
    assert!(outcome.reached);
    let bytes = write_bytes(&scene, "a.glb", true).len() as f64;
    assert!(bytes <= wanted * 1_048_576.0, "{bytes}");
    assert!(bytes > wanted * 1_048_576.0 * 0.7, "{bytes}");
}

#[test]
fn equal_meshes_and_unused_parts_go() {
    let mut scene = textured(10);
    let copy = scene.meshes[0].clone();
    scene.meshes.push(copy);
    scene.add_node(
        Node {
            mesh: Some(1),
            ..Node::default()
        },
        None,
    );
    scene.materials.push(Material::plain("unused", [1.0; 4]));
    run(&mut scene, Target::Ratio(1.0));
    assert_eq!(
        (scene.meshes.len(), scene.materials.len(), scene.nodes.len()),
        (1, 1, 2)
    );
    assert!(scene.nodes.iter().all(|n| n.mesh == Some(0)));
}

#[test]
fn textures_are_limited() {
    let mut scene = textured(4);
    lighten::limit_textures(&mut scene, 16, &Ctx::new(&Silent)).unwrap();
    assert_eq!((scene.images[0].width, scene.images[0].height), (16, 16));
    assert_eq!(
        modelkit::scene::picture_size(&scene.images[0].bytes),
        Some((16, 16))
    );
}

#[test]
fn what_bends_keeps_its_rings() {
    // A straight bar whose upper half is bound to a second joint.
    let mut scene = animated(8);
    let mut bar = Primitive::default();
    for ring in 0..=200u32 {
        for corner in 0..16u32 {
            let around = corner as f32 / 16.0 * std::f32::consts::TAU;
            bar.positions.push([
                around.cos() * 0.05,
                ring as f32 / 100.0 - 1.0,
                around.sin() * 0.05,
            ]);
            if ring < 200 {
                let (a, b) = (ring * 16 + corner, ring * 16 + (corner + 1) % 16);
                bar.indices.extend([a, a + 16, b, b, a + 16, b + 16]);
            }
        }
    }
    let mut set = modelkit::scene::SkinSet::default();
    for position in &bar.positions {
        let upper = (position[1] * 2.0).clamp(0.0, 1.0);
        set.joints.push([0, 1, 0, 0]);
        set.weights.push([1.0 - upper, upper, 0.0, 0.0]);
    }
    bar.skin_sets.push(set);
    scene.meshes[0].primitives = vec![bar];
    (scene.meshes[0].weights, scene.meshes[0].target_names) = (Vec::new(), Vec::new());
    scene.animations.clear();
    run(&mut scene, Target::Ratio(0.05));
    let p = &scene.meshes[0].primitives[0];
    let bends = p.skin_sets[0]
        .weights
        .iter()
        .filter(|w| w[1] > 0.02 && w[1] < 0.98)
        .count();
    let edges = p
        .positions
        .iter()
        .filter(|v| v[1].abs() < 0.03 || (v[1] - 0.5).abs() < 0.03)
        .count();
    assert!(
        bends + edges >= 12,
        "{bends} {edges} of {}",
        p.positions.len()
    );
}

#[test]
fn keys_that_say_nothing_are_dropped_and_clips_keep_their_length() {
    let mut scene = animated(6);
    let times: Vec<f32> = (0..40).map(|i| i as f32 * 0.1).collect();
    // A straight path, a corner in it, and a node at rest.
    let bent = |t: &f32| [if *t < 2.0 { *t } else { 4.0 - t }, 0.0, 0.0];
    let clip = &mut scene.animations[0];
    clip.channels.clear();
    clip.samplers.clear();
    for (path, values) in [
        (
            AnimationPath::Translation,
            times.iter().flat_map(bent).collect::<Vec<f32>>(),
        ),
        (AnimationPath::Scale, vec![1.0; 120]),
    ] {
        clip.channels.push(Channel {
            node: 0,
            path,
            sampler: clip.samplers.len() as u32,
        });
        clip.samplers.push(AnimationSampler {
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        });
    }
    let mut still = clip.clone();
    still.name = "Still".into();
    still.samplers[0].values.fill(0.0);
    scene.animations.push(still);
    scene.nodes[0].transform = Transform::default();
    run(&mut scene, Target::Ratio(1.0));
    let [moves, still] = &scene.animations[..] else {
        panic!("a clip was lost");
    };
    assert_eq!(moves.channels.len(), 1);
    assert_eq!(moves.samplers[0].times, [0.0, 2.0, times[39]]);
    assert_eq!(moves.seconds(), times[39]);
    assert_eq!((still.name.as_str(), still.seconds()), ("Still", times[39]));
    assert!(still.samplers[0].values.iter().all(|v| *v == 0.0));
}

#[test]
fn uv_sets_no_texture_reads_are_dropped() {
    let mut scene = textured(6);
    let uvs = scene.meshes[0].primitives[0].uvs[0].clone();
    scene.meshes[0].primitives[0].uvs = vec![uvs; 4];
    run(&mut scene, Target::Ratio(1.0));
    assert_eq!(scene.meshes[0].primitives[0].uvs.len(), 1);
}

/// Points have no triangles to merge: fewer of them, spread evenly.
#[test]
fn clouds_get_fewer_points() {
    let side = 100;
    let cloud = || {
        let mut scene = Scene::default();
        let at = |i: u32| [(i % side) as f32, (i / side) as f32, 0.0];
        let positions: Vec<[f32; 3]> = (0..side * side).map(at).collect();
        let primitive = Primitive {
            mode: Mode::Points,
            indices: (0..side * side).collect(),
            colors: positions
                .iter()
                .map(|p| [p[0] / 100.0, p[1] / 100.0, 0.0, 1.0])
                .collect(),
            positions,
            ..Primitive::default()
        };
        let mesh = scene.add_mesh("cloud", vec![primitive]);
        let node = Node {
            mesh: Some(mesh),
            ..Node::default()
        };
        scene.add_node(node, None);
        scene
    };
    let full = (side * side) as usize;
    for (target, kept) in [
        (Target::Ratio(0.5), full / 2),
        (Target::Ratio(0.04), full / 25),
        (Target::Triangles(1000), 1000),
        (Target::Ratio(1.0), full),
    ] {
        let mut scene = cloud();
        let outcome = run(&mut scene, target);
        let p = &scene.meshes[0].primitives[0];
        assert_eq!(
            (p.positions.len(), p.indices.len()),
            (kept, kept),
            "{target:?}"
        );
        assert!(outcome.reached && outcome.ratio == kept as f64 / full as f64);
        let told = outcome.problems.iter().any(|p| p.code == "points-thinned");
        assert_eq!(told, kept < full);
        // Each has its own colour, and every quarter of the square the same share.
        let mut quarters = [0; 4];
        for (place, color) in p.positions.iter().zip(&p.colors) {
            assert_eq!([place[0] / 100.0, place[1] / 100.0], color[..2]);
            quarters[usize::from(place[0] >= 50.0) * 2 + usize::from(place[1] >= 50.0)] += 1;
        }
        let even = |n: &usize| n.abs_diff(kept / 4) <= kept / 50;
        assert!(quarters.iter().all(even), "{quarters:?}");
    }
    // By size too, and an error in triangles says that there are none.
    let mut scene = cloud();
    let bytes = write_bytes(&scene, "a.glb", true).len() as f64;
    let outcome = run(&mut scene, Target::SizeMb(bytes / 2.0 / 1_048_576.0));
    assert!(outcome.reached && scene.vertex_count() < full);
    let mut scene = cloud();
    let outcome = run(&mut scene, Target::Error(0.01));
    assert_eq!(
        (scene.vertex_count(), outcome.problems[0].code),
        (full, "nothing-to-simplify")
    );
}
