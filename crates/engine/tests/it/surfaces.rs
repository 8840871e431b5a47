//! How a file says its surfaces are shown: which sides, which UV set, what lies beyond a texture's edges.

use crate::models::png;
use modelkit::read::{Input, SideFiles};
use modelkit::sample::osgb::{self, Dialect, Listing, Mesh, Piece, Sides, Skin};
use modelkit::scene::{CLAMP, MIRROR, Material, Primitive, REPEAT, TextureRef};
use modelkit::{Ctx, Scene, Silent, open};
use std::borrow::Cow;

/// A picture under every name.
struct Pictures;

impl SideFiles for Pictures {
    fn find(&self, _: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Owned(png(8)))
    }
}

fn read(bytes: &[u8], name: &str) -> Scene {
    let input = Input {
        bytes,
        name,
        side: &Pictures,
    };
    open::read(&input, &Ctx::new(&Silent)).unwrap()
}

/// What a primitive's material draws: the largest u of the set that a slot refers to.
fn width(scene: &Scene, p: &Primitive, slot: impl Fn(&Material) -> Option<TextureRef>) -> f32 {
    let material = &scene.materials[p.material.unwrap() as usize];
    let set = slot(material).expect("a texture").uv_set as usize;
    p.uvs[set].iter().map(|uv| uv[0]).fold(0.0, f32::max)
}

fn primitives(scene: &Scene) -> Vec<&Primitive> {
    let shown = scene.nodes.iter().filter_map(|node| node.mesh);
    shown
        .flat_map(|mesh| &scene.meshes[mesh as usize].primitives)
        .collect()
}

/// A triangle with five UV sets, numbered 0, 1, 3, 7 and 8: of each the largest u is its number and a half.
fn dae(effect: &str, nodes: &str, geometry: &str) -> Vec<u8> {
    let sets = [0, 1, 3, 7, 8];
    let source = |set: i32| {
        format!(
            r##"<source id="t{set}"><float_array id="a{set}" count="6">0 0 {set}.5 0 0 1</float_array>
<technique_common><accessor source="#a{set}" count="3" stride="2"/></technique_common></source>"##
        )
    };
    let input = |set: i32| {
        format!(r##"<input semantic="TEXCOORD" source="#t{set}" offset="0" set="{set}"/>"##)
    };
    let sources: String = sets.map(source).concat();
    let inputs: String = sets.map(input).concat();
    format!(
        r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_images><image id="i"><init_from>a.png</init_from></image></library_images>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_effects><effect id="e">{effect}</effect></library_effects>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"/></technique_common></source>{sources}
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/>{inputs}<p>0 1 2</p></triangles>
</mesh>{geometry}</geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##
    )
    .into_bytes()
}

/// A node with the triangle, its material bound with these inputs.
fn node(inputs: &str) -> String {
    format!(
        r##"<node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m">{inputs}</instance_material></technique_common></bind_material>
</instance_geometry></node>"##
    )
}

fn bind(name: &str, set: u32) -> String {
    format!(r#"<bind_vertex_input semantic="{name}" input_semantic="TEXCOORD" input_set="{set}"/>"#)
}

fn profile(diffuse: &str, technique: &str) -> String {
    format!(
        r#"<profile_COMMON><newparam sid="f"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="s"><sampler2D><source>f</source><wrap_s>MIRROR</wrap_s><wrap_t>CLAMP</wrap_t></sampler2D></newparam>
<technique sid="c"><phong><emission><texture texture="s" texcoord="Glow"/></emission>
<diffuse>{diffuse}</diffuse></phong>{technique}</technique></profile_COMMON>"#
    )
}

#[test]
fn collada_binds_uv_sets_for_each_instance() {
    let diffuse = r#"<texture texture="s" texcoord="Wood"/>"#;
    let nodes = [
        node(&(bind("Wood", 3) + &bind("Glow", 1))),
        node(&(bind("Glow", 7) + &bind("Wood", 1))),
        node(&(bind("Wood", 3) + &bind("Glow", 1))),
    ];
    let scene = read(&dae(&profile(diffuse, ""), &nodes.concat(), ""), "a.dae");
    let widths: Vec<[f32; 2]> = primitives(&scene)
        .iter()
        .map(|p| {
            let base = width(&scene, p, |m| m.base_color_texture);
            [base, width(&scene, p, |m| m.emissive_texture)]
        })
        .collect();
    assert_eq!(widths, [[3.5, 1.5], [1.5, 7.5], [3.5, 1.5]]);
    assert_eq!((scene.materials.len(), scene.meshes.len()), (2, 2));
    // The fifth set is not read, and that is said.
    let codes: Vec<&str> = scene.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["uv-sets-skipped"]);
}

#[test]
fn without_a_binding_the_number_in_the_name_is_meant() {
    for (name, wanted) in [
        ("UVSET3", 3.5),
        ("CHANNEL1", 1.5),
        ("UVMap", 0.5),
        ("TEX9", 0.5),
    ] {
        let diffuse = format!(r#"<texture texture="s" texcoord="{name}"/>"#);
        let scene = read(&dae(&profile(&diffuse, ""), &node(""), ""), "a.dae");
        let found = width(&scene, primitives(&scene)[0], |m| m.base_color_texture);
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn collada_says_what_lies_beyond_the_edges() {
    let diffuse = r#"<texture texture="s" texcoord="UV0"><extra><technique profile="MAYA"><repeatU>2</repeatU>
<repeatV>3</repeatV><offsetU>0.25</offsetU><wrapU>1</wrapU></technique></extra></texture>"#;
    let scene = read(&dae(&profile(diffuse, ""), &node(""), ""), "a.dae");
    let slot = scene.materials[0].base_color_texture.unwrap();
    let sampler = scene.textures[slot.texture as usize].sampler;
    assert_eq!([sampler.wrap_s, sampler.wrap_t], [MIRROR, CLAMP]);
    let transform = slot.transform.unwrap();
    assert_eq!(
        (transform.scale, transform.offset),
        ([2.0, 3.0], [0.25, -2.0])
    );
}

#[test]
fn both_sides_are_drawn_wherever_a_program_says_so() {
    let extra = |profile: &str| {
        format!(
            r#"<extra><technique profile="{profile}"><double_sided>1</double_sided></technique></extra>"#
        )
    };
    let plain = "<color>1 0 0 1</color>";
    let of = |effect: &str, geometry: &str| {
        let scene = read(&dae(effect, &node(""), geometry), "a.dae");
        let material = primitives(&scene)[0].material.unwrap();
        scene.materials[material as usize].double_sided
    };
    assert!(!of(&profile(plain, ""), ""));
    assert!(!of(
        &profile(plain, &extra("GOOGLEEARTH").replace('1', "0")),
        ""
    ));
    assert!(of(&profile(plain, &extra("GOOGLEEARTH")), ""));
    assert!(of(&(profile(plain, "") + &extra("MAX3D")), ""));
    let common = profile(plain, "").replace("</profile_COMMON>", "");
    assert!(of(&(common + &extra("OTHER") + "</profile_COMMON>"), ""));
    assert!(of(&profile(plain, ""), &extra("MAYA")));
}

/// Two squares of one FBX material whose UV sets stand in different orders; set "wood" reaches to 2, "light" to 5.
fn fbx(texture: &str) -> Vec<u8> {
    let set = |at: usize, name: &str, size: f32| {
        format!(
            "LayerElementUV: {at} {{\nVersion: 101\nName: \"{name}\"\nMappingInformationType: \"ByVertice\"\n\
ReferenceInformationType: \"Direct\"\nUV: *8 {{ a: 0,0,{size},0,{size},{size},0,{size} }}\n}}\n"
        )
    };
    let layer = |at: usize| {
        format!(
            "Layer: {at} {{\nVersion: 100\nLayerElement:  {{\nType: \"LayerElementUV\"\nTypedIndex: {at}\n}}\n}}\n"
        )
    };
    let mesh = |id: u32, sets: [(&str, f32); 3]| {
        let mut text = format!(
            "Geometry: {id}, \"Geometry::\", \"Mesh\" {{\nVertices: *12 {{ a: 0,0,0,1,0,0,1,1,0,0,1,0 }}\n\
PolygonVertexIndex: *4 {{ a: 0,1,2,-4 }}\n"
        );
        for (at, (name, size)) in sets.into_iter().enumerate() {
            text += &set(at, name, size);
        }
        text + &layer(0) + &layer(1) + &layer(2) + "}\n"
    };
    let first = mesh(1, [("wood", 2.0), ("light", 5.0), ("third", 9.0)]);
    let second = mesh(2, [("third", 9.0), ("light", 5.0), ("wood", 2.0)]);
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXVersion: 7400\n}}\nObjects:  {{\n{first}{second}\
Model: 11, \"Model::a\", \"Mesh\" {{\n}}\nModel: 12, \"Model::b\", \"Mesh\" {{\n}}\n\
Material: 20, \"Material::m\", \"\" {{\nShadingModel: \"phong\"\n}}\n\
Texture: 21, \"Texture::t\", \"\" {{\nFileName: \"a.png\"\nRelativeFilename: \"a.png\"\nProperties70:  {{\n\
{texture}}}\n}}\n}}\nConnections:  {{\nC: \"OO\",11,0\nC: \"OO\",12,0\nC: \"OO\",1,11\nC: \"OO\",2,12\n\
C: \"OO\",20,11\nC: \"OO\",20,12\nC: \"OP\",21,20, \"DiffuseColor\"\n}}\n"
    )
    .into_bytes()
}

#[test]
fn fbx_textures_lie_on_the_set_they_name() {
    for (name, wanted) in [("wood", 2.0), ("light", 5.0), ("third", 9.0)] {
        let text = format!("P: \"UVSet\", \"KString\", \"\", \"\", \"{name}\"\n");
        let scene = read(&fbx(&text), "a.fbx");
        let widths: Vec<f32> = primitives(&scene)
            .iter()
            .map(|p| width(&scene, p, |m| m.base_color_texture))
            .collect();
        assert_eq!(widths, [wanted; 2], "{name}");
        let apart = if name == "light" { 1 } else { 2 };
        assert_eq!(scene.materials.len(), apart, "{name}");
    }
    let scene = read(
        &fbx("P: \"UVSet\", \"KString\", \"\", \"\", \"default\"\n"),
        "a.fbx",
    );
    assert_eq!(scene.materials.len(), 1);
}

#[test]
fn fbx_textures_are_turned_and_end_as_stated() {
    let vector = |name: &str, [x, y, z]: [f64; 3]| {
        format!("P: \"{name}\", \"Vector\", \"\", \"A\",{x},{y},{z}\n")
    };
    let wrap = "P: \"WrapModeU\", \"enum\", \"\", \"\",1\n";
    let turn = vector("Rotation", [0.0, 0.0, 90.0]);
    let scene = read(&fbx(&(turn.clone() + wrap)), "a.fbx");
    let slot = scene.materials[0].base_color_texture.unwrap();
    let sampler = scene.textures[slot.texture as usize].sampler;
    assert_eq!([sampler.wrap_s, sampler.wrap_t], [CLAMP, REPEAT]);
    // The same place of the picture as FBX has it, for three corners.
    let transform = slot.transform.expect("a turned texture");
    let (sin, cos) = transform.rotation.sin_cos();
    let [sx, sy] = transform.scale;
    let place = |[p, q]: [f32; 2]| {
        [
            sx * p * cos + sy * q * sin + transform.offset[0],
            -sx * p * sin + sy * q * cos + transform.offset[1],
        ]
    };
    // The picture is turned to the left, so the surface's place in it to the right: (u, v) is at (v, -u).
    for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.25, 0.5]] {
        let [p, q] = place([u, 1.0 - v]);
        assert!(
            (p - v).abs() < 1e-5 && (1.0 - q + u).abs() < 1e-5,
            "{p} {q}"
        );
    }
    // A scaling is a number of repetitions, of what is moved back first: (u, v) is at (4 (u - 0.5), 2 v).
    let tiled = vector("Scaling", [4.0, 2.0, 1.0]) + &vector("Translation", [0.5, 0.0, 0.0]);
    let scene = read(&fbx(&tiled), "a.fbx");
    let transform = scene.materials[0]
        .base_color_texture
        .unwrap()
        .transform
        .expect("a tiled texture");
    assert_eq!((transform.scale, transform.rotation), ([4.0, 2.0], 0.0));
    // glTF counts v from above: 1 - 2 (1 - q) = 2 q - 1.
    assert_eq!(transform.offset, [-2.0, -1.0]);
    // Two scales below a rotation: no slot of glTF holds that, and viewers differ.
    let both = turn + &vector("Scaling", [2.0, 1.0, 1.0]);
    let scene = read(&fbx(&both), "a.fbx");
    assert!(
        scene
            .problems
            .iter()
            .any(|p| p.code == "uv-transform-skipped")
    );
}

fn chunk(id: u16, body: &[u8]) -> Vec<u8> {
    let size = body.len() as u32 + 6;
    [&id.to_le_bytes()[..], &size.to_le_bytes(), body].concat()
}

#[test]
fn three_ds_flags_say_what_lies_beyond_the_edges() {
    for (flags, wrap) in [(0u16, REPEAT), (0x02, MIRROR), (0x10, CLAMP), (0x12, CLAMP)] {
        let map = [
            chunk(0xa300, b"a.png\0"),
            chunk(0xa351, &flags.to_le_bytes()),
        ];
        let material = [chunk(0xa000, b"m\0"), chunk(0xa200, &map.concat())];
        let corners: Vec<u8> = [0f32, 0., 0., 1., 0., 0., 0., 0., 1.]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let uvs: Vec<u8> = [0f32; 6].iter().flat_map(|v| v.to_le_bytes()).collect();
        let faces: Vec<u8> = [1u16, 0, 1, 2, 7]
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        let mesh = [
            chunk(0x4110, &[&[3, 0], &corners[..]].concat()),
            chunk(0x4140, &[&[3, 0], &uvs[..]].concat()),
            chunk(0x4120, &[faces, chunk(0x4130, b"m\0\x01\0\0\0")].concat()),
        ];
        let object = [b"o\0".to_vec(), chunk(0x4100, &mesh.concat())].concat();
        let editor = [chunk(0xafff, &material.concat()), chunk(0x4000, &object)];
        let scene = read(&chunk(0x4d4d, &chunk(0x3d3d, &editor.concat())), "a.3ds");
        let sampler = scene.textures[0].sampler;
        assert_eq!([sampler.wrap_s, sampler.wrap_t], [wrap; 2], "{flags}");
    }
}

fn square(sides: Sides, unit: u32) -> Piece {
    Piece {
        mesh: Mesh {
            positions: vec![[0.0; 3], [2.0, 0.0, 0.0], [2.0, 3.0, 0.0]],
            uvs: vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0]],
            indices: vec![0, 1, 2],
            listing: Listing::Shorts,
            skin: Some(Skin::Named("a.png".into())),
            sides,
            unit,
        },
        finer: None,
    }
}

#[test]
fn osgb_textures_lie_on_the_uvs_of_their_unit() {
    for version in [80, 150] {
        let dialect = Dialect {
            version,
            ..Dialect::default()
        };
        for unit in [0, 1, 3] {
            let scene = read(
                &osgb::write(&[square(Sides::default(), unit)], None, dialect),
                "a.osgb",
            );
            let p = primitives(&scene)[0];
            let found = width(&scene, p, |m| m.base_color_texture);
            assert_eq!(found, 4.0, "version {version}, unit {unit}");
        }
        let far = read(
            &osgb::write(&[square(Sides::default(), 4)], None, dialect),
            "a.osgb",
        );
        let codes: Vec<&str> = far.problems.iter().map(|p| p.code).collect();
        assert_eq!(codes, ["texture-layers-skipped"]);
    }
}

#[test]
fn osgb_states_which_side_is_drawn() {
    let sides = |cull, cull_front, clockwise| Sides {
        cull,
        cull_front,
        clockwise,
    };
    let cases = [
        (sides(None, None, None), true, false),
        (sides(Some(false), None, None), true, false),
        (sides(Some(true), None, None), false, false),
        (sides(Some(true), Some(false), Some(false)), false, false),
        (sides(Some(true), Some(true), None), false, true),
        (sides(Some(true), None, Some(true)), false, true),
        (sides(Some(true), Some(true), Some(true)), false, false),
        // Without culling its side does not matter.
        (sides(Some(false), Some(true), None), true, false),
    ];
    for (sides, both, turned) in cases {
        let scene = read(
            &osgb::write(&[square(sides, 0)], None, Dialect::default()),
            "a.osgb",
        );
        let p = primitives(&scene)[0];
        let material = &scene.materials[p.material.unwrap() as usize];
        assert_eq!(material.double_sided, both, "{sides:?}");
        let [a, b, c] = [0, 1, 2].map(|k| p.positions[p.indices[k] as usize]);
        // Seen from above; z up became y up.
        let area = (b[0] - a[0]) * (a[2] - c[2]) - (c[0] - a[0]) * (a[2] - b[2]);
        assert_eq!(area < 0.0, turned, "{sides:?}");
    }
}
