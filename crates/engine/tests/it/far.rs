//! Coordinates of a national grid: 39,512 km from the origin a single-precision number is off by metres.

use crate::models::{glb, json_of, read_bytes, write_bytes};
use modelkit::Scene;
use modelkit::sample::osgb::{self, Dialect, Listing, Mesh, Piece, Sides};
use modelkit::scene::{Severity, math};
use modelkit::{Ctx, Silent, check};
use std::fmt::Write;

const PLACE: [f64; 3] = [39_512_345.37, 3_412_345.78, 12.61];

/// Corners of four triangles: details of centimetres on ten metres.
const SHAPE: [[f64; 3]; 12] = [
    [0.0, 0.0, 0.0],
    [10.0, 0.0, 0.0],
    [10.0, 8.25, 6.0],
    [0.01, 0.02, 0.03],
    [1.2, 0.02, 0.03],
    [1.2, 0.05, 0.9],
    [9.99, 8.24, 5.99],
    [9.97, 8.24, 5.99],
    [9.97, 8.0, 5.5],
    [5.0, 4.0, 3.0],
    [5.1, 4.0, 3.0],
    [5.1, 4.005, 3.0],
];

fn places(from: [f64; 3]) -> [[f64; 3]; 12] {
    SHAPE.map(|p| [0, 1, 2].map(|k| p[k] + from[k]))
}

/// Where the triangles' corners are drawn, in drawing order.
fn drawn(scene: &Scene) -> Vec<[f64; 3]> {
    let world = scene.world_matrices();
    let mut out = Vec::new();
    for index in scene.walk() {
        let node = &scene.nodes[index as usize];
        let Some(mesh) = node.mesh else { continue };
        for p in &scene.meshes[mesh as usize].primitives {
            let corner = |i: &u32| math::point(&world[index as usize], p.positions[*i as usize]);
            out.extend(p.indices.iter().map(corner));
        }
    }
    out
}

/// Each corner is within a millimetre of its place.
fn assert_at(scene: &Scene, wanted: &[[f64; 3]], of: &str) {
    let found = drawn(scene);
    assert_eq!(found.len(), wanted.len(), "{of}");
    for (found, wanted) in found.iter().zip(wanted) {
        let off = math::sub(*found, *wanted);
        assert!(
            math::dot(off, off).sqrt() < 1e-3,
            "{of}: {found:?} {wanted:?}"
        );
    }
}

fn numbers(values: impl IntoIterator<Item = [f64; 3]>) -> String {
    values
        .into_iter()
        .map(|[x, y, z]| format!("{x} {y} {z}\n"))
        .collect()
}

fn obj(parts: &[[f64; 3]]) -> String {
    let mut text = String::new();
    for (part, from) in parts.iter().enumerate() {
        let _ = writeln!(text, "o part{part}");
        for [x, y, z] in places(*from) {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for t in (0..4).map(|t| part * 12 + t * 3 + 1) {
            let _ = writeln!(text, "f {} {} {}", t, t + 1, t + 2);
        }
    }
    text
}

const PLY: &str = "element vertex 12\nproperty double x\nproperty double y\nproperty double z\nelement face 4\n\
property list uchar int vertex_indices\nend_header\n";

fn ply() -> String {
    let faces: String = (0..4)
        .map(|t| format!("3 {} {} {}\n", t * 3, t * 3 + 1, t * 3 + 2))
        .collect();
    format!(
        "ply\nformat ascii 1.0\n{PLY}{}{faces}",
        numbers(places(PLACE))
    )
}

fn ply_binary(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut out = format!("ply\nformat binary_{order}_endian 1.0\n{PLY}").into_bytes();
    for v in places(PLACE).iter().flatten() {
        out.extend(if big {
            v.to_be_bytes()
        } else {
            v.to_le_bytes()
        });
    }
    for t in 0..4i32 {
        out.push(3);
        for v in [t * 3, t * 3 + 1, t * 3 + 2] {
            out.extend(if big {
                v.to_be_bytes()
            } else {
                v.to_le_bytes()
            });
        }
    }
    out
}

fn stl() -> String {
    let mut text = "solid house units=m\n".to_owned();
    for t in places(PLACE).chunks_exact(3) {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in t {
            let _ = writeln!(text, "vertex {x} {y} {z}");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid\n"
}

/// The shape at `from` on a node at `at`.
fn dae(from: [f64; 3], at: [f64; 3]) -> String {
    let [x, y, z] = at;
    format!(
        r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="36">{}</float_array>
<technique_common><accessor source="#pa" count="12" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3 4 5 6 7 8 9 10 11</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="vs"><node id="n">
<translate>{x} {y} {z}</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##,
        numbers(places(from))
    )
}

fn fbx(from: [f64; 3], at: [f64; 3]) -> String {
    let [x, y, z] = at;
    let corners: Vec<String> = places(from).iter().flatten().map(f64::to_string).collect();
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXVersion: 7400\n}}\nGlobalSettings:  {{\n\
Properties70:  {{\nP: \"UpAxis\", \"int\", \"Integer\", \"\",1\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
P: \"FrontAxis\", \"int\", \"Integer\", \"\",2\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",1\n\
P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n}}\n}}\nObjects:  {{\n\
Geometry: 1, \"Geometry::\", \"Mesh\" {{\nVertices: *36 {{ a: {} }}\n\
PolygonVertexIndex: *12 {{ a: 0,1,-3,3,4,-6,6,7,-9,9,10,-12 }}\n}}\n\
Model: 2, \"Model::house\", \"Mesh\" {{\nProperties70:  {{\n\
P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n}}\n}}\n}}\n\
Connections:  {{\nC: \"OO\",2,0\nC: \"OO\",1,2\n}}\n",
        corners.join(",")
    )
}

const NOWHERE: [f64; 3] = [0.0; 3];

#[test]
fn places_keep_the_precision_of_the_file() {
    let files: [(&str, Vec<u8>); 9] = [
        ("a.obj", obj(&[PLACE]).into_bytes()),
        ("a.ply", ply().into_bytes()),
        ("a.ply", ply_binary(false)),
        ("a.ply", ply_binary(true)),
        ("a.stl", stl().into_bytes()),
        ("a.dae", dae(PLACE, NOWHERE).into_bytes()),
        ("a.dae", dae(NOWHERE, PLACE).into_bytes()),
        ("a.fbx", fbx(PLACE, NOWHERE).into_bytes()),
        ("a.fbx", fbx(NOWHERE, PLACE).into_bytes()),
    ];
    let wanted = places(PLACE);
    for (name, bytes) in files {
        let scene = read_bytes(&bytes, name).unwrap();
        assert_at(&scene, &wanted, name);
        let report = check::check(&scene, 0, &Ctx::new(&Silent)).unwrap();
        let far = report.problems.iter().find(|p| p.code == "far-from-origin");
        assert_eq!(far.unwrap().severity, Severity::Info, "{name}");
        let size = scene.bounds().size();
        let off = math::sub(size, [10.0, 8.25, 6.0]);
        assert!(math::dot(off, off).sqrt() < 1e-3, "{name}: {size:?}");
        // And so do the formats that are written.
        for format in ["b.glb", "b.obj", "b.ply"] {
            let again = read_bytes(&write_bytes(&scene, format, false), format).unwrap();
            assert_at(&again, &wanted, &format!("{name} as {format}"));
        }
        let compact = read_bytes(&write_bytes(&scene, "b.glb", true), "b.glb").unwrap();
        assert_eq!(drawn(&compact).len(), 12, "{name}");
        for (found, wanted) in compact.bounds().size().iter().zip([10.0, 8.25, 6.0]) {
            assert!((found - wanted).abs() < 2e-3, "{name}: {found}");
        }
    }
}

#[test]
fn parts_a_hundred_kilometres_apart_are_both_right() {
    let there = [PLACE[0] + 100_000.0, PLACE[1] - 50_000.0, PLACE[2]];
    let mut wanted = places(PLACE).to_vec();
    wanted.extend(places(there));
    let scene = read_bytes(obj(&[PLACE, there]).as_bytes(), "a.obj").unwrap();
    assert_at(&scene, &wanted, "OBJ");
    let glb = write_bytes(&scene, "b.glb", false);
    assert_at(&read_bytes(&glb, "b.glb").unwrap(), &wanted, "GLB");
    // One node holds the whole offset.
    let json = json_of(&glb);
    assert_eq!(json["scenes"][0]["nodes"].as_array().unwrap().len(), 1);
}

#[test]
fn stl_written_from_afar_keeps_its_shape_and_tells_the_offset() {
    let scene = read_bytes(obj(&[PLACE]).as_bytes(), "a.obj").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("b.stl");
    let options = modelkit::write::Options::default();
    let format = modelkit::write::OutFormat::of(&path).unwrap();
    let told = modelkit::write::write(&scene, &path, format, &options, &Ctx::new(&Silent)).unwrap();
    let moved = told
        .problems
        .iter()
        .find(|p| p.code == "moved-to-origin")
        .unwrap();
    assert!(moved.message.contains("39512345"), "{}", moved.message);
    let again = read_bytes(&std::fs::read(path).unwrap(), "b.stl").unwrap();
    let from = [39_512_345.0, 3_412_346.0, 0.0];
    assert_at(&again, &places(PLACE).map(|p| math::sub(p, from)), "STL");
}

#[test]
fn what_is_near_gets_no_origin() {
    for from in [NOWHERE, [50.0, 3.0, 4.0], [3000.0, 0.0, -20.0]] {
        let near = dae(from, NOWHERE);
        for (name, text) in [
            ("a.obj", obj(&[from])),
            ("a.dae", near),
            ("a.fbx", fbx(from, NOWHERE)),
        ] {
            let scene = read_bytes(text.as_bytes(), name).unwrap();
            assert_eq!(scene.nodes.len(), 1, "{name} {from:?}");
        }
    }
    // Four metres in millimetres are not far, though the number is large.
    let text = format!("# units: mm\n{}", obj(&[[5_000.0, 0.0, 0.0]]));
    let scene = read_bytes(text.as_bytes(), "a.obj").unwrap();
    assert_eq!(scene.nodes.len(), 1);
    assert!((scene.bounds().min[0] - 5.0).abs() < 1e-6);
}

/// A triangle of glTF below a node with these fields.
fn gltf(node: &str) -> Vec<u8> {
    let bin: Vec<u8> = SHAPE[..3]
        .iter()
        .flatten()
        .flat_map(|v| (*v as f32).to_le_bytes())
        .collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,{node}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],"buffers":[{{"byteLength":36}}],
"bufferViews":[{{"buffer":0,"byteLength":36}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[10,8.25,6]}}]}}"#
    );
    glb(&json, &bin)
}

#[test]
fn nodes_of_gltf_keep_the_precision_of_json() {
    let [x, y, z] = PLACE;
    for node in [
        format!(r#""translation":[{x},{y},{z}]"#),
        format!(r#""matrix":[1,0,0,0,0,1,0,0,0,0,1,0,{x},{y},{z},1]"#),
    ] {
        let scene = read_bytes(&gltf(&node), "a.glb").unwrap();
        assert_at(&scene, &places(PLACE)[..3], &node);
        let again = read_bytes(&write_bytes(&scene, "b.glb", false), "b.glb").unwrap();
        assert_at(&again, &places(PLACE)[..3], &node);
    }
}

#[test]
fn the_proxy_of_what_is_far_keeps_its_shape() {
    let scene = read_bytes(obj(&[PLACE]).as_bytes(), "a.obj").unwrap();
    let proxy = modelkit::proxy::make(&scene, 64 << 10, &Ctx::new(&Silent)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proxy.glb");
    proxy.write(&path).unwrap();
    let proxy = read_bytes(&std::fs::read(path).unwrap(), "proxy.glb").unwrap();
    let bounds = proxy.bounds();
    for axis in 0..3 {
        let (size, least) = ([10.0, 8.25, 6.0][axis], bounds.min[axis] - PLACE[axis]);
        assert!((bounds.size()[axis] - size).abs() < 0.02, "{bounds:?}");
        assert!(least.abs() < 0.02, "{bounds:?}");
    }
}

#[test]
fn osgb_far_below_a_transform_keeps_its_shape() {
    let piece = Piece {
        mesh: Mesh {
            positions: SHAPE.map(|p| p.map(|v| v as f32)).to_vec(),
            uvs: vec![[0.0; 2]; 12],
            indices: (0..12).collect(),
            listing: Listing::Shorts,
            skin: None,
            sides: Sides::default(),
            unit: 0,
        },
        finer: None,
    };
    let scene = read_bytes(
        &osgb::write(&[piece], Some(PLACE), Dialect::default()),
        "a.osgb",
    )
    .unwrap();
    // Z is up there, Y here.
    assert_at(&scene, &places(PLACE).map(|[x, y, z]| [x, z, -y]), "OSGB");
}
