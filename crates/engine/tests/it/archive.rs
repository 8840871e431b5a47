//! ZIP archives as users and attackers make them.

use crate::models::{png, read_bytes};
use modelkit::limits::Limits;
use modelkit::open::read;
use modelkit::read::{Input, NoSideFiles};
use modelkit::{Ctx, Silent};
use proptest::prelude::*;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

pub fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A stored archive with raw-byte names, which the writer above would refuse.
fn pack_raw(files: &[(&[u8], &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut common = Vec::new();
        for half in [20u16, 0, 0, 0, 0] {
            common.extend(half.to_le_bytes());
        }
        common.extend(crc32(bytes).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0u8; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(*name);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(*name);
        out.extend(*bytes);
    }
    let (start, count) = (out.len() as u32, files.len() as u16);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}

pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

const OBJ: &str = "mtllib Model.MTL\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
const STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

#[test]
fn side_files_are_found_whatever_the_spelling() {
    let mtl = b"newmtl m\nmap_Kd C:\\Users\\me\\Textures\\WOOD.png\n";
    let image = png(8);
    for (obj, lib, texture) in [
        ("model.obj", "model.mtl", "wood.png"),
        ("a/b/Model.OBJ", "a/b/MODEL.mtl", "a/b/textures/Wood.PNG"),
        ("a/model.obj", "other/model.mtl", "pictures/wood.png"),
        ("a\\model.obj", "a\\model.mtl", "a\\Textures\\wood.png"),
    ] {
        let bytes = pack_raw(&[
            (b"__MACOSX/._model.obj", b"junk"),
            (b".DS_Store", b"junk"),
            (obj.as_bytes(), OBJ.as_bytes()),
            (lib.as_bytes(), mtl),
            (texture.as_bytes(), &image),
        ]);
        let scene = read_bytes(&bytes, "上传.zip").unwrap();
        assert_eq!(scene.images.len(), 1, "{obj} {:?}", scene.problems);
        assert_eq!((scene.triangle_count(), scene.model_num), (1, 1));
        assert_eq!(scene.main_file, obj.replace('\\', "/"));
    }
}

#[test]
fn the_nearer_of_two_equal_names_is_taken() {
    let mtl = b"newmtl m\nmap_Kd wood.png\n";
    let (small, large) = (png(8), png(16));
    let bytes = pack(&[
        ("x/wood.png", &small),
        ("y/model.obj", OBJ.as_bytes()),
        ("y/model.mtl", mtl),
        ("y/tex/wood.png", &large),
    ]);
    assert_eq!(read_bytes(&bytes, "a.zip").unwrap().images[0].width, 16);
}

#[test]
fn chinese_names_in_gbk_and_utf8() {
    let (folder, _, _) = encoding_rs::GBK.encode("模型\\椅子.obj");
    let (texture, _, _) = encoding_rs::GBK.encode("模型/贴图/木纹.png");
    let (mtl_text, _, _) = encoding_rs::GBK.encode("newmtl 木头\nmap_Kd 木纹.png\n");
    let (obj_text, _, _) = encoding_rs::GBK
        .encode("mtllib 椅子.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl 木头\nf 1 2 3\n");
    let (mtl, _, _) = encoding_rs::GBK.encode("模型/椅子.mtl");
    let image = png(8);
    let bytes = pack_raw(&[(&folder, &obj_text), (&mtl, &mtl_text), (&texture, &image)]);
    let scene = read_bytes(&bytes, "a.zip").unwrap();
    assert_eq!(
        (scene.main_file.as_str(), scene.name.as_str()),
        ("模型/椅子.obj", "椅子")
    );
    assert_eq!(
        (scene.materials[0].name.as_str(), scene.images.len()),
        ("木头", 1)
    );
    let utf8 = pack(&[("模型/球.stl", STL.as_bytes())]);
    assert_eq!(read_bytes(&utf8, "a.zip").unwrap().main_file, "模型/球.stl");
}

#[test]
fn the_best_model_is_chosen_and_the_others_named() {
    let big = format!("{STL}{STL}");
    let bytes = pack(&[
        ("a.stl", STL.as_bytes()),
        ("big.stl", big.as_bytes()),
        ("m.obj", OBJ.as_bytes()),
    ]);
    let scene = read_bytes(&bytes, "a.zip").unwrap();
    assert_eq!((scene.format.as_str(), scene.model_num), ("obj", 3));
    let problem = scene
        .problems
        .iter()
        .find(|p| p.code == "several-models")
        .unwrap();
    assert!(
        problem.message.contains("big.stl、a.stl"),
        "{}",
        problem.message
    );
    let inner = pack(&[("深/b.stl", STL.as_bytes())]);
    let nested = pack(&[("readme.txt", b"x"), ("内层.zip", &inner)]);
    assert_eq!(read_bytes(&nested, "a.zip").unwrap().main_file, "深/b.stl");
}

#[test]
fn refusals_say_what_is_wrong() {
    let none = read_bytes(&pack(&[("a.txt", b"x")]), "a.zip").unwrap_err();
    assert_eq!(none.code(), "missing-main-file");
    assert_eq!(
        read_bytes(&pack(&[]), "a.zip").unwrap_err().code(),
        "missing-main-file"
    );
    let other = read_bytes(&pack(&[("part.skp", b"x")]), "a.zip").unwrap_err();
    assert!(other.code() == "unsupported-format" && other.to_string().contains("工程文件"));
    for name in [
        "../a.stl",
        "x/../../a.stl",
        "/../a.stl",
        "C:a.stl",
        "..\\a.stl",
    ] {
        let bytes = pack_raw(&[(name.as_bytes(), STL.as_bytes())]);
        let error = read_bytes(&bytes, "a.zip").unwrap_err();
        assert!(
            error.to_string().contains("不安全的路径"),
            "{name}: {error}"
        );
    }
    // An absolute path counts from the archive's root.
    for (name, path) in [
        ("/a/a.stl", "a/a.stl"),
        ("C:\\a\\a.stl", "a/a.stl"),
        ("//a.stl", "a.stl"),
    ] {
        let bytes = pack_raw(&[(name.as_bytes(), STL.as_bytes())]);
        assert_eq!(read_bytes(&bytes, "a.zip").unwrap().main_file, path);
    }
    let mut locked = pack(&[("a.stl", STL.as_bytes())]);
    let directory = locked.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    locked[6] |= 1;
    locked[directory + 8] |= 1;
    let error = read_bytes(&locked, "a.zip").unwrap_err();
    assert!(error.to_string().contains("密码"), "{error}");
}

#[test]
fn bombs_and_false_sizes_are_refused() {
    let zeros = vec![0u8; 40 << 20];
    let bomb = pack(&[("a.stl", STL.as_bytes()), ("zeros.bin", &zeros)]);
    let error = read_bytes(&bomb, "a.zip").unwrap_err();
    assert_eq!(error.code(), "too-large", "{error}");

    let mut ctx = Ctx::new(&Silent);
    ctx.limits = Limits {
        archive_entries: 3,
        archive_bytes: 2000,
        ..Limits::default()
    };
    let open = |bytes: &[u8]| {
        read(
            &Input {
                bytes,
                name: "a.zip",
                side: &NoSideFiles,
            },
            &ctx,
        )
        .map(|_| ())
    };
    let many = pack(&[
        ("1", b""),
        ("2", b""),
        ("3", b""),
        ("a.stl", STL.as_bytes()),
    ]);
    assert_eq!(open(&many).unwrap_err().code(), "too-large");
    let total = pack(&[("a.stl", STL.as_bytes()), ("b.bin", &[7; 3000])]);
    assert_eq!(open(&total).unwrap_err().code(), "too-large");

    // The directory declares one byte more, or one less.
    for change in [1i64, -1] {
        let mut lying = pack(&[("a.stl", STL.as_bytes())]);
        let directory = lying.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
        let size = (STL.len() as i64 + change) as u32;
        lying[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
        assert_eq!(
            read_bytes(&lying, "a.zip").unwrap_err().code(),
            "corrupt-file"
        );
    }
}

#[test]
fn truncation_anywhere_is_an_error() {
    let bytes = pack(&[("m.obj", OBJ.as_bytes()), ("a.stl", STL.as_bytes())]);
    for cut in 1..bytes.len() {
        assert!(read_bytes(&bytes[..cut], "a.zip").is_err(), "{cut}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_archives_never_panic(flips in prop::collection::vec((any::<u16>(), any::<u8>()), 1..6)) {
        let mut bytes = pack(&[("m.obj", OBJ.as_bytes()), ("x/Model.mtl", b"newmtl m\nmap_Kd a.png\n"), ("a.stl", STL.as_bytes())]);
        for (at, value) in flips {
            let at = usize::from(at) % bytes.len();
            bytes[at] = value;
        }
        let _ = read_bytes(&bytes, "a.zip");
    }
}
