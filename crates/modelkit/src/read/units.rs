//! Units for formats that have none: stated in a comment, or assumed.

use crate::Scene;
use crate::scene::Units;

/// The unit to assume when the file states none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumed {
    Metres,
    /// Customary for STL, the format of 3D printing.
    Millimetres,
}

/// Names of units, and their length in metres.
const KNOWN: &[(&str, &str, f64)] = &[
    ("millimeters", "mm", 0.001),
    ("millimetres", "mm", 0.001),
    ("millimeter", "mm", 0.001),
    ("mm", "mm", 0.001),
    ("centimeters", "cm", 0.01),
    ("centimetres", "cm", 0.01),
    ("centimeter", "cm", 0.01),
    ("cm", "cm", 0.01),
    ("meters", "m", 1.0),
    ("metres", "m", 1.0),
    ("meter", "m", 1.0),
    ("m", "m", 1.0),
    ("kilometers", "km", 1000.0),
    ("km", "km", 1000.0),
    ("inches", "in", 0.0254),
    ("inch", "in", 0.0254),
    ("in", "in", 0.0254),
    ("feet", "ft", 0.3048),
    ("foot", "ft", 0.3048),
    ("ft", "ft", 0.3048),
];

/// Searches for `unit`/`units` followed by `=`, `:` or a space and a known name, as exporters write it into comments
/// and headers.
pub fn stated(head: &[u8]) -> Option<(&'static str, f64)> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("unit") {
        rest = &rest[at + 4..];
        let after = rest.strip_prefix('s').unwrap_or(rest);
        let after = after.trim_start_matches([' ', '\t', '=', ':', '"']);
        let word: String = after
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        if let Some((_, name, metres)) = KNOWN.iter().find(|(known, _, _)| *known == word) {
            return Some((name, *metres));
        }
    }
    None
}

/// Sets the scene's units; returns metres per unit.
pub fn apply(scene: &mut Scene, head: &[u8], assumed: Assumed) -> f64 {
    let (source, metres) = match (stated(head), assumed) {
        (Some((name, metres)), _) => (name, metres),
        (None, Assumed::Metres) => ("unknown(m assumed)", 1.0),
        (None, Assumed::Millimetres) => ("unknown(mm assumed)", 0.001),
    };
    scene.units = Units {
        source: source.to_owned(),
        meters_per_unit: metres,
        up_axis: "Y".to_owned(),
    };
    metres
}

/// Scales positions in place; exact, and free if the unit is the metre.
pub fn scale(positions: &mut [[f32; 3]], metres: f64) {
    if metres == 1.0 {
        return;
    }
    for position in positions {
        *position = position.map(|c| (f64::from(c) * metres) as f32);
    }
}
