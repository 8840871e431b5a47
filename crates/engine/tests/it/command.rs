//! The command itself: JSON on stdout, exit codes, limits.

use crate::models::{textured, write_bytes};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn modelkit(args: &[&str], dir: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_modelkit"))
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

#[test]
fn check_reports_and_writes_a_preview() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("upload"),
        write_bytes(&textured(20), "a.glb", false),
    )
    .unwrap();
    let args = [
        "check",
        "upload",
        "--name",
        "原文件.glb",
        "--preview",
        "p.glb",
        "--json",
        "--progress",
        "json",
        "--sandbox",
    ];
    let output = modelkit(&args, dir.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = json(&output);
    assert_eq!(report["format"], "glb");
    assert_eq!(report["mainFile"], "原文件.glb");
    assert_eq!(
        report["statistics"]["triangles"],
        textured(20).triangle_count()
    );
    assert_eq!(report["statistics"]["textures"], 1);
    assert_eq!(report["textures"][0]["uses"][0], "baseColor");
    assert_eq!(report["materials"][0]["name"], "木头");
    assert_eq!(report["boundingBox"]["size"][0], 4.0);
    assert!(report["score"].as_u64().unwrap() > 80);
    assert!(dir.path().join("p.glb").exists());
    let lines: Vec<Value> = String::from_utf8(output.stderr)
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let logs = lines.iter().filter(|l| l["type"] == "log").count();
    assert!((8..=20).contains(&logs), "{logs} log lines");
    let percents: Vec<i64> = lines.iter().filter_map(|l| l["percent"].as_i64()).collect();
    assert!(
        percents.is_sorted() && percents.last() == Some(&100),
        "{percents:?}"
    );
}

#[test]
fn lighten_reports_what_it_reached() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("a.glb"),
        write_bytes(&textured(60), "a.glb", false),
    )
    .unwrap();
    let output = modelkit(
        &[
            "lighten",
            "a.glb",
            "b.glb",
            "--ratio",
            "0.25",
            "--texture-max",
            "32",
            "--json",
        ],
        dir.path(),
    );
    let result = json(&output);
    assert_eq!(result["reached"], true);
    assert_eq!(
        result["target"],
        serde_json::json!({"kind": "ratio", "value": 0.25})
    );
    assert!((result["ratio"].as_f64().unwrap() - 0.25).abs() < 0.0025);
    assert_eq!(
        result["output"]["bytes"].as_u64().unwrap(),
        fs::metadata(dir.path().join("b.glb")).unwrap().len()
    );
    assert!(result["output"]["bytes"].as_u64() < result["input"]["bytes"].as_u64());
}

#[test]
fn bad_input_and_limits_have_their_exit_codes() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("bad.glb"),
        b"glTF\x02\0\0\0\xff\xff\xff\x7f",
    )
    .unwrap();
    let output = modelkit(&["check", "bad.glb", "--json"], dir.path());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(json(&output)["error"]["code"], "corrupt-file");

    fs::write(
        dir.path().join("big.glb"),
        write_bytes(&textured(300), "a.glb", false),
    )
    .unwrap();
    let output = modelkit(
        &["check", "big.glb", "--json", "--max-memory-mb", "12"],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(json(&output)["error"]["code"], "limit");

    let output = modelkit(
        &[
            "convert",
            "big.glb",
            "c.glb",
            "--json",
            "--max-output-mb",
            "1",
        ],
        dir.path(),
    );
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(json(&output)["error"]["code"], "limit");

    assert_eq!(
        modelkit(&["lighten", "big.glb", "c.glb"], dir.path())
            .status
            .code(),
        Some(2)
    );
    assert_eq!(
        modelkit(&["check", "absent.glb"], dir.path()).status.code(),
        Some(1)
    );
}
