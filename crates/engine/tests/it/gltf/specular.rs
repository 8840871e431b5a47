//! KHR_materials_pbrSpecularGlossiness: what the converted material reflects, in numbers.

use super::{Doc, finding, png};
use crate::models::{read_bytes, write_bytes};
use crate::validator::assert_valid;
use image::{DynamicImage, Rgb, RgbImage, Rgba, RgbaImage};
use modelkit::limits::Limits;
use modelkit::render::{Backdrop, Options, picture};
use modelkit::scene::{Material, decode};
use modelkit::{Ctx, Scene, Silent};
use serde_json::{Value, json};

const NAME: &str = "KHR_materials_pbrSpecularGlossiness";

fn doc(old: Value) -> Doc {
    let mut doc = Doc::new();
    doc.json["materials"][0]["extensions"] = json!({NAME: old});
    doc.uses(NAME);
    doc
}

/// Linear, 0…1.
fn linear(byte: u8) -> f64 {
    let c = f64::from(byte) / 255.0;
    match c <= 0.04045 {
        true => c / 12.92,
        false => ((c + 0.055) / 1.055).powf(2.4),
    }
}

/// The pixel at `at` of the texture with this index.
fn texel(scene: &Scene, texture: u64, at: [u32; 2]) -> [u8; 4] {
    let image = scene.textures[texture as usize].image as usize;
    let pixels = decode(&scene.images[image].bytes, &Limits::default()).unwrap();
    pixels.to_rgba8().get_pixel(at[0], at[1]).0
}

/// Reflectance at normal incidence, as KHR_materials_specular and KHR_materials_ior state it.
fn reflectance(scene: &Scene, m: &Material, at: [u32; 2]) -> [f64; 3] {
    assert_eq!(m.metallic, 0.0);
    assert_eq!(m.extensions["KHR_materials_ior"], json!({"ior": 0}));
    let specular = &m.extensions["KHR_materials_specular"];
    let factor = |k: usize| specular["specularColorFactor"][k].as_f64().unwrap_or(1.0);
    let texture = specular["specularColorTexture"]["index"].as_u64();
    let texel = texture.map(|t| texel(scene, t, at));
    [0, 1, 2].map(|k| factor(k) * texel.map_or(1.0, |t| linear(t[k])))
}

fn roughness(scene: &Scene, m: &Material, at: [u32; 2]) -> f64 {
    let slot = m.metallic_roughness_texture;
    let green = slot.map(|slot| texel(scene, u64::from(slot.texture), at)[1]);
    f64::from(m.roughness) * green.map_or(1.0, |g| f64::from(g) / 255.0)
}

fn near(a: &[f64], b: &[f64], tolerance: f64) {
    let close = a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(close && a.len() == b.len(), "{a:?} {b:?}");
}

#[test]
fn factors_and_their_defaults_win_over_the_fallback() {
    let gold = json!({"diffuseFactor": [0, 0, 0, 0.5], "specularFactor": [1.0, 0.766, 0.336], "glossinessFactor": 0.9});
    let scene = doc(gold).scene();
    let m = &scene.materials[0];
    near(&reflectance(&scene, m, [0, 0]), &[1.0, 0.766, 0.336], 1e-6);
    near(&[roughness(&scene, m, [0, 0])], &[0.1], 1e-6);
    assert_eq!(m.base_color, [0.0, 0.0, 0.0, 0.5]);

    let mut plain = doc(json!({}));
    let texture = plain.texture(&super::png(DynamicImage::new_rgb8(4, 4)));
    plain.json["materials"][0]["pbrMetallicRoughness"] = json!({
        "baseColorFactor": [1, 0, 0, 1], "roughnessFactor": 0.7, "metallicFactor": 0.5,
        "baseColorTexture": {"index": texture}, "metallicRoughnessTexture": {"index": texture},
    });
    let scene = plain.scene();
    let m = &scene.materials[0];
    near(&reflectance(&scene, m, [0, 0]), &[1.0; 3], 0.0);
    assert_eq!((m.base_color, m.roughness), ([1.0; 4], 0.0));
    assert_eq!(
        (m.base_color_texture, m.metallic_roughness_texture),
        (None, None)
    );
    // Factors out of range are put into it, missing components are 1.
    let odd = json!({"diffuseFactor": [0.5, 0.25, 3.0], "specularFactor": [-1.0, 0.5], "glossinessFactor": 7.0});
    let scene = doc(odd).scene();
    let m = &scene.materials[0];
    assert_eq!((m.base_color, m.roughness), ([0.5, 0.25, 1.0, 1.0], 0.0));
    near(&reflectance(&scene, m, [0, 0]), &[0.0, 0.5, 1.0], 0.0);
}

#[test]
fn an_even_glossiness_becomes_a_factor() {
    let even = RgbaImage::from_pixel(8, 8, Rgba([250, 180, 80, 200]));
    let mut doc = doc(json!({"specularGlossinessTexture": {"index": 0}}));
    doc.texture(&png(even.into()));
    let scene = doc.scene();
    let m = &scene.materials[0];
    near(&reflectance(&scene, m, [3, 3]), &[0.956, 0.456, 0.08], 1e-3);
    near(
        &[roughness(&scene, m, [3, 3])],
        &[1.0 - 200.0 / 255.0],
        1e-6,
    );
    // The colour alone is left, without an alpha that encoders might use.
    assert_eq!((scene.images.len(), scene.textures.len()), (1, 1));
    assert!(
        !decode(&scene.images[0].bytes, &Limits::default())
            .unwrap()
            .color()
            .has_alpha()
    );
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
}

/// Red and clear on the left, green and opaque on the right.
fn halves() -> Vec<u8> {
    let pixels = RgbaImage::from_fn(8, 4, |x, _| match x < 4 {
        true => Rgba([200, 10, 0, 0]),
        false => Rgba([0, 90, 30, 255]),
    });
    png(pixels.into())
}

#[test]
fn a_varying_glossiness_becomes_a_texture_at_the_same_place() {
    let slot = json!({"index": 1, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.0]}}});
    let mut doc = doc(json!({
        "specularFactor": [0.5, 1.0, 1.0], "glossinessFactor": 0.6,
        "diffuseTexture": {"index": 0}, "specularGlossinessTexture": slot,
    }));
    let uvs = doc.floats(&[0.0; 6], "VEC2");
    doc.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = uvs.into();
    doc.texture(&png(RgbImage::from_pixel(4, 4, Rgb([9, 8, 7])).into()));
    doc.texture(&halves());
    doc.json["samplers"] = json!([{"wrapS": 33071}]);
    doc.json["textures"][1]["sampler"] = 0.into();
    let scene = doc.scene();
    let m = &scene.materials[0];
    near(
        &reflectance(&scene, m, [0, 0]),
        &[0.5 * linear(200), linear(10), 0.0],
        1e-6,
    );
    near(
        &reflectance(&scene, m, [7, 0]),
        &[0.0, linear(90), linear(30)],
        1e-6,
    );
    near(&[roughness(&scene, m, [0, 0])], &[1.0], 1e-6);
    near(&[roughness(&scene, m, [7, 0])], &[0.4], 0.5 / 255.0);
    let rough = m.metallic_roughness_texture.unwrap();
    assert_eq!(
        (rough.uv_set, rough.transform.unwrap().offset),
        (1, [0.5, 0.0])
    );
    let color = &m.extensions["KHR_materials_specular"]["specularColorTexture"];
    assert_eq!(
        (&color["texCoord"], &color["extensions"]),
        (&slot["texCoord"], &slot["extensions"])
    );
    for texture in [u64::from(rough.texture), color["index"].as_u64().unwrap()] {
        assert_eq!(scene.textures[texture as usize].sampler.wrap_s, 33071);
    }
    // The picture of both is needed no longer.
    assert_eq!((scene.images.len(), scene.textures.len()), (3, 3));
    let diffuse = m.base_color_texture.unwrap();
    assert_eq!(
        texel(&scene, u64::from(diffuse.texture), [0, 0]),
        [9, 8, 7, 255]
    );
}

#[test]
fn pictures_are_converted_once_and_stay_where_others_use_them() {
    let old = json!({"specularGlossinessTexture": {"index": 0}});
    let mut doc = doc(old.clone());
    doc.texture(&halves());
    for _ in 0..5 {
        doc.push("materials", json!({"extensions": {NAME: old}}));
    }
    doc.push("materials", json!({"emissiveTexture": {"index": 0}}));
    let scene = doc.scene();
    // The source for the last material, colour, and roughness.
    assert_eq!((scene.images.len(), scene.textures.len()), (3, 3));
    let shown = scene.materials[6].emissive_texture.unwrap().texture;
    assert_eq!(texel(&scene, u64::from(shown), [0, 0]), [200, 10, 0, 0]);
}

#[test]
fn a_picture_without_alpha_stays_as_it_is() {
    let bytes = png(RgbImage::from_pixel(4, 4, Rgb([250, 180, 80])).into());
    let mut doc = doc(json!({"glossinessFactor": 0.5, "specularGlossinessTexture": {"index": 0}}));
    doc.texture(&bytes);
    let scene = doc.scene();
    assert_eq!(scene.images[0].bytes[..], bytes[..]);
    near(
        &[roughness(&scene, &scene.materials[0], [0, 0])],
        &[0.5],
        0.0,
    );
}

#[test]
fn what_cannot_be_converted_is_told() {
    // Only the header of the picture is sound.
    let mut broken = halves();
    broken.truncate(45);
    let mut doc =
        doc(json!({"specularFactor": [0.5, 0.5, 0.5], "specularGlossinessTexture": {"index": 0}}));
    doc.texture(&broken);
    let scene = doc.scene();
    assert_eq!(finding(&scene, "unreadable-texture").place, "材质 木头");
    near(
        &reflectance(&scene, &scene.materials[0], [0, 0]),
        &[0.5; 3],
        0.0,
    );
    // A picture that is missing is told with the material that uses it.
    doc.json["images"][0] = json!({"uri": "gloss.png"});
    assert_eq!(finding(&doc.scene(), "missing-texture").place, "材质 木头");
    doc.json["materials"][0]["extensions"][NAME] = json!({"glossinessFactor": "high"});
    let told = finding(&doc.scene(), "bad-values").message;
    assert!(told.contains("glossinessFactor"), "{told}");
}

/// A square that faces the camera, drawn by our renderer.
fn middle(old: Value, bytes: &[u8]) -> [u8; 4] {
    let mut doc = doc(old);
    let corners = [
        -1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0,
        0.0,
    ];
    let corners = doc.floats(&corners, "VEC3");
    let uvs = doc.floats(&[0.5; 12], "VEC2");
    doc.json["meshes"][0]["primitives"][0]["attributes"] =
        json!({"POSITION": corners, "TEXCOORD_0": uvs});
    doc.texture(bytes);
    let options = Options {
        yaw: Some(0.0),
        pitch: Some(0.0),
        backdrop: Backdrop::Color([255; 3]),
        ..Options::square(64)
    };
    picture(&doc.scene(), &options, &Ctx::new(&Silent))
        .unwrap()
        .get_pixel(32, 32)
        .0
}

#[test]
fn pictures_of_the_model_show_the_specular_colour() {
    let golden = |[r, g, b, _]: [u8; 4]| r > 60 && r > g + 10 && g > b + 20;
    let black = [0, 0, 0, 1];
    let gold = json!({"diffuseFactor": black, "specularFactor": [1.0, 0.766, 0.336], "glossinessFactor": 0.5});
    let white = png(RgbImage::from_pixel(4, 4, Rgb([255; 3])).into());
    let by_factor = middle(gold, &white);
    assert!(golden(by_factor), "{by_factor:?}");
    let texture = json!({"diffuseFactor": black, "glossinessFactor": 0.5, "specularGlossinessTexture": {"index": 0}});
    let bytes = png(RgbImage::from_pixel(4, 4, Rgb([255, 226, 157])).into());
    let by_texture = middle(texture, &bytes);
    // The same colour, as sRGB.
    let same = by_factor
        .iter()
        .zip(by_texture)
        .all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(same, "{by_factor:?} {by_texture:?}");
}

/// The only material of the model after it was written in another format.
fn rewritten(doc: &Doc, name: &str) -> Material {
    let bytes = write_bytes(&doc.scene(), name, false);
    let back = read_bytes(&bytes, name).unwrap();
    assert_eq!(back.materials.len(), 1);
    back.materials[0].clone()
}

#[test]
fn formats_without_specular_colours_get_the_nearest_metal() {
    let gold = json!({"diffuseFactor": [0, 0, 0, 1], "specularFactor": [1.0, 0.766, 0.336], "glossinessFactor": 0.9});
    let m = rewritten(&doc(gold), "a.zip");
    near(&[m.metallic.into(), m.roughness.into()], &[1.0, 0.1], 1e-3);
    near(
        &m.base_color.map(f64::from),
        &[1.0, 0.766, 0.336, 1.0],
        1e-3,
    );
    // A plain dielectric stays one: what it reflects is what core glTF lets it.
    let paint =
        json!({"diffuseFactor": [0.5, 0.25, 0.125, 1], "specularFactor": [0.04, 0.04, 0.04]});
    let m = rewritten(&doc(paint), "a.zip");
    near(&[m.metallic.into()], &[0.0], 0.0);
    near(&m.base_color.map(f64::from), &[0.5, 0.25, 0.125, 1.0], 1e-3);
    // Half a metal: between the two.
    let half = json!({"diffuseFactor": [0.4, 0.4, 0.4, 1], "specularFactor": [0.5, 0.5, 0.5]});
    let m = rewritten(&doc(half), "a.zip");
    assert!((0.5..0.95).contains(&m.metallic), "{m:?}");
    // What reflects from pixel to pixel becomes the metal's colour if there is no other.
    let mut doc =
        doc(json!({"diffuseFactor": [0, 0, 0, 1], "specularGlossinessTexture": {"index": 0}}));
    doc.texture(&png(RgbImage::from_pixel(4, 4, Rgb([250, 180, 80])).into()));
    let scene = doc.scene();
    let metal = scene.materials[0].as_metal().unwrap();
    assert_eq!(
        (metal.metallic, metal.base_color_texture.unwrap().texture),
        (1.0, 0)
    );
    assert!(metal.extensions.is_empty());
}

#[test]
fn what_is_written_has_no_error_in_khronos_validator() {
    let dir = tempfile::tempdir().unwrap();
    let mut doc =
        doc(json!({"specularFactor": [0.5, 1, 1], "specularGlossinessTexture": {"index": 0}}));
    doc.texture(&halves());
    doc.push("materials", json!({"extensions": {NAME: {}}}));
    let path = dir.path().join("a.glb");
    std::fs::write(&path, write_bytes(&doc.scene(), "a.glb", true)).unwrap();
    assert_valid(&[path]);
}
