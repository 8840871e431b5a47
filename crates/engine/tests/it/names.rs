//! Names by which models refer to their files, in every format and every encoding that writers use.

use crate::models::{png, read_bytes};
use crate::rar::{rar4, rar5};
use crate::referring::{Entry, FBX, FORMATS, OBJ, model, zip};
use encoding_rs::{BIG5, GBK, SHIFT_JIS, WINDOWS_1252};
use modelkit::open::read_path;
use modelkit::{Ctx, Scene, Silent};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The scene of a model that calls its texture `reference`, beside a picture stored under `entry`.
fn opened(format: &str, reference: &[u8], entry: (&[u8], bool)) -> Scene {
    let mut entries = model(format, reference);
    entries.push((entry.0.to_vec(), entry.1, png(8)));
    let scene = read_bytes(&zip(&entries), "a.zip").unwrap();
    assert_eq!(scene.format, format);
    scene
}

fn assert_found(format: &str, reference: &[u8], entry: (&[u8], bool)) {
    let scene = opened(format, reference, entry);
    let shown = String::from_utf8_lossy(entry.0);
    let problems = &scene.problems;
    assert_eq!(scene.images.len(), 1, "{format} {shown}: {problems:?}");
    assert!(
        !problems.iter().any(|p| p.code.contains("texture")),
        "{format} {shown}: {problems:?}"
    );
}

fn gbk(text: &str) -> Vec<u8> {
    GBK.encode(text).0.into_owned()
}

#[test]
fn utf8_is_not_taken_for_another_encoding() {
    // Two alphabets in one name, and letters with combining marks.
    for name in [
        "φ10×20.png",
        "Gro\u{308}ße.png",
        "Größe.png",
        "Ø8_5°.png",
        "木纹.png",
        "Дуб.png",
    ] {
        for format in FORMATS {
            for stated in [true, false] {
                assert_found(format, name.as_bytes(), (name.as_bytes(), stated));
            }
        }
    }
}

#[test]
fn equal_names_are_found_in_either_composition() {
    let (composed, decomposed) = ("k\u{f6}rper é.png", "ko\u{308}rper e\u{301}.png");
    for format in FORMATS {
        for (reference, entry) in [(composed, decomposed), (decomposed, composed)] {
            assert_found(format, reference.as_bytes(), (entry.as_bytes(), true));
            let upper = entry.to_uppercase();
            assert_found(format, reference.as_bytes(), (upper.as_bytes(), true));
        }
    }
}

#[test]
fn names_in_gbk_are_found_in_every_format() {
    // The last two are valid UTF-8 too.
    for name in ["贴图\\木纹 01.png", "瓷砖.png", "木头.png", "猫.png"] {
        let stored = name.replace('\\', "/");
        for format in FORMATS {
            // JSON is UTF-8 by its specification; bytes that are also GBK are not.
            if format == "gltf" && std::str::from_utf8(&gbk(name)).is_ok() {
                continue;
            }
            // In JSON a backslash is an escape.
            let reference = match format {
                "gltf" => gbk(&stored),
                "fbx" => gbk(&name.replace('\\', "\\\\")),
                _ => gbk(name),
            };
            assert_found(format, &reference, (stored.as_bytes(), true));
            assert_found(format, &reference, (&gbk(&stored), false));
        }
    }
}

#[test]
fn names_in_other_code_pages_are_found() {
    for format in ["obj", "ply", "dae", "fbx", "3ds", "osgb"] {
        for (name, encoding) in [
            ("Körper.png", WINDOWS_1252),
            ("Matériau été.png", WINDOWS_1252),
            ("牆面磚.png", BIG5),
            ("髪の毛.png", SHIFT_JIS),
        ] {
            let (reference, ..) = encoding.encode(name);
            assert_found(format, &reference, (name.as_bytes(), true));
        }
    }
}

#[test]
fn a_garbled_reference_still_finds_its_file() {
    for (garbled, entry) in [
        // GBK read as UTF-8 and as Latin-1, UTF-8 read as GBK and as Latin-1; an escaped name in GBK.
        ("ľͷ.png", "木头.png"),
        ("Ä¾ÎÆ.png", "木纹.png"),
        ("鏈ㄧ汗.png", "木纹.png"),
        ("æœ¨çº¹.png", "木纹.png"),
        ("%C4%BE%CE%C6.png", "木纹.png"),
        ("a%20b.png", "a b.png"),
        ("a%20b.png", "a%20b.png"),
        ("t.png?v=2", "t.png"),
    ] {
        for format in FORMATS {
            assert_found(format, garbled.as_bytes(), (entry.as_bytes(), true));
        }
    }
}

#[test]
fn the_exact_name_wins() {
    for format in FORMATS {
        let mut entries = model(format, "é%20.png".as_bytes());
        for (name, side) in [
            ("e\u{301}%20.png", 4),
            ("É%20.PNG", 4),
            ("é%20.png", 16),
            ("é .png", 4),
        ] {
            // A URI means what it says.
            let side = match (format, name) {
                ("gltf" | "dae", "é .png") => 16,
                ("gltf" | "dae", "é%20.png") => 4,
                _ => side,
            };
            entries.push((name.as_bytes().to_vec(), true, png(side)));
        }
        let scene = read_bytes(&zip(&entries), "a.zip").unwrap();
        let width = scene.images[0].width;
        assert_eq!(width, 16, "{format}");
    }
}

#[test]
fn names_of_an_archive_are_decided_together() {
    let main = |entries: &[(&[u8], bool)]| {
        let entries = entries.iter().map(|(name, unicode)| {
            let content = match name.ends_with(b".obj") {
                true => OBJ.to_vec(),
                false => b"text".to_vec(),
            };
            (name.to_vec(), *unicode, content)
        });
        let entries: Vec<Entry> = entries.collect();
        read_bytes(&zip(&entries), "a.zip").unwrap().main_file
    };
    let plain = |name: &'static str| (name.as_bytes(), false);
    // Stated.
    assert_eq!(main(&[("ľͷ.obj".as_bytes(), true)]), "ľͷ.obj");
    // Not stated: a lone name that is valid in both readings, alone and beside one that decides.
    assert_eq!(main(&[(&gbk("木头.obj"), false)]), "木头.obj");
    assert_eq!(
        main(&[(&gbk("木头.obj"), false), (&gbk("说明.txt"), false)]),
        "木头.obj"
    );
    assert_eq!(
        main(&[(&gbk("猫.obj"), false), ("说明".as_bytes(), true)]),
        "猫.obj"
    );
    assert_eq!(main(&[plain("café.obj"), plain("Größe.txt")]), "café.obj");
    assert_eq!(main(&[plain("木头.obj"), plain("φ10×20.txt")]), "木头.obj");
    // IBM 437, where it makes sense.
    assert_eq!(main(&[(b"Gr\x94\xe1e.obj", false)]), "Größe.obj");
    // The flag on a name that is not UTF-8.
    assert_eq!(main(&[(&gbk("桌子.obj"), true)]), "桌子.obj");
}

#[test]
fn rar_states_utf8_in_its_fifth_version_only() {
    let size = OBJ.len() as u64;
    let main = |bytes: &[u8]| read_bytes(bytes, "a.rar").unwrap().main_file;
    for name in ["φ10×20.obj", "ľͷ.obj", "木头.obj"] {
        assert_eq!(main(&rar5(&[(name, OBJ, size)])), name);
    }
    assert_eq!(main(&rar4(&[("φ10×20.obj".as_bytes(), OBJ)])), "φ10×20.obj");
    assert_eq!(main(&rar4(&[(&gbk("木头.obj"), OBJ)])), "木头.obj");
}

#[test]
fn names_within_a_model_are_decided_together() {
    let named = |format: &str, first: &str, second: &str| {
        let (a, b) = (gbk(first), gbk(second));
        let bytes = match format {
            "obj" => [
                b"v 0 0 0\nv 1 0 0\nv 0 1 0\no ",
                &a[..],
                b"\nf 1 2 3\no ",
                &b,
                b"\nf 1 3 2\n",
            ]
            .concat(),
            "stl" => [b"solid ", &a[..], STL, b"solid ", &b, STL].concat(),
            _ => {
                let text =
                    String::from_utf8_lossy(FBX.0).replace("Material::m", "Material::@@@@@@");
                let text = text.replace("Model::part", "Model::@@@@");
                let mut bytes = [text.as_bytes(), b"t.png", FBX.1].concat();
                for (stand_in, name) in [(&b"@@@@@@"[..], &b), (&b"@@@@"[..], &a)] {
                    let at = bytes
                        .windows(stand_in.len())
                        .position(|w| w == stand_in)
                        .unwrap();
                    bytes.splice(at..at + stand_in.len(), name.iter().copied());
                }
                bytes
            }
        };
        let scene = read_bytes(&bytes, &format!("a.{format}")).unwrap();
        let nodes = scene.nodes.iter().map(|node| node.name.clone());
        let materials = scene.materials.iter().map(|material| material.name.clone());
        nodes.chain(materials).collect::<Vec<String>>()
    };
    // The first is valid UTF-8 by chance, alone and beside one that is not.
    for second in ["木头", "长方体"] {
        for format in ["obj", "stl", "fbx"] {
            let names = named(format, "楼", second);
            for wanted in ["楼", second] {
                assert!(
                    names.iter().any(|name| name == wanted),
                    "{format} {names:?}"
                );
            }
        }
    }
}

const STL: &[u8] = b"\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";

#[test]
fn a_folder_is_searched_as_an_archive_is() {
    for (reference, stored) in [
        ("Größe.png", "Gro\u{308}\u{df}e.png".as_bytes().to_vec()),
        ("木纹.png", gbk("木纹.png")),
        ("D:\\项目\\木纹.png", "贴图/深/木纹.png".into()),
        ("WOOD FLOOR.PNG", b"textures/wood floor.png".to_vec()),
        ("WOODFL~1.PNG", b"wood floor.png".to_vec()),
        ("a%20b.png", b"a b.png".to_vec()),
        // Converted by who handed the model on.
        ("D:\\maps\\Oak.psd", b"textures/oak.png".to_vec()),
        ("oak%201.tga", b"oak 1.jpeg".to_vec()),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, _, bytes) in model("obj", reference.as_bytes()) {
            std::fs::write(dir.path().join(OsStr::from_bytes(&name)), bytes).unwrap();
        }
        let picture = dir.path().join(OsStr::from_bytes(&stored));
        std::fs::create_dir_all(picture.parent().unwrap()).unwrap();
        std::fs::write(picture, png(8)).unwrap();
        let scene = read_path(&dir.path().join("m.obj"), None, &Ctx::new(&Silent)).unwrap();
        assert_eq!(scene.images.len(), 1, "{reference} {:?}", scene.problems);
    }
}

#[test]
fn options_and_comments_after_a_texture_are_not_its_name() {
    let scene = |statement: &str, stored: &str| {
        let mtl = format!("# C:\\maps\\\nnewmtl m # wood\n{statement}\n");
        let entries = [
            (b"m.obj".to_vec(), false, OBJ.to_vec()),
            (b"m.mtl".to_vec(), false, mtl.into_bytes()),
            (stored.as_bytes().to_vec(), true, png(8)),
        ];
        read_bytes(&zip(&entries), "a.zip").unwrap()
    };
    for (statement, stored) in [
        ("map_Kd wood floor.png -s 2 2 1", "wood floor.png"),
        (
            "map_Kd \"wood floor.png\" -clamp on -bm 0.3",
            "wood floor.png",
        ),
        ("map_Kd -o 0.5 0 wood.png -s 2 2 1", "wood.png"),
        ("map_Kd wood.png   # oak", "wood.png"),
        ("map_Kd wood #2.png", "wood #2.png"),
        ("map_Kd wood -s 2 2", "wood -s 2 2"),
        ("map_Kd wo\\\nod.png", "wo od.png"),
    ] {
        let scene = scene(statement, stored);
        assert_eq!(scene.images.len(), 1, "{statement} {:?}", scene.problems);
        let material = &scene.materials[0];
        let transform = material.base_color_texture.unwrap().transform;
        let scale = transform.map(|t| t.scale);
        let scaled = statement.contains("-s") && !stored.contains("-s");
        assert_eq!(scale, scaled.then_some([2.0; 2]), "{statement}");
    }
    let missing = scene("map_Kd oak.png -s 2 2 1", "other.png");
    assert_eq!(missing.problems[0].message, "找不到贴图 oak.png");
}

#[test]
fn a_material_is_found_in_another_spelling() {
    let scene = |used: &[u8], defined: &[u8]| {
        let obj = [
            b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl ",
            used,
            b"\nf 1 2 3\n",
        ];
        let mtl = [b"newmtl ", defined, b"\nKd 1 0 0\n"];
        let entries = [
            (b"m.obj".to_vec(), false, obj.concat()),
            (b"m.mtl".to_vec(), false, mtl.concat()),
        ];
        read_bytes(&zip(&entries), "a.zip").unwrap()
    };
    for (used, defined) in [
        (
            "Größe".as_bytes().to_vec(),
            "Gro\u{308}\u{df}e".as_bytes().to_vec(),
        ),
        (b"Wood".to_vec(), b"WOOD".to_vec()),
        (b"wood # oak".to_vec(), b"wood".to_vec()),
        ("木头".as_bytes().to_vec(), gbk("木头")),
        (gbk("瓷砖"), "瓷砖".as_bytes().to_vec()),
    ] {
        let scene = scene(&used, &defined);
        assert_eq!(
            scene.materials[0].base_color,
            [1.0, 0.0, 0.0, 1.0],
            "{:?}",
            scene.problems
        );
    }
}

#[test]
fn an_xml_declaration_is_binding() {
    let dae = |encoding: &str, raw: &[u8]| {
        let declaration = format!("<?xml version='1.0' encoding='{encoding}'?>\n");
        let mut entries = model("dae", raw);
        entries[0].2.splice(0..0, declaration.into_bytes());
        entries
    };
    for (encoding, name) in [
        ("gb2312", "木头.png"),
        ("GB18030", "㐀.png"),
        ("ISO-8859-1", "Größe.png"),
        ("Shift_JIS", "髪.png"),
        ("utf-8", "ľͷ.png"),
    ] {
        let label = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap();
        let mut entries = dae(encoding, &label.encode(name).0);
        entries.push((name.as_bytes().to_vec(), true, png(8)));
        // What another reading would find.
        entries.push(("木头 2.png".into(), true, png(4)));
        let scene = read_bytes(&zip(&entries), "a.zip").unwrap();
        assert_eq!(scene.images.first().map(|i| i.width), Some(8), "{encoding}");
    }
}
