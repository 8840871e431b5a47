//! Textures and borders of the tiles of oblique photography.

use crate::tiles::{deliver, tile};
use crate::tileset::{content, vertices, walk};
use codecs::{Wanted, recompress_jpeg};
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use modelkit::lighten::TextureFormat;
use modelkit::limits::Limits;
use modelkit::sample::delivery::Delivery;
use modelkit::scene::{decode, math};
use modelkit::tiles::{self, Options};
use modelkit::write::Compression;
use modelkit::{Ctx, Silent};
use std::collections::HashMap;

fn pixels(bytes: &[u8]) -> RgbImage {
    decode(bytes, &Limits::default()).unwrap().to_rgb8()
}

fn noisy(width: u32, height: u32) -> Vec<u8> {
    let grain = |x: u32, y: u32, k: u32| (x * x * 7 + y * 13 * k + x * y * 3) as u8 / 2 + 64;
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb([1, 2, 3].map(|k| grain(x, y, k))));
    let mut bytes = Vec::new();
    picture
        .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 80))
        .unwrap();
    bytes
}

#[test]
fn a_recompressed_jpeg_shows_the_same_pixels() {
    for (width, height) in [(64, 64), (200, 117), (7, 9), (16, 300)] {
        let bytes = noisy(width, height);
        let Some(out) = recompress_jpeg(&bytes, None, 1 << 20) else {
            assert!(width < 10, "{width} × {height} gained nothing");
            continue;
        };
        assert!(out.len() < bytes.len());
        assert_eq!(pixels(&out), pixels(&bytes));
    }
}

#[test]
fn what_no_triangle_shows_loses_its_detail_only() {
    let (width, height) = (256, 192);
    let bytes = noisy(width, height);
    let mut wanted = Wanted::nothing(width, height);
    wanted.add([[40.0, 30.0], [120.0, 40.0], [60.0, 100.0]], 1.0);
    let out = recompress_jpeg(&bytes, Some(&wanted), 1 << 20).unwrap();
    assert!(
        out.len() * 3 < bytes.len(),
        "{} of {}",
        out.len(),
        bytes.len()
    );
    let (old, new) = (pixels(&bytes), pixels(&out));
    let inside = |x: f32, y: f32| {
        let side =
            |a: [f32; 2], b: [f32; 2]| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        let [a, b, c] = [[40.0, 30.0], [120.0, 40.0], [60.0, 100.0]];
        side(a, b) >= 0.0 && side(b, c) >= 0.0 && side(c, a) >= 0.0
    };
    let mut shown = 0;
    for (x, y, pixel) in old.enumerate_pixels() {
        if inside(x as f32 + 0.5, y as f32 + 0.5) {
            assert_eq!(pixel, new.get_pixel(x, y), "{x},{y}");
            shown += 1;
        }
    }
    assert!(shown > 2_000);
    // Far away only the mean of each block remains.
    let mean = |p: &RgbImage| {
        (200..208)
            .flat_map(|x| (160..168).map(move |y| (x, y)))
            .map(|(x, y)| i32::from(p.get_pixel(x, y)[0]))
            .sum::<i32>()
            / 64
    };
    assert!((mean(&old) - mean(&new)).abs() <= 3);
    assert_ne!(old.get_pixel(200, 160), new.get_pixel(200, 160));
    // A mask of another size is ignored.
    assert!(recompress_jpeg(&bytes, Some(&Wanted::nothing(64, 64)), 1 << 20).is_none());
}

#[test]
fn odd_jpegs_are_left_alone() {
    let bytes = noisy(96, 64);
    for cut in 0..bytes.len() - 2 {
        assert!(
            recompress_jpeg(&bytes[..cut], None, 1 << 20).is_none(),
            "cut at {cut}"
        );
    }
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            if let Some(out) = recompress_jpeg(&broken, None, 1 << 20) {
                assert!(out.len() < broken.len());
            }
        }
    }
    assert!(
        recompress_jpeg(&bytes, None, 96 * 64 - 1).is_none(),
        "more pixels than allowed"
    );
    let frame = bytes.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    let mut huge = bytes.clone();
    huge[frame + 5..frame + 9].fill(0xfe);
    assert!(
        recompress_jpeg(&huge, None, u64::MAX).is_none(),
        "promises four billion pixels"
    );
    assert!(recompress_jpeg(b"", None, 1 << 20).is_none());
    assert!(recompress_jpeg(b"no picture", None, 1 << 20).is_none());
}

/// A leaf looks the same as its OSGB file.
#[test]
fn pictures_keep_their_pixels() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in"), dir.path().join("out"));
    let delivery = Delivery {
        tiles: [1, 1],
        levels: 0,
        ..Delivery::default()
    };
    deliver(&delivery, &input);
    tile(&input, &out);
    let source = content(&input.join("Data/Tile_+000_+000/Tile_+000_+000.osgb"));
    let leaf = walk(&out.join("tileset.json"))
        .into_iter()
        .find(|f| f.leaf)
        .unwrap();
    let kept = content(&leaf.content.unwrap());
    assert!(kept.images[0].bytes.len() < source.images[0].bytes.len());
    assert_eq!(
        pixels(&kept.images[0].bytes),
        pixels(&source.images[0].bytes)
    );
}

/// Vertices shared by neighbours coincide: bit for bit within a folder, whose tiles are in one frame, and within far
/// less than a texel between folders.
#[test]
fn neighbours_meet_at_their_borders() {
    for geometry in [Compression::Meshopt, Compression::Draco] {
        let dir = tempfile::tempdir().unwrap();
        let (input, out) = (dir.path().join("in"), dir.path().join("out"));
        let delivery = Delivery {
            tiles: [2, 2],
            levels: 2,
            ..Delivery::default()
        };
        deliver(&delivery, &input);
        let options = Options {
            geometry,
            ..Options::default()
        };
        tiles::tile(&input, None, &out, &options, &Ctx::new(&Silent)).unwrap();
        let mut near: HashMap<[i64; 3], Vec<(usize, [f64; 3])>> = HashMap::new();
        let leaves = walk(&out.join("tileset.json"))
            .into_iter()
            .filter(|f| f.leaf);
        let (mut met, mut within) = (0, 0);
        let mut folders: Vec<std::path::PathBuf> = Vec::new();
        for (number, found) in leaves.enumerate() {
            let path = found.content.as_ref().unwrap();
            let folder = path.parent().unwrap().to_path_buf();
            let place = folders
                .iter()
                .position(|f| *f == folder)
                .unwrap_or_else(|| {
                    folders.push(folder);
                    folders.len() - 1
                });
            for p in vertices(&content(path)) {
                let world = math::point(&found.to_world, p);
                let cell = world.map(|v| v.floor() as i64);
                for dx in -1..=1 {
                    for dy in -1..=1 {
                        for dz in -1..=1 {
                            let key = [cell[0] + dx, cell[1] + dy, cell[2] + dz];
                            for &(other, q) in near.get(&key).into_iter().flatten() {
                                let d = math::sub(world, q);
                                let off = math::dot(d, d).sqrt();
                                // Texels cover 20 cm; the smallest distance between two vertices of the city is 12.5
                                // cm, at the foot of a wall.
                                if other % 10_000 == number || off > 0.1 {
                                    continue;
                                }
                                met += 1;
                                let same = other / 10_000 == place;
                                within += usize::from(same);
                                let most = if same { 1e-8 } else { 0.03 };
                                assert!(off <= most, "{off} m apart, in one folder: {same}");
                            }
                        }
                    }
                }
                near.entry(cell)
                    .or_default()
                    .push((place * 10_000 + number, world));
            }
        }
        assert!(met > within && within > 500, "{met} {within}");
    }
}

#[test]
fn pictures_and_geometry_can_be_packed_anew() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    let delivery = Delivery {
        tiles: [1, 1],
        levels: 1,
        ..Delivery::default()
    };
    deliver(&delivery, &input);
    for (textures, mime, geometry) in [
        (TextureFormat::Webp, "image/webp", Compression::Draco),
        (TextureFormat::Ktx2, "image/ktx2", Compression::Meshopt),
    ] {
        let out = dir.path().join(&mime[6..]);
        let options = Options {
            textures,
            geometry,
            ..Options::default()
        };
        let report = tiles::tile(&input, None, &out, &options, &Ctx::new(&Silent)).unwrap();
        assert_eq!(report.triangles, delivery.triangles_of_a_tile() as u64);
        for found in walk(&out.join("tileset.json")) {
            let scene = content(found.content.as_ref().unwrap());
            assert!(scene.problems.is_empty(), "{:?}", scene.problems);
            assert!(scene.images.iter().all(|i| i.mime == mime));
        }
    }
}
