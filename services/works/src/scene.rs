//! The document xlscene/1: the initial presentation of a work. `schema/xlscene-1.schema.json` specifies it for others; a test
//! compares the two.

use chassis::{BusinessError, ServiceError};
use proto::works::v1::CommentPin;
use serde::{Deserialize, Serialize};

/// Maximum bytes of a document, and of a pin.
const MOST_BYTES: usize = 16 * 1024;
const MOST_PIN_BYTES: usize = 1024;
/// Maximum distance from the origin.
const FARTHEST: f64 = 1e9;

pub const ENVIRONMENTS: [&str; 5] = ["studio", "daylight", "sunset", "night", "neutral"];

type Point = [f64; 3];

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    camera: Option<Camera>,
    #[serde(skip_serializing_if = "Option::is_none")]
    background: Option<Background>,
    #[serde(skip_serializing_if = "Option::is_none")]
    environment: Option<Environment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Camera {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<View>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_rotate: Option<bool>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct View {
    position: Point,
    target: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    fov: Option<f64>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    farthest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lowest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest: Option<f64>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Background {
    color: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Environment {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exposure: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<f64>,
}

/// A pin as sent and stored.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    at: Point,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normal: Option<Point>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<Point>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<Point>,
}

fn near(point: &Point) -> bool {
    point.iter().all(|one| one.abs() <= FARTHEST)
}

fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

fn within(value: Option<f64>, least: f64, most: f64) -> bool {
    value.is_none_or(|value| (least..=most).contains(&value))
}

impl Document {
    fn is_sound(&self) -> bool {
        let camera = self.camera.as_ref().is_none_or(Camera::is_sound);
        let colors = self.background.iter();
        let mut colors = colors.flat_map(|one| [Some(&one.color), one.to.as_ref()]);
        let background = colors.all(|one| one.is_none_or(|one| is_color(one)));
        let environment = self.environment.as_ref().is_none_or(|one| {
            let name = one.name.as_deref();
            name.is_none_or(|name| ENVIRONMENTS.contains(&name))
                && within(one.exposure, 0.0, 8.0)
                && within(one.rotation, -360.0, 360.0)
        });
        let clip = self.clip.as_deref();
        let clip = clip.is_none_or(|one| one.chars().count() <= 128);
        self.format == "xlscene" && self.version == 1 && camera && background && environment && clip
    }
}

impl Camera {
    fn is_sound(&self) -> bool {
        let start = self.start.as_ref().is_none_or(|one| {
            near(&one.position) && near(&one.target) && within(one.fov, 10.0, 120.0)
        });
        let limits = self.limits.as_ref().is_none_or(|one| {
            within(one.nearest, 0.0, FARTHEST)
                && within(one.farthest, 0.0, FARTHEST)
                && within(one.lowest, -90.0, 90.0)
                && within(one.highest, -90.0, 90.0)
        });
        start && limits
    }
}

/// Validates a document for storage; empty stays empty. Errors: invalid or too large.
pub fn check(text: &str) -> Result<String, ServiceError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(String::new());
    }
    let wrong = || BusinessError::invalid("展示设置不正确，请刷新页面后重新设置");
    if text.len() > MOST_BYTES {
        return Err(BusinessError::invalid("展示设置过大，请精简后再保存").into());
    }
    let document: Document = serde_json::from_str(text).map_err(|_| wrong())?;
    if !document.is_sound() {
        return Err(wrong().into());
    }
    let kept = serde_json::to_string(&document).map_err(anyhow::Error::from)?;
    Ok(kept)
}

/// Validates a pin for storage; empty: none. Errors: not a position.
pub fn check_pin(text: &str) -> Result<String, ServiceError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(String::new());
    }
    let wrong = || BusinessError::invalid("标记位置不正确，请重新选择");
    if text.len() > MOST_PIN_BYTES {
        return Err(wrong().into());
    }
    let pin: Pin = serde_json::from_str(text).map_err(|_| wrong())?;
    let others = [&pin.normal, &pin.position, &pin.target];
    if !near(&pin.at) || !others.into_iter().flatten().all(near) {
        return Err(wrong().into());
    }
    Ok(serde_json::to_string(&pin).map_err(anyhow::Error::from)?)
}

/// A stored pin for pages.
pub fn pin_view(text: &str, bundle: i32) -> Option<CommentPin> {
    let pin: Pin = serde_json::from_str(text).ok()?;
    let list = |point: Option<Point>| point.map(Vec::from).unwrap_or_default();
    Some(CommentPin {
        at: pin.at.into(),
        normal: list(pin.normal),
        position: list(pin.position),
        target: list(pin.target),
        bundle,
    })
}
