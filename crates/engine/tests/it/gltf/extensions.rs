//! The list of extensions: every name has a case that shows what becomes of its data.

use super::{Doc, finding};
use crate::models::{animated, json_of, png, read_bytes, textured, write_bytes, write_packed};
use modelkit::lighten::{self, Options, Target, TextureFormat};
use modelkit::read::gltf::{Extension, Treatment};
use modelkit::scene::{AnimationPath, Severity};
use modelkit::write::Compression;
use modelkit::{Ctx, Silent};
use serde_json::{Value, json};

#[test]
fn every_extension_on_the_list_is_honoured_or_its_loss_told() {
    for &extension in Extension::ALL {
        assert_eq!(Extension::named(extension.name()), Some(extension));
        match extension.treatment() {
            Treatment::Kept => kept(extension.name()),
            Treatment::Lost(what, _) => lost(extension.name(), what),
            Treatment::Applied => applied(extension),
        }
    }
}

#[test]
fn an_extension_on_an_object_where_it_means_nothing_is_told() {
    for &extension in Extension::ALL {
        if matches!(extension.treatment(), Treatment::Lost(..)) {
            continue;
        }
        // Nothing on the list belongs on a scene.
        let mut doc = Doc::new();
        doc.json["scenes"][0]["extensions"] = json!({extension.name(): {}});
        doc.uses(extension.name());
        let problem = finding(&doc.scene(), "unsupported-extension");
        assert!(
            problem.place.starts_with("场景")
                && problem.message.contains(extension.name())
                && problem.message.contains("不起作用"),
            "{problem:?}"
        );
    }
}

/// Raw data with numbers, a texture and its transform stays in the material, the texture under its new number.
fn kept(name: &str) {
    let mut doc = Doc::new();
    doc.texture(b"no picture");
    let texture = doc.texture(&png(8));
    let data = |texture: usize| {
        json!({
            "someFactor": 0.375,
            "someTexture": {"index": texture, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.0]}}},
        })
    };
    doc.json["materials"][0]["extensions"] = json!({name: data(texture)});
    doc.uses(name);
    let scene = doc.scene();
    assert!(
        scene
            .problems
            .iter()
            .all(|p| p.code != "unsupported-extension"),
        "{name}: {:?}",
        scene.problems
    );
    for file in ["a.glb", "a.amrt"] {
        let back = read_bytes(&write_bytes(&scene, file, true), file).unwrap();
        assert_eq!(
            back.materials[0].extensions[name],
            data(0),
            "{name} in {file}"
        );
    }
    let used = &doc.converted()["extensionsUsed"];
    for name in [name, "KHR_texture_transform"] {
        assert!(
            used.as_array().unwrap().contains(&name.into()),
            "{name}: {used}"
        );
    }
}

/// Where the data of a lost extension lies, its finding names the place; a file that requires it is not refused.
fn lost(name: &str, what: &str) {
    let mut doc = Doc::new();
    doc.json["nodes"][0]["extensions"] = json!({name: {"data": 1}});
    doc.uses(name);
    let problem = finding(&doc.scene(), "unsupported-extension");
    assert_eq!(
        (problem.severity, problem.place.as_str()),
        (Severity::Info, "节点 屋")
    );
    assert!(
        problem.message.contains(what) && problem.message.contains(name),
        "{problem:?}"
    );
    doc.push("extensionsRequired", name.into());
    let problem = finding(&doc.scene(), "unsupported-extension");
    assert_eq!(problem.severity, Severity::Warning);
    assert!(!doc.converted().to_string().contains(name), "{name}");
}

fn applied(extension: Extension) {
    match extension {
        Extension::AmrtGrids => grids(),
        Extension::AnimationPointer => pointer(),
        Extension::DracoCompression => packed(Compression::Draco, "KHR_draco_mesh_compression", ""),
        Extension::LightsPunctual => lights(),
        Extension::MeshoptCompression => {
            packed(Compression::Meshopt, "EXT_meshopt_compression", "")
        }
        Extension::MeshoptCompressionKhr => packed(
            Compression::Meshopt,
            "EXT_meshopt_compression",
            "KHR_meshopt_compression",
        ),
        Extension::MeshGpuInstancing => instances(),
        Extension::MeshQuantization => quantized(),
        Extension::NodeVisibility => hidden(),
        Extension::SpecularGlossiness => glossy(),
        Extension::TextureBasisu => picture(TextureFormat::Ktx2, extension, "image/ktx2"),
        Extension::TextureTransform => transform(),
        Extension::TextureWebp => picture(TextureFormat::Webp, extension, "image/webp"),
        Extension::Variants => variants(),
        other => panic!("{} has no case", other.name()),
    }
}

/// The nodes that carry the grids of quantised meshes are gone again, and the positions are in metres.
fn grids() {
    let scene = textured(6);
    let bytes = write_bytes(&scene, "a.amrt", true);
    let back = read_bytes(&bytes, "a.amrt").unwrap();
    assert_eq!(back.nodes.len(), scene.nodes.len());
    let far = |p: &[f32; 3]| p.iter().map(|v| v * v).sum::<f32>().sqrt();
    let positions = &back.meshes[0].primitives[0].positions;
    assert!(positions.iter().all(|p| (far(p) - 1.0).abs() < 1e-3));
}

/// Pointers to what moves nodes are channels; others are told.
fn pointer() {
    let mut doc = Doc::new();
    let times = doc.floats(&[0.0, 1.0], "SCALAR");
    let moves = doc.floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0], "VEC3");
    let aim = |pointer: &str| json!({"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}});
    let clip = json!({
        "name": "开",
        "samplers": [{"input": times, "output": moves}],
        "channels": [aim("/nodes/0/translation"), aim("/materials/0/emissiveFactor"), aim("/nodes/9/scale")],
    });
    doc.push("animations", clip);
    doc.uses("KHR_animation_pointer");
    let scene = doc.scene();
    let channels = &scene.animations[0].channels;
    assert_eq!(channels.len(), 1);
    assert_eq!(
        (channels[0].node, channels[0].path),
        (0, AnimationPath::Translation)
    );
    let problem = finding(&scene, "unsupported-extension");
    assert!(
        problem.message.contains("1 条") && problem.message.contains("/materials/0/emissiveFactor"),
        "{problem:?}"
    );
    assert_eq!(problem.place, "动画 开");
    assert_eq!(finding(&scene, "unread-data").place, "动画 开");
}

/// Compressed geometry is the geometry that was written; `renamed` is another name of the same encoding.
fn packed(compression: Compression, name: &str, renamed: &str) {
    let scene = animated(6);
    let mut bytes = write_packed(&scene, "a.glb", compression);
    assert!(
        json_of(&bytes)["extensionsRequired"]
            .to_string()
            .contains(name)
    );
    if !renamed.is_empty() {
        let (from, to) = (name.as_bytes(), renamed.as_bytes());
        for at in 0..bytes.len() - from.len() {
            if bytes[at..].starts_with(from) {
                bytes[at..at + from.len()].copy_from_slice(to);
            }
        }
        assert!(
            json_of(&bytes)["extensionsRequired"]
                .to_string()
                .contains(renamed)
        );
    }
    let back = read_bytes(&bytes, "a.glb").unwrap();
    assert!(back.problems.is_empty(), "{:?}", back.problems);
    assert_eq!(back.triangle_count(), scene.triangle_count());
    let (a, b) = (back.bounds(), scene.bounds());
    assert!(
        (a.diagonal() / b.diagonal() - 1.0).abs() < 1e-3,
        "{a:?} {b:?}"
    );
}

fn lights() {
    let light = json!({"type": "spot", "color": [1.0, 0.5, 0.25], "intensity": 7.0, "spot": {"outerConeAngle": 0.5}});
    let mut doc = Doc::new();
    doc.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [light]}});
    doc.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    doc.uses("KHR_lights_punctual");
    let json = doc.converted();
    assert_eq!(
        json["extensions"]["KHR_lights_punctual"]["lights"][0],
        light
    );
    assert_eq!(
        json["nodes"][0]["extensions"]["KHR_lights_punctual"]["light"],
        0
    );
    assert!(
        json["extensionsUsed"]
            .to_string()
            .contains("KHR_lights_punctual")
    );
}

/// Each instance is a node; data of applications is told.
fn instances() {
    let mut doc = Doc::new();
    let places = doc.floats(&[1.0, 0.0, 0.0, 0.0, 5.0, 0.0], "VEC3");
    let ids = doc.floats(&[7.0, 8.0], "SCALAR");
    let attributes = json!({"TRANSLATION": places, "_ID": ids});
    doc.json["nodes"][0]["extensions"] =
        json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    doc.uses("EXT_mesh_gpu_instancing");
    let scene = doc.scene();
    assert_eq!(scene.bounds().max, [2.0, 6.0, 0.0]);
    let drawn = scene.nodes.iter().filter(|n| n.mesh.is_some());
    assert_eq!(drawn.count(), 2);
    let problem = finding(&scene, "unread-data");
    assert!(
        problem.message.contains("_ID") && problem.place == "节点 屋",
        "{problem:?}"
    );
    // Without a place each instance is where the node is; there are as many as the attribute says.
    doc.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] =
        json!({"_ID": ids});
    let scene = doc.scene();
    assert_eq!(scene.nodes.iter().filter(|n| n.mesh.is_some()).count(), 2);
}

/// Positions as normalised integers.
fn quantized() {
    let mut doc = Doc::new();
    let rows: Vec<u8> = [0u16, 0, 0, 65535, 0, 0, 0, 65535, 0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let corners = doc.accessor(&rows, 5123, 3, "VEC3");
    doc.json["accessors"][corners]["normalized"] = true.into();
    doc.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = corners.into();
    doc.push("extensionsRequired", "KHR_mesh_quantization".into());
    let scene = doc.scene();
    let right = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(scene.meshes[0].primitives[0].positions, right);
}

/// A hidden node and what is below it draw nothing, and that is told.
fn hidden() {
    let mut doc = Doc::new();
    let far = json!({"name": "罩", "mesh": 0, "translation": [9.0, 0.0, 0.0], "children": [2],
        "extensions": {"KHR_node_visibility": {"visible": false}}});
    doc.push("nodes", far);
    doc.push(
        "nodes",
        json!({"name": "柄", "mesh": 0, "translation": [9.0, 0.0, 0.0]}),
    );
    let shown = json!({"mesh": 0, "extensions": {"KHR_node_visibility": {"visible": true}}});
    doc.push("nodes", shown);
    doc.json["scenes"][0]["nodes"] = json!([0, 1, 3]);
    doc.uses("KHR_node_visibility");
    let scene = doc.scene();
    assert_eq!(scene.bounds().max, [1.0, 1.0, 0.0]);
    assert_eq!(scene.nodes.len(), 4);
    assert_eq!(scene.nodes.iter().filter(|n| n.mesh.is_some()).count(), 2);
    let problem = finding(&scene, "hidden-skipped");
    assert!(
        problem.message.contains("2 个") && problem.place == "节点 罩、柄",
        "{problem:?}"
    );
    // The source is no preview: the viewer's loader would show what is hidden.
    assert!(!served(&doc), "{:?}", doc.json);
    doc.json["extensionsUsed"] = json!([]);
    assert!(served(&doc));
}

/// Whether the viewer could show the file as it is.
fn served(doc: &Doc) -> bool {
    let input = modelkit::read::Input {
        bytes: &doc.bytes(),
        name: "a.glb",
        side: &modelkit::read::NoSideFiles,
    };
    modelkit::internals::as_glb(&input, usize::MAX).is_some()
}

/// The numbers are in `specular.rs`; here only: the parameters win over the fallback, and nothing of the name is left.
fn glossy() {
    let mut doc = Doc::new();
    doc.json["materials"][0] = json!({
        "pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.0, 0.0, 1.0]},
        "extensions": {"KHR_materials_pbrSpecularGlossiness": {"glossinessFactor": 0.25}},
    });
    doc.push(
        "extensionsRequired",
        "KHR_materials_pbrSpecularGlossiness".into(),
    );
    let json = doc.converted();
    assert_eq!(
        json["materials"][0]["pbrMetallicRoughness"]["roughnessFactor"],
        0.75
    );
    assert!(!json.to_string().contains("Glossiness"), "{json}");
    assert!(!served(&doc));
}

/// A better copy of a picture is read instead of the fallback, and written so again.
fn picture(format: TextureFormat, extension: Extension, mime: &str) {
    let mut scene = textured(4);
    let options = Options {
        target: Target::Ratio(1.0),
        texture_max: None,
        textures: format,
    };
    lighten::lighten(&mut scene, &options, &|_| Ok(0), &Ctx::new(&Silent)).unwrap();
    assert_eq!(scene.images[0].mime, mime);
    let mut doc = Doc::new();
    let fallback = doc.image(&png(8));
    let better = doc.image(&scene.images[0].bytes);
    doc.push(
        "textures",
        json!({"source": fallback, "extensions": {extension.name(): {"source": better}}}),
    );
    doc.json["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}});
    doc.uses(extension.name());
    let scene = doc.scene();
    let shown = scene.materials[0].base_color_texture.unwrap();
    let image = scene.textures[shown.texture as usize].image as usize;
    assert_eq!(scene.images[image].mime, mime);
    let texture = &doc.converted()["textures"][0];
    assert!(
        texture["extensions"][extension.name()]["source"].is_u64(),
        "{texture}"
    );
}

fn transform() {
    let moved = json!({"offset": [0.25, 0.5], "rotation": 0.5, "scale": [2.5, 3.5], "texCoord": 1});
    let mut doc = Doc::new();
    let uvs = doc.floats(&[0.0; 6], "VEC2");
    doc.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = uvs.into();
    let texture = doc.texture(&png(8));
    let slot = json!({"index": texture, "extensions": {"KHR_texture_transform": moved}});
    doc.json["materials"][0] = json!({
        "pbrMetallicRoughness": {"baseColorTexture": slot, "metallicRoughnessTexture": slot},
        "normalTexture": slot, "occlusionTexture": slot, "emissiveTexture": slot,
    });
    doc.uses("KHR_texture_transform");
    let json = doc.converted();
    let material = &json["materials"][0];
    for slot in [
        &material["pbrMetallicRoughness"]["baseColorTexture"],
        &material["pbrMetallicRoughness"]["metallicRoughnessTexture"],
        &material["normalTexture"],
        &material["occlusionTexture"],
        &material["emissiveTexture"],
    ] {
        assert_eq!(
            slot["extensions"]["KHR_texture_transform"], moved,
            "{material}"
        );
    }
}

fn variants() {
    let mappings = json!([{"material": 1, "variants": [1]}]);
    let names = json!([{"name": "夏"}, {"name": "冬"}]);
    let mut doc = Doc::new();
    doc.push("materials", json!({"name": "雪"}));
    doc.json["extensions"] = json!({"KHR_materials_variants": {"variants": names}});
    doc.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": mappings}});
    doc.uses("KHR_materials_variants");
    let json = doc.converted();
    assert_eq!(
        json["extensions"]["KHR_materials_variants"]["variants"],
        names
    );
    let primitive = &json["meshes"][0]["primitives"][0];
    assert_eq!(
        primitive["extensions"]["KHR_materials_variants"]["mappings"],
        mappings
    );
    assert_eq!(json["materials"][1]["name"], "雪");
}

#[test]
fn what_a_file_requires_and_nobody_knows_is_refused_by_name() {
    for name in ["KHR_materials_future", "ACME_magic"] {
        let mut doc = Doc::new();
        doc.push("extensionsRequired", name.into());
        let error = doc.read().unwrap_err();
        assert_eq!(error.code(), "unsupported-format");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn unknown_extensions_are_told_wherever_they_are() {
    let data = || json!({"ACME_magic": {"level": 3}});
    let places: [(&str, &str); 14] = [
        ("/asset", ""),
        ("", ""),
        ("/scenes/0", "场景 厅"),
        ("/nodes/0", "节点 屋"),
        ("/meshes/0", "网格 墙"),
        ("/meshes/0/primitives/0", "网格 墙"),
        ("/materials/0", "材质 木头"),
        ("/materials/0/pbrMetallicRoughness", "材质 木头"),
        ("/materials/0/emissiveTexture", "材质 木头"),
        (
            "/materials/0/extensions/KHR_materials_sheen/sheenColorTexture",
            "材质 木头",
        ),
        ("/textures/0", "贴图 第 1 个"),
        ("/images/0", "图片 第 1 个"),
        ("/cameras/0/perspective", "相机 眼"),
        ("/accessors/0", "访问器 第 1 个"),
    ];
    for (pointer, place) in places {
        let mut doc = Doc::new();
        let texture = doc.texture(&png(8));
        doc.json["scenes"][0]["name"] = "厅".into();
        doc.json["materials"][0] = json!({
            "name": "木头",
            "pbrMetallicRoughness": {},
            "emissiveTexture": {"index": texture},
            "extensions": {"KHR_materials_sheen": {"sheenColorTexture": {"index": texture}}},
        });
        doc.push("cameras", json!({"name": "眼", "type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}}));
        let holder = doc.json.pointer_mut(pointer).unwrap();
        match holder.get_mut("extensions") {
            Some(extensions) => extensions["ACME_magic"] = json!({"level": 3}),
            None => holder["extensions"] = data(),
        }
        // Nobody has declared it.
        let problem = finding(&doc.scene(), "unsupported-extension");
        assert_eq!(problem.place, place, "{pointer}");
        assert!(problem.message.contains("ACME_magic"), "{problem:?}");
        assert!(!doc.converted().to_string().contains("ACME"), "{pointer}");
    }
}

#[test]
fn unknown_material_extensions_are_told_and_left_out() {
    let mut doc = Doc::new();
    doc.json["materials"][0]["extensions"] = json!({"KHR_materials_future": {"glow": 1}});
    doc.push(
        "materials",
        json!({"extensions": {"KHR_materials_future": {"glow": 2}}}),
    );
    doc.uses("KHR_materials_future");
    let scene = doc.scene();
    let problem = finding(&scene, "unsupported-extension");
    assert_eq!(problem.place, "材质 木头、第 2 个");
    assert!(
        problem.message.contains("KHR_materials_future"),
        "{problem:?}"
    );
    assert!(scene.materials[0].extensions.is_empty());
}

#[test]
fn very_many_unknown_extensions_are_summed_up() {
    let mut doc = Doc::new();
    let names: Vec<Value> = (0..5000).map(|i| format!("ACME_{i}").into()).collect();
    doc.json["extensionsUsed"] = names.into();
    let scene = doc.scene();
    let told = scene
        .problems
        .iter()
        .filter(|p| p.code == "unsupported-extension");
    assert_eq!(told.count(), 21);
}

#[test]
fn the_picture_of_a_lost_extension_gives_way_to_the_fallback() {
    let mut doc = Doc::new();
    let fallback = doc.image(&png(8));
    let better = doc.image(b"\0\0\0\x20ftypavif");
    let texture =
        json!({"source": fallback, "extensions": {"EXT_texture_avif": {"source": better}}});
    doc.push("textures", texture);
    doc.json["materials"][0]["pbrMetallicRoughness"] = json!({"baseColorTexture": {"index": 0}});
    doc.uses("EXT_texture_avif");
    let scene = doc.scene();
    let codes: Vec<_> = scene.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["unsupported-extension"]);
    assert!(scene.materials[0].base_color_texture.is_some());
    assert_eq!(scene.images.len(), 1);
}
