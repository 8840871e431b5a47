//! What one instance of a part has of its own: colour, visibility, scale and mirroring.

use super::step_text::{Product, Step, Unit};
use super::{GREY, RED, measures, near, read};
use modelkit::read::cad::Kind;
use modelkit::scene::Scene;

const BLUE: [f64; 3] = [0.0, 0.0, 1.0];
const GREEN: [f64; 3] = [0.0, 1.0, 0.0];

/// The colours of a node's mesh, with their numbers of triangles, the fewest first.
fn colours(scene: &Scene, node: usize) -> Vec<(usize, [f32; 3])> {
    let mesh = scene.nodes[node].mesh.expect("a node with a mesh");
    let parts = scene.meshes[mesh as usize].primitives.iter();
    let mut found: Vec<(usize, [f32; 3])> = parts
        .map(|part| {
            let [r, g, b, _] = scene.materials[part.material.unwrap() as usize].base_color;
            (part.triangle_count(), [r, g, b])
        })
        .collect();
    found.sort_by_key(|(count, _)| *count);
    found
}

fn only(colour: [f64; 3]) -> Vec<(usize, [f32; 3])> {
    vec![(12, colour.map(|v| v as f32))]
}

fn named(scene: &Scene, name: &str) -> Vec<usize> {
    let nodes = scene.nodes.iter().enumerate();
    nodes
        .filter(|(_, node)| node.name == name)
        .map(|(i, _)| i)
        .collect()
}

/// A blue bolt; returns it and its style.
fn bolt(step: &mut Step) -> (Product, [usize; 6], usize) {
    let (part, faces) = step.part(b"bolt", [10.0; 3]);
    let style = step.paint(part.solid, BLUE);
    (part, faces, style)
}

#[test]
fn a_colour_of_one_instance_stays_with_it() {
    for by_style in [false, true] {
        let mut step = Step::new(Unit::Millimetre);
        let (part, _, base) = bolt(&mut step);
        let children = [("a", part), ("b", part), ("c", part)]
            .map(|(name, part)| (name, part, [0.0, 20.0, 0.0]));
        step.assembly(b"top", &children);
        for (child, colour) in [(1, RED), (2, GREEN)] {
            let [_, context] = step.placed[child];
            match by_style {
                true => step.style_in(context, part.solid, colour),
                false => step.paint_in(&[context], part.solid, base, colour),
            }
        }
        let Some(scene) = read(&step.finish(), Kind::Step) else {
            return;
        };
        let scene = scene.unwrap();
        let found = [1, 2, 3].map(|node| colours(&scene, node));
        assert_eq!(found, [only(BLUE), only(RED), only(GREEN)], "{by_style}");
    }
}

#[test]
fn the_context_of_a_colour_is_a_path_of_instances() {
    let mut step = Step::new(Unit::Millimetre);
    let (part, faces, base) = bolt(&mut step);
    step.paint(faces[2], GREY);
    let sub = step.assembly(
        b"sub",
        &[("a", part, [0.0; 3]), ("b", part, [20.0, 0.0, 0.0])],
    );
    step.assembly(
        b"top",
        &[("s", sub, [0.0; 3]), ("t", sub, [0.0, 50.0, 0.0])],
    );
    let [[_, a], [_, b], [_, s], [_, t]] = step.placed[..] else {
        panic!("four instances");
    };
    step.paint_in(&[t, b], part.solid, base, RED);
    // In all instances of the assembly.
    step.paint_in(&[a], part.solid, base, GREEN);
    // Of one face.
    step.paint_in(&[s, b], faces[0], base, RED);
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let grey = (2, [0.214_041_14f32; 3]);
    let of = |nodes: Vec<usize>| {
        nodes
            .into_iter()
            .map(|node| colours(&scene, node))
            .collect::<Vec<_>>()
    };
    let close = |found: &[(usize, [f32; 3])], wanted: &[(usize, [f32; 3])]| {
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        for want in wanted {
            let same = |one: &&(usize, [f32; 3])| {
                one.0 == want.0 && one.1.iter().zip(want.1).all(|(a, b)| (a - b).abs() < 1e-3)
            };
            assert!(found.iter().any(|one| same(&one)), "{found:?}");
        }
    };
    let as_f32 = |colour: [f64; 3]| colour.map(|v| v as f32);
    for found in of(named(&scene, "a")) {
        close(&found, &[grey, (10, as_f32(GREEN))]);
    }
    let both = of(named(&scene, "b"));
    let [in_s, in_t] = &both[..] else {
        panic!("two of them");
    };
    close(in_s, &[grey, (2, as_f32(RED)), (8, as_f32(BLUE))]);
    close(in_t, &[grey, (10, as_f32(RED))]);
}

#[test]
fn an_instance_may_be_hidden_by_itself() {
    let mut step = Step::new(Unit::Millimetre);
    let (part, _, base) = bolt(&mut step);
    step.assembly(
        b"top",
        &[("a", part, [0.0; 3]), ("b", part, [20.0, 0.0, 0.0])],
    );
    let [_, context] = step.placed[0];
    step.paint_in(&[context], part.solid, base, RED);
    step.hide_last();
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    assert!(named(&scene, "a").is_empty());
    assert_eq!(colours(&scene, named(&scene, "b")[0]), only(BLUE));
    assert_eq!(scene.problems[0].code, "hidden-skipped");
}

/// A part of 10 × 20 × 30 mm, mapped once by an operator with these axes and scale.
fn mapped(axes: [[f64; 3]; 3], scale: &str) -> Vec<u8> {
    let mut step = Step::new(Unit::Millimetre);
    let (part, _) = step.part(b"part", [10.0, 20.0, 30.0]);
    let (from, representation) = (part.axis, part.representation);
    let map = step.add(format!("REPRESENTATION_MAP(#{from},#{representation})"));
    let origin = step.vector("CARTESIAN_POINT", [100.0, 0.0, 0.0]);
    let [x, y, z] = axes.map(|axis| step.vector("DIRECTION", axis));
    let operator = step.add(format!(
        "CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,#{x},#{y},#{origin},{scale},#{z})"
    ));
    let item = step.add(format!("MAPPED_ITEM('',#{map},#{operator})"));
    step.part_of(b"top", "SHAPE_REPRESENTATION", &[item]);
    step.finish()
}

#[test]
fn scale_and_mirroring_of_placements_are_kept() {
    let straight = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mirrored = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]];
    // Bounds in millimetres, Z up.
    let cases = [
        (straight, "$", [100.0, 0.0, 0.0], [110.0, 20.0, 30.0]),
        (straight, "2.5", [100.0, 0.0, 0.0], [125.0, 50.0, 75.0]),
        (mirrored, "1.", [100.0, 0.0, -30.0], [110.0, 20.0, 0.0]),
        (mirrored, "2.", [100.0, 0.0, -60.0], [120.0, 40.0, 0.0]),
    ];
    for (axes, scale, low, high) in cases {
        let Some(scene) = read(&mapped(axes, scale), Kind::Step) else {
            return;
        };
        let bounds = scene.unwrap().bounds();
        let up = |p: [f64; 3]| [p[0], -p[2], p[1]].map(|v| v * 1000.0);
        let (a, b) = (up(bounds.min), up(bounds.max));
        for axis in 0..3 {
            let (least, most) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
            assert!((least - low[axis]).abs() < 1e-3, "{scale} {axis}: {least}");
            assert!((most - high[axis]).abs() < 1e-3, "{scale} {axis}: {most}");
        }
    }
}

#[test]
fn named_bodies_of_a_part_are_nodes_of_their_own() {
    let mut step = Step::new(Unit::Millimetre);
    let (bolt, _) = step.body(b"\\X2\\87BA6813\\X0\\", [10.0; 3], [0.0; 3]);
    let (nut, _) = step.body(b"nut", [10.0; 3], [20.0, 0.0, 0.0]);
    let (rest, _) = step.body(b"", [10.0; 3], [40.0, 0.0, 0.0]);
    step.paint(nut, RED);
    step.part_of(
        b"set",
        "ADVANCED_BREP_SHAPE_REPRESENTATION",
        &[bolt, nut, rest],
    );
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["set", "螺栓", "nut"]);
    assert_eq!(scene.nodes[0].children, [1, 2]);
    // What has no name is the part's own.
    assert_eq!(colours(&scene, 0).len(), 1);
    assert_eq!(colours(&scene, 2), only(RED));
    let (size, _) = measures(&scene);
    assert!(near(size[0], 0.05), "{size:?}");
}

#[test]
fn hidden_bodies_faces_and_layers_are_not_drawn() {
    let mut step = Step::new(Unit::Millimetre);
    let (shown, faces) = step.body(b"", [10.0; 3], [0.0; 3]);
    let (hidden, _) = step.body(b"", [10.0; 3], [20.0, 0.0, 0.0]);
    let (layered, _) = step.body(b"", [10.0; 3], [0.0, 50.0, 0.0]);
    let (both, _) = step.body(b"", [10.0; 3], [0.0, 0.0, 90.0]);
    step.part_of(
        b"part",
        "ADVANCED_BREP_SHAPE_REPRESENTATION",
        &[shown, hidden, layered, both],
    );
    for what in [hidden, faces[1]] {
        step.paint(what, RED);
        step.hide_last();
    }
    let off = step.add(format!(
        "PRESENTATION_LAYER_ASSIGNMENT('off','',(#{layered},#{both}))"
    ));
    // Also on a layer that is on.
    step.add(format!("PRESENTATION_LAYER_ASSIGNMENT('on','',(#{both}))"));
    step.add(format!("INVISIBILITY((#{off}))"));
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    assert_eq!(
        colours(&scene, 0).iter().map(|c| c.0).sum::<usize>(),
        10 + 12
    );
    let told: Vec<&str> = scene.problems.iter().map(|p| p.message.as_str()).collect();
    assert!(
        told.len() == 1 && told[0].starts_with("3 个隐藏"),
        "{told:?}"
    );
}
