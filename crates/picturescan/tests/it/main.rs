//! Pictures as people and attackers send them.

use std::io::Cursor;
use std::time::{Duration, Instant};

use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use picturescan::{ALIKE, Fingerprint, Limits, Refusal, SAME, clean};

/// Discs of several sizes and colours on a sky: large shapes and edges, as photographs have.
fn photograph(seed: u32) -> DynamicImage {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut draw = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % most
    };
    let mut picture = RgbImage::from_fn(320, 240, |_, y| Rgb([90, 120, 80 + (y / 3) as u8]));
    for _ in 0..25 {
        let (cx, cy, radius) = (draw(320), draw(240), 10 + draw(60));
        let colour = Rgb([draw(256) as u8, draw(256) as u8, draw(256) as u8]);
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            if x.abs_diff(cx).pow(2) + y.abs_diff(cy).pow(2) < radius.pow(2) {
                *pixel = colour;
            }
        }
    }
    picture.into()
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

fn refusal(bytes: &[u8]) -> Refusal {
    match clean(bytes, &Limits::default()) {
        Ok(_) => panic!("taken"),
        Err(refusal) => refusal,
    }
}

/// UP029, on the server: the kinds by their bytes, whatever they are called.
#[test]
fn each_kind_is_taken_and_made_anew() {
    let picture = photograph(1);
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::Bmp,
        ImageFormat::Gif,
        ImageFormat::WebP,
    ] {
        let made = clean(&encoded(&picture, format), &Limits::default());
        let made = made.unwrap_or_else(|refusal| panic!("{format:?}: {refusal}"));
        assert_eq!((made.width, made.height), (320, 240), "{format:?}");
        assert_eq!(made.content_type, "image/jpeg", "{format:?}");
    }
    let mut glass = RgbaImage::new(40, 40);
    glass.put_pixel(3, 3, Rgba([9, 9, 9, 255]));
    let made = clean(
        &encoded(&glass.into(), ImageFormat::Png),
        &Limits::default(),
    );
    assert_eq!(made.ok().map(|made| made.content_type), Some("image/png"));
}

/// UP030, on the server.
#[test]
fn what_is_no_picture_is_refused_with_the_words_of_the_contract() {
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    for bytes in [
        &svg[..],
        b"",
        b"GIF",
        b"%PDF-1.7",
        b"\x00\x00\x00\x18ftypheic",
    ] {
        assert_eq!(refusal(bytes), Refusal::Kind);
    }
    assert_eq!(
        Refusal::Kind.to_string(),
        "图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件"
    );
    // UP031
    assert_eq!(Refusal::Bytes(50).to_string(), "单个文件不能超过50M");
    let large = Limits {
        bytes: 10,
        ..Limits::default()
    };
    assert!(matches!(clean(&[0; 11], &large), Err(Refusal::Bytes(_))));
}

#[test]
fn what_is_cut_off_or_changed_is_refused_and_never_a_panic() {
    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::Gif,
        ImageFormat::WebP,
        ImageFormat::Bmp,
    ] {
        let whole = encoded(&photograph(2).thumbnail(40, 40), format);
        for length in 0..whole.len().min(200) {
            let _ = clean(&whole[..length], &Limits::default());
        }
        for at in 0..whole.len().min(200) {
            let mut changed = whole.clone();
            changed[at] ^= 0xFF;
            let _ = clean(&changed, &Limits::default());
        }
    }
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let began = Instant::now();
    // 30,000 by 30,000 points in a header; the data would follow.
    let mut header = encoded(&photograph(3), ImageFormat::Png);
    header[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let checksum = crc32(&header[12..29]);
    header[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert_eq!(refusal(&header), Refusal::Pixels);
    // Within the sides, beyond the area.
    header[16..24].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
    let checksum = crc32(&header[12..29]);
    header[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert_eq!(refusal(&header), Refusal::Pixels);
    let mut jpeg = encoded(&photograph(3), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|two| two == [0xFF, 0xC0]);
    let frame = frame.expect("a baseline frame");
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF]);
    assert_eq!(refusal(&jpeg), Refusal::Pixels);
    assert_eq!(refusal(&gif_of(10_000)), Refusal::Frames);
    assert!(clean(&gif_of(300), &Limits::default()).is_ok());
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// A GIF of 1 × 1 points and so many frames.
fn gif_of(frames: usize) -> Vec<u8> {
    let mut bytes = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xFF\xFF\xFF".to_vec();
    for _ in 0..frames {
        bytes.extend(b"\x2C\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00");
    }
    bytes.push(0x3B);
    bytes
}

#[test]
fn what_is_something_else_as_well_is_refused() {
    let (jpeg, png) = (
        encoded(&photograph(4), ImageFormat::Jpeg),
        encoded(&photograph(4), ImageFormat::Png),
    );
    let with = |bytes: &[u8], more: &[u8]| [bytes, more].concat();
    for bytes in [
        with(&jpeg, b"PK\x03\x04 an archive"),
        with(&jpeg, b"<SCRIPT>alert(1)</script>"),
        with(&jpeg, b"Rar!\x1A\x07\x00"),
        with(&jpeg, b"MZ\x90\x00"),
        with(&png, b"anything at all"),
        with(&gif_of(1), b"<?php system('id'); ?>"),
        with(&encoded(&photograph(4), ImageFormat::Bmp), b"trailing"),
        with_comment(&jpeg, b"*/=1;</style><script src=//x>"),
        with_comment(&jpeg, b"%PDF-1.4"),
    ] {
        assert_eq!(refusal(&bytes), Refusal::Polyglot);
    }
    // Phones put a film behind the picture; what is served has none of it.
    let film = with(&jpeg, b"\x00\x00\x00\x18ftypmp42 moving");
    let made = clean(&film, &Limits::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(!made.bytes.windows(4).any(|four| four == b"ftyp"));
}

fn with_comment(jpeg: &[u8], text: &[u8]) -> Vec<u8> {
    segment(jpeg, 0xFE, text)
}

fn segment(jpeg: &[u8], marker: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len() + 2).expect("short").to_be_bytes();
    [&jpeg[..2], &[0xFF, marker], &length, body, &jpeg[2..]].concat()
}

#[test]
fn metadata_is_gone_and_the_picture_stands_upright() {
    // TIFF, one entry: orientation 6, a quarter turn; then words as a camera writes them.
    let mut exif =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0".to_vec();
    exif.extend(b"GPS 39.9042 116.4074 serial 0815");
    let jpeg = segment(&encoded(&photograph(5), ImageFormat::Jpeg), 0xE1, &exif);
    let made = clean(&jpeg, &Limits::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!((made.width, made.height), (240, 320));
    for mark in [&b"Exif"[..], b"GPS", b"0815"] {
        assert!(!made.bytes.windows(mark.len()).any(|part| part == mark));
    }
}

#[test]
fn the_same_picture_is_known_again_and_others_are_not() {
    let print = |picture: &DynamicImage, format| {
        let made = clean(&encoded(picture, format), &Limits::default());
        made.unwrap_or_else(|refusal| panic!("{refusal}"))
            .fingerprint
    };
    let original = photograph(6);
    let known = print(&original, ImageFormat::Png);
    assert_eq!(Fingerprint::parse(&known.text()), Some(known.clone()));
    for again in [
        print(&original, ImageFormat::Jpeg),
        print(&original.thumbnail(100, 100), ImageFormat::Png),
        print(&original.brighten(12), ImageFormat::Jpeg),
    ] {
        assert!(known.distance(&again) <= SAME, "{}", known.distance(&again));
    }
    for seed in 7..20 {
        let other = print(&photograph(seed), ImageFormat::Png);
        let distance = known.distance(&other);
        assert!(distance > ALIKE, "{seed}: {distance}");
    }
    let plain: DynamicImage = RgbImage::from_pixel(64, 64, Rgb([200, 200, 200])).into();
    assert!(print(&plain, ImageFormat::Png).is_plain());
    assert!(!known.is_plain());
}

#[test]
fn qr_codes_are_read_on_either_ground() {
    let code = qrcode::QrCode::new("加微信 https://bad.example/join").expect("fits");
    let (width, scale, margin) = (code.width() as u32, 6, 40);
    let colours = code.to_colors();
    for dark_first in [true, false] {
        let mut picture = photograph(8)
            .resize_exact(600, 600, image::imageops::FilterType::Nearest)
            .to_rgb8();
        for y in 0..(width * scale + 2 * margin) {
            for x in 0..(width * scale + 2 * margin) {
                let inside = |at: u32| {
                    at.checked_sub(margin)
                        .map(|at| at / scale)
                        .filter(|at| *at < width)
                };
                let dark = match (inside(x), inside(y)) {
                    (Some(x), Some(y)) => colours[(y * width + x) as usize] == qrcode::Color::Dark,
                    _ => false,
                };
                let level = if dark == dark_first { 0 } else { 255 };
                picture.put_pixel(x + 20, y + 20, Rgb([level; 3]));
            }
        }
        let made = clean(
            &encoded(&picture.into(), ImageFormat::Jpeg),
            &Limits::default(),
        );
        let made = made.unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(
            made.codes.texts,
            ["加微信 https://bad.example/join"],
            "{dark_first}"
        );
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

#[test]
fn a_fitted_picture_has_no_side_longer_than_asked() {
    let large = photograph(4).resize_exact(1200, 300, FilterType::Triangle);
    let clean = clean(&encoded(&large, ImageFormat::Png), &Limits::default()).unwrap();
    let (content_type, bytes) = clean.fitted(512).unwrap();
    let fitted = image::load_from_memory(&bytes).unwrap();
    assert_eq!(
        (content_type, fitted.width(), fitted.height()),
        ("image/jpeg", 512, 128)
    );
    let (_, same) = clean.fitted(1200).unwrap();
    assert_eq!(same, clean.bytes);
}
