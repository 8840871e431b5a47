//! Thumbnails.
use crate::progress::Ctx;
use crate::{Error, Result, Scene};
use std::path::Path;

pub fn render(_scene: &Scene, _path: &Path, _size: u32, _ctx: &Ctx) -> Result<()> {
    Err(Error::unsupported("暂不支持渲染缩略图"))
}
