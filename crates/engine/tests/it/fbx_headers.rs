//! What FBX files state about themselves: units, axes, versions, and how names are written.

use crate::fbx::{RIGHT_HANDED, file};
use crate::models::read_bytes;

#[test]
fn units_and_axes_are_those_of_the_numbers() {
    let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
    let settings = |more: &str| {
        let text = text.replace(
            "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n",
            more,
        );
        let found = read_bytes(text.as_bytes(), "a.fbx").unwrap();
        (found.units.source, found.units.up_axis)
    };
    let factor =
        |name: &str, value: f64| format!("P: \"{name}\", \"double\", \"Number\", \"\",{value}\n");
    let (own, program) = (
        factor("UnitScaleFactor", 2.54),
        factor("OriginalUnitScaleFactor", 1.0),
    );
    assert_eq!(settings(&(own + &program)).0, "in");
    assert_eq!(settings("").0, "cm");
    let up = |axis: i32| format!("P: \"OriginalUpAxis\", \"int\", \"Integer\", \"\",{axis}\n");
    assert_eq!(settings(&up(2)).1, "Z");
    assert_eq!(settings(&up(-1)).1, "Y");
}

#[test]
fn names_may_be_escaped_byte_by_byte() {
    let named = |name: &str| {
        let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
        let text = text.replace("Model::box", &format!("Model::{name}"));
        read_bytes(text.as_bytes(), "a.fbx").unwrap().nodes[0]
            .name
            .clone()
    };
    assert_eq!(named("FBXASC230FBXASC156FBXASC168 1"), "木 1");
    assert_eq!(named("oak_FBXASC032FBXASC035"), "oak_ #");
    assert_eq!(
        named("FBXASC9 FBXASC999 FBXASC"),
        "FBXASC9 FBXASC999 FBXASC"
    );
}

#[test]
fn versions_that_are_not_read_are_told_as_they_are() {
    let text = String::from_utf8(file(RIGHT_HANDED, "", "", "")).unwrap();
    let broken = text.replace("Vertices: *24 {", "Vertices: *24 \"");
    let refused = |version: &str| {
        let text = broken.replace("FBX 7.4.0", &format!("FBX {version}"));
        let error = read_bytes(text.as_bytes(), "a.fbx").unwrap_err();
        error.to_string()
    };
    let told = refused("8.0.0");
    assert!(told.contains("FBX 8.0 版本"), "{told}");
    let told = refused("7.4.0");
    assert!(told.contains("无法解析"), "{told}");
    // What can be read all the same is.
    let newer = text.replace("FBX 7.4.0", "FBX 8.0.0");
    assert!(read_bytes(newer.as_bytes(), "a.fbx").is_ok());
}
