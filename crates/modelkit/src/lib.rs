//! modelkit: reads, checks, lightens, converts and writes 3D models.
//!
//! Every input is treated as hostile: readers return an [`Error`] or record a [`scene::Problem`]; they never panic.

pub mod amrt;
pub mod archive;
pub mod check;
pub mod cli;
mod error;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
pub mod lighten;
pub mod limits;
pub mod pack;
pub mod preview;
pub mod progress;
pub mod proxy;
pub mod read;
pub mod render;
pub mod sample;
pub mod scene;
pub mod showcase;
pub mod tiles;
pub mod write;

pub use error::{Error, Result};
pub use progress::{Ctx, Level, Progress, Silent, Stage};
pub use scene::Scene;
