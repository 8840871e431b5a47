//! Unit tests of `scene`.

use serde_json::{Value, json};

use xl_works::internals::{ENVIRONMENTS, check, check_pin, pin_view};

const SCHEMA: &str = include_str!("../../../schema/xlscene-1.schema.json");

fn whole() -> Value {
    json!({"format": "xlscene", "version": 1,
        "camera": {"start": {"position": [1.0, 2.0, 3.0], "target": [0.0, 0.0, 0.0], "fov": 45.0},
            "limits": {"nearest": 0.5, "farthest": 9.0, "lowest": -10.0, "highest": 80.0}, "autoRotate": true},
        "background": {"color": "#102030", "to": "#ffffff"},
        "environment": {"name": "studio", "exposure": 1.0, "rotation": 90.0},
        "clip": "Walk"})
}

#[test]
fn a_whole_document_is_kept_and_an_empty_one_too() {
    let kept = check(&whole().to_string()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), whole());
    assert_eq!(check("  ").unwrap(), "");
    assert!(check(r#"{"format": "xlscene", "version": 1}"#).is_ok());
}

#[test]
fn what_is_no_document_is_refused() {
    let changed = |pointer: &str, value: Value| {
        let mut document = whole();
        *document.pointer_mut(pointer).expect("a field") = value;
        check(&document.to_string())
    };
    for (pointer, value) in [
        ("/format", json!("glTF")),
        ("/version", json!(2)),
        ("/camera/start/position", json!([1, 2])),
        ("/camera/start/position", json!([1e10, 0, 0])),
        ("/camera/start/fov", json!(170)),
        ("/camera/limits/lowest", json!(-91)),
        ("/background/color", json!("url(http://a)")),
        ("/environment/name", json!("../x")),
        ("/environment/exposure", json!(-1)),
        ("/clip", json!("x".repeat(129))),
    ] {
        assert!(
            changed(pointer, value.clone()).is_err(),
            "{pointer} {value}"
        );
    }
    let mut more = whole();
    more["script"] = json!("alert(1)");
    assert!(check(&more.to_string()).is_err());
    assert!(check(&format!("{}{}", whole(), " ".repeat(20_000))).is_ok());
    assert!(check(&format!("[{}]", "[".repeat(9_000))).is_err());
    assert!(check("[1, 2]").is_err());
}

/// Every member of the whole document, and no other.
#[test]
fn the_schema_names_the_same_members() {
    fn members(value: &Value, at: &str, found: &mut Vec<String>) {
        for (name, inner) in value.as_object().into_iter().flatten() {
            found.push(format!("{at}/{name}"));
            members(inner, &format!("{at}/{name}"), found);
        }
    }
    fn named(schema: &Value, at: &str, found: &mut Vec<String>) {
        let inner = schema["properties"].as_object().into_iter().flatten();
        for (name, inner) in inner {
            found.push(format!("{at}/{name}"));
            named(inner, &format!("{at}/{name}"), found);
        }
    }
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    members(&whole(), "", &mut ours);
    named(&schema, "", &mut theirs);
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
    let names = &schema["properties"]["environment"]["properties"]["name"]["enum"];
    assert_eq!(names, &json!(ENVIRONMENTS));
}

#[test]
fn a_pin_is_a_place() {
    let kept = check_pin(r#"{"at": [1, 2, 3], "normal": [0, 1, 0]}"#).unwrap();
    let shown = pin_view(&kept, 2).unwrap();
    assert_eq!((shown.at, shown.bundle), (vec![1.0, 2.0, 3.0], 2));
    assert!(shown.position.is_empty());
    for wrong in [r#"{"at": [1, 2]}"#, r#"{"at": [1, 2, 1e12]}"#, "{}", "3"] {
        assert!(check_pin(wrong).is_err(), "{wrong}");
    }
    assert_eq!(pin_view("", 1), None);
}
