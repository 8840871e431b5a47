//! Hand-written Collada files.

mod documents;
mod edges;
mod lost;
mod materials;
mod schema;

use crate::models::{png, read_bytes};
use modelkit::read::{Input, SideFiles};
use modelkit::scene::{AnimationPath, Problem};
use modelkit::{Ctx, Error, Scene, Silent, open};
use std::borrow::Cow;

const GEOMETRY: &str = r##"<library_geometries><geometry id="g" name="面"><mesh>
  <source id="p"><float_array id="pa" count="12">0 0 0  2 0 0  2 2 0  0 2 0</float_array>
    <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
  <source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array>
    <technique_common><accessor source="#ta" count="4" stride="2"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <polylist count="1" material="sym"><input semantic="VERTEX" source="#v" offset="0"/>
    <input semantic="TEXCOORD" source="#t" offset="1" set="0"/>
    <vcount>4</vcount><p>0 0 1 1 2 2 3 3</p></polylist>
</mesh></geometry></library_geometries>"##;

const MATERIAL: &str = r##"<library_images><image id="img"><init_from>file:///C:/work/T%20ex/wood.png</init_from></image></library_images>
<library_materials><material id="m" name="木"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e"><profile_COMMON>
  <newparam sid="s"><surface type="2D"><init_from>img</init_from></surface></newparam>
  <newparam sid="sam"><sampler2D><source>s</source><wrap_s>CLAMP</wrap_s></sampler2D></newparam>
  <technique sid="c"><phong><emission><color>0 0 0 1</color></emission>
    <diffuse><texture texture="sam" texcoord="UV0"/></diffuse>
    <transparent opaque="A_ONE"><color>1 1 1 1</color></transparent><transparency><float>0.5</float></transparency>
    <shininess><float>6</float></shininess></phong></technique>
</profile_COMMON></effect></library_effects>"##;

const BOUND: &str = r##"<instance_geometry url="#g"><bind_material><technique_common>
  <instance_material symbol="sym" target="#m"/></technique_common></bind_material></instance_geometry>"##;

const SHOWN: &str = r##"<node id="n" name="屋"><instance_geometry url="#g"/></node>"##;

fn file(asset: &str, libraries: &str, nodes: &str) -> Vec<u8> {
    format!(
        r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{asset}</asset>
{libraries}<library_visual_scenes><visual_scene id="vs">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##
    )
    .into_bytes()
}

struct Wood;

impl SideFiles for Wood {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (name == "C:/work/T ex/wood.png").then(|| Cow::Owned(png(8)))
    }
}

/// A picture for every name that ends like one.
pub struct Pictures;

impl SideFiles for Pictures {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        name.ends_with(".png").then(|| Cow::Owned(png(8)))
    }
}

pub fn open_with(bytes: &[u8], side: &dyn SideFiles) -> Result<Scene, Error> {
    let input = Input {
        bytes,
        name: "a.dae",
        side,
    };
    open::read(&input, &Ctx::new(&Silent))
}

fn open(bytes: &[u8]) -> Result<Scene, Error> {
    open_with(bytes, &Wood)
}

/// The finding whose message has these words.
pub fn finding(scene: &Scene, words: &str) -> Problem {
    let found = scene.problems.iter().find(|p| p.message.contains(words));
    found
        .unwrap_or_else(|| panic!("{words}: {:?}", scene.problems))
        .clone()
}

fn near(found: [f64; 3], wanted: [f64; 3]) {
    let close = found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(close, "{found:?} instead of {wanted:?}");
}

#[test]
fn units_axes_and_transforms_are_followed() {
    let asset = r#"<unit meter="0.01" name="centimeter"/><up_axis>Z_UP</up_axis>"#;
    let node = format!(
        r#"<node id="n"><translate>100 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>{BOUND}</node>"#
    );
    let scene = open(&file(asset, GEOMETRY, &node)).unwrap();
    assert_eq!(scene.format, "dae");
    assert_eq!(
        (scene.units.source.as_str(), scene.units.up_axis.as_str()),
        ("centimeter", "Z")
    );
    // 2×2 in x and y, scaled twice along x, rotated to y, moved by one metre; y of the file is -z here.
    near(scene.bounds().min, [0.98, 0.0, -0.04]);
    near(scene.bounds().max, [1.0, 0.0, 0.0]);
    assert_eq!(scene.triangle_count(), 2);
    let p = &scene.meshes[0].primitives[0];
    assert_eq!((p.positions.len(), p.normals[0]), (4, [0.0, 0.0, 1.0]));
    assert!(p.uvs[0].contains(&[0.0, 1.0]));
}

#[test]
fn materials_and_textures_are_found_by_the_authors_path() {
    let node = format!(r#"<node id="n">{BOUND}</node>"#);
    let bytes = file("", &[MATERIAL, GEOMETRY].concat(), &node);
    let scene = open(&bytes).unwrap();
    let material = &scene.materials[0];
    assert_eq!(
        (material.name.as_str(), material.base_color),
        ("木", [1.0, 1.0, 1.0, 0.5])
    );
    assert!((material.roughness - 0.5).abs() < 1e-6);
    let texture = &scene.textures[material.base_color_texture.unwrap().texture as usize];
    assert_eq!(texture.sampler.wrap_s, 33071);
    assert_eq!(scene.meshes[0].primitives[0].material, Some(0));
    let alone = read_bytes(&bytes, "a.dae").unwrap();
    assert!(alone.problems.iter().any(|p| p.code == "missing-texture"));
}

#[test]
fn instances_share_a_mesh_and_references_in_a_circle_end() {
    let library = r##"<library_nodes><node id="twice"><translate>5 0 0</translate><instance_geometry url="#g"/></node></library_nodes>"##;
    let nodes = r##"<node id="a"><instance_geometry url="#g"/><instance_node url="#twice"/></node><node id="b"><instance_node url="#twice"/></node>"##;
    let scene = open(&file("", &[GEOMETRY, library].concat(), nodes)).unwrap();
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(scene.nodes.iter().filter(|n| n.mesh == Some(0)).count(), 3);
    let circle = r##"<node id="a"><instance_geometry url="#g"/><instance_node url="#a"/></node>"##;
    assert_eq!(
        open(&file("", GEOMETRY, circle)).unwrap_err().code(),
        "too-large"
    );
}

const SKIN: &str = r##"<library_controllers><controller id="c"><skin source="#g">
  <bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
  <source id="jn"><Name_array id="jna" count="2">low high</Name_array></source>
  <source id="ib"><float_array id="iba" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  1 0 0 0 0 1 0 -2 0 0 1 0 0 0 0 1</float_array>
    <technique_common><accessor source="#iba" count="2" stride="16"/></technique_common></source>
  <source id="w"><float_array id="wa" count="3">1 0.25 0.75</float_array>
    <technique_common><accessor source="#wa" count="3" stride="1"/></technique_common></source>
  <joints><input semantic="JOINT" source="#jn"/><input semantic="INV_BIND_MATRIX" source="#ib"/></joints>
  <vertex_weights count="4"><input semantic="JOINT" source="#jn" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/>
    <vcount>1 1 2 1</vcount><v>0 0 0 0 0 1 1 2 1 0</v></vertex_weights>
</skin></controller></library_controllers>"##;

const BONES: &str = r##"<node id="L" sid="low" type="JOINT"><node id="H" sid="high" type="JOINT">
  <translate sid="at">0 2 0</translate><rotate sid="turn">0 0 1 0</rotate></node></node>
  <node id="body"><instance_controller url="#c"><skeleton>#L</skeleton></instance_controller></node>"##;

const MOTION: &str = r##"<library_animations><animation><source id="in"><float_array id="ina" count="2">0 2</float_array>
    <technique_common><accessor source="#ina" count="2" stride="1"/></technique_common></source>
  <source id="out"><float_array id="outa" count="2">0 360</float_array>
    <technique_common><accessor source="#outa" count="2" stride="1"/></technique_common></source>
  <sampler id="s1"><input semantic="INPUT" source="#in"/><input semantic="OUTPUT" source="#out"/></sampler>
  <channel source="#s1" target="H/turn.ANGLE"/></animation></library_animations>"##;

#[test]
fn skins_and_a_full_turn_are_kept() {
    let scene = open(&file("", &[GEOMETRY, SKIN, MOTION].concat(), BONES)).unwrap();
    assert_eq!(scene.skins[0].joints.len(), 2);
    let set = &scene.meshes[0].primitives[0].skin_sets[0];
    let shared = set.weights.iter().position(|w| w[1] > 0.0).unwrap();
    assert_eq!(
        (set.joints[shared][0], set.weights[shared]),
        (1, [0.75, 0.25, 0.0, 0.0])
    );
    near(scene.bounds().max, [2.0, 2.0, 0.0]);
    let clip = &scene.animations[0];
    assert_eq!(clip.seconds(), 2.0);
    let rotation = clip
        .channels
        .iter()
        .find(|c| c.path == AnimationPath::Rotation)
        .unwrap();
    // Between its two equal ends the joint does rotate.
    let keys = &clip.samplers[rotation.sampler as usize];
    let half = keys
        .times
        .iter()
        .position(|t| (*t - 1.0).abs() < 1e-3)
        .unwrap();
    assert!(keys.values[half * 4 + 2].abs() > 0.999);
}

#[test]
fn triangles_strips_fans_and_polygons_agree() {
    let group = |body: &str| {
        GEOMETRY.replace(
            &GEOMETRY[GEOMETRY.find("<polylist").unwrap()..GEOMETRY.find("</mesh>").unwrap()],
            body,
        )
    };
    let wire = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    for body in [
        format!("<triangles>{wire}<p>0 1 2 0 2 3</p></triangles>"),
        format!("<polygons>{wire}<p>0 1 2 3</p></polygons>"),
        format!("<tristrips>{wire}<p>0 1 3 2</p></tristrips>"),
        format!("<trifans>{wire}<p>0 1 2 3</p></trifans>"),
    ] {
        let node = r##"<node id="n"><instance_geometry url="#g"/></node>"##;
        let scene = open(&file("", &group(&body), node)).unwrap();
        assert_eq!(scene.triangle_count(), 2, "{body}");
        near(scene.bounds().max, [2.0, 2.0, 0.0]);
        let up = |n: &[f32; 3]| n[2] > 0.99;
        assert!(
            scene.meshes[0].primitives[0].normals.iter().all(up),
            "{body}"
        );
    }
}

#[test]
fn broken_files_are_errors_with_a_cause() {
    let node = format!(r#"<node id="n">{BOUND}</node>"#);
    let bytes = file("", &[MATERIAL, GEOMETRY, SKIN, MOTION].concat(), &node);
    for end in (0..bytes.len()).step_by(7) {
        assert!(open(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in (0..bytes.len()).step_by(3) {
        let mut broken = bytes.clone();
        broken[at] = b'9';
        let _ = open(&broken);
    }
    let entities = br#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><COLLADA>&b;</COLLADA>"#;
    let error = open(entities).unwrap_err();
    assert!(error.to_string().contains("实体定义"), "{error}");
    let typed = String::from_utf8(file("", GEOMETRY, &node)).unwrap();
    for doctype in [
        "<!DOCTYPE COLLADA>",
        "<!DOCTYPE COLLADA SYSTEM \"http://example.com/collada.dtd\">",
        "<!DOCTYPE COLLADA [<!ELEMENT COLLADA ANY>]>",
    ] {
        let typed = typed.replacen("?>", &format!("?>{doctype}"), 1);
        assert_eq!(
            open(typed.as_bytes()).unwrap().triangle_count(),
            2,
            "{doctype}"
        );
    }
    let empty = file("", "", "<node id=\"n\"/>");
    assert_eq!(open(&empty).unwrap_err().code(), "empty-model");
    let deep = format!("{}{}", "<node>".repeat(3000), "</node>".repeat(3000));
    assert_eq!(
        open(&file("", GEOMETRY, &deep)).unwrap_err().code(),
        "too-large"
    );
    // A polygon with an index beyond the source is left out.
    let wild = GEOMETRY.replace("<p>0 0 1 1 2 2 3 3</p>", "<p>0 0 1 1 2 2 99 3</p>");
    assert!(open(&file("", &wild, &node)).is_err());
}
