//! Compressed Gaussian splats, as SuperSplat and the PlayCanvas engine write them: 256 splats share the bounds of a
//! `chunk`, within which each has a position and a colour of 32 bits.

use super::binary::scalar;
use super::data::{Data, Has, blank_row, places};
use super::header::{Element, Encoding, Header, Kind};
use crate::{Error, Result};

/// Splats of a chunk.
const SPLATS: usize = 256;

/// Whether the vertices are compressed splats.
pub fn is_packed(header: &Header) -> bool {
    let has = |name: &str, property| {
        let element = header.elements.iter().find(|e| e.name == name);
        element.is_some_and(|e| column(e, property).is_some())
    };
    has("vertex", "packed_position") && has("chunk", "min_x")
}

/// Offset in a row, and kind.
type Column = (usize, Kind);

fn column(element: &Element, name: &str) -> Option<Column> {
    let mut at = 0;
    for property in &element.properties {
        if property.name == name && property.list.is_none() {
            return Some((at, property.kind));
        }
        at += property.list.unwrap_or(property.kind).size();
    }
    None
}

/// The rows of an element of one size.
struct Table<'a> {
    element: &'a Element,
    rows: &'a [u8],
    encoding: Encoding,
}

impl Table<'_> {
    fn number(&self, row: usize, column: Column) -> Option<f64> {
        let at = row.checked_mul(self.element.least_bytes())?;
        scalar(
            self.rows,
            at.checked_add(column.0)?,
            column.1,
            self.encoding,
        )
    }
}

/// The centres of the splats with their colours.
pub fn read(body: &[u8], header: &Header) -> Result<Data> {
    if header.encoding == Encoding::Ascii {
        return Err(Error::unsupported(
            "这是压缩的高斯泼溅 PLY，却以文本保存，请在 SuperSplat 中导出为未压缩的 PLY 后上传",
        ));
    }
    let chunk = table(body, header, "chunk")?;
    let vertex = table(body, header, "vertex")?;
    let three = |[a, b, c]: [&str; 3]| -> Result<[Column; 3]> {
        Ok([need(&chunk, a)?, need(&chunk, b)?, need(&chunk, c)?])
    };
    let bounds = [
        three(["min_x", "min_y", "min_z"])?,
        three(["max_x", "max_y", "max_z"])?,
    ];
    // Bounds of colours came later; without them a colour is what is shown.
    let colours = three(["min_r", "min_g", "min_b"]).and_then(|min| {
        let max = three(["max_r", "max_g", "max_b"])?;
        Ok([min, max])
    });
    let position = need(&vertex, "packed_position")?;
    let colour = need(&vertex, "packed_color").ok();
    let mut data = Data {
        has: Has {
            positions: true,
            colors: colour.is_some(),
            ..Has::default()
        },
        ..Data::default()
    };
    for i in 0..vertex.element.count {
        let within = |[min, max]: [[Column; 3]; 2], parts: [f64; 3]| -> Option<[f64; 3]> {
            let mut out = [0.0; 3];
            for (axis, part) in parts.into_iter().enumerate() {
                let low = chunk.number(i / SPLATS, min[axis])?;
                let high = chunk.number(i / SPLATS, max[axis])?;
                out[axis] = low + (high - low) * part;
            }
            Some(out)
        };
        let mut row = blank_row();
        let bits = vertex.number(i, position).ok_or_else(broken)? as u32;
        // 11, 10 and 11 bits, x in the highest.
        let parts = [(21, 11), (11, 10), (0, 11)].map(|(shift, size)| share(bits >> shift, size));
        let place = within(bounds, parts).ok_or_else(broken)?;
        row[places::X..places::X + 3].copy_from_slice(&place);
        if let Some(colour) = colour {
            let bits = vertex.number(i, colour).ok_or_else(broken)? as u32;
            let parts = [24, 16, 8].map(|shift| share(bits >> shift, 8));
            let shown = match &colours {
                Ok(bounds) => within(*bounds, parts).ok_or_else(broken)?,
                Err(_) => parts,
            };
            let shown = shown.map(|c| c.clamp(0.0, 1.0));
            row[places::COLOR..places::COLOR + 3].copy_from_slice(&shown);
        }
        data.vertex(&row);
    }
    Ok(data)
}

fn need(table: &Table, name: &str) -> Result<Column> {
    column(table.element, name).ok_or_else(broken)
}

/// The lowest `size` bits as a share of their most.
fn share(bits: u32, size: u32) -> f64 {
    let most = (1u32 << size) - 1;
    f64::from(bits & most) / f64::from(most)
}

/// The rows of the element of this name; those before it have rows of one size too.
fn table<'a>(body: &'a [u8], header: &'a Header, name: &str) -> Result<Table<'a>> {
    let mut rest = body;
    for element in &header.elements {
        let size = element.least_bytes().checked_mul(element.count);
        let size = size.filter(|_| !element.has_lists()).ok_or_else(broken)?;
        let (rows, after) = rest.split_at_checked(size).ok_or_else(broken)?;
        if element.name == name {
            let encoding = header.encoding;
            return Ok(Table {
                element,
                rows,
                encoding,
            });
        }
        rest = after;
    }
    Err(broken())
}

fn broken() -> Error {
    Error::corrupt("压缩的高斯泼溅 PLY 不完整，请重新导出，或在 SuperSplat 中导出为未压缩的 PLY")
}
