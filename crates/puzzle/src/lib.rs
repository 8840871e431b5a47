//! The pictures of the slider and the judgement of movements: drawing and arithmetic only, no I/O. A crate of its own,
//! so that development builds can optimise it without optimising the service around it.

mod choice;
mod continuity;
mod jigsaw;
mod pen;
pub mod picture;
mod raster;
mod scene;
pub mod scratch;
#[cfg(any(test, feature = "solver"))]
mod shape;
mod size;
mod sketch;
#[cfg(any(test, feature = "solver"))]
pub mod solver;
mod things;
pub mod track;
