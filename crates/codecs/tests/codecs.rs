//! Round trips and hostile data for every codec.

use codecs::{
    Basis, CodecError, Coding, Column, Component, Quality, Role, WebpFilm, decode_draco,
    decode_ktx2, encode_draco, encode_ktx2, encode_webp, ktx2_info,
};

/// A bumpy grid of `side`² vertices: positions and triangles.
fn grid(side: u32) -> (Vec<[f32; 3]>, Vec<u32>) {
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for y in 0..side {
        for x in 0..side {
            let (fx, fy) = (x as f32 / side as f32, y as f32 / side as f32);
            positions.push([fx, (fx * 9.0).sin() * (fy * 7.0).cos() * 0.1, fy]);
            if x + 1 < side && y + 1 < side {
                let a = y * side + x;
                indices.extend([a, a + side, a + 1, a + 1, a + side, a + side + 1]);
            }
        }
    }
    (positions, indices)
}

fn bytes(rows: &[[f32; 3]]) -> Vec<u8> {
    rows.iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let four = bytes.as_chunks::<4>().0;
    four.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

fn position(bytes: &[u8]) -> Column<'_> {
    Column {
        role: Role::Position,
        component: Component::F32,
        width: 3,
        normalized: false,
        bits: 14,
        steps: None,
        bytes,
    }
}

#[test]
fn draco_keeps_triangles_and_shape() {
    let (positions, indices) = grid(40);
    let raw = bytes(&positions);
    for keep_order in [false, true] {
        let packed = encode_draco(&[position(&raw)], 1600, &indices, keep_order, 5).unwrap();
        assert!(packed.bytes.len() * 2 < raw.len() + indices.len() * 4);
        assert_eq!(packed.faces * 3, indices.len());
        let mesh = decode_draco(&packed.bytes, 1 << 20, 1 << 20).unwrap();
        assert_eq!(mesh.points(), packed.points);
        let back = floats(&mesh.column(0, Component::F32, 3).unwrap());
        let triangles = mesh.indices();
        // Both describe the same corners, in another order.
        for axis in 0..3 {
            let found: f32 = triangles.iter().map(|i| back[*i as usize * 3 + axis]).sum();
            let wanted: f32 = indices.iter().map(|i| positions[*i as usize][axis]).sum();
            let mean = (found - wanted) / indices.len() as f32;
            assert!(mean.abs() < 1e-3, "axis {axis}: {mean}");
        }
        if keep_order {
            assert_eq!(triangles, indices);
        }
    }
}

#[test]
fn draco_whole_numbers_stay_exact() {
    let (positions, indices) = grid(8);
    let raw = bytes(&positions);
    let joints: Vec<u8> = (0..64u32).flat_map(|i| [i as u8, 255, 7, 0]).collect();
    let exact = Column {
        role: Role::Generic,
        component: Component::U8,
        width: 4,
        bits: 0,
        steps: None,
        bytes: &joints,
        ..position(&[])
    };
    let packed = encode_draco(&[position(&raw), exact], 64, &indices, true, 5).unwrap();
    let mesh = decode_draco(&packed.bytes, 1000, 1000).unwrap();
    assert_eq!(mesh.column(1, Component::U8, 4).unwrap(), joints);
    assert_eq!(mesh.column(2, Component::U8, 4), Err(CodecError::Broken));
    assert_eq!(mesh.column(0, Component::F32, 5), Err(CodecError::Broken));
}

#[test]
fn broken_draco_is_refused() {
    let (positions, indices) = grid(20);
    let raw = bytes(&positions);
    let packed = encode_draco(&[position(&raw)], 400, &indices, false, 5).unwrap();
    for cut in 0..40 {
        let end = packed.bytes.len() * cut / 40;
        assert!(decode_draco(&packed.bytes[..end], 1 << 20, 1 << 20).is_err());
    }
    for at in 0..packed.bytes.len() {
        for value in [0, 0x7f, 0xff] {
            let mut broken = packed.bytes.clone();
            broken[at] = value;
            if let Ok(mesh) = decode_draco(&broken, 1 << 20, 1 << 20) {
                let _ = (mesh.indices(), mesh.column(0, Component::F32, 3));
            }
        }
    }
    assert_eq!(
        decode_draco(&packed.bytes, 100, 1 << 20).err(),
        Some(CodecError::TooLarge)
    );
}

#[test]
fn declared_counts_of_draco_are_held_against_the_limits() {
    // Header of an edgebreaker mesh of version 2.2, then 2^31 vertices and faces.
    let mut bytes = b"DRACO\x02\x02\x01\x01\0\0\0".to_vec();
    bytes.extend([0xff, 0xff, 0xff, 0xff, 0x07, 0xff, 0xff, 0xff, 0xff, 0x07]);
    bytes.extend([0; 64]);
    let result = decode_draco(&bytes, usize::MAX, usize::MAX);
    assert_eq!(result.err(), Some(CodecError::TooLarge));
    // The same for a sequential mesh.
    bytes.splice(8..12, [0, 0, 0]);
    let result = decode_draco(&bytes, usize::MAX, usize::MAX);
    assert_eq!(result.err(), Some(CodecError::TooLarge));
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let raw = [0u8; 36];
    let wrong = encode_draco(&[position(&raw)], 4, &[0, 1, 2], false, 5);
    assert_eq!(wrong.err(), Some(CodecError::Broken));
    let outside = encode_draco(&[position(&raw)], 3, &[0, 1, 3], false, 5);
    assert_eq!(outside.err(), Some(CodecError::Broken));
}

/// Smooth colours with a clear corner.
fn picture(side: u32) -> Vec<u8> {
    let mut out = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let clear = x < side / 4 && y < side / 4;
            let shade = |v: u32| (v * 255 / side) as u8;
            out.extend([shade(x), shade(y), 128, if clear { 0 } else { 255 }]);
        }
    }
    out
}

/// Root mean square difference over all colours.
fn error(a: &[u8], b: &[u8]) -> f64 {
    let square = |(a, b): (&u8, &u8)| f64::from(i32::from(*a) - i32::from(*b)).powi(2);
    (a.iter().zip(b).map(square).sum::<f64>() / a.len() as f64).sqrt()
}

#[test]
fn ktx2_in_both_codings_reads_back() {
    let rgba = picture(64);
    let etc1s = Coding::Etc1s {
        quality: 200,
        effort: 1,
    };
    let uastc = Coding::Uastc {
        effort: 1,
        rdo: 0.5,
    };
    let mut sizes = Vec::new();
    for (coding, most) in [(etc1s, 6.0), (uastc, 3.0)] {
        let how = Basis {
            coding,
            srgb: true,
            normals: false,
            threads: 2,
        };
        let file = encode_ktx2(&rgba, 64, 64, &how).unwrap();
        let (info, back) = decode_ktx2(&file, 1 << 20).unwrap();
        assert_eq!((info.width, info.height, info.levels), (64, 64, 7));
        assert!(info.alpha != 0);
        let error = error(&rgba, &back);
        assert!(error < most, "{coding:?}: {error}");
        sizes.push(file.len());
    }
    assert!(sizes[0] < sizes[1], "{sizes:?}");
}

#[test]
fn broken_ktx2_is_refused() {
    let rgba = picture(32);
    for coding in [
        Coding::Etc1s {
            quality: 100,
            effort: 0,
        },
        Coding::Uastc {
            effort: 0,
            rdo: 0.0,
        },
    ] {
        let how = Basis {
            coding,
            srgb: false,
            normals: true,
            threads: 1,
        };
        let file = encode_ktx2(&rgba, 32, 32, &how).unwrap();
        for cut in 0..60 {
            let _ = decode_ktx2(&file[..file.len() * cut / 60], 1 << 20);
        }
        assert!(ktx2_info(&file[..60]).is_err());
        for at in 0..file.len() {
            for value in [0, 0xff, file[at] ^ 0x10] {
                let mut broken = file.clone();
                broken[at] = value;
                let _ = decode_ktx2(&broken, 1 << 20);
            }
        }
        // The header may declare any size: nothing is allocated beyond the limit.
        let mut huge = file.clone();
        huge[20..24].copy_from_slice(&16_000u32.to_le_bytes());
        huge[24..28].copy_from_slice(&16_000u32.to_le_bytes());
        assert!(decode_ktx2(&huge, 1 << 20).is_err());
    }
    assert_eq!(ktx2_info(b"not a texture").err(), Some(CodecError::Broken));
}

#[test]
fn webp_is_smaller_and_keeps_alpha() {
    let rgba = picture(128);
    let lossy = encode_webp(&rgba, 128, 128, Quality::Lossy(80.0), 4).unwrap();
    let exact = encode_webp(&rgba, 128, 128, Quality::Lossless, 4).unwrap();
    assert!(lossy.starts_with(b"RIFF") && &lossy[8..12] == b"WEBP");
    assert!(lossy.len() < rgba.len() / 20 && exact.len() < rgba.len() / 10);
}

#[test]
fn pictures_of_a_wrong_size_are_refused() {
    let how = Basis {
        coding: Coding::Etc1s {
            quality: 1,
            effort: 0,
        },
        srgb: true,
        normals: false,
        threads: 1,
    };
    for (width, height) in [(0, 0), (4, 5), (u32::MAX, u32::MAX)] {
        assert!(encode_ktx2(&[0; 64], width, height, &how).is_err());
        assert!(encode_webp(&[0; 64], width, height, Quality::Lossless, 0).is_err());
    }
    let line = vec![0; 20_000 * 4];
    assert_eq!(
        encode_webp(&line, 20_000, 1, Quality::Lossless, 0),
        Err(CodecError::TooLarge)
    );
}

#[test]
fn a_ktx2_that_says_it_unpacks_to_a_gigabyte_is_refused() {
    let rgba = [90; 8 * 8 * 4];
    let how = Basis {
        coding: Coding::Uastc {
            effort: 0,
            rdo: 0.0,
        },
        srgb: true,
        normals: false,
        threads: 1,
    };
    let mut file = encode_ktx2(&rgba, 8, 8, &how).unwrap();
    assert!(decode_ktx2(&file, 1 << 20).is_ok());
    // The first level's uncompressed length, after the header, its offset and its compressed length: 4 blocks.
    assert_eq!(file[96..104], 64u64.to_le_bytes());
    file[96..104].copy_from_slice(&(1u64 << 30).to_le_bytes());
    assert_eq!(decode_ktx2(&file, 1 << 20).unwrap_err(), CodecError::Broken);
}

#[test]
fn frames_of_another_size_and_films_without_any_are_refused() {
    let mut film = WebpFilm::new(8, 8, 80.0, 0).unwrap();
    assert!(matches!(film.frame(&[0; 4]), Err(CodecError::Broken)));
    let other = WebpFilm::new(4, 4, 80.0, 0).unwrap();
    let small = other.frame(&[0; 64]).unwrap();
    assert_eq!(film.add(&small, 40), Err(CodecError::Broken));
    let frame = film.frame(&[0; 256]).unwrap();
    assert_eq!(film.add(&frame, 1 << 24), Err(CodecError::TooLarge));
    assert_eq!(film.finish(), Err(CodecError::Broken));
    assert!(matches!(
        WebpFilm::new(0, 8, 80.0, 0),
        Err(CodecError::Broken)
    ));
    assert!(matches!(
        WebpFilm::new(20_000, 8, 80.0, 0),
        Err(CodecError::TooLarge)
    ));
}
