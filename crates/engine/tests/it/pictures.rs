//! Pictures beyond those of the web: decoded, or named with what to do.

use crate::archive::pack;
use crate::models::read_bytes;
use image::{DynamicImage, ImageFormat, Rgb, Rgb32FImage, RgbImage};
use modelkit::limits::Limits;
use modelkit::scene::{Image, decode};
use std::io::Cursor;

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// The pixels of what a model gets of a picture.
fn pixels(bytes: &[u8]) -> Vec<[u8; 4]> {
    let image = Image::from_encoded("a", bytes, &Limits::default()).unwrap();
    assert_eq!(image.mime, "image/png");
    let picture = decode(&image.bytes, &Limits::default()).unwrap();
    picture.to_rgba8().pixels().map(|p| p.0).collect()
}

#[test]
fn pictures_of_studios_are_read() {
    let colours = [[200, 30, 10], [10, 200, 30], [30, 10, 200], [255, 255, 255]];
    let picture = RgbImage::from_fn(2, 2, |x, y| Rgb(colours[(y * 2 + x) as usize]));
    let picture = DynamicImage::ImageRgb8(picture);
    for format in [ImageFormat::Tiff, ImageFormat::Pnm] {
        let found = pixels(&encoded(&picture, format));
        assert_eq!(found, colours.map(|[r, g, b]| [r, g, b, 255]), "{format:?}");
    }
    // DXT1: one block of one colour, red in 5 bits of 31.
    let mut dds = b"DDS ".to_vec();
    for word in [124u32, 0x1007, 4, 4, 8, 0, 0] {
        dds.extend(word.to_le_bytes());
    }
    dds.extend([0; 44]);
    for word in [32u32, 4] {
        dds.extend(word.to_le_bytes());
    }
    dds.extend(b"DXT1");
    dds.extend([0; 20]);
    dds.extend(0x1000u32.to_le_bytes());
    dds.extend([0; 16]);
    dds.extend([0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0]);
    assert_eq!(pixels(&dds), [[255, 0, 0, 255]; 16]);
    // Another compression is no damage.
    dds[84..88].copy_from_slice(b"ATI2");
    let error = decode(&dds, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("DDS") && error.contains("DXT1"), "{error}");
}

/// Photographs hold light; sRGB is what is shown: 0.5 of the light is 188 of 255.
#[test]
fn linear_numbers_become_srgb() {
    let light = Rgb32FImage::from_fn(2, 1, |x, _| {
        Rgb([[0.5, 0.0, 1.0], [4.0, 0.25, 0.25]][x as usize])
    });
    let light = DynamicImage::ImageRgb32F(light);
    for format in [ImageFormat::Hdr, ImageFormat::Tiff] {
        let found = pixels(&encoded(&light, format));
        for (found, wanted) in found.iter().zip([[188, 0, 255, 255], [255, 137, 137, 255]]) {
            let near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1);
            assert!(near, "{format:?} {found:?} {wanted:?}");
        }
    }
}

/// TGA 2.0, field 5.6: how many bits of a pixel are alpha.
#[test]
fn alpha_that_a_tga_does_not_declare_is_none() {
    let tga = |descriptor: u8| {
        let mut bytes = vec![
            0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, descriptor,
        ];
        bytes.extend([10, 20, 30, 0]);
        bytes
    };
    assert_eq!(pixels(&tga(0x20)), [[30, 20, 10, 255]]);
    assert_eq!(pixels(&tga(0x28)), [[30, 20, 10, 0]]);
}

#[test]
fn what_is_not_read_is_named() {
    let obj = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
    for (bytes, name) in [
        (&b"8BPS\0\x01\0\0\0\0\0\0"[..], "PSD"),
        (b"\0\0\0\x20ftypavif\0\0\0\0", "AVIF"),
        (b"\0\0\0\x20ftypheic\0\0\0\0", "HEIC"),
        (b"\0\0\0\x0cJXL \x0d\x0a\x87\x0a", "JPEG XL"),
        (b"\x76\x2f\x31\x01\x02\0\0\0", "OpenEXR"),
        (b"\xabKTX 11\xbb\r\n\x1a\n", "KTX"),
        (b"<?xml version=\"1.0\"?>\n<svg xmlns=\"\">", "SVG"),
        (b"<!DOCTYPE html><html>not found</html>", "HTML"),
        (b"gimp xcf v011\0", "XCF"),
        (b"II*\0\x08\0\0\0\x00\0", "TIFF"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "PNG"),
    ] {
        // Whatever its extension says.
        let whole = pack(&[
            ("a.obj", obj),
            ("a.mtl", b"newmtl m\nmap_Kd t.png\n"),
            ("t.png", bytes),
        ]);
        let scene = read_bytes(&whole, "a.zip").unwrap();
        let problem = scene
            .problems
            .iter()
            .find(|p| p.code == "unreadable-texture");
        if name == "PNG" && problem.is_none() {
            continue;
        }
        let problem = problem.unwrap_or_else(|| panic!("{name}: {:?}", scene.problems));
        assert!(
            problem.message.contains("t.png") && problem.message.contains(name),
            "{problem:?}"
        );
        assert!(problem.advice.contains("PNG"), "{problem:?}");
        assert!(scene.images.is_empty());
    }
    // PLY has the texture, so it is not missing.
    let ply = b"ply\nformat ascii 1.0\ncomment TextureFile t.psd\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n";
    let scene = read_bytes(&pack(&[("a.ply", ply), ("t.psd", b"8BPS\0\x01")]), "a.zip").unwrap();
    assert!(
        scene.problems[0].message.contains("Photoshop PSD"),
        "{:?}",
        scene.problems
    );
}

#[test]
fn broken_pictures_are_errors() {
    let picture = RgbImage::from_fn(8, 8, |x, y| Rgb([x as u8 * 30, y as u8 * 30, 9]));
    let picture = DynamicImage::ImageRgb8(picture);
    let light = DynamicImage::ImageRgb32F(picture.to_rgb32f());
    for (picture, format) in [
        (&picture, ImageFormat::Tiff),
        (&picture, ImageFormat::Pnm),
        (&light, ImageFormat::Tiff),
        (&light, ImageFormat::Hdr),
    ] {
        let whole = encoded(picture, format);
        for at in 0..whole.len() {
            let _ = decode(&whole[..at], &Limits::default());
            for bits in [1, 0x80, 0xff] {
                let mut broken = whole.clone();
                broken[at] ^= bits;
                let _ = decode(&broken, &Limits::default());
            }
        }
        assert!(
            decode(&whole[..whole.len() / 2], &Limits::default()).is_err(),
            "{format:?}"
        );
    }
}
