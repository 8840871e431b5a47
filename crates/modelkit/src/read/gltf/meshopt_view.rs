//! Decodes EXT_meshopt_compression buffer views.

use super::json::MeshoptView;
use crate::{Error, Result};
use meshopt::ffi;

/// Minimum encoded size: two bits per vertex byte and block of vertices, one byte per triangle or index.
fn least(mode: &str, count: usize, stride: usize) -> usize {
    match mode {
        "ATTRIBUTES" => {
            let block = ((8192 / stride) & !15).min(256);
            count.div_ceil(block).saturating_mul(stride / 4)
        }
        "TRIANGLES" => count / 3,
        _ => count,
    }
}

/// Decodes `count * byte_stride` bytes.
pub fn decode(view: &MeshoptView, source: &[u8]) -> Result<Vec<u8>> {
    let broken = || Error::corrupt("EXT_meshopt_compression 数据无法解码，请重新导出后上传");
    let count = usize::try_from(view.count).map_err(|_| broken())?;
    let stride = usize::try_from(view.byte_stride).map_err(|_| broken())?;
    let size = count.checked_mul(stride).ok_or_else(broken)?;
    let fits = match view.mode.as_str() {
        "ATTRIBUTES" => stride > 0 && stride <= 256 && stride.is_multiple_of(4),
        "TRIANGLES" => (stride == 2 || stride == 4) && count.is_multiple_of(3),
        "INDICES" => stride == 2 || stride == 4,
        _ => false,
    };
    if !fits || least(&view.mode, count, stride) > source.len() {
        return Err(broken());
    }
    let mut out = vec![0u8; size];
    let target = out.as_mut_ptr().cast();
    // SAFETY: `target` holds `count * stride` bytes, the source is a live slice, and
    // the strides were checked against what each decoder accepts.
    let code = unsafe {
        match view.mode.as_str() {
            "ATTRIBUTES" => ffi::meshopt_decodeVertexBuffer(
                target,
                count,
                stride,
                source.as_ptr(),
                source.len(),
            ),
            "TRIANGLES" => {
                ffi::meshopt_decodeIndexBuffer(target, count, stride, source.as_ptr(), source.len())
            }
            _ => ffi::meshopt_decodeIndexSequence(
                target,
                count,
                stride,
                source.as_ptr(),
                source.len(),
            ),
        }
    };
    if code != 0 {
        return Err(broken());
    }
    // SAFETY: as above; the filters' stride rules are checked by the guards.
    unsafe {
        let target = out.as_mut_ptr().cast();
        match view.filter.as_str() {
            "" | "NONE" => {}
            "OCTAHEDRAL" if stride == 4 || stride == 8 => {
                ffi::meshopt_decodeFilterOct(target, count, stride)
            }
            "QUATERNION" if stride == 8 => ffi::meshopt_decodeFilterQuat(target, count, stride),
            "EXPONENTIAL" if stride % 4 == 0 => ffi::meshopt_decodeFilterExp(target, count, stride),
            "COLOR" if stride == 4 || stride == 8 => {
                ffi::meshopt_decodeFilterColor(target, count, stride)
            }
            _ => return Err(broken()),
        }
    }
    Ok(out)
}
