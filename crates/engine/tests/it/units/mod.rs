//! Tests of the library's inner functions, by its `internals`.

mod archive_content;
mod archive_package;
mod cli_confine;
mod error;
mod fuzz;
mod lighten_fit;
mod lighten_motion;
mod read_cad;
mod read_detect;
mod read_mapped;
mod read_normals;
mod read_obj_corners;
mod read_obj_mtl;
mod read_polygon;
mod read_side;
mod read_text;
mod read_units;
mod read_weld;
mod render_camera;
mod render_raster;
mod render_sparse;
mod scene_math;
mod tiles_geo;
mod tiles_metadata;
mod tiles_oblique;
mod tiles_ortho;
