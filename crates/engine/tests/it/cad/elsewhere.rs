//! STEP assemblies whose parts are in other files.

use super::step_text::{Product, Step, Unit};
use super::{Kind, RED, modelkit, own, read};
use modelkit::read::cad;
use modelkit::read::{Input, SideFiles};
use modelkit::scene::Scene;
use modelkit::{Ctx, Error, Silent};
use std::borrow::Cow;

struct Beside(Vec<(&'static str, Vec<u8>)>);

impl SideFiles for Beside {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.0.iter().find(|(known, _)| *known == name)?;
        Some(Cow::Borrowed(&found.1))
    }
}

/// A part without geometry, which is in another file.
fn external(step: &mut Step, name: &[u8], file: &str) -> Product {
    let part = step.part_of(name, "SHAPE_REPRESENTATION", &[]);
    let kind = step.add("DOCUMENT_TYPE('geometry')");
    let document = step.add(format!("DOCUMENT_FILE('{file}','','',#{kind},'',$)"));
    let definition = part.definition;
    step.add(format!(
        "APPLIED_DOCUMENT_REFERENCE(#{document},'',(#{definition}))"
    ));
    part
}

fn assembly(files: &[&str]) -> Vec<u8> {
    let mut step = Step::new(Unit::Millimetre);
    let (own, _) = step.part(b"own", [10.0; 3]);
    let mut children = vec![("own", own, [0.0; 3])];
    for (i, file) in files.iter().enumerate() {
        let part = external(&mut step, b"far", file);
        children.push(("far", part, [20.0 * (i + 1) as f64, 0.0, 0.0]));
    }
    step.assembly(b"top", &children);
    step.finish()
}

fn part(unit: Unit, size: f64) -> Vec<u8> {
    let mut step = Step::new(unit);
    let (part, _) = step.part(b"\\X2\\87BA6813\\X0\\", [size; 3]);
    step.paint(part.solid, RED);
    step.finish()
}

/// `None` without OCCT.
fn read_beside(bytes: &[u8], files: Vec<(&'static str, Vec<u8>)>) -> Option<Result<Scene, Error>> {
    let input = Input {
        bytes,
        name: "top.stp",
        side: &Beside(files),
    };
    match cad::read_with(&own(), &input, Kind::Step, &Ctx::new(&Silent)) {
        Err(error) if error.to_string().contains("OCCT") => None,
        reply => Some(reply),
    }
}

#[test]
fn parts_in_other_files_are_read() {
    let bytes = assembly(&["\\X2\\87BA6813\\X0\\.stp", "inch.prt", "inch.prt"]);
    let files = vec![
        ("螺栓.stp", part(Unit::Millimetre, 10.0)),
        ("inch.stp", part(Unit::Inch, 1.0)),
    ];
    let Some(scene) = read_beside(&bytes, files) else {
        return;
    };
    let scene = scene.unwrap();
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(
        names,
        ["top", "own", "far", "螺栓", "far", "螺栓", "far", "螺栓"]
    );
    assert_eq!(scene.nodes[5].mesh, scene.nodes[7].mesh, "read once");
    assert_ne!(scene.nodes[3].mesh, scene.nodes[5].mesh);
    let size = scene.bounds().size();
    assert!((size[0] - 0.0854).abs() < 1e-6, "{size:?}");
    assert!(
        scene
            .materials
            .iter()
            .any(|m| m.base_color == [1.0, 0.0, 0.0, 1.0])
    );
    assert!(scene.problems.is_empty());
}

#[test]
fn files_may_refer_to_files_and_to_each_other() {
    let bytes = assembly(&["b.stp"]);
    let files = vec![
        ("b.stp", assembly(&["c.stp", "b.stp"])),
        ("c.stp", assembly(&["b.stp"])),
    ];
    let Some(scene) = read_beside(&bytes, files) else {
        return;
    };
    let scene = scene.unwrap();
    let owns = scene.nodes.iter().filter(|n| n.name == "own").count();
    assert_eq!(owns, 3);
}

#[test]
fn what_is_not_there_is_told() {
    let bytes = assembly(&["b.stp", "b.stp", "c.CATPart"]);
    let files = vec![("c.CATPart", b"V5_CFV2".to_vec())];
    let Some(scene) = read_beside(&bytes, files) else {
        return;
    };
    let scene = scene.unwrap();
    let told = &scene.problems[0];
    assert_eq!(told.code, "external-parts");
    assert!(
        told.message.contains("b.stp、c.CATPart"),
        "{}",
        told.message
    );
    // A file that cannot be parsed.
    let files = vec![("b.stp", b"ISO-10303-21;\nHEADER;\n".to_vec())];
    let scene = read_beside(&assembly(&["b.stp"]), files).unwrap().unwrap();
    assert!(
        scene
            .problems
            .iter()
            .any(|p| p.code == "external-parts" && p.place.contains("b.stp"))
    );
    // Nothing is left.
    let mut step = Step::new(Unit::Millimetre);
    let far = external(&mut step, b"far", "b.stp");
    step.assembly(b"top", &[("far", far, [0.0; 3])]);
    let error = read_beside(&step.finish(), vec![]).unwrap().unwrap_err();
    assert_eq!(error.code(), "empty-model");
    assert!(error.to_string().contains("b.stp"), "{error}");
}

#[test]
fn in_an_archive_the_assembly_is_the_model() {
    if read(&assembly(&[]), Kind::Step).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut large = part(Unit::Millimetre, 10.0);
    large.extend(std::iter::repeat_n(b'\n', 100_000));
    let archive = crate::archive::pack(&[
        ("a/b.stp", &large),
        ("a/top.stp", &assembly(&["b.stp"])),
        ("a/other.stp", &part(Unit::Millimetre, 5.0)),
    ]);
    std::fs::write(folder.path().join("a.zip"), archive).unwrap();
    let output = modelkit(&["check", "a.zip", "--json"], folder.path());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["mainFile"], "a/top.stp", "{answer}");
    assert_eq!(answer["statistics"]["triangles"], 24);
    let told: Vec<&serde_json::Value> = answer["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|p| p["code"] == "several-models")
        .collect();
    let message = told[0]["message"].as_str().unwrap();
    assert!(
        message.contains("other.stp") && !message.contains("b.stp"),
        "{message}"
    );
}
