//! RVT and JT: the metadata of files whose geometry is proprietary.

use crate::models::{png, read_bytes};
use modelkit::limits::Limits;
use modelkit::open;
use serde_json::Value;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Output};

const ATOM: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<entry xmlns="http://www.w3.org/2005/Atom" xmlns:A="urn:schemas-autodesk-com:partatom">
  <title>推拉窗 &amp; 百叶</title><id>x</id>
  <category><term>窗</term><scheme>adsk:revit:grouping</scheme></category>
  <A:family type="user"><A:variationCount>2</A:variationCount></A:family>
</entry>"#;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A compound file with the given streams.
fn compound(streams: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in streams {
        file.create_stream(format!("/{name}"))
            .unwrap()
            .write_all(bytes)
            .unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

fn revit() -> Vec<u8> {
    // Binary fields before the text; an odd number of them puts it at an odd offset.
    let mut info = vec![7, 0, 0];
    info.extend(utf16(
        "Worksharing: Not enabled\r\nUsername: zhang\r\nFormat: 2020\r\nBuild: 20190327_2315(x64)\r\nLast Save Path: C:\\secret\\a.rvt\r\n",
    ));
    let mut preview = vec![0x62, 0x19, 0x22, 0x05];
    preview.extend(png(32));
    compound(&[
        ("BasicFileInfo", info),
        ("RevitPreview4.0", preview),
        ("PartAtom", ATOM.into()),
    ])
}

fn modelkit(arguments: &[&str], folder: &Path) -> (Output, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_modelkit"))
        .args(arguments)
        .args(["--json", "--sandbox"])
        .current_dir(folder)
        .output()
        .unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap();
    (output, answer)
}

#[test]
fn a_revit_file_yields_version_properties_and_picture() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("source.rvt"), revit()).unwrap();
    let arguments = [
        "check",
        "source.rvt",
        "--thumb",
        "t.png",
        "--thumb-size",
        "64",
    ];
    let (output, report) = modelkit(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(report["format"], "rvt");
    assert_eq!(report["score"], 0);
    assert_eq!(report["statistics"]["triangles"], 0);
    let text = report["problems"].to_string();
    for word in [
        "Revit 2020",
        "20190327_2315(x64)",
        "推拉窗 & 百叶",
        "窗",
        "FBX",
        "IFC",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(
        !text.contains("zhang") && !text.contains("secret"),
        "{text}"
    );
    assert_eq!(report["problems"][0]["severity"], "error");
    let thumb = image::open(folder.path().join("t.png")).unwrap();
    assert_eq!((thumb.width(), thumb.height()), (64, 64));
    let (output, report) = modelkit(&["info", "source.rvt"], folder.path());
    assert_eq!(
        (output.status.code(), &report["format"]),
        (Some(0), &Value::from("rvt"))
    );
}

#[test]
fn a_request_for_the_geometry_gets_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rvt"), revit()).unwrap();
    for arguments in [
        &["check", "a.rvt", "--preview", "p.glb", "--thumb", "t.png"][..],
        &["convert", "a.rvt", "p.glb"],
    ] {
        let (output, answer) = modelkit(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(
            message.contains("Revit 2020") && message.contains("FBX"),
            "{message}"
        );
        assert!(!folder.path().join("p.glb").exists());
    }
    assert!(folder.path().join("t.png").exists());
    let zipped = read_bytes(&crate::archive::pack(&[("a.rvt", &revit())]), "a.zip").unwrap_err();
    assert!(zipped.to_string().contains("Revit 2020"), "{zipped}");
}

#[test]
fn broken_revit_files_are_still_named() {
    let whole = revit();
    let limits = Limits::default();
    for part in 0..40 {
        let end = whole.len() * part / 40;
        let reply = open::look(&whole[..end], "a.rvt", &limits);
        assert_eq!(reply.is_some(), end >= 8);
        let error = read_bytes(&whole[..end], "a.rvt").unwrap_err();
        assert!(
            ["unsupported-format", "corrupt-file"].contains(&error.code()),
            "{error}"
        );
    }
    for at in (0..whole.len()).step_by(23) {
        let mut broken = whole.clone();
        broken[at] ^= 0xff;
        let _ = open::look(&broken, "a.rvt", &limits);
    }
    let old = compound(&[(
        "BasicFileInfo",
        utf16("Revit Build: Autodesk Revit Architecture 2013 (Build: 20120221_2030(x64))\r\n"),
    )]);
    let reply = open::look(&old, "old.rfa", &limits).unwrap();
    assert_eq!(reply.version, "Revit 2013");
    assert!(reply.picture.is_none());
    let bare = open::look(&compound(&[]), "a.rvt", &limits).unwrap();
    assert_eq!(bare.version, "Revit");
}

#[test]
fn jt_is_recognised_by_its_header() {
    let mut file = format!("{:<75}\n\r\n \n", "Version 10.5 JT  DM 11.0.0.0").into_bytes();
    file.resize(200, 0);
    for name in ["a.jt", "upload"] {
        let error = read_bytes(&file, name).unwrap_err();
        assert_eq!(error.code(), "unsupported-format");
        let text = error.to_string();
        assert!(text.contains("JT 10.5") && text.contains("STEP"), "{text}");
    }
    let other = read_bytes(b"Version control is not JT", "a.jt").unwrap_err();
    assert_eq!(other.code(), "corrupt-file");
}
