//! Display options of a share: JSON text written by the builder and read by the page.

use chassis::{BusinessError, ServiceError};
use serde::{Deserialize, Serialize};

const MOST_BYTES: usize = 2_000;
const FARTHEST: f64 = 1e9;
const TOOLS: [&str; 5] = [
    "reset",
    "animation",
    "wireframe",
    "screenshot",
    "fullscreen",
];

#[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub(crate) struct Options {
    /// Loads the model when it scrolls into view; otherwise on a click.
    pub autostart: bool,
    /// Absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// `#rrggbb`; absent: the work's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// Absent: the work's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Size of the frame in the copied code; width 0: full width.
    pub width: u32,
    pub height: u32,
}

#[derive(Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    pub position: [f64; 3],
    pub target: [f64; 3],
}

/// Validates options. Errors: shown to the user.
pub fn read(text: &str) -> Result<String, ServiceError> {
    let wrong = || BusinessError::invalid("展示选项的格式不正确");
    // Serde would read an array as the fields in order.
    if text.len() > MOST_BYTES || text.trim_start().starts_with('[') {
        return Err(wrong().into());
    }
    let options: Options = match text {
        "" => Options::default(),
        text => serde_json::from_str(text).map_err(|_| wrong())?,
    };
    let known = |tool: &String| TOOLS.contains(&tool.as_str());
    let tools = options.tools.iter().flatten();
    let color = options.background.as_deref().is_none_or(|color| {
        let digits = color.strip_prefix('#').unwrap_or_default();
        digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit())
    });
    let near = options.start.iter().all(|start| {
        let values = start.position.iter().chain(&start.target);
        values.into_iter().all(|value| value.abs() <= FARTHEST)
    });
    let sized = options.width <= 4096 && options.height <= 4096;
    if !(tools.clone().count() <= TOOLS.len() && tools.clone().all(known) && color && near && sized)
    {
        return Err(wrong().into());
    }
    Ok(serde_json::to_string(&options).map_err(anyhow::Error::from)?)
}
