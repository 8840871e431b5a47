//! Shading models of COLLADA: what is read by its numbers, and what is told.

use super::{GEOMETRY, Pictures, SHOWN, file, finding, open_with};
use modelkit::Scene;
use modelkit::scene::{AlphaMode, Severity, decode};

/// The first material of an effect with this shading model.
fn material(model: &str) -> Scene {
    let effect = format!(
        r##"<library_images><image id="i"><init_from>i.png</init_from></image></library_images>
        <library_materials><material id="m" name="漆"><instance_effect url="#e"/></material></library_materials>
        <library_effects><effect id="e"><profile_COMMON><technique>{model}</technique></profile_COMMON></effect></library_effects>"##
    );
    open_with(&file("", &[GEOMETRY, &effect].concat(), SHOWN), &Pictures).unwrap()
}

#[test]
fn opacity_follows_the_four_modes() {
    let plain = |mode: &str, color: &str, part: &str| {
        let scene = material(&format!(
            r#"<phong><transparent opaque="{mode}"><color>{color}</color></transparent>
            <transparency><float>{part}</float></transparency></phong>"#
        ));
        scene.materials[0].base_color[3]
    };
    assert_eq!(plain("A_ONE", "0 0 0 0.5", "0.5"), 0.25);
    assert_eq!(plain("A_ZERO", "0 0 0 0.5", "0.5"), 0.75);
    assert!((plain("RGB_ZERO", "0.5 0.5 0.5 1", "0.5") - 0.75).abs() < 1e-5);
    assert!((plain("RGB_ONE", "0.5 0.5 0.5 1", "0.5") - 0.25).abs() < 1e-5);
    let alone = material("<phong><transparency><float>0.25</float></transparency></phong>");
    assert_eq!(alone.materials[0].base_color[3], 0.25);
    // A pixel of the picture has red 7, green 0 and blue 90: its brightness is 8.
    let picture = |mode: &str| {
        let scene = material(&format!(
            r#"<phong><diffuse><texture texture="i"/></diffuse><transparent opaque="{mode}"><texture texture="i"/></transparent>
            <transparency><float>0.5</float></transparency></phong>"#
        ));
        let material = &scene.materials[0];
        let texture = material.base_color_texture.unwrap().texture as usize;
        let image = &scene.images[scene.textures[texture].image as usize];
        let pixels = decode(&image.bytes, &Default::default())
            .unwrap()
            .to_rgba8();
        (
            pixels.get_pixel(7, 0).0[3],
            material.base_color[3],
            material.alpha_mode,
        )
    };
    let (alpha, factor, mode) = picture("RGB_ZERO");
    assert!(alpha.abs_diff(251) < 2, "{alpha}");
    assert_eq!((factor, mode), (1.0, AlphaMode::Opaque));
    let (alpha, factor, mode) = picture("RGB_ONE");
    assert!(alpha.abs_diff(4) < 2, "{alpha}");
    assert_eq!((factor, mode), (1.0, AlphaMode::Mask));
    // The picture has no alpha; the factor is the material's.
    assert_eq!(picture("A_ONE"), (255, 0.5, AlphaMode::Blend));
}

#[test]
fn a_constant_colour_is_seen_without_light() {
    let scene = material("<constant><emission><color>1 0 0 1</color></emission></constant>");
    let material = &scene.materials[0];
    assert_eq!(material.base_color, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(material.emissive, [0.0; 3]);
    assert!(material.extensions.contains_key("KHR_materials_unlit"));
}

#[test]
fn materials_tell_what_they_lose() {
    let same = r#"<phong><ambient><texture texture="i"/></ambient><diffuse><texture texture="i"/></diffuse></phong>"#;
    assert_eq!(material(same).problems, []);
    let other = same.replacen(
        "<texture texture=\"i\"/></diffuse>",
        "<color>1 1 1</color></diffuse>",
        1,
    );
    let told = material(&other);
    let problem = finding(&told, "用途或类型");
    assert_eq!(
        (problem.place.as_str(), problem.severity),
        ("材质 漆", Severity::Warning)
    );
    assert!(problem.message.contains("ambient"));
    let gone = material(r#"<phong><diffuse><texture texture="gone"/></diffuse></phong>"#);
    assert!(finding(&gone, "引用的对象不存在").message.contains("gone"));
    let twice = material("<phong/></technique><technique><lambert/>");
    finding(&twice, "多种画法");
    finding(&material(""), "profile_COMMON");
}
