//! AMRT: a round trip preserves the model, and no damage goes unnoticed.

use crate::models::{animated, read_bytes, textured, write_bytes};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use modelkit::amrt::{HEADER, Level, MAGIC, Manifest, Section, crc32, first_section};
use modelkit::scene::{AnimationPath, Bounds};
use modelkit::{Scene, sample};
use serde_json::{Value, json};
use std::io::Write;

fn manifest_of(bytes: &[u8]) -> Manifest {
    serde_json::from_slice(&bytes[HEADER..HEADER + manifest_length(bytes)]).unwrap()
}

fn manifest_length(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
}

/// A file with valid checksums, whatever its manifest contains.
fn forged(manifest: &Value, data: &[u8], minor: u16) -> Vec<u8> {
    let text = serde_json::to_vec(manifest).unwrap();
    let start = first_section(text.len());
    let mut out = MAGIC.to_vec();
    out.extend(1u16.to_le_bytes());
    out.extend(minor.to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(((start + data.len()) as u64).to_le_bytes());
    out.extend(crc32(&text).to_le_bytes());
    out.extend(crc32(&out).to_le_bytes());
    out.extend(&text);
    out.resize(start, 0);
    out.extend(data);
    out
}

/// A file with this document as its only level.
fn with_document(document: &[u8], section: Value) -> Vec<u8> {
    let mut own = json!({"kind": "document", "offset": 0, "length": document.len(),
        "crc32": format!("{:08x}", crc32(document))});
    for (name, value) in section.as_object().unwrap() {
        own[name] = value.clone();
    }
    forged(
        &json!({"levels": [{"document": 0, "sections": [0]}], "sections": [own]}),
        document,
        0,
    )
}

fn same_numbers(a: &[f32], b: &[f32], tolerance: f32, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} {b}");
    }
}

/// A quaternion and its negative are the same rotation.
fn same_turns(a: &[f32], b: &[f32], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!(dot.abs() > 1.0 - 1e-5, "{what}: {a:?} {b:?}");
    }
}

fn same_bounds(a: &Bounds, b: &Bounds, what: &str) {
    // A 16-bit grid, the inverse of a skin's matrix, and rounding.
    let tolerance = b.diagonal() * 1e-4;
    for axis in 0..3 {
        assert!((a.min[axis] - b.min[axis]).abs() <= tolerance, "{what}");
        assert!((a.max[axis] - b.max[axis]).abs() <= tolerance, "{what}");
    }
}

/// The parts of a scene that a package must not touch.
fn same_scene(back: &Scene, plain: &Scene, what: &str) {
    assert_eq!(back.name, plain.name, "{what}");
    assert_eq!(back.extras, plain.extras, "{what}");
    assert_eq!(back.roots, plain.roots, "{what}");
    assert_eq!(back.nodes.len(), plain.nodes.len(), "{what}");
    for (a, b) in back.nodes.iter().zip(&plain.nodes) {
        assert_eq!(
            (&a.name, &a.children, a.mesh, a.skin, &a.weights, &a.extras),
            (&b.name, &b.children, b.mesh, b.skin, &b.weights, &b.extras),
            "{what}"
        );
        assert_eq!(a.transform.matrix(), b.transform.matrix(), "{what}");
        assert_eq!((a.light, a.camera), (b.light, b.camera), "{what}");
    }
    assert_eq!(back.materials, plain.materials, "{what}");
    assert_eq!(back.images.len(), plain.images.len(), "{what}");
    for (a, b) in back.images.iter().zip(&plain.images) {
        assert_eq!((a.width, a.height), (b.width, b.height), "{what}");
        assert!(["image/webp", "image/ktx2"].contains(&a.mime), "{what}");
    }
    assert_eq!(back.meshes.len(), plain.meshes.len(), "{what}");
    for (a, b) in back.meshes.iter().zip(&plain.meshes) {
        assert_eq!((&a.name, &a.target_names), (&b.name, &b.target_names));
        assert_eq!((&a.weights, &a.extras), (&b.weights, &b.extras), "{what}");
        assert_eq!(a.primitives.len(), b.primitives.len(), "{what}");
        for (a, b) in a.primitives.iter().zip(&b.primitives) {
            assert_eq!(a.indices.len(), b.indices.len(), "{what}");
            assert_eq!((a.mode, a.material), (b.mode, b.material), "{what}");
            assert_eq!(
                (a.uvs.len(), a.targets.len()),
                (b.uvs.len(), b.targets.len())
            );
            assert_eq!(a.normals.is_empty(), b.normals.is_empty(), "{what}");
            assert_eq!(a.colors.is_empty(), b.colors.is_empty(), "{what}");
        }
    }
    assert_eq!(back.skins.len(), plain.skins.len(), "{what}");
    for (a, b) in back.skins.iter().zip(&plain.skins) {
        assert_eq!((&a.name, &a.joints), (&b.name, &b.joints), "{what}");
        let (a, b) = (a.inverse_bind.as_flattened(), b.inverse_bind.as_flattened());
        same_numbers(a, b, 1e-4, what);
    }
    assert_eq!(back.animations.len(), plain.animations.len(), "{what}");
    for (a, b) in back.animations.iter().zip(&plain.animations) {
        assert_eq!((&a.name, &a.channels), (&b.name, &b.channels), "{what}");
        for channel in &a.channels {
            let (a, b) = (
                &a.samplers[channel.sampler as usize],
                &b.samplers[channel.sampler as usize],
            );
            assert_eq!((a.interpolation, &a.times), (b.interpolation, &b.times));
            match channel.path {
                AnimationPath::Rotation => same_turns(&a.values, &b.values, what),
                _ => same_numbers(&a.values, &b.values, 1e-3, what),
            }
        }
    }
    same_bounds(&back.bounds(), &plain.bounds(), what);
}

fn packed(scene: &Scene) -> Vec<u8> {
    write_bytes(scene, "模型.amrt", false)
}

#[test]
fn every_sample_is_read_back_the_same() {
    for (kind, _) in sample::KINDS {
        let scene = sample::generate(kind, Some(3_000), 1).unwrap();
        let plain = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
        let bytes = packed(&scene);
        let back = read_bytes(&bytes, "a.amrt").unwrap();
        assert_eq!(back.format, "amrt");
        same_scene(&back, &plain, kind);
        let manifest = manifest_of(&bytes);
        let bounds = manifest.bounds.expect("a box");
        let box3 = Bounds {
            min: bounds.min,
            max: bounds.max,
        };
        same_bounds(&box3, &plain.bounds(), kind);
        assert_eq!(manifest.statistics["triangles"], plain.triangle_count());
        assert_eq!(manifest.animations.len(), plain.animations.len(), "{kind}");
        let thumbnail = &manifest.sections[manifest.thumbnail.expect("a picture")];
        assert_eq!(thumbnail.mime, "image/webp");
    }
}

#[test]
fn skins_morphs_and_clips_are_kept() {
    let scene = animated(12);
    let plain = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
    let back = read_bytes(&packed(&scene), "a.amrt").unwrap();
    same_scene(&back, &plain, "animated");
    let (a, b) = (
        &back.meshes[0].primitives[0],
        &plain.meshes[0].primitives[0],
    );
    let widest = |p: &modelkit::scene::Primitive| {
        let deltas = p.targets[0].positions.iter().map(|d| d[0]);
        deltas.fold(0.0f32, f32::max)
    };
    assert!((widest(a) - widest(b)).abs() < 1e-4);
}

#[test]
fn a_mesh_shown_twice_stays_one_mesh() {
    let mut scene = textured(8);
    let mut twin = scene.nodes[0].clone();
    twin.name = "twin".into();
    scene.add_node(twin, None);
    // One with a child under a mesh.
    let leaf = modelkit::scene::Node {
        name: "leaf".into(),
        mesh: Some(0),
        ..Default::default()
    };
    scene.add_node(leaf, Some(0));
    let plain = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
    same_scene(
        &read_bytes(&packed(&scene), "a.amrt").unwrap(),
        &plain,
        "twins",
    );
}

#[test]
fn a_large_model_begins_with_a_coarse_copy() {
    let bytes = packed(&textured(300));
    let manifest = manifest_of(&bytes);
    let [coarse, full] = manifest.levels.as_slice() else {
        panic!("{:?}", manifest.levels);
    };
    assert!(coarse.triangles * 8 < full.triangles, "{coarse:?}");
    assert!(coarse.error > 0.0 && coarse.error < 0.05, "{coarse:?}");
    let end = |level: &Level| {
        let ends = level.sections.iter().map(|&s| {
            let Section { offset, length, .. } = &manifest.sections[s];
            offset + length
        });
        ends.max().unwrap()
    };
    assert!(
        end(coarse) * 4 < end(full),
        "it comes first: {} {}",
        end(coarse),
        end(full)
    );
    // The copy is a complete model.
    let mut alone = serde_json::to_value(&manifest).unwrap();
    alone["levels"] = json!([manifest.levels[0]]);
    let data = &bytes[first_section(manifest_length(&bytes))..];
    let copy = read_bytes(&forged(&alone, data, 0), "a.amrt").unwrap();
    assert_eq!(copy.triangle_count(), coarse.triangles);
    let model = read_bytes(&bytes, "a.amrt").unwrap().bounds();
    let far = copy.bounds().diagonal() / model.diagonal();
    assert!((far - 1.0).abs() < 0.05, "{far}");
}

#[test]
fn damage_anywhere_is_found() {
    for scene in [textured(300), animated(10)] {
        let bytes = packed(&scene);
        let manifest = manifest_of(&bytes);
        let start = first_section(manifest_length(&bytes));
        let mut places: Vec<usize> = (0..HEADER).collect();
        places.extend((HEADER..HEADER + manifest_length(&bytes)).step_by(97));
        for section in &manifest.sections {
            let (from, length) = (start + section.offset as usize, section.length as usize);
            places.extend([from, from + length / 2, from + length - 1]);
        }
        for at in places {
            let mut broken = bytes.clone();
            broken[at] ^= 0x10;
            let error = read_bytes(&broken, "a.amrt").expect_err(&format!("byte {at}"));
            let expected: &[&str] = match at {
                // The version.
                8 | 9 => &["unsupported-format"],
                _ => &["corrupt-file"],
            };
            assert!(expected.contains(&error.code()), "byte {at}: {error}");
        }
        for part in 0..80 {
            let end = bytes.len() * part / 80;
            let error = read_bytes(&bytes[..end], "a.amrt").expect_err("cut");
            assert_eq!(error.code(), "corrupt-file", "cut at {end}: {error}");
        }
        // Data after the file is ignored.
        let mut longer = bytes.clone();
        longer.extend([7; 100]);
        read_bytes(&longer, "a.amrt").unwrap();
    }
}

#[test]
fn later_minor_versions_are_read_and_major_ones_refused() {
    let bytes = packed(&animated(8));
    let mut manifest = serde_json::to_value(manifest_of(&bytes)).unwrap();
    let data = &bytes[first_section(manifest_length(&bytes))..];
    manifest["future"] = json!({"x": [1, 2]});
    let nothing = json!({"kind": "hologram", "offset": 0, "length": 0, "crc32": "00000000",
        "encoding": "magic", "more": true});
    manifest["sections"].as_array_mut().unwrap().push(nothing);
    manifest["levels"][0]["more"] = json!(1);
    let scene = read_bytes(&forged(&manifest, data, 9), "a.amrt").unwrap();
    assert_eq!(scene.skins.len(), 1);
    let mut needing = manifest.clone();
    let last = needing["levels"].as_array().unwrap().len() - 1;
    needing["levels"][last]["requires"] = json!(["EXT_meshopt_compression", "AMRT_hologram"]);
    let error = read_bytes(&forged(&needing, data, 3), "a.amrt").unwrap_err();
    assert_eq!(error.code(), "unsupported-format");
    assert!(error.to_string().contains("AMRT_hologram"), "{error}");
    let mut later = forged(&manifest, data, 0);
    later[8] = 2;
    let error = read_bytes(&later, "a.amrt").unwrap_err();
    assert_eq!(error.code(), "unsupported-format");
    assert!(error.to_string().contains("2.x"), "{error}");
}

#[test]
fn hostile_manifests_are_errors() {
    let section = |offset: u64, length: u64| json!({"kind": "geometry", "offset": offset, "length": length, "crc32": "00000000"});
    let table = |list: Vec<Value>| json!({"levels": [{"document": 0}], "sections": list});
    let many: Vec<Value> = (0..20_000).map(|_| section(0, 0)).collect();
    for (manifest, code) in [
        (json!({}), "corrupt-file"),
        (json!([1, 2, 3]), "corrupt-file"),
        (json!({"levels": [{"document": 7}]}), "corrupt-file"),
        (table(vec![section(u64::MAX, 1)]), "corrupt-file"),
        (table(vec![section(u64::MAX - 3, u64::MAX)]), "corrupt-file"),
        (table(vec![section(0, 4_000_000_000)]), "corrupt-file"),
        (table(many), "too-large"),
        (json!({"levels": "no"}), "corrupt-file"),
    ] {
        let error = read_bytes(&forged(&manifest, &[0; 64], 0), "a.amrt").unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
}

#[test]
fn hostile_documents_are_errors() {
    let deflated = |bytes: &[u8]| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let bomb = deflated(&vec![b' '; 50 << 20]);
    // A decompression bomb that declares its size, and ones that lie.
    for size in [50u64 << 20, 10, 1 << 40, u64::MAX] {
        let file = with_document(&bomb, json!({"encoding": "deflate", "size": size}));
        let error = read_bytes(&file, "a.amrt").unwrap_err();
        assert_eq!(error.code(), "corrupt-file", "{size}: {error}");
    }
    let unknown = with_document(b"{}", json!({"encoding": "zstd"}));
    let error = read_bytes(&unknown, "a.amrt").unwrap_err();
    assert_eq!(error.code(), "unsupported-format");
    // Missing sections, or the document itself.
    for uri in [
        "amrt:9",
        "amrt:-1",
        "amrt:18446744073709551616",
        "other.bin",
    ] {
        let document = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":4,"uri":"{uri}"}}]}}"#
        );
        let file = with_document(document.as_bytes(), json!({}));
        assert!(read_bytes(&file, "a.amrt").is_err(), "{uri}");
    }
    // Invalid grids.
    let bytes = packed(&textured(6));
    for grids in [
        json!([]),
        json!([{"offset": [0, 0, 0], "scale": 0}]),
        json!([{"offset": [1e39, 0, 0], "scale": 1}]),
        json!([{"offset": [0, 0], "scale": 1}]),
    ] {
        let scene = read_bytes(&with_grids(&bytes, grids), "a.amrt").unwrap();
        assert!(scene.bounds().size().iter().all(|v| v.is_finite()));
    }
}

/// The same file with other grids in the document of its full model.
fn with_grids(bytes: &[u8], grids: Value) -> Vec<u8> {
    use std::io::Read;
    let mut manifest = serde_json::to_value(manifest_of(bytes)).unwrap();
    let mut data = bytes[first_section(manifest_length(bytes))..].to_vec();
    let document = manifest["levels"].as_array().unwrap().last().unwrap()["document"]
        .as_u64()
        .unwrap() as usize;
    let section = &mut manifest["sections"][document];
    let (from, length) = (
        section["offset"].as_u64().unwrap() as usize,
        section["length"].as_u64().unwrap() as usize,
    );
    let mut text = String::new();
    let mut decoder = flate2::read::ZlibDecoder::new(&data[from..from + length]);
    decoder.read_to_string(&mut text).unwrap();
    let mut json: Value = serde_json::from_str(&text).unwrap();
    json["extensions"]["AMRT_grids"]["meshes"] = grids;
    let text = serde_json::to_vec(&json).unwrap();
    data.resize(data.len().next_multiple_of(16), 0);
    section["offset"] = data.len().into();
    section["length"] = text.len().into();
    section["crc32"] = format!("{:08x}", crc32(&text)).into();
    section["encoding"] = "".into();
    data.extend(&text);
    forged(&manifest, &data, 0)
}
