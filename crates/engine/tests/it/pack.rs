//! Offline packages: one page that contains the model.

use crate::models::{animated, read_bytes, textured, write_bytes};
use base64::Engine;
use modelkit::pack::{MODEL, Page, TITLE};
use modelkit::write::Options;
use modelkit::{Ctx, Silent, pack};
use std::fs::File;
use std::io::Read;

fn page() -> Page {
    Page {
        html: "<title><!--xuanlan:title--></title><body><!--xuanlan:model--><script>1</script>",
        licenses: "MIT",
    }
}

fn entry(zip: &std::path::Path, name: &str) -> String {
    let mut zip = zip::ZipArchive::new(File::open(zip).unwrap()).unwrap();
    let mut text = String::new();
    let mut entry = zip.by_name(name).unwrap();
    entry.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_page_holds_the_whole_model() {
    assert!(page().html.contains(TITLE) && page().html.contains(MODEL));
    // Large enough for more than one element.
    for scene in [animated(10), textured(420)] {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a.zip");
        let options = Options {
            title: Some("<b>齿轮</b> & \"co\"".into()),
            ..Options::default()
        };
        let ctx = Ctx::new(&Silent);
        let preview = dir.path().join("model.amrt");
        let packed = pack::pack(&scene, &out, page(), &options, Some(&preview), &ctx).unwrap();
        let html = entry(&out, pack::ENTRY);
        assert!(html.starts_with("<title>&lt;b&gt;齿轮&lt;/b&gt; &amp; &quot;co&quot;</title>"));
        assert!(html.ends_with("<script>1</script>"));
        let chunks = html.split("<script type=\"application/x-amrt\">").skip(1);
        let mut model = Vec::new();
        for chunk in chunks {
            let text = chunk.split_once("</script>").unwrap().0;
            let engine = base64::engine::general_purpose::STANDARD;
            model.extend(engine.decode(text).unwrap());
        }
        assert_eq!(model.len() as u64, packed.model_bytes);
        assert_eq!(model, std::fs::read(&preview).unwrap());
        let back = read_bytes(&model, "model.amrt").unwrap();
        assert_eq!(back.triangle_count(), scene.triangle_count());
        assert_eq!(entry(&out, "LICENSES.txt"), "MIT");
        assert!(entry(&out, "使用说明.txt").contains("双击 index.html"));
    }
}

#[test]
fn nothing_to_see_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (out, ctx) = (dir.path().join("a.zip"), Ctx::new(&Silent));
    let nothing = modelkit::Scene::default();
    let refused = pack::pack(&nothing, &out, page(), &Options::default(), None, &ctx);
    assert_eq!(refused.err().map(|e| e.code()), Some("empty-model"));
    assert!(!out.exists());
}

#[test]
fn the_command_packs_or_reports_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("a.glb"),
        write_bytes(&textured(8), "a.glb", false),
    )
    .unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_modelkit"))
        .args(["pack", "a.glb", "out.zip", "--json"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    match engine::page() {
        Some(page) => {
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            assert_eq!(json["output"]["triangles"], textured(8).triangle_count());
            let html = entry(&dir.path().join("out.zip"), json["entry"].as_str().unwrap());
            assert!(html.len() > page.html.len());
            assert!(!html.contains(TITLE) && !html.contains(MODEL));
            // The page's policy allows no URL.
            let policy = html.split("Content-Security-Policy\" content=\"").nth(1);
            let policy = policy.and_then(|rest| rest.split('"').next()).unwrap();
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
            assert!(
                !policy.contains("http") && !policy.contains('*'),
                "{policy}"
            );
        }
        None => {
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let message = json["error"]["message"].as_str().unwrap();
            assert!(message.contains("前端"), "{message}");
        }
    }
}
