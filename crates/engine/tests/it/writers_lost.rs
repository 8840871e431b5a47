//! What OBJ, PLY and STL hold of a scene, and what is told of the rest.

use crate::models::{read_bytes, sphere, textured};
use modelkit::scene::{
    AlphaMode, Custom, MIRROR, Material, Mode, MorphTarget, Node, Primitive, Problem, TextureRef,
};
use modelkit::write::{self, Options, OutFormat};
use modelkit::{Ctx, Scene, Silent};
use serde_json::json;

fn written(scene: &Scene, name: &str) -> (Vec<u8>, Vec<Problem>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    let format = OutFormat::of(&path).unwrap();
    let options = Options::default();
    let done = write::write(scene, &path, format, &options, &Ctx::new(&Silent)).unwrap();
    (std::fs::read(path).unwrap(), done.problems)
}

fn told(scene: &Scene, name: &str) -> String {
    let problems = written(scene, name).1;
    problems
        .iter()
        .map(|p| p.message.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn one(material: Material, change: impl FnOnce(&mut Primitive)) -> Scene {
    let mut scene = Scene::default();
    scene.materials.push(material);
    let mut primitive = Primitive {
        material: Some(0),
        ..sphere(4, 1.0)
    };
    change(&mut primitive);
    let mesh = scene.add_mesh("m", vec![primitive]);
    scene.add_node(
        Node {
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    scene
}

fn plain(color: [f32; 4]) -> Material {
    Material {
        metallic: 0.0,
        ..Material::plain("m", color)
    }
}

fn extended(name: &str, value: serde_json::Value) -> Material {
    let mut material = plain([1.0; 4]);
    material
        .extensions
        .insert(format!("KHR_materials_{name}"), value);
    material
}

#[test]
fn every_property_is_written_or_told() {
    let same = |_: &mut Primitive| {};
    let textured = || textured(8);
    let mut mirrored = textured();
    mirrored.textures[0].sampler.wrap_s = MIRROR;
    let mut shaded = textured();
    shaded.materials[0].occlusion_texture = Some(TextureRef::default());
    let mut filmed = one(plain([1.0; 4]), same);
    filmed.cameras.push(json!({"type": "perspective"}));
    let mut lit = one(plain([1.0; 4]), same);
    lit.lights.push(json!({"type": "point"}));
    let mut noted = one(plain([1.0; 4]), same);
    noted.meshes[0].extras = Some(json!({"id": 7}));
    let clear = Material {
        alpha_mode: AlphaMode::Blend,
        ..plain([1.0; 4])
    };
    // The scene, what is said of it, and whether OBJ, PLY and STL say that.
    let cases: Vec<(Scene, &str, [bool; 3])> = vec![
        (
            one(plain([1.0, 0.0, 0.0, 1.0]), same),
            "材质的颜色",
            [false, false, true],
        ),
        (
            one(
                Material {
                    alpha_mode: AlphaMode::Blend,
                    ..plain([1.0, 1.0, 1.0, 0.5])
                },
                same,
            ),
            "材质的透明度",
            [false, false, true],
        ),
        (
            one(
                Material {
                    roughness: 0.2,
                    metallic: 0.7,
                    ..plain([1.0; 4])
                },
                same,
            ),
            "1 个材质",
            [false, true, true],
        ),
        (textured(), "1 张贴图", [false, true, true]),
        (
            one(plain([1.0; 4]), |p| {
                p.colors = vec![[0.5; 4]; p.positions.len()]
            }),
            "顶点颜色",
            [false, false, true],
        ),
        (
            one(clear, |p| {
                p.colors = vec![[1.0, 1.0, 1.0, 0.3]; p.positions.len()]
            }),
            "顶点的透明度",
            [true, false, false],
        ),
        (shaded, "环境光遮蔽", [true, false, false]),
        (mirrored, "镜像或单向平铺", [true, false, false]),
        (
            one(plain([1.0; 4]), |p| {
                p.uvs = vec![vec![[0.0; 2]; p.positions.len()]; 2]
            }),
            "第二套",
            [true, true, false],
        ),
        (
            one(
                extended("transmission", json!({"transmissionFactor": 1.0})),
                same,
            ),
            "透射",
            [true, true, true],
        ),
        (
            one(extended("volume", json!({"thicknessFactor": 1.0})), same),
            "体积",
            [true, true, true],
        ),
        (
            one(
                extended(
                    "clearcoat",
                    json!({"clearcoatFactor": 1.0, "clearcoatTexture": {"index": 0}}),
                ),
                same,
            ),
            "清漆贴图",
            [true, false, false],
        ),
        (
            one(
                extended("sheen", json!({"sheenColorFactor": [1, 1, 1]})),
                same,
            ),
            "绒光",
            [true, false, false],
        ),
        (
            one(
                extended("iridescence", json!({"iridescenceFactor": 1.0})),
                same,
            ),
            "薄膜干涉",
            [true, false, false],
        ),
        (
            one(
                extended("anisotropy", json!({"anisotropyStrength": 1.0})),
                same,
            ),
            "各向异性",
            [true, false, false],
        ),
        (
            one(extended("dispersion", json!({"dispersion": 1.0})), same),
            "色散",
            [true, false, false],
        ),
        (
            one(extended("specular", json!({"specularFactor": 0.2})), same),
            "高光",
            [true, false, false],
        ),
        (
            one(extended("unlit", json!({})), same),
            "无光照",
            [true, false, false],
        ),
        (
            one(plain([1.0; 4]), |p| {
                let values = vec![1.0; p.positions.len()];
                p.custom = vec![Custom {
                    name: "_FEATURE_ID_0".into(),
                    width: 1,
                    values,
                }];
            }),
            "_FEATURE_ID_0",
            [true, true, true],
        ),
        (
            one(plain([1.0; 4]), |p| {
                p.targets = vec![MorphTarget::default()]
            }),
            "变形",
            [true, true, true],
        ),
        (filmed, "1 个相机", [true, true, true]),
        (lit, "1 盏灯光", [true, true, true]),
        (noted, "extras", [true, true, true]),
    ];
    for (scene, word, says) in &cases {
        for (name, says) in ["a.obj", "a.ply", "a.stl"].into_iter().zip(says) {
            let text = told(scene, name);
            assert_eq!(text.contains(word), *says, "{name} {word}: {text}");
        }
    }
    // What becomes a metal keeps its colour.
    let mut gold = extended("specular", json!({"specularColorFactor": [1.0, 0.7, 0.2]}));
    gold.base_color = [0.0, 0.0, 0.0, 1.0];
    gold.extensions
        .insert("KHR_materials_ior".into(), json!({"ior": 0.0}));
    assert_eq!(told(&one(gold, same), "a.obj"), "");
    // A plain white model loses nothing, nor does one whose reader made its material up.
    let made_up = Material::plain(modelkit::scene::MADE_UP, [0.7, 0.7, 0.7, 1.0]);
    for material in [plain([1.0; 4]), made_up] {
        let scene = one(material, same);
        for name in ["a.obj", "a.ply", "a.stl"] {
            assert_eq!(told(&scene, name), "", "{name}");
        }
    }
    // Strengths of nothing are none.
    let idle = one(
        extended("transmission", json!({"transmissionFactor": 0.0})),
        same,
    );
    assert_eq!(told(&idle, "a.obj"), "");
}

#[test]
fn one_colour_is_a_colour_in_ply() {
    let red = one(plain([1.0, 0.0, 0.0, 1.0]), |_| {});
    let back = read_bytes(&written(&red, "a.ply").0, "a.ply").unwrap();
    let colors = &back.meshes[0].primitives[0].colors;
    assert!(!colors.is_empty() && colors.iter().all(|c| *c == [1.0, 0.0, 0.0, 1.0]));
    // White, and the grey that a reader made up, are no colours.
    let made_up = Material::plain(modelkit::scene::MADE_UP, [0.5, 0.5, 0.5, 1.0]);
    for material in [plain([1.0; 4]), made_up.clone()] {
        let scene = one(material, |_| {});
        let back = read_bytes(&written(&scene, "a.ply").0, "a.ply").unwrap();
        assert!(back.meshes[0].primitives[0].colors.is_empty());
    }
    // But beside others it stays grey.
    let mut two = one(plain([1.0, 0.0, 0.0, 1.0]), |_| {});
    two.materials.push(made_up);
    let mut grey = two.meshes[0].primitives[0].clone();
    grey.material = Some(1);
    two.meshes[0].primitives.push(grey);
    let back = read_bytes(&written(&two, "a.ply").0, "a.ply").unwrap();
    let colors = &back.meshes[0].primitives[0].colors;
    let last = colors.last().unwrap();
    assert!(
        (last[0] - 0.5).abs() < 0.01 && last[0] == last[1],
        "{last:?}"
    );
}

/// glTF 2.0, 3.9.4: alpha counts where the mode says so.
#[test]
fn opaque_means_opaque() {
    let clear = |mode, factor: f32, vertex: f32| {
        let material = Material {
            alpha_mode: mode,
            ..plain([0.5, 0.5, 0.5, factor])
        };
        one(material, |p| {
            p.colors = vec![[1.0, 1.0, 1.0, vertex]; p.positions.len()]
        })
    };
    for (mode, factor, vertex, wanted) in [
        (AlphaMode::Opaque, 0.0, 1.0, 255),
        (AlphaMode::Opaque, 1.0, 0.2, 255),
        (AlphaMode::Mask, 0.8, 0.8, 255),
        (AlphaMode::Mask, 0.8, 0.5, 0),
        (AlphaMode::Blend, 0.8, 0.5, 102),
    ] {
        let (ply, _) = written(&clear(mode, factor, vertex), "a.ply");
        let head = ply.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let row = &ply[head..];
        // Position, normal and coordinates in floats, then four bytes.
        assert_eq!(row[32..36][3], wanted, "{mode:?} {factor} {vertex}");
    }
    for (mode, factor, wanted) in [
        (AlphaMode::Opaque, 0.0, "d 1\n"),
        (AlphaMode::Blend, 0.5, "d 0.5\n"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.obj");
        let scene = clear(mode, factor, 1.0);
        let options = Options::default();
        write::write(&scene, &path, OutFormat::Obj, &options, &Ctx::new(&Silent)).unwrap();
        let text = std::fs::read_to_string(dir.path().join("a.mtl")).unwrap();
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn emission_coat_and_white_return_from_obj() {
    let mut material = extended("emissive_strength", json!({"emissiveStrength": 5.0}));
    material.emissive = [0.5, 0.25, 0.0];
    material.extensions.insert(
        "KHR_materials_clearcoat".into(),
        json!({"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25}),
    );
    let scene = one(material, |p| {
        p.colors = vec![[1.0; 4]; p.positions.len()];
        p.mode = Mode::Triangles;
    });
    let (zip, problems) = written(&scene, "a.zip");
    assert_eq!(problems, []);
    let back = read_bytes(&zip, "a.zip").unwrap();
    let found = &back.materials[0];
    let strength = found.extensions["KHR_materials_emissive_strength"]["emissiveStrength"].as_f64();
    // Stated as a colour with a component of 1, which is the same light.
    let light = found.emissive.map(|c| f64::from(c) * strength.unwrap());
    for (found, wanted) in light.into_iter().zip([2.5, 1.25, 0.0]) {
        assert!((found - wanted).abs() < 1e-4, "{light:?}");
    }
    let coat = &found.extensions["KHR_materials_clearcoat"];
    assert_eq!(
        (
            coat["clearcoatFactor"].as_f64(),
            coat["clearcoatRoughnessFactor"].as_f64()
        ),
        (Some(0.5), Some(0.25))
    );
    assert_eq!(found.base_color, [1.0; 4]);
    assert_eq!(back.meshes[0].primitives[0].colors[0], [1.0; 4]);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.obj");
    write::write(
        &scene,
        &path,
        OutFormat::Obj,
        &Options::default(),
        &Ctx::new(&Silent),
    )
    .unwrap();
    let mtl = std::fs::read_to_string(dir.path().join("a.mtl")).unwrap();
    let obj = std::fs::read_to_string(path).unwrap();
    assert!(
        mtl.contains("Kd 1 1 1\n") && !obj.contains("0.99999994"),
        "{mtl}"
    );
}
