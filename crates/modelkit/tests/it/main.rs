//! Integration tests of modelkit on generated models.

mod archive;
mod broken;
mod codecs;
mod command;
mod lighten;
mod models;
mod obj;
mod osgb;
mod ply;
mod roundtrip;
mod sample;
mod stl;
mod tiles;
mod tileset;
mod validator;
