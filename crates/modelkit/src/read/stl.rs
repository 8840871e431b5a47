//! STL reader.
use super::Input;
use crate::{Ctx, Error, Result, Scene};

pub fn read(_input: &Input, _ctx: &Ctx) -> Result<Scene> {
    Err(Error::unsupported("暂不支持 STL 格式"))
}
