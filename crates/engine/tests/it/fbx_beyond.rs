//! What FBX files hold beyond polygons: every type of element has a case that shows what becomes of it.

use crate::fbx::{RIGHT_HANDED, file, list};
use crate::models::read_bytes;
use modelkit::Scene;
use modelkit::read::fbx::{ElementType as Type, Loss, Treatment, treatment};
use modelkit::scene::{Mode, Problem, Severity, math};

/// The only finding with these words.
pub fn finding(scene: &Scene, words: &str) -> Problem {
    let mut found = scene.problems.iter().filter(|p| p.message.contains(words));
    let only = found
        .next()
        .unwrap_or_else(|| panic!("{words}: {:?}", scene.problems));
    assert!(found.next().is_none(), "{words} twice");
    only.clone()
}

fn scene(geometry: &str, objects: &str, connections: &str) -> Scene {
    let bytes = file(RIGHT_HANDED, geometry, objects, connections);
    read_bytes(&bytes, "a.fbx").unwrap()
}

/// An attribute on a node of its own.
fn attached(object: &str) -> Scene {
    let objects = format!("{object}Model: 51, \"Model::own\", \"Null\" {{\n}}\n");
    scene("", &objects, "C: \"OO\",51,0\nC: \"OO\",50,51\n")
}

fn quiet(scene: &Scene) -> bool {
    !scene
        .problems
        .iter()
        .any(|p| ["unread-data", "curves-skipped"].contains(&p.code))
}

/// A flat patch from 0 to 2 in x and from 0 to 1 in z, at height 1 in the middle where it is curved.
fn patch(flip: &str) -> String {
    let points = [
        0, 0, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1, //
        0, 0, 1, 1, 1, 2, 1, 1, 2, 0, 1, 1,
    ];
    format!(
        "Geometry: 50, \"Geometry::patch\", \"NurbsSurface\" {{\nType: \"NurbsSurface\"\nNurbsSurfaceOrder: 3,2\n\
Dimensions: 3,2\nStep: 4,4\nForm: \"Open\", \"Open\"\n{flip}{}{}{}}}\n",
        list("Points", &points),
        list("KnotVectorU", &[0, 0, 0, 5, 5, 5]),
        list("KnotVectorV", &[0, 0, 1, 1]),
    )
}

#[test]
fn nurbs_surfaces_become_meshes() {
    for flip in ["", "FlipNormals: 1\n"] {
        let found = attached(&patch(flip));
        assert!(quiet(&found), "{:?}", found.problems);
        let mesh = found.meshes.iter().find(|m| m.name == "patch").unwrap();
        let p = &mesh.primitives[0];
        assert_eq!(p.indices.len(), 8 * 8 * 2 * 3);
        // A parabola: y = x (2 - x).
        for (place, uv) in p.positions.iter().zip(&p.uvs[0]) {
            let [x, y, z] = *place;
            assert!((y - x * (2.0 - x)).abs() < 1e-4, "{place:?}");
            assert!((uv[0] - x / 2.0).abs() < 1e-4 && (1.0 - uv[1] - z).abs() < 1e-4);
        }
        for t in p.indices.as_chunks::<3>().0 {
            let [a, b, c] = t.map(|i| p.positions[i as usize].map(f64::from));
            let face = math::cross(math::sub(b, a), math::sub(c, a));
            for i in t {
                let normal = p.normals[*i as usize].map(f64::from);
                assert!(math::dot(face, normal) > 0.0, "{flip}");
            }
            // Across and along the patch: down, but for the flipped one.
            assert_eq!(face[1] < 0.0, flip.is_empty());
        }
    }
    let objects = patch("")
        + "Deformer: 60, \"Deformer::\", \"Skin\" {\n}\nModel: 51, \"Model::own\", \"Mesh\" {\n}\n";
    let found = scene(
        "",
        &objects,
        "C: \"OO\",51,0\nC: \"OO\",50,51\nC: \"OO\",60,50\n",
    );
    assert_eq!(finding(&found, "蒙皮或形变").severity, Severity::Warning);
}

#[test]
fn polylines_and_polygons_of_two_corners_are_lines() {
    let line = format!(
        "Geometry: 50, \"Geometry::wire\", \"Line\" {{\n{}{}}}\n",
        list("Points", &[0, 0, 0, 1, 0, 0, 1, 5, 0, 9, 9, 9]),
        list("PointsIndex", &[0, 1, -3]),
    );
    let found = attached(&line);
    assert!(quiet(&found), "{:?}", found.problems);
    let p = &found
        .meshes
        .iter()
        .find(|m| m.name == "wire")
        .unwrap()
        .primitives[0];
    assert_eq!((p.mode, &p.indices[..]), (Mode::Lines, &[0, 1, 1, 2][..]));
    assert_eq!(p.positions[2], [1.0, 5.0, 0.0]);
    // The last polygon of the box: two corners, then one.
    let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
    let text = text.replace("1,3,7,-6", "1,-4,-8").replace("*24", "*23");
    let found = read_bytes(text.as_bytes(), "a.fbx").unwrap();
    assert_eq!(found.triangle_count(), 10);
    let lines: Vec<_> = found.meshes[0]
        .primitives
        .iter()
        .filter(|p| p.mode == Mode::Lines)
        .collect();
    assert_eq!(lines[0].positions, [[2.0, 0.0, 0.0], [2.0, 1.0, 0.0]]);
    assert!(lines[0].normals.is_empty());
    assert_eq!(finding(&found, "只有一个顶点").severity, Severity::Info);
}

#[test]
fn holes_are_left_out_and_other_sets_told() {
    let hole = format!(
        "LayerElementHole: 0 {{\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: \"Direct\"\n{}}}\n",
        list("Hole", &[0, 1, 0, 0, 0, 0])
    );
    let layers: String = ["a", "night"]
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let colours = [1.0, 0.0, 0.0, 1.0].repeat(24);
            format!(
                "LayerElementColor: {i} {{\nName: \"{name}\"\nMappingInformationType: \"ByPolygonVertex\"\n\
ReferenceInformationType: \"Direct\"\n{}}}\nLayer: {i} {{\nLayerElement:  {{\nType: \"LayerElementColor\"\n\
TypedIndex: {i}\n}}\n}}\n",
                list("Colors", &colours)
            )
        })
        .collect();
    let found = scene(&(hole + &layers + "Smoothness: 2\n"), "", "");
    assert_eq!(found.triangle_count(), 10);
    assert!(finding(&found, "顶点色").message.contains("night"));
    assert_eq!(finding(&found, "细分").place, "网格 box");
    assert!(quiet(&scene(
        "PreviewDivisionLevels: 2\nSmoothness: 0\n",
        "",
        ""
    )));
}

#[test]
fn second_attributes_of_a_node_are_shown() {
    let second = format!(
        "Geometry: 50, \"Geometry::second\", \"Mesh\" {{\n{}{}}}\n",
        list("Vertices", &[0, 0, 0, 1, 0, 0, 0, 9, 0]),
        list("PolygonVertexIndex", &[0, 1, -3]),
    );
    let found = scene("", &second, "C: \"OO\",50,2\n");
    assert_eq!(found.triangle_count(), 13);
    assert!((found.bounds().max[1] - 9.0).abs() < 1e-6);
}

/// The box with a property of its node.
fn with_property(property: &str) -> Scene {
    let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
    let own = format!("\"Model::box\", \"Mesh\" {{\nProperties70:  {{\nP: {property}\n}}\n");
    let text = text.replace("\"Model::box\", \"Mesh\" {\n", &own);
    // Another node shows the same box.
    let other = "Model: 52, \"Model::other\", \"Mesh\" {\n}\nModel: 2,";
    let text = text.replace("Model: 2,", other);
    let links = "Connections:  {\n";
    let text = text.replace(links, &format!("{links}C: \"OO\",52,0\nC: \"OO\",1,52\n"));
    read_bytes(text.as_bytes(), "a.fbx").unwrap()
}

#[test]
fn only_what_is_off_is_hidden() {
    // Parts of one, or percent, are visible.
    for (property, shown) in [
        ("\"Visibility\", \"Visibility\", \"\", \"A\",0.5", true),
        ("\"Visibility\", \"Visibility\", \"\", \"A\",100", true),
        ("\"Visibility\", \"Visibility\", \"\", \"A\",0", false),
        ("\"Show\", \"bool\", \"\", \"\",1", true),
        ("\"Show\", \"bool\", \"\", \"\",0", false),
    ] {
        let found = with_property(property);
        let drawn = found.nodes.iter().filter(|n| n.mesh.is_some());
        assert_eq!(drawn.count(), 1 + usize::from(shown), "{property}");
        let told = found.problems.iter().any(|p| p.code == "hidden-skipped");
        assert_eq!(told, !shown, "{property}");
    }
}

#[test]
fn what_a_layer_or_a_parent_hides_is_not_shown() {
    let layer = |show: u8| {
        format!(
            "CollectionExclusive: 50, \"DisplayLayer::l\", \"DisplayLayer\" {{\nProperties70:  {{\n\
P: \"Show\", \"bool\", \"\", \"\",{show}\n}}\n}}\n"
        )
    };
    // Another node shows the same box.
    let other = "Model: 52, \"Model::other\", \"Mesh\" {\n}\n";
    let links = "C: \"OO\",52,0\nC: \"OO\",1,52\n";
    let drawn = |scene: &Scene| scene.nodes.iter().filter(|n| n.mesh.is_some()).count();
    for (show, boxes) in [(0, 1), (1, 2)] {
        let links = format!("{links}C: \"OO\",2,50\n");
        let found = scene("", &(layer(show) + other), &links);
        assert_eq!(drawn(&found), boxes);
        let told = found.problems.iter().any(|p| p.code == "hidden-skipped");
        assert_eq!(told, show == 0);
    }
    let above = "Model: 51, \"Model::above\", \"Null\" {\nProperties70:  {\n\
P: \"Visibility\", \"Visibility\", \"\", \"A\",0\n}\n}\n";
    for (inherits, boxes) in [(1, 1), (0, 2)] {
        let links = format!("{links}C: \"OO\",51,0\n");
        let text = file(RIGHT_HANDED, "", &(above.to_owned() + other), &links);
        let own = format!(
            "Model: 2, \"Model::box\", \"Mesh\" {{\nProperties70:  {{\n\
P: \"Visibility Inheritance\", \"Visibility Inheritance\", \"\", \"\",{inherits}\n}}\n"
        );
        let text = String::from_utf8(text).unwrap();
        let text = text.replace("Model: 2, \"Model::box\", \"Mesh\" {\n", &own);
        let text = text.replace("C: \"OO\",2,0", "C: \"OO\",2,51");
        let found = read_bytes(text.as_bytes(), "a.fbx").unwrap();
        assert_eq!(drawn(&found), boxes, "{inherits}");
    }
}

fn light(properties: &str) -> String {
    format!(
        "NodeAttribute: 50, \"NodeAttribute::lamp\", \"Light\" {{\nProperties70:  {{\n{properties}}}\n}}\n"
    )
}

/// The direction of an axis of the node that carries a light or camera.
fn looks(scene: &Scene, is: impl Fn(&modelkit::scene::Node) -> bool) -> [f64; 3] {
    let at = scene.nodes.iter().position(is).unwrap();
    math::direction(&scene.world_matrices()[at], [0.0, 0.0, -1.0])
}

#[test]
fn lights_are_told_with_their_kind() {
    for (kind, words) in ["点光", "平行光", "聚光", "面光源", "体积光"]
        .iter()
        .enumerate()
    {
        let found = attached(&light_of(kind as u8));
        assert!(found.lights.is_empty());
        assert_eq!(finding(&found, words).severity, Severity::Info);
    }
    let off = attached(&light("P: \"CastLight\", \"bool\", \"\", \"\",0\n"));
    assert!(quiet(&off), "{:?}", off.problems);
}

fn light_of(kind: u8) -> String {
    light(&format!("P: \"LightType\", \"enum\", \"\", \"\",{kind}\n"))
}

#[test]
fn cameras_look_where_they_did() {
    let camera = "NodeAttribute: 50, \"NodeAttribute::eye\", \"Camera\" {\nProperties70:  {\n\
P: \"ApertureMode\", \"enum\", \"\", \"\",2\nP: \"FieldOfView\", \"FieldOfView\", \"\", \"A\",40\n\
P: \"NearPlane\", \"double\", \"Number\", \"\",0.5\nP: \"FarPlane\", \"double\", \"Number\", \"\",500\n}\n}\n";
    let found = attached(camera);
    assert!(quiet(&found), "{:?}", found.problems);
    let view = &found.cameras[0]["perspective"];
    assert!((view["yfov"].as_f64().unwrap().to_degrees() - 40.0).abs() < 1e-3);
    assert!((view["znear"].as_f64().unwrap() - 0.5).abs() < 1e-6);
    assert!((view["zfar"].as_f64().unwrap() - 500.0).abs() < 1e-3);
    let along = looks(&found, |node| node.camera.is_some());
    assert!((along[0] - 1.0).abs() < 1e-6, "{along:?}");
    // Views of the program that wrote the file.
    let own = "Model: 51, \"Model::Producer Top\", \"Camera\" {\n}\n";
    let found = scene(
        "",
        &(camera.to_owned() + own),
        "C: \"OO\",51,0\nC: \"OO\",50,51\n",
    );
    assert!(found.cameras.is_empty());
}

#[test]
fn every_type_of_element_is_read_told_or_without_effect() {
    let plain = |kind: &str, sub: &str| format!("{kind}: 50, \"X::thing\", \"{sub}\" {{\n}}\n");
    let curve = format!(
        "Geometry: 50, \"Geometry::thing\", \"NurbsCurve\" {{\nOrder: 2\nDimension: 2\nForm: \"Open\"\nRational: 1\n{}{}}}\n",
        list("Points", &[0, 0, 0, 1, 1, 0, 0, 1]),
        list("KnotVector", &[0, 0, 1, 1]),
    );
    let active = "Constraint: 50, \"Constraint::thing\", \"Single Chain IK\" {\nType: \"Single Chain IK\"\nProperties70:  {\n\
P: \"Active\", \"bool\", \"\", \"\",1\n}\n}\n";
    let told: [(Type, String, &str); 7] = [
        (Type::NurbsCurve, curve, "NurbsCurve"),
        (
            Type::NurbsTrimSurface,
            plain("Geometry", "TrimNurbsSurface"),
            "修剪",
        ),
        (
            Type::StereoCamera,
            plain("NodeAttribute", "CameraStereo"),
            "StereoCamera",
        ),
        (
            Type::CameraSwitcher,
            plain("NodeAttribute", "CameraSwitcher"),
            "CameraSwitcher",
        ),
        (Type::Constraint, active.to_owned(), "Single Chain IK"),
        (Type::AudioClip, plain("Audio", "Clip"), "音频"),
        (Type::Unknown, plain("Volcano", "Hot"), "Volcano"),
    ];
    for (kind, object, words) in &told {
        let Treatment::Lost(_) = treatment(*kind) else {
            panic!("{kind:?} is not told");
        };
        let problem = finding(&attached(object), words);
        assert!(problem.place.contains("thing"), "{problem:?}");
    }
    let silent: [(Type, String); 11] = [
        (Type::NurbsTrimBoundary, plain("Geometry", "Boundary")),
        (Type::CacheFile, plain("Cache", "")),
        (Type::Marker, plain("NodeAttribute", "IKEffector")),
        (Type::Empty, plain("NodeAttribute", "Null")),
        (Type::SelectionSet, plain("Collection", "SelectionSet")),
        (Type::SelectionNode, plain("SelectionNode", "Object")),
        (Type::Character, plain("Constraint", "Character")),
        (Type::Pose, plain("Pose", "BindPose")),
        (Type::AudioLayer, plain("AudioLayer", "")),
        (Type::MetadataObject, plain("ObjectMetaData", "")),
        (Type::Unknown, plain("Container", "Asset")),
    ];
    for (kind, object) in &silent {
        if *kind != Type::Unknown {
            assert_eq!(treatment(*kind), Treatment::Silent, "{kind:?}");
        }
        let found = attached(object);
        assert!(quiet(&found), "{kind:?} {:?}", found.problems);
    }
    // Those read have their tests here, in fbx.rs, fbx_materials.rs, fbx_motion.rs and surfaces.rs; the library makes no
    // procedural geometry.
    let read = [
        Type::Node,
        Type::Mesh,
        Type::Bone,
        Type::Light,
        Type::Camera,
        Type::NurbsSurface,
        Type::LineCurve,
        Type::LodGroup,
        Type::SkinDeformer,
        Type::SkinCluster,
        Type::BlendDeformer,
        Type::BlendChannel,
        Type::BlendShape,
        Type::CacheDeformer,
        Type::Material,
        Type::Texture,
        Type::Video,
        Type::Shader,
        Type::ShaderBinding,
        Type::AnimStack,
        Type::AnimLayer,
        Type::AnimValue,
        Type::AnimCurve,
        Type::DisplayLayer,
    ];
    for kind in read {
        assert_eq!(treatment(kind), Treatment::Read, "{kind:?}");
    }
    assert_eq!(
        treatment(Type::ProceduralGeometry),
        Treatment::Lost(Loss::Curve)
    );
    let cases = told.len() + silent.len() - 1 + read.len() + 1;
    assert_eq!(
        cases,
        Type::MetadataObject as usize + 1,
        "a type without a case"
    );
}

#[test]
fn constraints_are_told_where_nothing_moves() {
    let ik = "Constraint: 50, \"Constraint::ik\", \"Position From Positions\" {\nType: \"Position From Positions\"\n\
Properties70:  {\nP: \"Active\", \"bool\", \"\", \"\",";
    assert!(quiet(&scene("", &format!("{ik}0\n}}\n}}\n"), "")));
    finding(&scene("", &format!("{ik}1\n}}\n}}\n"), ""), "约束");
}

#[test]
fn contradictory_numbers_are_told() {
    // A corner of a UV that does not exist.
    let mut index = [0; 24];
    index[7] = 99;
    let uvs = format!(
        "LayerElementUV: 0 {{\nName: \"a\"\nMappingInformationType: \"ByPolygonVertex\"\n\
ReferenceInformationType: \"IndexToDirect\"\n{}{}}}\nLayer: 0 {{\nLayerElement:  {{\nType: \"LayerElementUV\"\n\
TypedIndex: 0\n}}\n}}\n",
        list("UV", &[0.0, 0.0]),
        list("UVIndex", &index)
    );
    let found = scene(&uvs, "", "");
    assert_eq!(finding(&found, "前后矛盾").severity, Severity::Warning);
    assert_eq!(found.triangle_count(), 12);
}

#[test]
fn the_text_form_is_read_however_it_is_set() {
    let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
    let crlf = text.replace('\n', "\r\n");
    let comments = text.replace("Model: 2", "; a comment: { } \"\n\t Model: 2");
    let spaced = text.replace(',', " ,\n  ").replace(": *", " :\t*");
    let version = |number: &str| text.replace("7400", number);
    let empty = text.replace(
        "Model: 2,",
        "Deformer: 9, \"SubDeformer::\", \"Cluster\" {\nIndexes: *0 {\na: \n}\n}\nModel: 2,",
    );
    for (form, text) in [
        ("CRLF", crlf),
        ("comments", comments),
        ("spaces", spaced),
        ("7700", version("7700")),
        ("7100", version("7100")),
        ("empty array", empty),
    ] {
        let found = read_bytes(text.as_bytes(), "a.fbx").unwrap();
        assert_eq!(found.triangle_count(), 12, "{form}");
        assert!(quiet(&found), "{form} {:?}", found.problems);
    }
}

#[test]
fn attributes_lie_where_their_mapping_says() {
    // Of each corner: the normal by polygon, by point, once for all, and by index.
    let layer = |mapping: &str, reference: &str, values: &str| {
        format!(
            "LayerElementNormal: 0 {{\nMappingInformationType: \"{mapping}\"\nReferenceInformationType: \"{reference}\"\n\
{values}}}\nLayer: 0 {{\nLayerElement:  {{\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}}\n}}\n"
        )
    };
    let up = [0.0, 1.0, 0.0];
    for (mapping, reference, values) in [
        ("ByPolygon", "Direct", list("Normals", &up.repeat(6))),
        ("ByVertice", "Direct", list("Normals", &up.repeat(8))),
        ("ByVertex", "Direct", list("Normals", &up.repeat(8))),
        ("ByPolygonVertex", "Direct", list("Normals", &up.repeat(24))),
        ("AllSame", "Direct", list("Normals", &up)),
        (
            "ByPolygonVertex",
            "IndexToDirect",
            list("Normals", &up) + &list("NormalsIndex", &[0; 24]),
        ),
    ] {
        let found = scene(&layer(mapping, reference, &values), "", "");
        let normals = &found.meshes[0].primitives[0].normals;
        assert!(
            normals.iter().all(|n| *n == [0.0, 1.0, 0.0]),
            "{mapping} {reference}"
        );
        assert!(quiet(&found), "{mapping} {:?}", found.problems);
    }
    // A corner without one.
    let mut index = [0; 24];
    index[5] = -1;
    let values = list("Normals", &up) + &list("NormalsIndex", &index);
    let found = scene(&layer("ByPolygonVertex", "IndexToDirect", &values), "", "");
    assert_eq!(found.triangle_count(), 12);
}
