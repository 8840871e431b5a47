//! Skins, blend shapes and clips of FBX files.

use crate::fbx::{RIGHT_HANDED, file, list};
use crate::fbx_beyond::finding;
use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::scene::{AnimationPath, Interpolation, Primitive};
use std::fmt::Write;

fn scene(geometry: &str, objects: &str, connections: &str) -> Scene {
    let bytes = file(RIGHT_HANDED, geometry, objects, connections);
    read_bytes(&bytes, "a.fbx").unwrap()
}

/// A skin whose one bone holds the points.
fn skin(skin: u32, bone: u32, points: &[i32], kind: &str) -> (String, String) {
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    let weights = vec![1.0; points.len()];
    let cluster = skin + 1;
    let objects = format!(
        "Deformer: {skin}, \"Deformer::\", \"Skin\" {{\n{kind}}}\nModel: {bone}, \"Model::b{bone}\", \"LimbNode\" {{\n}}\n\
Deformer: {cluster}, \"SubDeformer::\", \"Cluster\" {{\n{}{}{}{}}}\n",
        list("Indexes", points),
        list("Weights", &weights),
        list("Transform", &identity),
        list("TransformLink", &identity),
    );
    let connections = format!(
        "C: \"OO\",{skin},1\nC: \"OO\",{bone},0\nC: \"OO\",{cluster},{skin}\nC: \"OO\",{bone},{cluster}\n"
    );
    (objects, connections)
}

/// The bone that holds most of each vertex, by name.
fn holders(scene: &Scene) -> Vec<([f32; 3], String)> {
    let p: &Primitive = &scene.meshes[0].primitives[0];
    let held = |vertex: usize| {
        let set = &p.skin_sets[0];
        let best =
            (0..4).max_by(|a, b| set.weights[vertex][*a].total_cmp(&set.weights[vertex][*b]));
        let joint = set.joints[vertex][best.unwrap()];
        let node = scene.skins[0].joints[usize::from(joint)];
        scene.nodes[node as usize].name.clone()
    };
    (0..p.positions.len())
        .map(|v| (p.positions[v], held(v)))
        .collect()
}

#[test]
fn several_skins_of_a_mesh_hold_together() {
    // Points with x = 0 are even, those with x = 2 odd.
    let (mut objects, mut connections) = skin(10, 20, &[0, 2, 4, 6], "");
    let (more, links) = skin(12, 21, &[1, 3, 5, 7], "");
    objects += &more;
    connections += &links;
    let found = scene("", &objects, &connections);
    for (place, bone) in holders(&found) {
        assert_eq!(bone, if place[0] < 1.0 { "b20" } else { "b21" });
    }
    assert!(
        !found.problems.iter().any(|p| p.code == "unread-data"),
        "{:?}",
        found.problems
    );
    // A point that both hold.
    let both = objects.replace(
        &list("Indexes", &[1, 3, 5, 7]),
        &list("Indexes", &[1, 3, 5, 0]),
    );
    let told = scene("", &both, &connections);
    assert!(finding(&told, "多个蒙皮").message.starts_with("1 个网格"));
}

#[test]
fn skins_that_keep_their_volume_are_told() {
    for (kind, told) in [
        ("Linear", false),
        ("Rigid", false),
        ("DualQuaternion", true),
    ] {
        let kind = format!("SkinningType: \"{kind}\"\n");
        let (objects, connections) = skin(10, 20, &[0, 1, 2, 3, 4, 5, 6, 7], &kind);
        let found = scene("", &objects, &connections);
        let is = found
            .problems
            .iter()
            .any(|p| p.message.contains("双四元数"));
        assert_eq!(is, told, "{kind}");
    }
}

#[test]
fn hidden_bones_move_what_they_hold() {
    let (objects, connections) = skin(10, 20, &[0, 1, 2, 3, 4, 5, 6, 7], "");
    let bone = "Model: 20, \"Model::b20\", \"LimbNode\" {\n";
    let hidden =
        format!("{bone}Properties70:  {{\nP: \"Visibility\", \"Visibility\", \"\", \"A\",0\n}}\n");
    let found = scene("", &objects.replace(bone, &hidden), &connections);
    assert!(holders(&found).iter().all(|(_, bone)| bone == "b20"));
    assert!(!found.problems.iter().any(|p| p.code == "hidden-skipped"));
}

#[test]
fn point_caches_are_told() {
    let objects = "Deformer: 10, \"Deformer::wave\", \"VertexCacheDeformer\" {\n}\n";
    let found = scene("", objects, "C: \"OO\",10,1\n");
    assert!(finding(&found, "点缓存").message.starts_with("1 个网格"));
}

/// A blend channel with shapes that move point 0 along x by these lengths, in full at these percentages.
fn channel(stops: &[(f64, f64)], percent: f64) -> (String, String) {
    let full: Vec<f64> = stops.iter().map(|(full, _)| *full).collect();
    let mut objects = format!(
        "Deformer: 30, \"Deformer::\", \"BlendShape\" {{\n}}\n\
Deformer: 31, \"SubDeformer::smile\", \"BlendShapeChannel\" {{\n{}Properties70:  {{\n\
P: \"DeformPercent\", \"Number\", \"\", \"A\",{percent}\n}}\n}}\n",
        list("FullWeights", &full)
    );
    let mut connections = "C: \"OO\",30,1\nC: \"OO\",31,30\n".to_owned();
    for (i, (_, length)) in stops.iter().enumerate() {
        let id = 40 + i;
        let _ = write!(
            objects,
            "Geometry: {id}, \"Geometry::s{i}\", \"Shape\" {{\n{}{}}}\n",
            list("Indexes", &[0]),
            list("Vertices", &[*length, 0.0, 0.0]),
        );
        let _ = writeln!(connections, "C: \"OO\",{id},31");
    }
    (objects, connections)
}

/// How far point 0 is moved along x.
fn moved(scene: &Scene, weights: &[f32]) -> f32 {
    let p = &scene.meshes[0].primitives[0];
    let at = p.positions.iter().position(|p| *p == [0.0; 3]).unwrap();
    let targets = p.targets.iter().zip(weights);
    targets
        .map(|(target, weight)| target.positions[at][0] * weight)
        .sum()
}

#[test]
fn shapes_in_between_are_passed_at_their_weights() {
    let stops = [(50.0, 3.0), (100.0, 1.0)];
    for (percent, wanted) in [
        (0.0, 0.0),
        (25.0, 1.5),
        (50.0, 3.0),
        (75.0, 2.0),
        (100.0, 1.0),
    ] {
        let (objects, connections) = channel(&stops, percent);
        let found = scene("", &objects, &connections);
        let mesh = &found.meshes[0];
        assert_eq!(mesh.target_names, ["s0", "smile"]);
        let way = moved(&found, &mesh.weights);
        assert!((way - wanted).abs() < 1e-5, "{percent}: {way}");
    }
    // In full at another weight than 100 %.
    let (objects, connections) = channel(&[(40.0, 3.0)], 20.0);
    let found = scene("", &objects, &connections);
    assert!((moved(&found, &found.meshes[0].weights) - 1.5).abs() < 1e-5);
}

/// A clip of two seconds in which a property goes from one value to another.
fn clip(target: u32, property: &str, kind: &str, from: f64, to: f64) -> (String, String) {
    const SECOND: i64 = 46_186_158_000;
    let objects = format!(
        "AnimationStack: 60, \"AnimStack::walk\", \"\" {{\nProperties70:  {{\n\
P: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\n\
AnimationLayer: 61, \"AnimLayer::base\", \"\" {{\n}}\n\
AnimationCurveNode: 62, \"AnimCurveNode::{property}\", \"\" {{\nProperties70:  {{\n\
P: \"d|{kind}\", \"Number\", \"\", \"A\",{from}\n}}\n}}\n\
AnimationCurve: 63, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\n{}{}{}{}{}}}\n",
        2 * SECOND,
        list("KeyTime", &[0, 2 * SECOND]),
        list("KeyValueFloat", &[from, to]),
        // Linear.
        list("KeyAttrFlags", &[4]),
        list("KeyAttrDataFloat", &[0, 0, 0, 0]),
        list("KeyAttrRefCount", &[2]),
    );
    let connections = format!(
        "C: \"OO\",61,60\nC: \"OO\",62,61\nC: \"OP\",62,{target}, \"{property}\"\nC: \"OP\",63,62, \"d|{kind}\"\n"
    );
    (objects, connections)
}

#[test]
fn clips_pass_the_shapes_in_between() {
    let (shapes, shape_links) = channel(&[(50.0, 3.0), (100.0, 1.0)], 0.0);
    let (objects, connections) = clip(31, "DeformPercent", "DeformPercent", 0.0, 100.0);
    let found = scene("", &(shapes + &objects), &(shape_links + &connections));
    let animation = &found.animations[0];
    let channel = animation
        .channels
        .iter()
        .find(|c| c.path == AnimationPath::Weights);
    let sampler = &animation.samplers[channel.unwrap().sampler as usize];
    assert_eq!(sampler.interpolation, Interpolation::Linear);
    let at = |time: f32| {
        let after = sampler.times.iter().position(|t| *t >= time).unwrap();
        let row = |i: usize| moved(&found, &sampler.values[i * 2..i * 2 + 2]);
        if after == 0 {
            return row(0);
        }
        let (a, b) = (sampler.times[after - 1], sampler.times[after]);
        row(after - 1) + (row(after) - row(after - 1)) * (time - a) / (b - a)
    };
    for (time, wanted) in [(0.0, 0.0), (0.5, 1.5), (1.0, 3.0), (1.5, 2.0), (2.0, 1.0)] {
        assert!((at(time) - wanted).abs() < 1e-3, "{time}: {}", at(time));
    }
    assert!(!found.problems.iter().any(|p| p.code == "unread-data"));
}

#[test]
fn properties_that_move_other_than_nodes_are_told() {
    let material = "Material: 3, \"Material::m\", \"\" {\n}\n";
    for (target, property, kind, object) in [
        (2, "Visibility", "Visibility", "box"),
        (3, "TransparencyFactor", "TransparencyFactor", "m"),
    ] {
        let (objects, connections) = clip(target, property, kind, 1.0, 0.0);
        let connections = connections + "C: \"OO\",3,2\n";
        let found = scene("", &(material.to_owned() + &objects), &connections);
        let told = finding(&found, "属性动画");
        assert!(told.message.contains(property), "{told:?}");
        assert_eq!(told.place, format!("对象 {object}"));
        // What stays the same is nothing lost.
        let (still, _) = clip(target, property, kind, 1.0, 1.0);
        let found = scene("", &(material.to_owned() + &still), &connections);
        assert!(
            !found.problems.iter().any(|p| p.code == "unread-data"),
            "{:?}",
            found.problems
        );
    }
    let (objects, connections) = clip(2, "Lcl Translation", "X", 0.0, 3.0);
    let found = scene("", &objects, &connections);
    assert_eq!(found.animations[0].channels.len(), 1);
    assert!(
        !found.problems.iter().any(|p| p.code == "unread-data"),
        "{:?}",
        found.problems
    );
}
