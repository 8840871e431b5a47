//! FBX files written by hand.

use crate::models::{read_bytes, write_bytes};
use modelkit::Scene;
use modelkit::scene::math;
use std::fmt::Write;

/// A list as FBX writes it.
pub fn list<T: ToString>(name: &str, values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("{name}: *{} {{ a: {} }}\n", values.len(), values.join(","))
}

/// A box from 0 to 1 with x twice as long, faces outwards, and what else its geometry and its file have.
pub fn file(axes: [i32; 6], geometry: &str, objects: &str, connections: &str) -> Vec<u8> {
    let mut text = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 7400\n}\n\
GlobalSettings:  {\nProperties70:  {\n"
        .to_owned();
    let names = [
        "UpAxis",
        "UpAxisSign",
        "FrontAxis",
        "FrontAxisSign",
        "CoordAxis",
        "CoordAxisSign",
    ];
    for (name, value) in names.iter().zip(axes) {
        let _ = writeln!(text, "P: \"{name}\", \"int\", \"Integer\", \"\",{value}");
    }
    text += "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}\n}\nObjects:  {\n";
    text += "Geometry: 1, \"Geometry::\", \"Mesh\" {\n";
    let corner = |i: i32| [(i & 1) * 2, i >> 1 & 1, i >> 2 & 1];
    let corners: Vec<i32> = (0..8).flat_map(corner).collect();
    text += &list("Vertices", &corners);
    text += &list("PolygonVertexIndex", &FACES);
    text += geometry;
    text += "}\nModel: 2, \"Model::box\", \"Mesh\" {\n}\n";
    text += objects;
    text += "}\nConnections:  {\nC: \"OO\",2,0\nC: \"OO\",1,2\n";
    text += connections;
    (text + "}\n").into_bytes()
}

const FACES: [i32; 24] = [
    0, 2, 3, -2, 4, 5, 7, -7, 0, 1, 5, -5, 2, 6, 7, -4, 0, 4, 6, -3, 1, 3, 7, -6,
];
pub const RIGHT_HANDED: [i32; 6] = [1, 1, 2, 1, 0, 1];

fn volume(scene: &Scene) -> f64 {
    let world = scene.world_matrices();
    let mut sum = 0.0;
    for (node, matrix) in scene.nodes.iter().zip(&world) {
        let Some(mesh) = node.mesh else { continue };
        let sign = math::determinant(matrix).signum();
        for p in &scene.meshes[mesh as usize].primitives {
            for t in p.indices.as_chunks::<3>().0 {
                let [a, b, c] = t.map(|i| math::point(matrix, p.positions[i as usize]));
                sum += sign * math::dot(a, math::cross(b, c)) / 6.0;
            }
        }
    }
    sum
}

fn assert_normals_point_outwards(scene: &Scene) {
    for p in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        for t in p.indices.as_chunks::<3>().0 {
            let [a, b, c] = t.map(|i| p.positions[i as usize].map(f64::from));
            let face = math::cross(math::sub(b, a), math::sub(c, a));
            for i in t {
                let normal = p.normals[*i as usize].map(f64::from);
                assert!(math::dot(face, normal) > 0.0);
            }
        }
    }
}

/// The box with its faces turned round.
fn turned() -> Vec<i32> {
    let turn = |face: &[i32; 4]| [-1 - face[3], face[2], face[1], -1 - face[0]];
    FACES.as_chunks::<4>().0.iter().flat_map(turn).collect()
}

/// Whether third axis, up and front form a left-handed system.
fn is_left_handed([up, up_sign, front, front_sign, third, third_sign]: [i32; 6]) -> bool {
    let vector = |axis: i32, sign: i32| {
        let mut v = [0.0; 3];
        v[axis as usize] = f64::from(sign);
        v
    };
    let across = math::cross(vector(third, third_sign), vector(up, up_sign));
    math::dot(across, vector(front, front_sign)) < 0.0
}

#[test]
fn up_stays_up_and_outside_outside_whatever_the_axes() {
    // Up, front and the third axis with their signs; the size in x, y, z of the result.
    for (axes, low, high) in [
        (RIGHT_HANDED, [0.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        // Left-handed, Y up: the third axis is turned round.
        ([1, 1, 2, 1, 0, -1], [-2.0, 0.0, 0.0], [0.0, 1.0, 1.0]),
        // Z up, right- and left-handed, as 3ds Max and as game engines have it.
        ([2, 1, 1, -1, 0, 1], [0.0, 0.0, -1.0], [2.0, 1.0, 0.0]),
        ([2, 1, 1, -1, 0, -1], [-2.0, 0.0, -1.0], [0.0, 1.0, 0.0]),
        ([2, 1, 0, 1, 1, 1], [0.0, 0.0, 0.0], [1.0, 1.0, 2.0]),
        // Down is up.
        ([1, -1, 2, 1, 0, -1], [-2.0, -1.0, 0.0], [0.0, 0.0, 1.0]),
    ] {
        for geometry in ["", &normals()] {
            let mut bytes = file(axes, geometry, "", "");
            // Faces are counter-clockwise seen from outside, in the file's own space.
            if is_left_handed(axes) {
                let (old, new) = (
                    list("PolygonVertexIndex", &FACES),
                    list("PolygonVertexIndex", &turned()),
                );
                bytes = String::from_utf8(bytes)
                    .unwrap()
                    .replace(&old, &new)
                    .into_bytes();
            }
            let scene = read_bytes(&bytes, "a.fbx").unwrap();
            let bounds = scene.bounds();
            for k in 0..3 {
                assert!((bounds.min[k] - low[k]).abs() < 1e-5, "{axes:?} {bounds:?}");
                assert!(
                    (bounds.max[k] - high[k]).abs() < 1e-5,
                    "{axes:?} {bounds:?}"
                );
            }
            assert!((volume(&scene) - 2.0).abs() < 1e-4, "{axes:?}");
            assert_normals_point_outwards(&scene);
        }
    }
}

/// Given normals, outwards, one per face.
fn normals() -> String {
    let outwards = [0, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0];
    "LayerElementNormal: 0 {\nMappingInformationType: \"ByPolygon\"\n\
ReferenceInformationType: \"Direct\"\n"
        .to_owned()
        + &list("Normals", &outwards)
        + "}\nLayer: 0 {\nLayerElement:  {\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}\n}\n"
}

#[test]
fn a_mirroring_baked_into_vertices_turns_the_faces() {
    let normals = normals();
    for (property, value) in [("GeometricScaling", "-1,1,1"), ("Lcl Scaling", "1,1,-1")] {
        for geometry in ["", &normals] {
            let model = format!(
                "Model: 2, \"Model::box\", \"Mesh\" {{\nProperties70:  {{\n\
P: \"{property}\", \"Vector3D\", \"Vector\", \"\",{value}\n}}\n}}\n"
            );
            let text = String::from_utf8(file(RIGHT_HANDED, geometry, "", "")).unwrap();
            let text = text.replace("Model: 2, \"Model::box\", \"Mesh\" {\n}\n", &model);
            let scene = read_bytes(text.as_bytes(), "a.fbx").unwrap();
            let volume = volume(&scene);
            assert!((volume - 2.0).abs() < 1e-4, "{property} {volume}");
            assert_normals_point_outwards(&scene);
        }
    }
}

/// Bones side by side, each of which holds every vertex by the same share.
fn boned(bones: usize) -> Vec<u8> {
    let mut objects = "Deformer: 10, \"Deformer::\", \"Skin\" {\n}\n".to_owned();
    let mut connections = "C: \"OO\",10,1\n".to_owned();
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    for bone in 0..bones {
        let (node, cluster) = (100 + bone, 200 + bone);
        let share = 1.0 / bones as f64;
        let _ = write!(
            objects,
            "Model: {node}, \"Model::bone{bone}\", \"LimbNode\" {{\n}}\n\
Deformer: {cluster}, \"SubDeformer::\", \"Cluster\" {{\n{}{}{}{}}}\n",
            list("Indexes", &(0..8).collect::<Vec<i32>>()),
            list("Weights", &[share; 8]),
            list("Transform", &identity),
            list("TransformLink", &identity),
        );
        let _ = write!(
            connections,
            "C: \"OO\",{node},0\nC: \"OO\",{cluster},10\nC: \"OO\",{node},{cluster}\n"
        );
    }
    file(RIGHT_HANDED, "", &objects, &connections)
}

#[test]
fn every_bone_keeps_its_weight() {
    for bones in [1, 4, 5, 6, 16] {
        let scene = read_bytes(&boned(bones), "a.fbx").unwrap();
        let again = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
        for scene in [&scene, &again] {
            let p = &scene.meshes[0].primitives[0];
            assert_eq!(p.skin_sets.len(), bones.div_ceil(4));
            let names = |joint: u16| {
                let node = scene.skins[0].joints[usize::from(joint)];
                scene.nodes[node as usize].name.clone()
            };
            for vertex in 0..p.positions.len() {
                let mut found: Vec<String> = Vec::new();
                for set in &p.skin_sets {
                    for k in (0..4).filter(|k| set.weights[vertex][*k] > 0.0) {
                        let weight = set.weights[vertex][k];
                        assert!((weight - 1.0 / bones as f32).abs() < 1e-3, "{weight}");
                        found.push(names(set.joints[vertex][k]));
                    }
                }
                found.sort();
                found.dedup();
                assert_eq!(found.len(), bones);
            }
        }
        assert!(!scene.problems.iter().any(|p| p.code == "weights-dropped"));
    }
    let scene = read_bytes(&boned(17), "a.fbx").unwrap();
    let told = scene.problems.iter().find(|p| p.code == "weights-dropped");
    assert!(told.unwrap().message.starts_with("8 个顶点"));
}

#[test]
fn bones_side_by_side_get_a_common_root() {
    let scene = read_bytes(&boned(3), "a.fbx").unwrap();
    let [root] = scene.roots[..] else {
        panic!("{:?}", scene.roots);
    };
    let below = &scene.nodes[root as usize].children;
    assert!(
        scene.skins[0]
            .joints
            .iter()
            .all(|joint| below.contains(joint))
    );
    // One bone needs none.
    assert_eq!(read_bytes(&boned(1), "a.fbx").unwrap().roots.len(), 2);
}

#[test]
fn equal_numbers_are_equal_colours_in_every_format() {
    let (r, g, b) = (0.5, 0.25, 1.0);
    let wanted = [0.214_041_14, 0.050_876_09, 1.0];
    let near = |found: [f32; 3], format: &str| {
        for k in 0..3 {
            assert!((found[k] - wanted[k]).abs() < 1e-3, "{format} {found:?}");
        }
    };
    // Vertex colours.
    let corners = [r, g, b, 1.0].repeat(24);
    let layer = format!(
        "LayerElementColor: 0 {{\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"Direct\"\n{}}}\n\
Layer: 0 {{\nLayerElement:  {{\nType: \"LayerElementColor\"\nTypedIndex: 0\n}}\n}}\n",
        list("Colors", &corners)
    );
    let fbx = file(RIGHT_HANDED, &layer, "", "");
    let obj = format!("v 0 0 0 {r} {g} {b}\nv 1 0 0 {r} {g} {b}\nv 0 1 0 {r} {g} {b}\nf 1 2 3\n");
    let rows: String = ["0 0 0", "1 0 0", "0 1 0"]
        .iter()
        .map(|p| format!("{p} {r} {g} {b}\n"))
        .collect();
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
property float red\nproperty float green\nproperty float blue\nelement face 1\n\
property list uchar int vertex_index\nend_header\n{rows}3 0 1 2\n"
    );
    let dae = dae(
        &format!(
            "<source id=\"c\"><float_array id=\"ca\" count=\"3\">{r} {g} {b}</float_array><technique_common>\
<accessor source=\"#ca\" count=\"1\" stride=\"3\"/></technique_common></source>"
        ),
        "<input semantic=\"COLOR\" source=\"#c\" offset=\"1\"/>",
        "0 0 1 0 2 0",
        "",
    );
    for (name, bytes) in [
        ("a.fbx", &fbx[..]),
        ("a.obj", obj.as_bytes()),
        ("a.ply", ply.as_bytes()),
        ("a.dae", dae.as_bytes()),
    ] {
        let scene = read_bytes(bytes, name).unwrap();
        for color in &scene.meshes[0].primitives[0].colors {
            near([color[0], color[1], color[2]], name);
        }
    }
    // Materials: colour and emission.
    let properties = format!(
        "Material: 3, \"Material::m\", \"\" {{\nShadingModel: \"phong\"\nProperties70:  {{\n\
P: \"DiffuseColor\", \"Color\", \"\", \"A\",{r},{g},{b}\nP: \"EmissiveColor\", \"Color\", \"\", \"A\",{r},{g},{b}\n}}\n}}\n"
    );
    let fbx = file(RIGHT_HANDED, "", &properties, "C: \"OO\",3,2\n");
    let color = format!("<color>{r} {g} {b} 1</color>");
    let effect = format!("<emission>{color}</emission><diffuse>{color}</diffuse>");
    let dae = self::dae("", "", "0 1 2", &effect);
    let obj = b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
    let mtl = format!("newmtl m\nKd {r} {g} {b}\nKe {r} {g} {b}\n");
    let archive = crate::archive::pack(&[("m.obj", obj), ("m.mtl", mtl.as_bytes())]);
    for (name, bytes) in [
        ("a.fbx", &fbx[..]),
        ("a.dae", dae.as_bytes()),
        ("a.zip", &archive),
    ] {
        let scene = read_bytes(bytes, name).unwrap();
        let material = &scene.materials[0];
        near([0, 1, 2].map(|k| material.base_color[k]), name);
        near(material.emissive, name);
    }
    // What is written in a format reads back.
    let scene = read_bytes(&fbx, "a.fbx").unwrap();
    let again = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
    near([0, 1, 2].map(|k| again.materials[0].base_color[k]), "glb");
}

/// A triangle with another source, input and effect.
fn dae(source: &str, input: &str, indices: &str, effect: &str) -> String {
    format!(
        r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><phong>{effect}</phong></technique></profile_COMMON>
</effect></library_effects><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"/></technique_common></source>{source}
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/>{input}<p>{indices}</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="vs"><node>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##
    )
}
