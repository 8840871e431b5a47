//! `<camera>` to a camera of glTF.

use super::xml::{Xml, child, floats, path, title};
use serde_json::{Map, Value, json};

/// A camera, if it is complete; `metres` is the length of a unit.
pub fn read(xml: Xml<'_>, metres: f64) -> Option<Value> {
    let common = path(xml, &["optics", "technique_common"])?;
    let (kind, values) = match child(common, "perspective") {
        Some(lens) => ("perspective", perspective(lens, metres)?),
        None => {
            let lens = child(common, "orthographic")?;
            ("orthographic", orthographic(lens, metres)?)
        }
    };
    Some(json!({"name": title(xml), "type": kind, kind: values}))
}

fn number(lens: Xml<'_>, name: &str) -> Option<f64> {
    let value = floats(child(lens, name)?).next()?;
    (value.is_finite() && value > 0.0).then(|| f64::from(value))
}

/// glTF 2.0, 5.14: the field of view in radians, planes in metres.
fn perspective(lens: Xml<'_>, metres: f64) -> Option<Map<String, Value>> {
    let half = |name: &str| {
        let degrees = number(lens, name).filter(|v| *v < 180.0)?;
        Some((degrees.to_radians() / 2.0).tan())
    };
    let (x, y) = (half("xfov"), half("yfov"));
    let aspect = match (x, y) {
        (Some(x), Some(y)) => Some(x / y),
        _ => number(lens, "aspect_ratio"),
    };
    let y = y.or_else(|| Some(x? / aspect.unwrap_or(1.0)))?;
    let mut out = planes(lens, metres);
    out.insert("yfov".to_owned(), (y.atan() * 2.0).into());
    if let Some(aspect) = aspect {
        out.insert("aspectRatio".to_owned(), aspect.into());
    }
    Some(out)
}

fn orthographic(lens: Xml<'_>, metres: f64) -> Option<Map<String, Value>> {
    let (x, y) = (number(lens, "xmag"), number(lens, "ymag"));
    let aspect = number(lens, "aspect_ratio").unwrap_or(1.0);
    let x = x.or_else(|| Some(y? * aspect))?;
    let y = y.unwrap_or(x / aspect);
    let mut out = planes(lens, metres);
    out.insert("xmag".to_owned(), (x * metres).into());
    out.insert("ymag".to_owned(), (y * metres).into());
    // Required, unlike those of a perspective.
    let near = out["znear"].as_f64().unwrap_or(0.0);
    out.entry("zfar").or_insert((near + 1000.0).into());
    Some(out)
}

fn planes(lens: Xml<'_>, metres: f64) -> Map<String, Value> {
    let near = number(lens, "znear").unwrap_or(0.1) * metres;
    let far = number(lens, "zfar").map(|far| far * metres);
    let mut out = Map::new();
    out.insert("znear".to_owned(), near.into());
    if let Some(far) = far.filter(|far| *far > near) {
        out.insert("zfar".to_owned(), far.into());
    }
    out
}
