//! Colours in the last word of each binary record. STL states none; two vendors' ways are in use, which tell themselves
//! apart: Materialise Magics writes `COLOR=` to the header, VisCAM and SolidView do not.

use crate::read::{Format, colour};
use crate::scene::{Problem, Severity};

/// Colour of what has none, linear.
pub const DEFAULT: [f32; 4] = [0.72, 0.74, 0.77, 1.0];

/// Says that a word holds a colour (VisCAM), or none of its own (Magics).
const FLAG: u16 = 0x8000;

/// The linear colour of each triangle; empty without colours. Error: what is told about words that are neither's.
pub fn of(header: &[u8], words: &[u16]) -> Result<Vec<[f32; 4]>, Problem> {
    if let Some(base) = magics(header) {
        let color = |word: &u16| match word & FLAG {
            0 => linear(five(*word, [0, 5, 10])),
            _ => base,
        };
        return Ok(words.iter().map(color).collect());
    }
    if !words.iter().any(|word| word & FLAG != 0) {
        // Other words are some program's own.
        return Ok(Vec::new());
    }
    if words.iter().any(|word| word & FLAG == 0 && *word != 0) {
        return Err(skipped("STL 里的颜色数据不符合任何一种常见写法，未保留"));
    }
    let color = |word: &u16| match word & FLAG {
        0 => DEFAULT,
        _ => linear(five(*word, [10, 5, 0])),
    };
    Ok(words.iter().map(color).collect())
}

pub fn skipped(text: &str) -> Problem {
    let advice = "需要颜色时，请导出为 PLY、OBJ 或 GLB";
    Problem::new("stl-colors-skipped", Severity::Warning, "", text, advice)
}

/// The colour of the whole part, red, green, blue and alpha after `COLOR=`. `MATERIAL=`, which may follow, is about
/// light.
fn magics(header: &[u8]) -> Option<[f32; 4]> {
    let at = header.windows(6).position(|w| w == b"COLOR=")?;
    let rgba: [u8; 4] = header.get(at + 6..at + 10)?.try_into().ok()?;
    let [r, g, b, a] = rgba.map(|v| f32::from(v) / 255.0);
    // Nobody draws what cannot be seen.
    let a = if a == 0.0 { 1.0 } else { a };
    Some(colour::linear_rgba(Format::Stl, [r, g, b, a]))
}

/// Red, green and blue of five bits each, which begin at these.
fn five(word: u16, bits: [u16; 3]) -> [f32; 3] {
    bits.map(|bit| f32::from(word >> bit & 31) / 31.0)
}

fn linear(rgb: [f32; 3]) -> [f32; 4] {
    let [r, g, b] = colour::linear(Format::Stl, rgb);
    [r, g, b, 1.0]
}
