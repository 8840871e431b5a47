//! Integration tests of modelkit on generated models.

mod archive;
mod broken;
mod cad;
mod command;
mod lighten;
mod models;
mod obj;
mod osgb;
mod ply;
mod roundtrip;
mod sample;
mod sealed;
mod stl;
mod tiles;
mod tileset;
