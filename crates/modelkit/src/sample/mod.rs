//! Generated models.
use crate::{Error, Result, Scene};

/// Kinds with a Chinese description.
pub const KINDS: &[(&str, &str)] = &[];

/// Generates a model of about `triangles` triangles.
pub fn generate(_kind: &str, _triangles: Option<usize>, _seed: u64) -> Result<Scene> {
    Err(Error::Usage("没有这种示例模型".into()))
}
