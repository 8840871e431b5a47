//! Draco geometry and compressed textures in reading, lightening and writing.

use crate::models::{animated, glb, json_of, read_bytes, textured, write_bytes, write_packed};
use modelkit::lighten::{self, Options, Target, TextureFormat};
use modelkit::limits::Limits;
use modelkit::scene::{Image, Scene, decode};
use modelkit::write::Compression;
use modelkit::{Ctx, Silent};

fn with_textures(format: TextureFormat) -> Scene {
    let mut scene = textured(12);
    lightened(&mut scene, format);
    scene
}

fn lightened(scene: &mut Scene, textures: TextureFormat) {
    let options = Options {
        target: Target::Ratio(1.0),
        texture_max: None,
        textures,
    };
    lighten::lighten(scene, &options, &|_| Ok(0), &Ctx::new(&Silent)).unwrap();
}

#[test]
fn draco_keeps_triangles_attributes_and_shape() {
    let scene = textured(40);
    let bytes = write_packed(&scene, "a.glb", Compression::Draco);
    assert!(bytes.len() * 4 < write_bytes(&scene, "a.glb", false).len());
    let json = json_of(&bytes);
    assert_eq!(json["extensionsRequired"][0], "KHR_draco_mesh_compression");
    let back = read_bytes(&bytes, "a.glb").unwrap();
    assert!(back.problems.is_empty(), "{:?}", back.problems);
    assert_eq!(back.triangle_count(), scene.triangle_count());
    let (p, q) = (
        &back.meshes[0].primitives[0],
        &scene.meshes[0].primitives[0],
    );
    assert_eq!(p.normals.len(), p.positions.len());
    assert_eq!(p.uvs[0].len(), p.positions.len());
    assert!((back.bounds().diagonal() / scene.bounds().diagonal() - 1.0).abs() < 1e-3);
    // Every corner still has the texture coordinate of its position on the sphere.
    for (position, uv) in p.positions.iter().zip(&p.uvs[0]) {
        assert!((position[1].clamp(-1.0, 1.0).acos() / std::f32::consts::PI - uv[1]).abs() < 0.01);
    }
    assert_eq!(q.material, p.material);
}

#[test]
fn draco_keeps_skins_and_morph_targets_in_step() {
    let scene = animated(12);
    let back = read_bytes(&write_packed(&scene, "a.glb", Compression::Draco), "a.glb").unwrap();
    let (p, q) = (
        &back.meshes[0].primitives[0],
        &scene.meshes[0].primitives[0],
    );
    assert_eq!(p.positions.len(), q.positions.len());
    assert_eq!(back.animations[0].channels.len(), 2);
    for (i, offset) in p.targets[0].positions.iter().enumerate() {
        assert!((offset[0] - p.positions[i][0] * 0.25).abs() < 1e-3);
        let sum: f32 = p.skin_sets[0].weights[i].iter().sum();
        assert!((sum - 1.0).abs() < 1e-5);
        let upper = f32::midpoint(p.positions[i][1], 1.0);
        assert!((p.skin_sets[0].weights[i][1] - upper).abs() < 0.01);
    }
}

#[test]
fn broken_draco_in_a_file_is_an_error() {
    let bytes = write_packed(&textured(12), "a.glb", Compression::Draco);
    let json = json_of(&bytes);
    let view =
        json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["bufferView"]
            .as_u64()
            .unwrap() as usize;
    let offset = json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
    let length = json["bufferViews"][view]["byteLength"].as_u64().unwrap() as usize;
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let start = 20 + text + 8 + offset;
    let mut broken = bytes.clone();
    broken[start..start + length].fill(0xff);
    let error = read_bytes(&broken, "a.glb").unwrap_err();
    assert_eq!(error.code(), "corrupt-file");
    assert!(error.to_string().contains("Draco"), "{error}");
    for at in (start..start + length).step_by(3) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x55;
        let _ = read_bytes(&broken, "a.glb");
    }
}

#[test]
fn an_accessor_that_claims_more_than_draco_gives_is_an_error() {
    let bytes = write_packed(&textured(6), "a.glb", Compression::Draco);
    let mut json = json_of(&bytes);
    let accessor = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    json["accessors"][accessor.as_u64().unwrap() as usize]["count"] = 4_000_000.into();
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let changed = glb(&json.to_string(), &bytes[28 + text..]);
    assert_eq!(
        read_bytes(&changed, "a.glb").unwrap_err().code(),
        "corrupt-file"
    );
}

#[test]
fn webp_replaces_a_texture_only_when_it_is_smaller() {
    let scene = with_textures(TextureFormat::Webp);
    assert_eq!(scene.images[0].mime, "image/webp");
    assert!(scene.images[0].bytes.len() < textured(12).images[0].bytes.len());
    let bytes = write_bytes(&scene, "a.glb", false);
    let json = json_of(&bytes);
    assert_eq!(json["extensionsRequired"][0], "EXT_texture_webp");
    assert_eq!(
        read_bytes(&bytes, "a.glb").unwrap().images[0].mime,
        "image/webp"
    );
    // Noise at a quality far below ours: nothing to gain.
    let noise = image::RgbImage::from_fn(256, 256, |x, y| {
        image::Rgb(
            [x + 256 * y, y + 9000 * x, x * y].map(|v| (v.wrapping_mul(2_654_435_761) >> 13) as u8),
        )
    });
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 30);
    noise.write_with_encoder(encoder).unwrap();
    let mut scene = textured(4);
    scene.images[0] = Image::from_encoded("noise", &jpeg, &Limits::default()).unwrap();
    lightened(&mut scene, TextureFormat::Webp);
    assert_eq!(scene.images[0].mime, "image/jpeg");
}

#[test]
fn ktx2_is_written_read_and_turned_into_png_for_obj() {
    for format in [TextureFormat::Ktx2, TextureFormat::Ktx2Uastc] {
        let scene = with_textures(format);
        let bytes = write_bytes(&scene, "a.glb", true);
        assert!(json_of(&bytes)["textures"][0]["extensions"]["KHR_texture_basisu"].is_object());
        let back = read_bytes(&bytes, "a.glb").unwrap();
        assert!(back.problems.is_empty(), "{:?}", back.problems);
        assert_eq!(back.images[0].mime, "image/ktx2");
        let picture = decode(&back.images[0].bytes, &Limits::default())
            .unwrap()
            .to_rgb8();
        let pixel = picture.get_pixel(40, 20).0;
        let near = |a: u8, b: u8| a.abs_diff(b) < 24;
        assert!(
            near(pixel[0], 40) && near(pixel[1], 20) && near(pixel[2], 90),
            "{pixel:?}"
        );
        let zip = read_bytes(&write_bytes(&back, "a.zip", false), "a.zip").unwrap();
        assert_eq!(zip.images[0].mime, "image/png");
    }
}

#[test]
fn a_resized_texture_keeps_to_whole_blocks_and_to_the_limit() {
    let mut scene = textured(6);
    let options = Options {
        target: Target::Ratio(1.0),
        texture_max: Some(30),
        textures: TextureFormat::Ktx2,
    };
    lighten::lighten(&mut scene, &options, &|_| Ok(0), &Ctx::new(&Silent)).unwrap();
    let image = &scene.images[0];
    assert_eq!((image.width % 4, image.height % 4), (0, 0));
    assert!(image.width <= 30, "{}", image.width);
}

#[test]
fn a_ktx2_that_lies_about_its_size_is_a_noted_problem() {
    let scene = with_textures(TextureFormat::Ktx2);
    let mut bytes = scene.images[0].bytes.to_vec();
    bytes[20..28].fill(0xff);
    let error = Image::from_encoded("x", &bytes, &Limits::default());
    let decoded = error.map(|image| decode(&image.bytes, &Limits::default()).is_err());
    assert!(decoded.unwrap_or(true));
}
