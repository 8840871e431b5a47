//! Malicious archives, and archives made by unusual tools.

use crate::archive::{crc32, pack};
use crate::models::{png, read_bytes};
use crate::rar::{block5, rar4, rar5, vint};
use modelkit::limits::Limits;
use modelkit::read::{Input, NoSideFiles};
use modelkit::{Ctx, Error, Scene, Silent, open};

const STL: &[u8] = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";

/// A stored entry, every field of which may be wrong.
#[derive(Clone)]
struct Raw {
    name: Vec<u8>,
    data: Vec<u8>,
    flags: u16,
    /// Sizes in the local header; zero when a data descriptor follows.
    local: [u32; 2],
    central: [u32; 2],
    descriptor: Vec<u8>,
    extra: Vec<u8>,
    attributes: u32,
    /// Refers to another entry's local header instead of its own.
    shared: Option<usize>,
}

fn raw(name: &[u8], data: &[u8]) -> Raw {
    let size = data.len() as u32;
    Raw {
        name: name.to_vec(),
        data: data.to_vec(),
        flags: 0,
        local: [size; 2],
        central: [size; 2],
        descriptor: Vec::new(),
        extra: Vec::new(),
        attributes: 0,
        shared: None,
    }
}

fn zip_of(entries: &[Raw], disk: u16) -> Vec<u8> {
    let (mut out, mut directory, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let head = |sizes: [u32; 2]| {
            let mut head = Vec::new();
            for half in [20, entry.flags, 0, 0, 0] {
                head.extend(half.to_le_bytes());
            }
            for word in [crc32(&entry.data), sizes[0], sizes[1]] {
                head.extend(word.to_le_bytes());
            }
            head.extend((entry.name.len() as u16).to_le_bytes());
            head.extend((entry.extra.len() as u16).to_le_bytes());
            head
        };
        let start = entry.shared.map_or(out.len(), |other| starts[other]);
        starts.push(start);
        if entry.shared.is_none() {
            out.extend(b"PK\x03\x04");
            out.extend(head(entry.local));
            for part in [&entry.name, &entry.extra, &entry.data, &entry.descriptor] {
                out.extend(part);
            }
        }
        // Made on Unix, so the attributes hold the mode.
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(head(entry.central));
        directory.extend([0; 6]);
        directory.extend(entry.attributes.to_le_bytes());
        directory.extend((start as u32).to_le_bytes());
        directory.extend(&entry.name);
        directory.extend(&entry.extra);
    }
    let (start, count) = (out.len() as u32, (entries.len() as u16).to_le_bytes());
    out.extend(&directory);
    out.extend(b"PK\x05\x06");
    out.extend([disk, disk].map(u16::to_le_bytes).concat());
    out.extend([count, count].concat());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn open(bytes: &[u8], limits: Limits) -> Result<Scene, Error> {
    let mut ctx = Ctx::new(&Silent);
    ctx.limits = limits;
    let side = &NoSideFiles;
    let name = "a.zip";
    open::read(&Input { bytes, name, side }, &ctx)
}

/// The archive nested `times` deep.
fn nested(mut bytes: Vec<u8>, times: usize) -> Vec<u8> {
    for level in 0..times {
        bytes = pack(&[(&format!("{level}.zip"), &bytes)]);
    }
    bytes
}

#[test]
fn archives_in_archives_are_read_to_a_depth() {
    let inner = pack(&[("深/b.stl", STL)]);
    for times in 0..3 {
        let scene = read_bytes(&nested(inner.clone(), times), "a.zip").unwrap();
        assert_eq!(scene.main_file, "深/b.stl");
    }
    let error = read_bytes(&nested(inner, 3), "a.zip").unwrap_err();
    assert_eq!(error.code(), "too-large");
    assert!(error.to_string().contains("超过 3 层"), "{error}");
    let rar = rar5(&[("b.stl", STL, STL.len() as u64)]);
    assert!(read_bytes(&pack(&[("里.rar", &rar)]), "a.zip").is_ok());
    let zip = pack(&[("b.stl", STL)]);
    let outer = rar5(&[("里.zip", &zip, zip.len() as u64)]);
    assert!(read_bytes(&outer, "a.rar").is_ok());
}

#[test]
fn a_broken_archive_inside_does_not_hide_the_next() {
    let good = pack(&[("b.stl", STL)]);
    let broken = vec![7; 4000];
    let both = pack(&[("1.zip", &broken), ("2.zip", &good)]);
    assert_eq!(read_bytes(&both, "a.zip").unwrap().main_file, "b.stl");
    let alone = pack(&[("1.zip", &broken)]);
    assert_eq!(
        read_bytes(&alone, "a.zip").unwrap_err().code(),
        "corrupt-file"
    );
}

#[test]
fn limits_hold_over_all_archives_together() {
    let inner = pack(&[("b.stl", STL), ("noise.bin", &noise(3000))]);
    let outer = pack(&[("1.zip", &inner)]);
    let fits = |archive_bytes| {
        let limits = Limits {
            archive_bytes,
            ..Limits::default()
        };
        open(&outer, limits).map(|_| ())
    };
    assert!(fits(8000).is_ok());
    // Each archive by itself is below this.
    let error = fits(4000).unwrap_err();
    assert_eq!(error.code(), "too-large", "{error}");
    let few = Limits {
        archive_entries: 2,
        ..Limits::default()
    };
    let error = open(&outer, few).unwrap_err();
    assert!(error.to_string().contains("数量 3"), "{error}");
}

/// Incompressible bytes.
fn noise(count: u32) -> Vec<u8> {
    (0..count)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect()
}

#[test]
fn a_bomb_in_a_harmless_archive_is_refused() {
    // 80 MB of zeros compress to 80 kB, and these again to a few hundred bytes.
    let zeros = vec![0; 40 << 20];
    let bomb = pack(&[("z.bin", &zeros), ("y.bin", &zeros), ("b.stl", STL)]);
    let outer = pack(&[("1.zip", &bomb)]);
    assert!(outer.len() < 2000, "{}", outer.len());
    let error = read_bytes(&outer, "a.zip").unwrap_err();
    assert_eq!(error.code(), "too-large", "{error}");
}

#[test]
fn unpacking_has_a_time_of_its_own() {
    let limits = Limits {
        archive_seconds: 0,
        ..Limits::default()
    };
    let text = noise(2 << 20);
    for bytes in [
        pack(&[("a.stl", &text)]),
        rar5(&[("a.stl", &text, text.len() as u64)]),
    ] {
        let error = open(&bytes, limits.clone()).unwrap_err();
        assert_eq!((error.code(), error.exit_code()), ("limit", 3));
        assert!(error.to_string().contains("解压用时超过上限"), "{error}");
    }
}

#[test]
fn entries_that_share_their_bytes_are_refused() {
    let mut second = raw(b"b.stl", STL);
    second.shared = Some(0);
    let error = read_bytes(&zip_of(&[raw(b"a.stl", STL), second], 0), "a.zip").unwrap_err();
    assert_eq!(error.code(), "corrupt-file");
    // A quoted header: the first entry's data is the second with its header.
    let inner = zip_of(&[raw(b"b.stl", STL)], 0);
    let mut quoting = raw(b"a.bin", &inner);
    quoting.name = b"a.bin".to_vec();
    let mut quoted = raw(b"b.stl", STL);
    quoted.shared = Some(0);
    let mut bytes = zip_of(&[quoting, quoted], 0);
    let directory = bytes.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    let start = (30 + 5u32).to_le_bytes();
    bytes[directory + 42..directory + 46].copy_from_slice(&start);
    let error = read_bytes(&bytes, "a.zip").unwrap_err();
    assert!(error.to_string().contains("重叠"), "{error}");
}

#[test]
fn lies_about_sizes_are_refused() {
    // A descriptor after the data: the directory takes precedence.
    let mut late = raw(b"a.stl", STL);
    late.flags = 8;
    late.local = [0, 0];
    late.descriptor = [b"PK\x07\x08".to_vec(), vec![0xee; 12]].concat();
    assert!(read_bytes(&zip_of(&[late.clone()], 0), "a.zip").is_ok());
    late.central[1] += 9;
    assert_eq!(
        read_bytes(&zip_of(&[late], 0), "a.zip").unwrap_err().code(),
        "corrupt-file"
    );
    // 64-bit sizes, of 2^60.
    let mut huge = raw(b"a.stl", STL);
    huge.central = [STL.len() as u32, u32::MAX];
    huge.extra = [
        &1u16.to_le_bytes()[..],
        &8u16.to_le_bytes(),
        &(1u64 << 60).to_le_bytes(),
    ]
    .concat();
    let error = read_bytes(&zip_of(&[huge], 0), "a.zip").unwrap_err();
    assert!(
        ["too-large", "corrupt-file"].contains(&error.code()),
        "{error}"
    );
}

#[test]
fn volumes_say_what_they_are() {
    let whole = zip_of(&[raw(b"a.stl", STL)], 0);
    let first = [b"PK\x07\x08", &whole[..]].concat();
    let last = zip_of(&[raw(b"a.stl", STL)], 3);
    let mut rar_4 = rar4(&[(b"a.stl", STL)]);
    rar_4[10] |= 1;
    let mut rar_5 = b"Rar!\x1a\x07\x01\x00".to_vec();
    rar_5.extend(block5(&[vint(1), vint(0), vint(1)].concat()));
    for (bytes, name) in [
        (first, "a.zip"),
        (last, "a.zip"),
        (rar_4, "a.rar"),
        (rar_5, "a.rar"),
    ] {
        let error = read_bytes(&bytes, name).unwrap_err();
        assert_eq!(error.code(), "unsupported-format");
        assert!(error.to_string().contains("分卷"), "{error}");
    }
}

#[test]
fn a_damaged_directory_is_an_error() {
    let bytes = pack(&[("a.stl", STL), ("b.bin", &noise(99))]);
    let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    for at in directory..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] ^= 0xff;
        // Times, versions and attributes may be anything.
        if let Err(error) = read_bytes(&broken, "a.zip") {
            assert!(error.exit_code() > 1, "{at}: {error}");
        }
    }
    let mut without = bytes;
    without[directory..directory + 4].fill(0);
    assert_eq!(
        read_bytes(&without, "a.zip").unwrap_err().code(),
        "corrupt-file"
    );
}

#[test]
fn links_are_not_files() {
    let mut link = raw(b"a.stl", b"/etc/passwd");
    link.attributes = 0o120_777 << 16;
    let error = read_bytes(&zip_of(&[link], 0), "a.zip").unwrap_err();
    assert_eq!(error.code(), "missing-main-file");
    // RAR 5: a record of redirection; 1 a symbolic link, 4 a hard link.
    for kind in [1, 4] {
        let record = [
            vint(5),
            vint(kind),
            vint(0),
            vint(11),
            b"/etc/passwd".to_vec(),
        ]
        .concat();
        let extra = [vint(record.len() as u64), record].concat();
        let header = [
            vint(2),
            vint(3),
            vint(extra.len() as u64),
            vint(0),
            vint(0),
            vint(0),
            vint(0o100_644),
            vint(0),
            vint(1),
            vint(5),
            b"a.stl".to_vec(),
            extra,
        ];
        let mut bytes = b"Rar!\x1a\x07\x01\x00".to_vec();
        bytes.extend(block5(&[vint(1), vint(0), vint(0)].concat()));
        bytes.extend(block5(&header.concat()));
        bytes.extend(block5(&[vint(5), vint(0), vint(0)].concat()));
        let error = read_bytes(&bytes, "a.rar").unwrap_err();
        assert_eq!(error.code(), "missing-main-file", "{error}");
    }
}

#[test]
fn names_of_devices_harm_nobody() {
    for name in [
        "CON.stl",
        "aux/NUL.stl",
        "COM1 .stl",
        "a.stl:stream.stl",
        "x\n\u{7}y.stl",
    ] {
        let scene = read_bytes(&zip_of(&[raw(name.as_bytes(), STL)], 0), "a.zip").unwrap();
        assert_eq!(scene.triangle_count(), 1, "{name}");
    }
}

#[test]
fn names_come_in_many_ways() {
    // UTF-8 without the flag for it.
    let scene = read_bytes(&zip_of(&[raw("模型/椅子.stl".as_bytes(), STL)], 0), "a.zip").unwrap();
    assert_eq!(scene.main_file, "模型/椅子.stl");
    // A Unicode name beside one in the author's local encoding.
    let plain = b"??/????.stl";
    let mut entry = raw(plain, STL);
    let unicode = [
        &[1][..],
        &crc32(plain).to_le_bytes(),
        "模型/椅子.stl".as_bytes(),
    ]
    .concat();
    entry.extra = [
        &0x7075u16.to_le_bytes()[..],
        &(unicode.len() as u16).to_le_bytes(),
        &unicode,
    ]
    .concat();
    assert_eq!(
        read_bytes(&zip_of(&[entry.clone()], 0), "a.zip")
            .unwrap()
            .main_file,
        "模型/椅子.stl"
    );
    // Ignored when it belongs to another name.
    entry.extra[5] ^= 1;
    let other = read_bytes(&zip_of(&[entry], 0), "a.zip");
    assert!(other.is_err() || other.unwrap().main_file != "模型/椅子.stl");
    let long = [&vec![b'a'; 5000][..], b".stl"].concat();
    let error = read_bytes(&zip_of(&[raw(&long, STL)], 0), "a.zip").unwrap_err();
    assert_eq!(error.code(), "corrupt-file");
    assert!(error.to_string().chars().count() < 200, "{error}");
}

#[test]
fn of_names_that_differ_by_case_the_one_as_written_is_taken() {
    let obj = b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n";
    let (small, large) = (png(8), png(16));
    for (wanted, width) in [("wood.png", 8), ("Wood.png", 16), ("WOOD.PNG", 8)] {
        let mtl = format!("newmtl m\nmap_Kd {wanted}\n");
        let bytes = pack(&[
            ("m.obj", obj),
            ("m.mtl", mtl.as_bytes()),
            ("wood.png", &small),
            ("Wood.png", &large),
        ]);
        assert_eq!(
            read_bytes(&bytes, "a.zip").unwrap().images[0].width,
            width,
            "{wanted}"
        );
    }
}

#[test]
fn a_rar_with_a_password_is_reported() {
    let start = b"Rar!\x1a\x07\x01\x00".to_vec();
    let main = block5(&[vint(1), vint(0), vint(0)].concat());
    // With encrypted names, and a single file: a record of kind 1 among its extras.
    let all = [
        start.clone(),
        block5(&[vint(4), vint(0), vint(0), vint(0), vint(15), vec![7; 16]].concat()),
    ]
    .concat();
    let record = [vint(1), vint(0), vint(0), vec![15], vec![7; 32]].concat();
    let extra = [vint(record.len() as u64), record].concat();
    let header = [
        vint(2),
        vint(3),
        vint(extra.len() as u64),
        vint(16),
        vint(0),
        vint(10),
        vint(0o100_644),
        vint(0),
        vint(1),
        vint(5),
        b"a.stl".to_vec(),
        extra,
    ];
    let one = [start, main, block5(&header.concat()), vec![9; 16]].concat();
    for bytes in [all, one] {
        let error = read_bytes(&bytes, "a.rar").unwrap_err();
        assert!(error.to_string().contains("密码"), "{error}");
    }
}
