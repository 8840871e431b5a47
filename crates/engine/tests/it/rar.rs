//! Hand-made RAR archives without compression.

use crate::archive::crc32;
use crate::models::{read_bytes, textured, write_bytes};
use modelkit::limits::Limits;
use modelkit::read::{Input, NoSideFiles};
use modelkit::{Ctx, Error, Scene, Silent, open};

/// A variable-length integer of RAR 5.
pub fn vint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

pub fn block5(body: &[u8]) -> Vec<u8> {
    let sized = [vint(body.len() as u64), body.to_vec()].concat();
    [crc32(&sized).to_le_bytes().to_vec(), sized].concat()
}

/// A RAR 5 archive; each file with its declared size.
pub fn rar5(files: &[(&str, &[u8], u64)]) -> Vec<u8> {
    let mut out = b"Rar!\x1a\x07\x01\x00".to_vec();
    out.extend(block5(&[vint(1), vint(0), vint(0)].concat()));
    for (name, data, claimed) in files {
        let header = [
            vint(2),
            vint(2),
            vint(data.len() as u64),
            vint(4),
            vint(*claimed),
            vint(0o100_644),
            crc32(data).to_le_bytes().to_vec(),
            vint(0),
            vint(1),
            vint(name.len() as u64),
            name.as_bytes().to_vec(),
        ];
        out.extend(block5(&header.concat()));
        out.extend(*data);
    }
    out.extend(block5(&[vint(5), vint(0), vint(0)].concat()));
    out
}

fn block4(kind: u8, flags: u16, body: &[u8]) -> Vec<u8> {
    let length = body.len() as u16 + 7;
    let rest = [
        &[kind][..],
        &flags.to_le_bytes(),
        &length.to_le_bytes(),
        body,
    ]
    .concat();
    [&(crc32(&rest) as u16).to_le_bytes()[..], &rest].concat()
}

/// A RAR 4 archive with raw-byte names.
pub fn rar4(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut out = b"Rar!\x1a\x07\x00".to_vec();
    out.extend(block4(0x73, 0, &[0; 6]));
    for (name, data) in files {
        let size = (data.len() as u32).to_le_bytes();
        let header = [
            &size[..],
            &size,
            &[0],
            &crc32(data).to_le_bytes(),
            &[0, 0, 0x21, 0x50],
            &[20, 0x30],
            &(name.len() as u16).to_le_bytes(),
            &0o100_644u32.to_le_bytes(),
            name,
        ];
        out.extend(block4(0x74, 0x8000, &header.concat()));
        out.extend(*data);
    }
    out.extend(block4(0x7b, 0x4000, &[]));
    out
}

fn open(bytes: &[u8], limits: Limits) -> Result<Scene, Error> {
    let mut ctx = Ctx::new(&Silent);
    ctx.limits = limits;
    let input = Input {
        bytes,
        name: "a.rar",
        side: &NoSideFiles,
    };
    open::read(&input, &ctx)
}

const OBJ: &[u8] = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";
const MTL: &[u8] = b"newmtl red\nKd 1 0 0\n";

#[test]
fn a_model_and_its_side_files_are_found() {
    let (obj, mtl) = (OBJ.len() as u64, MTL.len() as u64);
    let bytes = rar5(&[("模型/a.obj", OBJ, obj), ("模型/A.MTL", MTL, mtl)]);
    let scene = read_bytes(&bytes, "上传.rar").unwrap();
    assert_eq!(scene.main_file, "模型/a.obj");
    assert_eq!(scene.format, "obj");
    assert_eq!(scene.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
    let glb = write_bytes(&textured(4), "a.glb", true);
    let nested = rar5(&[("x.glb", &glb, glb.len() as u64)]);
    let outer = rar5(&[("inner.rar", &nested, nested.len() as u64)]);
    assert_eq!(read_bytes(&outer, "b.rar").unwrap().format, "glb");
}

#[test]
fn names_of_old_archives_are_read_as_gbk() {
    let (name, ..) = encoding_rs::GBK.encode("房子/屋顶.obj");
    let bytes = rar4(&[(&name, OBJ), (b"readme.txt", b"hello")]);
    assert_eq!(
        read_bytes(&bytes, "a.rar").unwrap().main_file,
        "房子/屋顶.obj"
    );
}

#[test]
fn limits_paths_and_lies_are_refused() {
    let size = OBJ.len() as u64;
    let many = rar5(&[
        ("a.obj", OBJ, size),
        ("b.obj", OBJ, size),
        ("c.obj", OBJ, size),
    ]);
    let few = Limits {
        archive_entries: 2,
        ..Limits::default()
    };
    assert_eq!(open(&many, few).unwrap_err().code(), "too-large");
    let small = Limits {
        archive_bytes: size * 2,
        ..Limits::default()
    };
    assert_eq!(open(&many, small).unwrap_err().code(), "too-large");
    let bomb = rar5(&[("a.obj", OBJ, 1 << 40)]);
    assert_eq!(
        open(&bomb, Limits::default()).unwrap_err().code(),
        "too-large"
    );
    for claimed in [size - 1, size + 1] {
        let lie = rar5(&[("a.obj", OBJ, claimed)]);
        assert!(
            open(&lie, Limits::default()).is_err(),
            "{claimed} of {size}"
        );
    }
    for path in ["../a.obj", "/../a.obj", "C:a.obj", "x/../../a.obj"] {
        let outside = rar5(&[(path, OBJ, size)]);
        let error = open(&outside, Limits::default()).unwrap_err();
        assert!(error.to_string().contains("不安全"), "{path}: {error}");
    }
}

#[test]
fn broken_archives_are_errors() {
    let size = OBJ.len() as u64;
    for bytes in [
        rar5(&[("a.obj", OBJ, size), ("a.mtl", MTL, MTL.len() as u64)]),
        rar4(&[(b"a.obj", OBJ), (b"a.mtl", MTL)]),
    ] {
        assert!(read_bytes(&bytes, "a.rar").is_ok());
        for end in 0..bytes.len() - 16 {
            let _ = read_bytes(&bytes[..end], "a.rar");
        }
        for at in 8..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x41;
            let _ = read_bytes(&broken, "a.rar");
        }
        // Truncated within the model.
        let at = bytes.windows(4).position(|w| w == b"v 0 ").unwrap();
        assert!(read_bytes(&bytes[..at], "a.rar").is_err());
    }
    assert_eq!(
        read_bytes(b"Rar!\x1a\x07\x05\x00junk", "a.rar")
            .unwrap_err()
            .exit_code(),
        2
    );
}

/// A delivery of oblique photography works in RAR too, and leaves nothing behind.
#[test]
fn deliveries_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let delivery = modelkit::sample::delivery::Delivery {
        tiles: [2, 1],
        levels: 1,
        ..Default::default()
    };
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    delivery
        .write(&mut |name, bytes| {
            files.push((format!("成果/{name}"), bytes.to_vec()));
            Ok(())
        })
        .unwrap();
    let rows: Vec<(&str, &[u8], u64)> = files
        .iter()
        .map(|(n, b)| (n.as_str(), &b[..], b.len() as u64))
        .collect();
    let path = dir.path().join("city");
    std::fs::write(&path, rar5(&rows)).unwrap();
    let (out, ctx) = (dir.path().join("out"), Ctx::new(&Silent));
    let options = modelkit::tiles::Options::default();
    let report = modelkit::tiles::tile(&path, Some("city.rar"), &out, &options, &ctx).unwrap();
    assert_eq!(report.triangles, 2 * delivery.triangles_of_a_tile() as u64);
    assert!(report.georeference.is_some() && report.problems.is_empty());
    let overview = modelkit::tiles::overview(&path, &ctx).unwrap().unwrap();
    assert_eq!(overview.model_num, 2);
}
