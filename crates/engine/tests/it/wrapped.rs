//! What stands around or instead of a file: methods of compression, gzip, pointers of Git LFS, packages of others.

use crate::archive::{crc32, pack};
use crate::models::{glb, png, read_bytes};
use flate2::Compression;
use flate2::write::GzEncoder;
use modelkit::limits::Limits;
use modelkit::read::{Input, NoSideFiles};
use modelkit::{Ctx, Scene, Silent, open};
use std::io::{Cursor, Write};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

const OBJ: &[u8] = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
const MTL: &[u8] = b"newmtl m\nmap_Kd t.png\n";
const STL: &[u8] = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

/// An archive of entries with the number of their method: their data as it is, and what it unpacks to.
fn with_methods(entries: &[(&str, u16, &[u8], &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, method, data, plain) in entries {
        let mut head = Vec::new();
        for half in [20, 0, *method, 0, 0] {
            head.extend(half.to_le_bytes());
        }
        for word in [crc32(plain), data.len() as u32, plain.len() as u32] {
            head.extend(word.to_le_bytes());
        }
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend((out.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(*data);
    }
    let (start, count) = (out.len() as u32, (entries.len() as u16).to_le_bytes());
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// One block of a Deflate64 stream that is stored, as in Deflate.
fn deflate64(plain: &[u8]) -> Vec<u8> {
    let size = plain.len() as u16;
    let mut out = vec![1];
    out.extend(size.to_le_bytes());
    out.extend((!size).to_le_bytes());
    out.extend(plain);
    out
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(plain).unwrap();
    out.finish().unwrap()
}

fn refusal(bytes: &[u8], name: &str) -> String {
    let error = read_bytes(bytes, name).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{name}: {error}");
    error.to_string()
}

fn texts(scene: &Scene) -> Vec<String> {
    scene.problems.iter().map(|p| p.message.clone()).collect()
}

#[test]
fn other_methods_of_zip_are_read_or_named() {
    let mut bzip2 = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Bzip2);
    bzip2.start_file("a.stl", options).unwrap();
    bzip2.write_all(STL).unwrap();
    let bzip2 = bzip2.finish().unwrap().into_inner();
    let long = with_methods(&[("a.stl", 9, &deflate64(STL), STL)]);
    for (what, bytes) in [("bzip2", &bzip2), ("deflate64", &long)] {
        let scene = read_bytes(bytes, "a.zip").unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(
            (scene.triangle_count(), scene.problems.len()),
            (1, 0),
            "{what}"
        );
    }
    for (number, name) in [
        (14, "LZMA"),
        (93, "Zstandard"),
        (95, "XZ"),
        (98, "PPMd"),
        (77, "77"),
    ] {
        let bytes = with_methods(&[("a.stl", number, STL, STL)]);
        let text = refusal(&bytes, "a.zip");
        assert!(
            text.contains("压缩方式") && text.contains(name) && text.contains("a.stl"),
            "{text}"
        );
    }
    // Whatever is wrong with their data is an error.
    for bytes in [bzip2, long] {
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x55;
            let _ = read_bytes(&broken, "a.zip");
            let _ = read_bytes(&bytes[..at], "a.zip");
        }
    }
}

#[test]
fn side_files_that_cannot_be_unpacked_are_not_missing() {
    let picture = png(8);
    let packed: [(&str, u16, &[u8], &[u8]); 3] = [
        ("a.obj", 0, OBJ, OBJ),
        ("a.mtl", 0, MTL, MTL),
        ("t.png", 14, &picture, &picture),
    ];
    let scene = read_bytes(&with_methods(&packed), "a.zip").unwrap();
    let problem = &scene.problems[0];
    assert_eq!(
        (scene.problems.len(), problem.code),
        (1, "unreadable-texture")
    );
    assert!(
        problem.message.contains("t.png") && problem.message.contains("LZMA"),
        "{problem:?}"
    );
    // So for libraries, buffers and pictures of glTF.
    let scene = read_bytes(
        &with_methods(&[
            packed[0],
            ("a.mtl", 93, MTL, MTL),
            ("t.png", 0, &picture, &picture),
        ]),
        "a.zip",
    );
    let all = texts(&scene.unwrap()).concat();
    assert!(
        all.contains("材质库 a.mtl 无法使用") && all.contains("Zstandard"),
        "{all}"
    );
    let gltf = br#"{"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":36}]}"#;
    let bytes = with_methods(&[("a.gltf", 0, gltf, gltf), ("a.bin", 98, &[0; 36], &[0; 36])]);
    let text = refusal(&bytes, "a.zip");
    assert!(text.contains("a.bin") && text.contains("PPMd"), "{text}");
    // A wrong checksum is damage, not absence.
    let mut broken = pack(&[("a.obj", OBJ), ("a.mtl", MTL), ("t.png", &picture)]);
    let at = broken.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    broken[at + 16] ^= 1;
    let all = texts(&read_bytes(&broken, "a.zip").unwrap()).concat();
    assert!(all.contains("t.png") && all.contains("已损坏"), "{all}");
}

#[test]
fn pointers_of_git_lfs_are_named_wherever_they_stand() {
    for name in [
        "a.glb", "a.gltf", "a.obj", "a.stl", "a.ply", "a.fbx", "a.3ds", "a.dae", "a.step", "a.igs",
        "a.osgb", "a.zip", "a.rar", "a",
    ] {
        let text = refusal(POINTER, name);
        assert!(
            text.contains("Git LFS") && text.contains("git lfs pull"),
            "{name}: {text}"
        );
    }
    assert!(refusal(&pack(&[("a.glb", POINTER)]), "a.zip").contains("Git LFS"));
    let picture = png(8);
    let scene = read_bytes(
        &pack(&[("a.obj", OBJ), ("a.mtl", MTL), ("t.png", POINTER)]),
        "a.zip",
    );
    let scene = scene.unwrap();
    let problem = &scene.problems[0];
    assert_eq!(
        (problem.code, problem.advice.as_str()),
        ("unreadable-texture", "")
    );
    assert!(
        problem.message.contains("t.png") && problem.message.contains("git lfs pull"),
        "{problem:?}"
    );
    let scene = read_bytes(
        &pack(&[("a.obj", OBJ), ("a.mtl", POINTER), ("t.png", &picture)]),
        "a.zip",
    );
    let all = texts(&scene.unwrap()).concat();
    assert!(
        all.contains("材质库 a.mtl") && all.contains("Git LFS"),
        "{all}"
    );
    let gltf = br#"{"asset":{"version":"2.0"},"buffers":[{"uri":"a%20b.bin","byteLength":36}]}"#;
    let text = refusal(&pack(&[("a.gltf", gltf), ("a b.bin", POINTER)]), "a.zip");
    assert!(
        text.contains("a b.bin") && text.contains("Git LFS"),
        "{text}"
    );
    // A file that speaks of it is none.
    let comment = [b"# version https://git-lfs.github.com/spec/v1\n", OBJ].concat();
    assert_eq!(read_bytes(&comment, "a.obj").unwrap().triangle_count(), 1);
}

#[test]
fn one_layer_of_gzip_is_unpacked() {
    let packed = gzip(STL);
    for name in ["a.stl.gz", "a.STL.GZ", "a.gz", "a.stlz", "a.stl"] {
        let scene = read_bytes(&packed, name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            (scene.triangle_count(), scene.main_file.as_str()),
            (1, name)
        );
    }
    let scene = read_bytes(&pack(&[("b/a.stl.gz", &packed)]), "a.zip").unwrap();
    assert_eq!(
        (scene.triangle_count(), scene.main_file.as_str()),
        (1, "b/a.stl.gz")
    );
    // Side files are beside it, as if it were not packed.
    let whole = pack(&[("a.obj.gz", &gzip(OBJ)), ("a.mtl", MTL), ("t.png", &png(8))]);
    let scene = read_bytes(&whole, "a.zip").unwrap();
    assert_eq!((scene.images.len(), scene.problems.len()), (1, 0));
    assert!(refusal(&gzip(&packed), "a.stl.gz.gz").contains("还有一层"));
    assert!(refusal(&gzip(&pack(&[("a.stl", STL)])), "a.zip.gz").contains("还有一层"));
    let mut tar = vec![0; 1024];
    tar[257..262].copy_from_slice(b"ustar");
    for name in ["a.tar.gz", "a.tgz", "a.gz"] {
        assert!(refusal(&gzip(&tar), name).contains("TAR"), "{name}");
    }
    for end in 0..packed.len() - 9 {
        assert!(read_bytes(&packed[..end], "a.stl.gz").is_err(), "{end}");
    }
}

#[test]
fn gzip_has_the_limits_of_archives() {
    let open = |bytes: &[u8], limits: Limits| {
        let mut ctx = Ctx::new(&Silent);
        ctx.limits = limits;
        let (name, side) = ("a.stl.gz", &NoSideFiles);
        open::read(&Input { bytes, name, side }, &ctx)
    };
    let small = Limits {
        file_bytes: STL.len() as u64 - 1,
        ..Limits::default()
    };
    assert_eq!(
        open(&gzip(STL), small.clone()).unwrap_err().code(),
        "too-large"
    );
    let long = [STL, &[b'\n'; 300_000]].concat();
    assert_eq!(open(&gzip(&long), small).unwrap_err().code(), "too-large");
    let exact = Limits {
        file_bytes: STL.len() as u64,
        ..Limits::default()
    };
    assert!(open(&gzip(STL), exact).is_ok());
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let error = open(&bomb, Limits::default()).unwrap_err();
    assert!(
        error.code() == "too-large" && error.to_string().contains("压缩比"),
        "{error}"
    );
}

#[test]
fn packages_of_other_formats_are_named() {
    let mesh = pack(&[
        ("[Content_Types].xml", b"x"),
        ("3D/3dmodel.model", b"<model/>"),
    ]);
    let scan = pack(&[("scene.usdc", b"PXR-USDC"), ("0/texture.png", &png(8))]);
    for (bytes, name, word) in [
        (&mesh[..], "a.3mf", "3MF"),
        (&mesh, "a.zip", "3MF"),
        (&pack(&[("a.3mf", &mesh)]), "a.zip", "3MF"),
        (&scan, "a.usdz", "USDZ"),
        (&scan, "a.zip", "USDZ"),
        (&pack(&[("a.usdz", &scan)]), "a.zip", "USDZ"),
        (b"PXR-USDC\0\0", "a.usdc", "USD"),
        (b"#usda 1.0\n", "a.usd", "USD"),
        (b"\xfd7zXZ\0", "a.xz", "XZ"),
        (b"BZh91AY", "a.bz2", "BZ2"),
    ] {
        let text = refusal(bytes, name);
        assert!(
            text.contains("暂不支持") && text.contains(word),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_program_may_stand_before_an_archive() {
    let mut bytes = b"MZ\x90\0 a program that unpacks what follows it".to_vec();
    bytes.extend(pack(&[("a.stl", STL)]));
    assert_eq!(read_bytes(&bytes, "a.zip").unwrap().triangle_count(), 1);
    // What only contains the mark is no archive.
    assert!(read_bytes(b"MZ PK\x05\x06", "a.zip").is_err());
    assert!(read_bytes(&glb("{}", &[]), "a.zip").is_err());
}
