//! Materials of FBX files: maps that are merged or composed, and those that are told.

use crate::archive::pack;
use crate::fbx::{RIGHT_HANDED, file};
use crate::fbx_beyond::finding;
use crate::models::read_bytes;
use image::{ImageFormat, Rgb, RgbImage, RgbaImage};
use modelkit::Scene;
use modelkit::limits::Limits;
use modelkit::read::fbx::{CLASSIC, PHYSICAL, Use};
use modelkit::scene::{AlphaMode, Severity, TextureRef};
use std::fmt::Write;

/// A picture of 8 by 8 pixels whose left and right half have one colour each.
fn halves(left: [u8; 3], right: [u8; 3], format: ImageFormat) -> Vec<u8> {
    let picture = RgbImage::from_fn(8, 8, |x, _| Rgb(if x < 4 { left } else { right }));
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

fn grey(left: u8, right: u8) -> Vec<u8> {
    halves([left; 3], [right; 3], ImageFormat::Png)
}

/// A box with a material of these properties, and textures `10 + i` of the files on its slots.
fn scene(properties: &str, maps: &[(&str, &str)], files: &[(&str, &[u8])]) -> Scene {
    let (mut objects, mut connections) = (String::new(), "C: \"OO\",3,2\n".to_owned());
    for (i, (name, slot)) in maps.iter().enumerate() {
        let id = 10 + i;
        objects += &texture(id, name);
        let _ = writeln!(connections, "C: \"OP\",{id},3, \"{slot}\"");
    }
    with(properties, &objects, &connections, files)
}

fn texture(id: usize, name: &str) -> String {
    format!(
        "Texture: {id}, \"Texture::{name}\", \"\" {{\nFileName: \"{name}\"\nRelativeFilename: \"{name}\"\n}}\n"
    )
}

fn with(properties: &str, objects: &str, connections: &str, files: &[(&str, &[u8])]) -> Scene {
    // Classes of 3ds Max count where no shading model is known.
    let physical = properties.contains("3dsMax|");
    let shading = if physical { "unknown" } else { "phong" };
    let material = format!(
        "Material: 3, \"Material::m\", \"\" {{\nShadingModel: \"{shading}\"\nProperties70:  {{\n{properties}}}\n}}\n"
    );
    let fbx = file(RIGHT_HANDED, "", &(material + objects), connections);
    let mut all: Vec<(&str, &[u8])> = vec![("a.fbx", &fbx)];
    all.extend(files);
    read_bytes(&pack(&all), "a.zip").unwrap()
}

fn pixels(scene: &Scene, slot: Option<TextureRef>) -> RgbaImage {
    let texture = &scene.textures[slot.expect("a texture").texture as usize];
    let image = &scene.images[texture.image as usize];
    modelkit::scene::decode(&image.bytes, &Limits::default())
        .unwrap()
        .to_rgba8()
}

fn number(name: &str, value: f64) -> String {
    format!("P: \"{name}\", \"Number\", \"\", \"A\",{value}\n")
}

fn near(found: [u8; 3], wanted: [u8; 3]) {
    for (a, b) in found.into_iter().zip(wanted) {
        assert!(a.abs_diff(b) <= 6, "{found:?} {wanted:?}");
    }
}

fn rgb(picture: &RgbaImage, x: u32) -> [u8; 3] {
    let [r, g, b, _] = picture.get_pixel(x, 4).0;
    [r, g, b]
}

#[test]
fn an_opacity_map_beside_a_jpeg_becomes_its_alpha() {
    let red = halves([200, 10, 10], [200, 10, 10], ImageFormat::Jpeg);
    let mask = grey(0, 255);
    for slot in ["TransparentColor", "TransparencyFactor"] {
        let maps = [("c.jpg", "DiffuseColor"), ("o.png", slot)];
        let scene = scene("", &maps, &[("c.jpg", &red), ("o.png", &mask)]);
        let material = &scene.materials[0];
        let picture = pixels(&scene, material.base_color_texture);
        near(rgb(&picture, 6), [200, 10, 10]);
        assert_eq!(
            (picture.get_pixel(1, 4).0[3], picture.get_pixel(6, 4).0[3]),
            (0, 255)
        );
        assert_eq!(material.alpha_mode, AlphaMode::Mask);
        assert_eq!(material.base_color[3], 1.0);
        assert_eq!(scene.images.len(), 1);
    }
    // The same picture without alpha on both slots hides nothing.
    let maps = [("c.jpg", "DiffuseColor"), ("c.jpg", "TransparentColor")];
    let scene = scene("", &maps, &[("c.jpg", &red)]);
    assert_eq!(scene.materials[0].alpha_mode, AlphaMode::Opaque);
    assert!(scene.problems.is_empty(), "{:?}", scene.problems);
}

#[test]
fn maps_of_strength_multiply_the_colour() {
    let maps = [("c.png", "DiffuseColor"), ("f.png", "DiffuseFactor")];
    let colour = halves([200, 100, 50], [200, 100, 50], ImageFormat::Png);
    let files: [(&str, &[u8]); 2] = [("c.png", &colour), ("f.png", &grey(255, 128))];
    let found = scene("", &maps, &files);
    let picture = pixels(&found, found.materials[0].base_color_texture);
    near(rgb(&picture, 1), [200, 100, 50]);
    near(rgb(&picture, 6), [100, 50, 25]);
    let maps = [("c.png", "EmissiveColor"), ("f.png", "EmissiveFactor")];
    let found = scene("", &maps, &files);
    let picture = pixels(&found, found.materials[0].emissive_texture);
    near(rgb(&picture, 6), [100, 50, 25]);
    assert_eq!(found.materials[0].emissive, [1.0; 3]);
}

#[test]
fn layered_textures_are_composed() {
    let base = halves([200, 100, 50], [40, 40, 40], ImageFormat::Png);
    let over = grey(128, 128);
    // Blend modes as FBX numbers them, and what a grey of one half makes of the left half.
    for (mode, wanted) in [
        (0, [128, 128, 128]),
        (1, [255, 228, 178]),
        (2, [100, 50, 25]),
        (4, [128, 128, 128]),
        (7, [128, 100, 50]),
        (11, [200, 128, 128]),
        (12, [228, 178, 153]),
        (22, [72, 28, 78]),
        (24, [72, 0, 0]),
    ] {
        let objects = format!(
            "LayeredTexture: 30, \"LayeredTexture::l\", \"\" {{\nBlendModes: *2 {{ a: 4,{mode} }}\n\
Alphas: *2 {{ a: 1,1 }}\n}}\n{}{}",
            texture(10, "c.png"),
            texture(11, "g.png")
        );
        let connections =
            "C: \"OO\",3,2\nC: \"OP\",30,3, \"DiffuseColor\"\nC: \"OO\",10,30\nC: \"OO\",11,30\n";
        let files: [(&str, &[u8]); 2] = [("c.png", &base), ("g.png", &over)];
        let scene = with("", &objects, connections, &files);
        let picture = pixels(&scene, scene.materials[0].base_color_texture);
        near(rgb(&picture, 1), wanted);
        assert!(scene.problems.is_empty(), "{:?}", scene.problems);
        // Hue is not composed, and told.
        let scene = with(
            "",
            &objects.replace(&format!("4,{mode}"), "4,26"),
            connections,
            &files,
        );
        assert!(finding(&scene, "混合模式").message.contains("Hue"));
        // Half of it.
        let half = objects.replace("a: 1,1", "a: 1,0.5");
        let picture = with("", &half, connections, &files);
        let picture = pixels(&picture, picture.materials[0].base_color_texture);
        let between =
            |k: usize| ((u16::from([200u8, 100, 50][k]) + u16::from(wanted[k])) / 2) as u8;
        near(rgb(&picture, 1), [0, 1, 2].map(between));
    }
}

#[test]
fn heights_become_normals() {
    let maps = [("h.png", "Bump")];
    let found = scene("", &maps, &[("h.png", &grey(0, 255))]);
    let picture = pixels(&found, found.materials[0].normal_texture);
    near(rgb(&picture, 6), [128, 128, 255]);
    // The height rises to the right between the halves.
    assert!(rgb(&picture, 4)[0] < 60, "{:?}", rgb(&picture, 4));
    let flat = halves([128, 128, 255], [128, 128, 255], ImageFormat::Png);
    let found = scene(&number("BumpFactor", 0.5), &maps, &[("h.png", &flat)]);
    assert_eq!(found.materials[0].normal_scale, 0.5);
}

#[test]
fn a_bump_map_beside_another_is_told() {
    let flat = halves([128, 128, 255], [128, 128, 255], ImageFormat::Png);
    let heights = grey(0, 255);
    let files: [(&str, &[u8]); 2] = [("n.png", &flat), ("h.png", &heights)];
    let both = [("n.png", "NormalMap"), ("h.png", "Bump")];
    let found = scene("", &both, &files);
    near(
        rgb(&pixels(&found, found.materials[0].normal_texture), 4),
        [128, 128, 255],
    );
    let told = finding(&found, "凹凸贴图");
    assert!(told.place.contains('m'), "{told:?}");
    // Nothing is lost of one picture on both slots, nor of a map whose file is missing: the other one is shown.
    let same = [("n.png", "NormalMap"), ("n.png", "Bump")];
    let found = scene("", &same, &files);
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    let found = scene("", &both, &files[1..]);
    assert!(found.materials[0].normal_texture.is_some());
    let lost = found
        .problems
        .iter()
        .filter(|p| p.message.contains("凹凸贴图"));
    assert_eq!(lost.count(), 0, "{:?}", found.problems);
}

#[test]
fn opacity_is_found_where_exporters_put_it() {
    let color = |name: &str, v: f64| format!("P: \"{name}\", \"Color\", \"\", \"A\",{v},{v},{v}\n");
    let cases = [
        (number("Opacity", 0.25), 0.25),
        (
            number("Opacity", 0.25)
                + &number("TransparencyFactor", 1.0)
                + &color("TransparentColor", 0.0),
            0.25,
        ),
        (
            number("Opacity", 0.25)
                + &number("TransparencyFactor", 0.5)
                + &color("TransparentColor", 1.0),
            0.5,
        ),
        (number("Opacity", 1.0), 1.0),
        (number("Opacity", 0.0), 1.0),
    ];
    for (properties, wanted) in cases {
        let found = scene(&properties, &[], &[]);
        assert_eq!(found.materials[0].base_color[3], wanted, "{properties}");
    }
}

#[test]
fn embedded_pictures_of_one_name_stay_apart() {
    use base64::Engine;
    let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let [red, blue] = [[200, 0, 0], [0, 0, 200]].map(|c| halves(c, c, ImageFormat::Png));
    let (mut objects, mut connections) = (String::new(), "C: \"OO\",3,2\n".to_owned());
    for (i, (slot, picture)) in [
        ("DiffuseColor", &red),
        ("EmissiveColor", &blue),
        ("AmbientColor", &red),
    ]
    .into_iter()
    .enumerate()
    {
        let (id, video) = (10 + i, 20 + i);
        objects += &texture(id, "a.png");
        let _ = write!(
            objects,
            "Video: {video}, \"Video::v\", \"Clip\" {{\nType: \"Clip\"\nFilename: \"a.png\"\nContent: , \"{}\"\n}}\n",
            encode(picture)
        );
        let _ = write!(
            connections,
            "C: \"OP\",{id},3, \"{slot}\"\nC: \"OO\",{video},{id}\n"
        );
    }
    let found = with("", &objects, &connections, &[]);
    let material = &found.materials[0];
    near(
        rgb(&pixels(&found, material.base_color_texture), 4),
        [200, 0, 0],
    );
    near(
        rgb(&pixels(&found, material.emissive_texture), 4),
        [0, 0, 200],
    );
    assert_eq!(found.images.len(), 2);
}

#[test]
fn a_texture_may_be_named_by_its_video_only() {
    let objects = "Texture: 10, \"Texture::t\", \"\" {\n}\n\
Video: 20, \"Video::v\", \"Clip\" {\nType: \"Clip\"\nRelativeFilename: \"maps\\wood.png\"\n}\n";
    let links = "C: \"OO\",3,2\nC: \"OP\",10,3, \"DiffuseColor\"\nC: \"OO\",20,10\n";
    let picture = halves([200, 0, 0], [200, 0, 0], ImageFormat::Png);
    let found = with("", objects, links, &[("wood.png", &picture)]);
    assert!(found.materials[0].base_color_texture.is_some());
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

/// Material classes of 3ds Max and the prefix of their properties.
const METAL_ROUGH: (&str, u32, u32) = ("3dsMax|main|", 0xd00f_1e00, 0xbe77_e500);
const MAX_PHYSICAL: (&str, u32, u32) = ("3dsMax|Parameters|", 0x3d6b_1cec, 0xdead_c001);

fn class((_, a, b): (&str, u32, u32)) -> String {
    format!(
        "P: \"3dsMax|ClassIDa\", \"Integer\", \"\", \"\",{a}\nP: \"3dsMax|ClassIDb\", \"Integer\", \"\", \"\",{b}\n"
    )
}

#[test]
fn metalness_and_roughness_of_two_files_share_one_picture() {
    let slots = [
        ("m.png", "3dsMax|main|metalness"),
        ("r.png", "3dsMax|main|roughness"),
        ("ao.png", "3dsMax|main|ao"),
    ];
    let files: [(&str, &[u8]); 3] = [
        ("m.png", &grey(0, 255)),
        ("r.png", &grey(60, 200)),
        ("ao.png", &grey(10, 250)),
    ];
    let found = scene(&class(METAL_ROUGH), &slots, &files);
    let material = &found.materials[0];
    let picture = pixels(&found, material.metallic_roughness_texture);
    assert_eq!(rgb(&picture, 1)[1..], [60, 0]);
    assert_eq!(rgb(&picture, 6)[1..], [200, 255]);
    assert_eq!((material.metallic, material.roughness), (1.0, 1.0));
    assert!(material.occlusion_texture.is_some());
    assert!(found.problems.is_empty(), "{:?}", found.problems);
    // One map leaves the other to its number.
    let numbers = class(METAL_ROUGH) + &number("3dsMax|main|metalness", 0.25);
    let found = scene(&numbers, &slots[1..2], &files[1..2]);
    assert_eq!(found.materials[0].metallic, 0.25);
    // Glossiness is the other way round.
    let glossy = class(METAL_ROUGH) + &number("3dsMax|main|useGlossiness", 1.0);
    let found = scene(&glossy, &slots[1..2], &files[1..2]);
    let picture = pixels(&found, found.materials[0].metallic_roughness_texture);
    assert_eq!((rgb(&picture, 1)[1], rgb(&picture, 6)[1]), (195, 55));
}

#[test]
fn effects_of_physical_materials_are_kept() {
    let (prefix, ..) = MAX_PHYSICAL;
    let set = |name: &str, value| number(&format!("{prefix}{name}"), value);
    let properties = class(MAX_PHYSICAL)
        + &set("coating", 0.5)
        + &set("coat_roughness", 0.25)
        + &set("transparency", 0.75)
        + &set("trans_ior", 1.3)
        + &set("emission", 4.0)
        + &format!("P: \"{prefix}emit_color\", \"ColorAndAlpha\", \"\", \"A\",1,1,1,1\n")
        + &set("scattering", 0.5);
    let found = scene(&properties, &[], &[]);
    let extensions = &found.materials[0].extensions;
    let of = |name: &str, field: &str| extensions[name][field].as_f64().unwrap();
    assert_eq!(of("KHR_materials_clearcoat", "clearcoatFactor"), 0.5);
    assert_eq!(
        of("KHR_materials_clearcoat", "clearcoatRoughnessFactor"),
        0.25
    );
    assert_eq!(of("KHR_materials_transmission", "transmissionFactor"), 0.75);
    assert!((of("KHR_materials_ior", "ior") - 1.3).abs() < 1e-6);
    assert_eq!(
        of("KHR_materials_emissive_strength", "emissiveStrength"),
        4.0
    );
    let told = finding(&found, "材质效果");
    assert!(told.message.contains("次表面散射") && told.severity == Severity::Warning);
}

/// The property of a classic map in the file.
fn property(field: &str) -> String {
    match field {
        "specular_exponent" => "ShininessExponent".to_owned(),
        "transparency_color" => "TransparentColor".to_owned(),
        "emission_factor" => "EmissiveFactor".to_owned(),
        "emission_color" => "EmissiveColor".to_owned(),
        _ => field
            .split('_')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect(),
    }
}

#[test]
fn every_classic_map_is_read_or_told_or_changes_nothing() {
    for slot in CLASSIC {
        let maps = [("t.png", &property(slot.field)[..])];
        let found = scene("", &maps, &[("t.png", &grey(0, 255))]);
        let told = found
            .problems
            .iter()
            .any(|p| p.message.contains(slot.title));
        let material = &found.materials[0];
        let read = material.slots().iter().any(|(_, slot)| slot.is_some());
        match slot.used {
            Use::Read => assert!(read && !told, "{} {:?}", slot.field, found.problems),
            Use::Silent => assert!(!read && found.problems.is_empty(), "{}", slot.field),
            _ => {
                let problem = finding(&found, slot.title);
                assert_eq!(problem.place, "材质 m", "{}", slot.field);
                assert!(!read, "{}", slot.field);
            }
        }
    }
}

/// The property of a physical map in files of 3ds Max, with the class of its materials and a switch.
fn physical(field: &str) -> Option<((&'static str, u32, u32), &'static str, &'static str)> {
    let name = match field {
        "ambient_occlusion" => return Some((METAL_ROUGH, "ao", "")),
        "glossiness" => return Some((MAX_PHYSICAL, "roughness", "roughness_inv")),
        "coat_glossiness" => return Some((MAX_PHYSICAL, "coat_roughness", "coat_roughness_inv")),
        "transmission_glossiness" => {
            return Some((MAX_PHYSICAL, "trans_roughness", "trans_roughness_inv"));
        }
        "base_factor" => "base_weight",
        "base_color" => "base_color",
        "roughness" => "roughness",
        "metalness" => "metalness",
        "diffuse_roughness" => "diff_roughness",
        "specular_factor" => "reflectivity",
        "specular_color" => "refl_color",
        "specular_ior" => "trans_ior",
        "specular_anisotropy" => "anisotropy",
        "specular_rotation" => "aniso_angle",
        "transmission_factor" => "transparency",
        "transmission_color" => "trans_color",
        "transmission_depth" => "trans_depth",
        "transmission_roughness" => "trans_roughness",
        "subsurface_factor" => "scattering",
        "subsurface_color" => "sss_scatter_color",
        "subsurface_radius" => "sss_depth",
        "subsurface_scale" => "sss_scale",
        "subsurface_tint_color" => "sss_color",
        "subsurface_type" => "subsurfaceType",
        "coat_factor" => "coating",
        "coat_color" => "coat_color",
        "coat_roughness" => "coat_roughness",
        "coat_ior" => "coat_ior",
        "coat_normal" => "coat_bump",
        "coat_affect_base_color" => "coat_affect_color",
        "coat_affect_base_roughness" => "coat_affect_roughness",
        "emission_factor" => "emission",
        "emission_color" => "emit_color",
        "opacity" => "cutout",
        "normal_map" => "bump",
        "displacement_map" => "displacement",
        _ => return None,
    };
    Some((MAX_PHYSICAL, name, ""))
}

/// Maps of Arnold, OpenPBR and OSL alone.
const ELSEWHERE: [&str; 20] = [
    "transmission_scatter",
    "transmission_scatter_anisotropy",
    "transmission_dispersion",
    "transmission_extra_roughness",
    "transmission_priority",
    "transmission_enable_in_aov",
    "subsurface_anisotropy",
    "sheen_factor",
    "sheen_color",
    "sheen_roughness",
    "coat_anisotropy",
    "coat_rotation",
    "thin_film_factor",
    "thin_film_thickness",
    "thin_film_ior",
    "indirect_diffuse",
    "indirect_specular",
    "tangent_map",
    "matte_factor",
    "matte_color",
];

#[test]
fn every_physical_map_is_read_or_told_or_changes_nothing() {
    for slot in PHYSICAL {
        let Some((kind, name, switch)) = physical(slot.field) else {
            assert!(
                ELSEWHERE.contains(&slot.field),
                "{} has no case",
                slot.field
            );
            continue;
        };
        let switch = match switch {
            "" => String::new(),
            switch => number(&format!("{}{switch}", kind.0), 1.0),
        };
        let name = format!("{}{name}", kind.0);
        let picture = grey(0, 255);
        let maps = [("t.png", &name[..])];
        let found = scene(&(class(kind) + &switch), &maps, &[("t.png", &picture)]);
        let told = found
            .problems
            .iter()
            .any(|p| p.message.contains(slot.title));
        let read = found.materials[0].slots().iter().any(|(_, s)| s.is_some());
        match slot.used {
            Use::Read => assert!(read && !told, "{} {:?}", slot.field, found.problems),
            Use::Silent => assert!(!read && !told, "{} {:?}", slot.field, found.problems),
            _ => assert!(!read && told, "{} {:?}", slot.field, found.problems),
        }
    }
}

#[test]
fn textures_without_a_known_use_are_told() {
    let found = scene("", &[("t.png", "PluginGlow")], &[("t.png", &grey(0, 255))]);
    assert!(
        finding(&found, "用途不受支持")
            .message
            .contains("PluginGlow")
    );
}
