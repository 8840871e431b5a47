use super::Options;
use crate::scene::Problem;
use crate::{Ctx, Error, Result, Scene};
use std::path::Path;

pub fn write(_scene: &Scene, _path: &Path, _options: &Options, _ctx: &Ctx) -> Result<Vec<Problem>> {
    Err(Error::unsupported("暂不支持"))
}
pub fn write_gltf(_scene: &Scene, _path: &Path, _ctx: &Ctx) -> Result<Vec<Problem>> {
    Err(Error::unsupported("暂不支持"))
}
