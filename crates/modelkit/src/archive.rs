//! Archives: zip.
use crate::read::SideFiles;
use crate::scene::Problem;
use crate::{Ctx, Error, Result};

/// A main file with the files beside it.
pub struct Unpacked {
    pub main: Vec<u8>,
    /// Path inside the archive, decoded, with `/`.
    pub main_name: String,
    pub side: Box<dyn SideFiles>,
    pub problems: Vec<Problem>,
}

pub fn unpack(_bytes: &[u8], _name: &str, _ctx: &Ctx) -> Result<Unpacked> {
    Err(Error::unsupported("暂不支持 ZIP 压缩包"))
}
