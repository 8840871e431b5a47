//! OSGB files in all variants, and hostile ones.

use modelkit::open::read;
use modelkit::read::{Input, NoSideFiles};
use modelkit::sample::osgb::{Dialect, Finer, Listing, Mesh, Piece, Sides, Skin, write};
use modelkit::scene::Scene;
use modelkit::{Ctx, Result, Silent};
use proptest::prelude::*;

fn open(bytes: &[u8]) -> Result<Scene> {
    let input = Input {
        bytes,
        name: "a.osgb",
        side: &NoSideFiles,
    };
    read(&input, &Ctx::new(&Silent))
}

fn square(listing: Listing, indices: &[u32], skin: Option<Skin>) -> Piece {
    Piece {
        mesh: Mesh {
            positions: vec![
                [0.0, 0.0, 1.0],
                [2.0, 0.0, 1.0],
                [2.0, 3.0, 1.0],
                [0.0, 3.0, 1.0],
            ],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            indices: indices.to_vec(),
            listing,
            skin,
            sides: Sides::default(),
            unit: 0,
        },
        finer: None,
    }
}

/// Two rows of two pixels: the upper red and green, the lower blue and white.
fn pixels() -> Skin {
    let bottom_up = vec![0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0];
    Skin::Pixels(2, 2, bottom_up)
}

fn dialects() -> Vec<Dialect> {
    let mut list = Vec::new();
    for version in [67, 76, 80, 91, 97, 100, 112, 130, 146, 147, 150, 155, 161] {
        for (brackets, zlib) in [(false, false), (true, false), (true, true), (false, true)] {
            list.push(Dialect {
                version,
                brackets,
                zlib,
            });
        }
    }
    list
}

#[test]
fn every_dialect_gives_the_same_scene() {
    for dialect in dialects() {
        let piece = square(Listing::Shorts, &[0, 1, 2, 0, 2, 3], Some(pixels()));
        let bytes = write(&[piece.clone(), piece], Some([10.0, 20.0, 30.0]), dialect);
        let scene = open(&bytes).unwrap_or_else(|e| panic!("{dialect:?}: {e}"));
        assert_eq!(scene.triangle_count(), 4, "{dialect:?}");
        // Z up became Y up, below the transform.
        let bounds = scene.bounds();
        assert_eq!(bounds.min, [10.0, 31.0, -23.0], "{dialect:?}");
        assert_eq!(bounds.max, [12.0, 31.0, -20.0], "{dialect:?}");
        let uvs = &scene.meshes[0].primitives[0].uvs[0];
        assert_eq!(uvs[0], [0.0, 1.0], "the first corner is at the bottom");
        let picture = modelkit::scene::decode(&scene.images[0].bytes, &Ctx::new(&Silent).limits);
        let picture = picture.unwrap().to_rgb8();
        assert_eq!(picture.get_pixel(0, 0).0, [255, 0, 0], "{dialect:?}");
        assert_eq!(picture.get_pixel(1, 1).0, [255, 255, 255], "{dialect:?}");
        let material = &scene.materials[0];
        assert!(material.extensions.contains_key("KHR_materials_unlit"));
        assert!(material.double_sided, "faces are not culled by default");
    }
}

#[test]
fn every_listing_is_triangles_in_the_end() {
    let cases: [(Listing, &[u32], usize); 7] = [
        (Listing::Bytes, &[0, 1, 2, 0, 2, 3], 2),
        (Listing::Shorts, &[0, 1, 2], 1),
        (Listing::Words, &[0, 1, 2, 0, 2, 3], 2),
        // The repeated vertex makes two degenerate triangles.
        (Listing::Strip, &[0, 1, 3, 2, 2], 2),
        (Listing::Fan, &[0, 1, 2, 3], 2),
        (Listing::Quads, &[0, 1, 2, 3], 2),
        (Listing::InOrder, &[], 1),
    ];
    for (listing, indices, triangles) in cases {
        for version in [80, 150] {
            let dialect = Dialect {
                version,
                ..Dialect::default()
            };
            let bytes = write(&[square(listing, indices, None)], None, dialect);
            let scene = open(&bytes).unwrap();
            assert_eq!(scene.triangle_count(), triangles, "{listing:?}");
            let p = &scene.meshes[0].primitives[0];
            for t in p.indices.chunks_exact(3) {
                let [a, b, c] = [t[0], t[1], t[2]].map(|i| p.positions[i as usize]);
                // Seen from above (y), all have the same winding.
                let area = (b[0] - a[0]) * (a[2] - c[2]) - (c[0] - a[0]) * (a[2] - b[2]);
                assert!(area > 0.0, "{listing:?} {t:?}");
            }
        }
    }
}

#[test]
fn finer_files_are_named_not_followed() {
    let mut piece = square(Listing::Shorts, &[0, 1, 2], None);
    piece.finer = Some(Finer {
        file: "b.osgb".into(),
        pixels: 100.0,
        center: [0.0; 3],
        radius: 2.0,
    });
    let scene = open(&write(&[piece], None, Dialect::default())).unwrap();
    assert!(
        scene
            .problems
            .iter()
            .any(|p| p.code == "finer-levels-elsewhere")
    );
}

#[test]
fn wrong_indices_and_absent_pictures_are_problems() {
    let bad = square(Listing::Shorts, &[0, 1, 9], None);
    let good = square(
        Listing::Shorts,
        &[0, 1, 2],
        Some(Skin::Named("gone.jpg".into())),
    );
    let scene = open(&write(&[bad.clone(), good], None, Dialect::default())).unwrap();
    assert_eq!(scene.triangle_count(), 1);
    let codes: Vec<&str> = scene.problems.iter().map(|p| p.code).collect();
    assert!(
        codes.contains(&"skipped-draws") && codes.contains(&"missing-texture"),
        "{codes:?}"
    );
    let error = open(&write(&[bad], None, Dialect::default())).unwrap_err();
    assert_eq!(error.code(), "empty-model");
}

#[test]
fn truncated_files_are_corrupt() {
    for dialect in dialects() {
        let piece = square(Listing::Shorts, &[0, 1, 2, 0, 2, 3], Some(pixels()));
        let bytes = write(&[piece.clone(), piece], None, dialect);
        for end in (8..bytes.len() - 1).step_by(7) {
            let error = open(&bytes[..end]).expect_err("half a file is no file");
            assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn an_unknown_class_is_named() {
    let piece = square(Listing::Shorts, &[0, 1, 2], Some(pixels()));
    for brackets in [false, true] {
        let dialect = Dialect {
            version: 100,
            brackets,
            zlib: false,
        };
        let mut bytes = write(std::slice::from_ref(&piece), None, dialect);
        let name = b"osg::Material";
        let at = bytes.windows(name.len()).position(|w| w == name).unwrap();
        bytes[at..at + name.len()].copy_from_slice(b"osg::Marzipan");
        match brackets {
            true => {
                let scene = open(&bytes).unwrap();
                let problem = scene.problems.iter().find(|p| p.code == "unknown-objects");
                assert!(problem.unwrap().message.contains("osg::Marzipan"));
                assert_eq!(scene.images.len(), 1, "what follows is still read");
            }
            false => {
                let error = open(&bytes).unwrap_err();
                assert!(error.to_string().contains("osg::Marzipan"), "{error}");
            }
        }
    }
}

/// A small file that would decompress to gigabytes.
#[test]
fn a_bomb_is_refused() {
    use std::io::Write;
    let mut file = b"\xa1\x0e\x91\x6c\x45\x45\xfb\x1a".to_vec();
    for number in [1u32, 80, 0, 4] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"zlib");
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    for _ in 0..64 {
        packer.write_all(&vec![0u8; 1 << 20]).unwrap();
    }
    let mut ctx = Ctx::new(&Silent);
    ctx.limits.file_bytes = 1 << 20;
    let bytes = packer.finish().unwrap();
    let input = Input {
        bytes: &bytes,
        name: "a.osgb",
        side: &NoSideFiles,
    };
    assert_eq!(read(&input, &ctx).unwrap_err().code(), "too-large");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Flipped bytes anywhere: a result or an error, never a panic.
    #[test]
    fn damaged_bytes_do_not_panic(
        which in 0usize..52,
        changes in prop::collection::vec((0usize..4000, any::<u8>()), 1..12),
    ) {
        let dialect = dialects()[which];
        let piece = square(Listing::Strip, &[0, 1, 3, 2], Some(pixels()));
        let mut bytes = write(&[piece.clone(), piece], Some([1.0, 2.0, 3.0]), dialect);
        for (at, value) in changes {
            let at = 8 + at % (bytes.len() - 8);
            bytes[at] = value;
        }
        let _ = open(&bytes);
    }
}
