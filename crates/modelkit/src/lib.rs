//! modelkit: reads, checks, lightens, converts and writes 3D models.
//!
//! Every input is treated as hostile: readers return an [`Error`] or record a [`scene::Problem`]; they never panic.

pub mod amrt;
pub mod archive;
pub mod check;
pub mod cli;
mod error;
#[doc(hidden)]
pub mod fuzz;
pub(crate) mod lfs;
pub mod lighten;
pub mod limits;
pub mod open;
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

/// What the tests in `crates/engine/tests/it/units` look at, and nothing else.
#[doc(hidden)]
pub mod internals {
    pub use crate::archive::content::{Content, Shelf};
    pub use crate::archive::package::Package;
    pub use crate::cli::args::{Common, ProgressKind};
    pub use crate::cli::confine::{Folders, JSON, answer_signals, limit, sandbox};
    pub use crate::lighten::fit::{Surface, blend, fit};
    pub use crate::lighten::motion::{Keys, TOLERANCE, thin_sampler};
    pub use crate::proxy::Goal;
    pub use crate::read::cad::{is_ifc, is_iges, is_step, step::part21};
    pub use crate::read::detect::detect;
    pub use crate::read::encoding::{Encoding, Names, json, text, xml};
    pub use crate::read::mapped::Mapped;
    pub use crate::read::names::fold;
    pub use crate::read::normals::{Faces, LEAST_PART, creased};
    pub use crate::read::obj::corners::{Corners, NONE};
    pub use crate::read::obj::lost::{
        Fate as ObjFate, Loss as ObjLoss, MATERIAL_STATEMENTS, STATEMENTS,
    };
    pub use crate::read::obj::statements::map;
    pub use crate::read::osgb::lost::PASSED_OVER;
    pub use crate::read::polygon::Cutter;
    pub use crate::read::served::as_glb;
    pub use crate::read::text::{line_chunks, parse_f64};
    pub use crate::read::units::stated;
    pub use crate::read::weld::Welder;
    pub use crate::render::camera::View;
    pub use crate::render::form::{Form, NOBODY, Samples, place};
    pub use crate::render::layout::uv_layout;
    pub use crate::render::sparse::{Lattice, Mesh, Node};
    pub use crate::render::vector::V3;
    pub use crate::scene::math::{IDENTITY, compose, decompose, inverse_affine, mul};
    pub use crate::scene::vec3::{self, Vec3};
    pub use crate::showcase::{facts, proxy as stand_in};
    pub use crate::tiles::geo::{Frame, Georeference, NAME, ecef, geodetic, title};
    pub use crate::tiles::metadata::{origin, parse};
    pub use crate::tiles::oblique::grid;
    pub use crate::tiles::ortho::Shot;
}
