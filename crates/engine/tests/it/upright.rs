//! Pictures are stored as texture coordinates mean them: as their pixels lie, and in colours that glTF allows.

use image::{ImageFormat, RgbImage};
use modelkit::limits::Limits;
use modelkit::scene::{Image, decode};
use std::io::Cursor;

/// Sixteen by eight pixels, encoded.
fn picture(format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let picture = RgbImage::from_fn(16, 8, |x, _| image::Rgb([x as u8 * 16, 0, 0]));
    picture.write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// A TIFF block with one field before the orientation.
fn exif(big: bool, orientation: u16) -> Vec<u8> {
    let short = |v: u16| {
        if big {
            v.to_be_bytes()
        } else {
            v.to_le_bytes()
        }
    };
    let long = |v: u32| {
        if big {
            v.to_be_bytes()
        } else {
            v.to_le_bytes()
        }
    };
    let field = |tag: u16, value: u16| {
        [&short(tag)[..], &short(3), &long(1), &short(value), &[0, 0]].concat()
    };
    [
        if big { b"MM\0*" } else { b"II*\0" },
        &long(8)[..],
        &short(2),
        &field(0x0101, 8),
        &field(0x0112, orientation),
        &long(0),
    ]
    .concat()
}

fn read(bytes: &[u8]) -> Image {
    Image::from_encoded("t", bytes, &Limits::default()).unwrap()
}

fn jpeg(exif: &[u8]) -> Vec<u8> {
    let plain = picture(ImageFormat::Jpeg);
    let segment = [b"Exif\0\0", exif].concat();
    let length = (segment.len() as u16 + 2).to_be_bytes();
    // After a padded marker, and before the rest.
    [
        &plain[..2],
        &[0xff, 0xff, 0xe1],
        &length,
        &segment,
        &plain[2..],
    ]
    .concat()
}

fn png(exif: &[u8]) -> Vec<u8> {
    let plain = picture(ImageFormat::Png);
    let body = [b"eXIf", exif].concat();
    let sum = crate::archive::crc32(&body).to_be_bytes();
    // After the header chunk.
    let length = (exif.len() as u32).to_be_bytes();
    [&plain[..33], &length, &body, &sum, &plain[33..]].concat()
}

fn webp(exif: &[u8]) -> Vec<u8> {
    let plain = picture(ImageFormat::WebP);
    let length = (exif.len() as u32).to_le_bytes();
    let mut out = [&plain[..], b"EXIF", &length, exif].concat();
    let size = (out.len() as u32 - 8).to_le_bytes();
    out[4..8].copy_from_slice(&size);
    out
}

#[test]
fn orientation_tags_are_set_to_upright() {
    for make in [jpeg, png, webp] {
        for big in [false, true] {
            let upright = make(&exif(big, 1));
            assert_eq!(*read(&upright).bytes, *upright);
            for orientation in 2..=8 {
                // The same file as if it had been stored upright, checksums included.
                let turned = make(&exif(big, orientation));
                assert_ne!(turned, upright);
                assert_eq!(*read(&turned).bytes, *upright, "{big} {orientation}");
            }
        }
    }
}

#[test]
fn broken_tags_are_left_alone() {
    let whole = exif(true, 6);
    for make in [jpeg, png, webp] {
        for end in 0..whole.len() - 6 {
            // The last bytes of the value are missing from 24 on.
            let cut = make(&whole[..end]);
            assert_eq!(*read(&cut).bytes, *cut, "{end}");
        }
        let mut far = whole.clone();
        far[4..8].copy_from_slice(&u32::MAX.to_be_bytes());
        let far = make(&far);
        assert_eq!(*read(&far).bytes, *far);
    }
}

/// Eight by eight pixels of red in printing colours, inverted as Adobe's programs write them.
fn red_in_cmyk() -> Vec<u8> {
    let mut out = b"\xff\xd8\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0\xff\xdb\0\x43\0".to_vec();
    // Coefficients are multiples of eight: that of a block of one value is the value less 128.
    out.extend([8; 64]);
    out.extend(b"\xff\xc0\0\x14\x08\0\x08\0\x08\x04\x01\x11\0\x02\x11\0\x03\x11\0\x04\x11\0");
    // Codes for numbers of seven (0) and eight bits (10), and for the end of a block (0).
    let counts = |ones: u8, twos: u8| [&[ones, twos][..], &[0; 14]].concat();
    out.extend([b"\xff\xc4\0\x15\0", &counts(1, 1)[..], &[7, 8]].concat());
    out.extend([b"\xff\xc4\0\x14\x10", &counts(1, 0)[..], &[0]].concat());
    out.extend(b"\xff\xda\0\x0e\x04\x01\0\x02\0\x03\0\x04\0\0\x3f\0");
    // 127, -128, -128, 127.
    out.extend(b"\x7f\x4f\xe9\xfc\xfe\xff\xd9");
    out
}

#[test]
fn printing_colours_become_rgb() {
    let bytes = red_in_cmyk();
    let image = read(&bytes);
    assert_eq!((image.mime, image.was_cmyk), ("image/jpeg", true));
    assert!(!modelkit::scene::is_cmyk(&image.bytes));
    let pixels = decode(&image.bytes, &Limits::default())
        .unwrap()
        .into_rgb8();
    let [r, g, b] = pixels.get_pixel(3, 3).0;
    assert!(r > 240 && g < 15 && b < 15, "{r} {g} {b}");
    let plain = picture(ImageFormat::Jpeg);
    assert_eq!((*read(&plain).bytes).to_vec(), plain);
}
