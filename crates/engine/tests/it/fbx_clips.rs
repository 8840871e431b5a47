//! Clips of FBX files as they are shown: where each vertex is at which second.

use crate::fbx::{RIGHT_HANDED, file, list};
use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::scene::{AnimationPath, Mat4, Transform, math};
use std::fmt::Write;

const SECOND: i64 = 46_186_158_000;

fn scene(objects: &str, connections: &str) -> Scene {
    let bytes = file(RIGHT_HANDED, "", objects, connections);
    read_bytes(&bytes, "a.fbx").unwrap()
}

/// Values of a sampler at a second, between its keys in a straight line.
fn sampled(times: &[f32], values: &[f32], time: f32) -> Vec<f32> {
    let width = values.len() / times.len();
    let row = |i: usize| &values[i * width..(i + 1) * width];
    let after = times.partition_point(|t| *t <= time);
    if after == 0 || after == times.len() {
        return row(after.saturating_sub(1)).to_vec();
    }
    let (a, b) = (times[after - 1], times[after]);
    let part = (time - a) / (b - a);
    let pairs = row(after - 1).iter().zip(row(after));
    pairs.map(|(a, b)| a + (b - a) * part).collect()
}

/// World matrices at a second of a clip.
fn posed(scene: &Scene, clip: usize, time: f32) -> Vec<Mat4> {
    let mut scene = scene.clone();
    let animation = scene.animations[clip].clone();
    for channel in &animation.channels {
        let sampler = &animation.samplers[channel.sampler as usize];
        let value = sampled(&sampler.times, &sampler.values, time);
        let Transform::Trs {
            translation,
            rotation,
            scale,
        } = &mut scene.nodes[channel.node as usize].transform
        else {
            panic!("an animated matrix");
        };
        match channel.path {
            AnimationPath::Translation => {
                *translation = [0, 1, 2].map(|i: usize| f64::from(value[i]));
            }
            AnimationPath::Rotation => *rotation = [value[0], value[1], value[2], value[3]],
            AnimationPath::Scale => *scale = [value[0], value[1], value[2]],
            AnimationPath::Weights => {}
        }
    }
    scene.world_matrices()
}

/// Where a node is.
fn place(scene: &Scene, clip: usize, time: f32, name: &str) -> [f64; 3] {
    let node = scene.nodes.iter().position(|n| n.name == name).unwrap();
    math::point(&posed(scene, clip, time)[node], [0.0; 3])
}

fn near(found: [f64; 3], wanted: [f64; 3]) {
    for (a, b) in found.into_iter().zip(wanted) {
        assert!((a - b).abs() < 1e-4, "{found:?} {wanted:?}");
    }
}

/// A property of an object that a clip moves: times in seconds with values, and what the curve does after them.
struct Curve<'a> {
    target: u32,
    property: &'a str,
    axis: &'a str,
    keys: &'a [(i64, f64)],
    after: &'a str,
}

/// A clip between two seconds, with ids from `id` on.
fn clip(id: u32, name: &str, [from, to]: [i64; 2], curves: &[Curve]) -> (String, String) {
    let layer = id + 1;
    let mut objects = format!(
        "AnimationStack: {id}, \"AnimStack::{name}\", \"\" {{\nProperties70:  {{\n\
P: \"LocalStart\", \"KTime\", \"Time\", \"\",{}\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\n\
AnimationLayer: {layer}, \"AnimLayer::base\", \"\" {{\n}}\n",
        from * SECOND,
        to * SECOND
    );
    let mut connections = format!("C: \"OO\",{layer},{id}\n");
    for (i, curve) in curves.iter().enumerate() {
        let node = id + 2 + 2 * i as u32;
        let Curve {
            target,
            property,
            axis,
            ..
        } = curve;
        let times: Vec<i64> = curve.keys.iter().map(|(time, _)| time * SECOND).collect();
        let values: Vec<f64> = curve.keys.iter().map(|(_, value)| *value).collect();
        let still = u8::from(property.ends_with("Scaling"));
        let axes: String = ["X", "Y", "Z"]
            .map(|axis| format!("P: \"d|{axis}\", \"Number\", \"\", \"A\",{still}\n"))
            .concat();
        let _ = write!(
            objects,
            "AnimationCurveNode: {node}, \"AnimCurveNode::n\", \"\" {{\nProperties70:  {{\n\
{axes}}}\n}}\n\
AnimationCurve: {}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4009\n{}{}{}{}{}{}}}\n",
            node + 1,
            list("KeyTime", &times),
            list("KeyValueFloat", &values),
            // Linear.
            list("KeyAttrFlags", &[4]),
            list("KeyAttrDataFloat", &[0, 0, 0, 0]),
            list("KeyAttrRefCount", &[values.len()]),
            curve.after,
        );
        let _ = write!(
            connections,
            "C: \"OO\",{node},{layer}\nC: \"OP\",{node},{target}, \"{property}\"\nC: \"OP\",{},{node}, \"d|{axis}\"\n",
            node + 1
        );
    }
    (objects, connections)
}

fn along_x<'a>(target: u32, keys: &'a [(i64, f64)], after: &'a str) -> Curve<'a> {
    Curve {
        target,
        property: "Lcl Translation",
        axis: "X",
        keys,
        after,
    }
}

#[test]
fn a_clip_keeps_the_poses_of_what_it_does_not_move() {
    // The file shows the box at 5; in one clip it stands at 1, in the other it walks away.
    let model = "Model: 20, \"Model::arm\", \"Null\" {\nProperties70:  {\n\
P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",5,0,0\n}\n}\n";
    let still = along_x(20, &[(0, 1.0), (2, 1.0)], "");
    let (stands, links) = clip(100, "stands", [0, 2], &[still]);
    let (walks, more) = clip(
        200,
        "walks",
        [0, 2],
        &[along_x(20, &[(0, 5.0), (2, 7.0)], "")],
    );
    let found = scene(
        &[model, &stands, &walks].concat(),
        &["C: \"OO\",20,0\n", &links, &more].concat(),
    );
    let names: Vec<&str> = found.animations.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["stands", "walks"]);
    near(place(&found, 0, 0.0, "arm"), [1.0, 0.0, 0.0]);
    near(place(&found, 0, 2.0, "arm"), [1.0, 0.0, 0.0]);
    near(place(&found, 1, 1.0, "arm"), [6.0, 0.0, 0.0]);
    // The pose lasts as long as in the file.
    let end = |clip: usize| found.animations[clip].samplers[0].times.last().copied();
    assert_eq!((end(0), end(1)), (Some(2.0), Some(2.0)));
}

#[test]
fn curves_go_on_after_their_last_key() {
    let after = |kind: &str, count: i32| {
        format!("Post-Extrapolation:  {{\nType: {kind}\nRepetition: {count}\n}}\n")
    };
    let cases = [
        ("", [2.0, 2.0, 2.0]),
        (&after("R", -1), [1.0, 0.5, 1.5]),
        (&after("R", 1), [1.0, 2.0, 2.0]),
        (&after("M", -1), [1.0, 0.5, 0.5]),
        (&after("A", -1), [3.0, 4.5, 7.5]),
        (&after("K", -1), [3.0, 4.5, 7.5]),
    ];
    for (after, wanted) in cases {
        let keys = [(0, 0.0), (2, 2.0)];
        let (objects, connections) = clip(100, "fan", [0, 8], &[along_x(2, &keys, after)]);
        let found = scene(&objects, &connections);
        near(place(&found, 0, 1.0, "box"), [1.0, 0.0, 0.0]);
        for (time, x) in [3.0, 4.5, 7.5].into_iter().zip(wanted) {
            near(place(&found, 0, time, "box"), [x, 0.0, 0.0]);
        }
    }
    // A jump back takes no time to speak of.
    let (objects, connections) = clip(
        100,
        "fan",
        [0, 8],
        &[along_x(2, &[(0, 0.0), (2, 2.0)], &after("R", -1))],
    );
    let found = scene(&objects, &connections);
    near(place(&found, 0, 3.999, "box"), [1.999, 0.0, 0.0]);
    near(place(&found, 0, 4.001, "box"), [0.001, 0.0, 0.0]);
}

#[test]
fn late_clips_of_scaled_bones_start_at_their_start() {
    // The second bone makes up for the scale of the first (Maya's segment scale compensation).
    let bone = |id: u32, name: &str, inherits: u32, x: f64| {
        format!(
            "Model: {id}, \"Model::{name}\", \"LimbNode\" {{\nProperties70:  {{\n\
P: \"InheritType\", \"enum\", \"\", \"\",{inherits}\nP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},0,0\n}}\n}}\n"
        )
    };
    let objects = [bone(20, "upper", 1, 0.0), bone(21, "lower", 2, 3.0)].concat();
    let scaled = Curve {
        property: "Lcl Scaling",
        ..along_x(20, &[(4, 1.0), (6, 2.0)], "")
    };
    let moved = along_x(21, &[(4, 3.0), (6, 5.0)], "");
    let (clips, links) = clip(100, "late", [4, 6], &[scaled, moved]);
    let found = scene(
        &(objects + &clips),
        &("C: \"OO\",20,0\nC: \"OO\",21,20\n".to_owned() + &links),
    );
    let ends = found.animations[0].samplers.iter();
    for sampler in ends {
        assert!(sampler.times[0] >= 0.0, "{:?}", sampler.times);
        assert!(*sampler.times.last().unwrap() <= 2.0, "{:?}", sampler.times);
    }
    near(place(&found, 0, 0.0, "lower"), [3.0, 0.0, 0.0]);
    near(place(&found, 0, 2.0, "lower"), [10.0, 0.0, 0.0]);
}

#[test]
fn shapes_of_old_files_move() {
    let shape = "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 6100\n}\nObjects:  {\n\
Model: \"Model::flag\", \"Mesh\" {\nVersion: 232\nProperties60:  {\n\
Property: \"wave\", \"Number\", \"A+N\",0\n}\nVertices: 0,0,0,1,0,0,1,1,0\nPolygonVertexIndex: 0,1,-3\n\
Shape: \"wave\" {\nIndexes: 0\nVertices: 0,0,4\nNormals: 0,0,0\n}\n}\n}\nConnections:  {\n\
Connect: \"OO\", \"Model::flag\", \"Model::Scene\"\n}\nTakes:  {\nCurrent: \"t\"\nTake: \"t\" {\n\
LocalTime: 0,92372316000\nReferenceTime: 0,92372316000\nModel: \"Model::flag\" {\nVersion: 1.1\n\
Channel: \"wave\" {\nDefault: 0\nKeyVer: 4005\nKeyCount: 2\nKey: 0,0,L,92372316000,50,L\n}\n}\n}\n}\n";
    let found = read_bytes(shape.as_bytes(), "a.fbx").unwrap();
    let animation = &found.animations[0];
    let channel = animation
        .channels
        .iter()
        .find(|c| c.path == AnimationPath::Weights)
        .expect("weights that move");
    let sampler = &animation.samplers[channel.sampler as usize];
    for (time, wanted) in [(0.0, 0.0), (1.0, 0.25), (2.0, 0.5)] {
        let weight = sampled(&sampler.times, &sampler.values, time)[0];
        assert!((weight - wanted).abs() < 1e-5, "{time}: {weight}");
    }
    assert!(
        found.problems.iter().all(|p| p.code != "unread-data"),
        "{:?}",
        found.problems
    );
}

#[test]
fn what_no_bone_moves_stays_where_the_mesh_is() {
    // The upper four corners of the box hang on a bone at z = 5, the lower ones on none; the box stands at x = 3.
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    let objects = format!(
        "Deformer: 10, \"Deformer::\", \"Skin\" {{\n}}\nModel: 20, \"Model::bone\", \"LimbNode\" {{\nProperties70:  {{\n\
P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,5\n}}\n}}\n\
Deformer: 11, \"SubDeformer::\", \"Cluster\" {{\n{}{}{}{}}}\n",
        list("Indexes", &[4, 5, 6, 7]),
        list("Weights", &[1.0; 4]),
        list("Transform", &identity),
        list("TransformLink", &identity),
    );
    let connections = "C: \"OO\",10,1\nC: \"OO\",20,0\nC: \"OO\",11,10\nC: \"OO\",20,11\n";
    let text = String::from_utf8(file(RIGHT_HANDED, "", &objects, connections)).unwrap();
    let stands = "\"Model::box\", \"Mesh\" {\nProperties70:  {\nP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",3,0,0\n}\n";
    let text = text.replace("\"Model::box\", \"Mesh\" {\n", stands);
    let found = read_bytes(text.as_bytes(), "a.fbx").unwrap();
    let (world, skin) = (found.world_matrices(), &found.skins[0]);
    let p = &found.meshes[0].primitives[0];
    let mut seen = [0, 0];
    for (v, position) in p.positions.iter().enumerate() {
        let mut at = [0.0; 3];
        for set in &p.skin_sets {
            for (joint, weight) in set.joints[v].iter().zip(set.weights[v]) {
                let joint = usize::from(*joint);
                let bind: Mat4 = skin.inverse_bind[joint].map(f64::from);
                let matrix = math::mul(&world[skin.joints[joint] as usize], &bind);
                let moved = math::point(&matrix, *position);
                (0..3).for_each(|k| at[k] += f64::from(weight) * moved[k]);
            }
        }
        let [x, y, z] = position.map(f64::from);
        let bone = z > 0.5;
        seen[usize::from(bone)] += 1;
        near(
            at,
            if bone {
                [x, y, z + 5.0]
            } else {
                [x + 3.0, y, z]
            },
        );
    }
    assert!(seen[0] > 0 && seen[1] > 0);
}
