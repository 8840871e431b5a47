//! The pictures of the slider and the judgement of movements: drawing and arithmetic only, no I/O. A crate of its own,
//! so that development builds can optimise it without optimising the service around it.

mod choice;
mod glyph;
pub mod picture;
pub mod scratch;
#[cfg(any(test, feature = "solver"))]
pub mod solver;
pub mod track;
