//! Integration tests of modelkit on generated models.

mod archive;
mod broken;
mod cad;
mod check_report;
mod codecs;
mod command;
mod dae;
mod hostile_archive;
mod lighten;
mod models;
mod obj;
mod osgb;
mod ply;
mod rar;
mod render;
mod roundtrip;
mod sample;
mod sealed;
mod stl;
mod three_ds;
mod tiles;
mod tiles_mesh;
mod tiles_pictures;
mod tileset;
mod validator;
