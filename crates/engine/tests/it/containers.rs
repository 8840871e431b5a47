//! Containers that state their own length, counts that stand elsewhere, and texts before it is known what they are.

use crate::archive::pack;
use crate::models::{read_bytes, textured, write_bytes};
use crate::referring::{three_ds, zip};
use encoding_rs::{GBK, SHIFT_JIS};
use modelkit::internals::as_glb;
use modelkit::limits::Limits;
use modelkit::read::{Input, NoSideFiles};
use modelkit::sample::osgb::{self, Dialect, Listing, Mesh, Piece, Sides};
use modelkit::{Ctx, Error, Result, Scene, Silent, open};

const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const PLY: &[u8] = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n\
property float y\nproperty float z\nelement face 1\nproperty list uchar uchar vertex_index\nend_header\n\
\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\x03\x00\x01\x02";

fn osgb(zlib: bool) -> Vec<u8> {
    let piece = Piece {
        mesh: Mesh {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            uvs: Vec::new(),
            indices: vec![0, 1, 2],
            listing: Listing::Shorts,
            sides: Sides::default(),
            unit: 0,
            skin: None,
        },
        finer: None,
    };
    let dialect = Dialect {
        version: 161,
        brackets: true,
        zlib,
    };
    osgb::write(&[piece], None, dialect)
}

#[test]
fn what_follows_a_container_is_not_part_of_it() {
    let (glb, amrt) = (
        write_bytes(&textured(4), "a.glb", true),
        write_bytes(&textured(4), "a.amrt", true),
    );
    let archive = pack(&[("a.obj", OBJ)]);
    let three_ds = three_ds(b"a.png");
    let (plain, zlib) = (osgb(false), osgb(true));
    for (name, bytes) in [
        ("a.glb", &glb[..]),
        ("a.amrt", &amrt),
        ("a.zip", &archive),
        ("a.3ds", &three_ds),
        ("a.ply", PLY),
        ("a.osgb", &plain),
        ("b.osgb", &zlib),
    ] {
        let whole = read_bytes(bytes, name).unwrap();
        // Text, zeros, and what looks like another chunk.
        for tail in [
            &b"exported on a Friday, by hand\n"[..],
            &[0; 40],
            &[255; 40],
            b"BIN\0\x04\0\0\0",
        ] {
            let longer = [bytes, tail].concat();
            let read = read_bytes(&longer, name);
            let read = read.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(read.triangle_count(), whole.triangle_count(), "{name}");
            assert_eq!(read.images.len(), whole.images.len(), "{name}");
        }
    }
    // What a page gets instead of a preview.
    let plain = write_bytes(&textured(4), "a.glb", false);
    let longer = [&plain[..], b"and so on"].concat();
    let input = Input {
        bytes: &longer,
        name: "a.glb",
        side: &NoSideFiles,
    };
    assert_eq!(as_glb(&input, 1 << 20).as_deref(), Some(&plain[..]));
    // Shorter than it states.
    for cut in [1, 4, 40] {
        let cut = &glb[..glb.len() - cut];
        let error = read_bytes(cut, "a.glb").unwrap_err();
        assert!(error.to_string().contains("不完整"), "{error}");
    }
}

#[test]
fn chunks_end_with_the_declared_length() {
    let json = br#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":36}],
"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    let mut json = json.to_vec();
    // Padding with zeros, as some writers have it.
    json.resize(json.len().next_multiple_of(4) + 4, 0);
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(&json);
    bytes.extend(36u32.to_le_bytes());
    bytes.extend(b"BIN\0");
    for value in [0f32, 0., 0., 1., 0., 0., 0., 1., 0.] {
        bytes.extend(value.to_le_bytes());
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(read_bytes(&bytes, "a.glb").unwrap().triangle_count(), 1);
    // A page gets JSON that its parser takes.
    let input = Input {
        bytes: &bytes,
        name: "a.glb",
        side: &NoSideFiles,
    };
    let own = as_glb(&input, 1 << 20).unwrap();
    let json = u32::from_le_bytes(own[12..16].try_into().unwrap()) as usize;
    assert!(serde_json::from_slice::<serde_json::Value>(&own[20..20 + json]).is_ok());
    assert_eq!(read_bytes(&own, "a.glb").unwrap().triangle_count(), 1);
    // The last chunk reaches beyond the file's own length.
    bytes[8..12].copy_from_slice(&(length - 4).to_le_bytes());
    assert!(read_bytes(&bytes, "a.glb").is_err());
}

/// A ZIP archive whose end record refers to a ZIP64 one for everything, with these counts.
fn zip64(short: u16, long: u64, disk: u32) -> Vec<u8> {
    let archive = zip(&[(b"a.obj".to_vec(), false, OBJ.to_vec())]);
    let end = archive.len() - 22;
    let number = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap());
    let (size, start) = (number(end + 12), number(end + 16));
    let mut out = archive[..end].to_vec();
    out.extend(b"PK\x06\x06");
    out.extend(44u64.to_le_bytes());
    out.extend([45, 0, 45, 0]);
    out.extend([disk.to_le_bytes(), 0u32.to_le_bytes()].concat());
    out.extend([long.to_le_bytes(), long.to_le_bytes()].concat());
    out.extend(
        [
            u64::from(size).to_le_bytes(),
            u64::from(start).to_le_bytes(),
        ]
        .concat(),
    );
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend((end as u64).to_le_bytes());
    out.extend(1u32.to_le_bytes());
    out.extend(b"PK\x05\x06");
    out.extend([u16::MAX; 2].map(u16::to_le_bytes).concat());
    out.extend([short; 2].map(u16::to_le_bytes).concat());
    out.extend([u32::MAX; 2].map(u32::to_le_bytes).concat());
    out.extend([0; 2]);
    out
}

fn read_within(bytes: &[u8], entries: usize) -> Result<Scene> {
    let mut ctx = Ctx::new(&Silent);
    ctx.limits = Limits {
        archive_entries: entries,
        ..Limits::default()
    };
    let input = Input {
        bytes,
        name: "a.zip",
        side: &NoSideFiles,
    };
    open::read(&input, &ctx)
}

#[test]
fn a_count_of_all_ones_stands_in_the_zip64_record() {
    assert_eq!(
        read_within(&zip64(u16::MAX, 1, 0), 10)
            .unwrap()
            .triangle_count(),
        1
    );
    assert_eq!(
        read_within(&zip64(1, 1, 0), 10).unwrap().triangle_count(),
        1
    );
    // Limits stay, on the true number.
    let error = read_within(&zip64(u16::MAX, 1 << 40, 0), 10).unwrap_err();
    assert!(error.to_string().contains("1099511627776"), "{error}");
    assert!(matches!(error, Error::TooLarge(_)));
    let volume = read_within(&zip64(u16::MAX, 1, 3), 10).unwrap_err();
    assert!(volume.to_string().contains("分卷"), "{volume}");
}

#[test]
fn a_comment_that_looks_like_an_end_record_is_a_comment() {
    let mut archive = zip(&[(b"a.obj".to_vec(), false, OBJ.to_vec())]);
    let comment = [b"PK\x05\x06".to_vec(), vec![0xff; 30]].concat();
    let length = archive.len();
    archive[length - 2..].copy_from_slice(&(comment.len() as u16).to_le_bytes());
    archive.extend(comment);
    assert_eq!(read_within(&archive, 10).unwrap().triangle_count(), 1);
}

#[test]
fn a_true_count_of_all_ones_is_refused_by_its_number() {
    let mut archive = zip(&[(b"a.obj".to_vec(), false, OBJ.to_vec())]);
    let end = archive.len() - 22;
    archive[end + 8..end + 12].fill(0xff);
    let error = read_within(&archive, 10).unwrap_err();
    assert!(error.to_string().contains("65535"), "{error}");
}

#[test]
fn a_comment_ends_with_its_line() {
    let house = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\n";
    for first in [
        &b"# exported from C:\\work\\house\\\n"[..],
        b"  # exported from C:\\work\\house\\\r\n",
        b"# 1 \\\n# 2 \\\n",
        b"g a \\\nb\n",
        b"l 1 2 # an edge\np 3 # a point\n",
    ] {
        let scene = read_bytes(&[first, house].concat(), "a.obj").unwrap();
        let found: Vec<&str> = scene.problems.iter().map(|p| p.code).collect();
        assert_eq!(scene.triangle_count(), 1);
        assert!(!found.contains(&"index-out-of-range") && !found.contains(&"bad-lines"));
        assert_eq!(scene.meshes[0].primitives[0].positions[0], [0.0; 3]);
    }
}

#[test]
fn the_second_byte_of_a_character_is_no_continuation() {
    // Both end in a byte that is a backslash in ASCII.
    for (name, encoding) in [("人物乗", GBK), ("髪ソ", SHIFT_JIS)] {
        let (raw, ..) = encoding.encode(name);
        assert_eq!(raw.last(), Some(&b'\\'));
        let obj = [b"g ", &raw[..], b"\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"].concat();
        let scene = read_bytes(&obj, "a.obj").unwrap();
        assert_eq!(scene.triangle_count(), 1, "{name}");
        assert!(
            scene.nodes.iter().any(|node| node.name == name),
            "{:?}",
            scene.nodes
        );
        // A true one after it.
        let obj = [
            b"g ",
            &raw[..],
            b"\\\nx\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        ]
        .concat();
        assert_eq!(
            read_bytes(&obj, "a.obj").unwrap().triangle_count(),
            1,
            "{name}"
        );
    }
}

#[test]
fn texts_in_utf16_and_with_marks_are_read() {
    let stl = "solid 木\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
endloop\nendfacet\nendsolid\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let obj = "o 木\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (name, text) in [("a.obj", obj), ("a.stl", stl), ("a.ply", ply)] {
        let little = text
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>();
        let big = text
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect::<Vec<u8>>();
        for (mark, body) in [
            (&b"\xff\xfe"[..], &little[..]),
            (b"\xfe\xff", &big),
            (b"\xef\xbb\xbf", text.as_bytes()),
        ] {
            let bytes = [mark, body].concat();
            let scene = read_bytes(&bytes, name);
            let scene = scene.unwrap_or_else(|error| panic!("{name} {mark:?}: {error}"));
            assert_eq!(scene.triangle_count(), 1, "{name}");
            if text.contains('木') {
                assert!(
                    scene.nodes.iter().any(|node| node.name.contains('木')),
                    "{name}"
                );
            }
            let archive = pack(&[(name, &bytes)]);
            assert_eq!(read_bytes(&archive, "a.zip").unwrap().triangle_count(), 1);
        }
    }
}

#[test]
fn paths_beyond_the_limit_are_refused_before_they_are_held() {
    for length in [4096, 4097, 60_000] {
        let name = [vec![b'a'; length - 4], b".obj".to_vec()].concat();
        let read = read_bytes(&zip(&[(name, false, OBJ.to_vec())]), "a.zip");
        assert_eq!(read.is_ok(), length == 4096, "{length}");
    }
}
