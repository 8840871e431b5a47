//! Formats that are recognised but whose geometry is proprietary: their available metadata (version, properties, the
//! embedded picture), and advice.

mod jt;
mod rvt;

use crate::limits::Limits;
use crate::scene::Image;
use crate::{Error, Result};
use facts::Format;

pub use jt::is_jt;
pub use rvt::is_compound;

/// The metadata of a file without its geometry.
#[derive(Debug, Clone)]
pub struct Sealed {
    pub format: Format,
    /// As users know it: `Revit 2020`, `JT 10.5`; without a number if the file has none.
    pub version: String,
    /// Properties with their Chinese names, such as `类别: 窗`.
    pub facts: Vec<(&'static str, String)>,
    /// Preview picture embedded in the file.
    pub picture: Option<Image>,
}

/// The metadata of a file; `None` if its geometry can be read.
pub(crate) fn of_format(format: Format, bytes: &[u8], limits: &Limits) -> Option<Sealed> {
    match format {
        Format::Rvt => Some(rvt::look(bytes, limits)),
        Format::Jt => Some(jt::look(bytes)),
        _ => None,
    }
}

impl Sealed {
    /// Why there is no geometry.
    pub fn reason(&self) -> String {
        match self.format {
            Format::Rvt => format!(
                "这是 {} 文件（RVT），其中的几何只有 Revit 能读取",
                self.version
            ),
            _ => format!("这是 {} 文件，暂未开放读取", self.version),
        }
    }

    /// Advice for the user.
    pub fn advice(&self) -> &'static str {
        match self.format {
            Format::Rvt => {
                "请在 Revit 中导出为 FBX 后上传，或导出 IFC 并用其他软件转为 FBX、GLB 后上传，也可联系客服"
            }
            _ => "请在 CAD 软件中导出为 STEP、IGES 或 GLB 后上传",
        }
    }

    /// The error for callers that need the geometry.
    pub fn refusal(&self) -> Error {
        Error::unsupported(format!("{}。{}", self.reason(), self.advice()))
    }

    /// The picture as a square PNG of `size` pixels, on a transparent background.
    pub fn thumbnail(&self, size: u32, limits: &Limits) -> Result<Option<Vec<u8>>> {
        crate::render::check_size(size)?;
        let Some(picture) = &self.picture else {
            return Ok(None);
        };
        let picture = crate::scene::decode(&picture.bytes, limits)?;
        let fitted = picture.resize(size, size, image::imageops::FilterType::Lanczos3);
        let mut square = image::RgbaImage::new(size, size);
        let (x, y) = ((size - fitted.width()) / 2, (size - fitted.height()) / 2);
        image::imageops::overlay(&mut square, &fitted.to_rgba8(), x.into(), y.into());
        let mut out = std::io::Cursor::new(Vec::new());
        square
            .write_to(&mut out, image::ImageFormat::Png)
            .map_err(|e| Error::Internal(format!("png encoding: {e}")))?;
        Ok(Some(out.into_inner()))
    }
}
