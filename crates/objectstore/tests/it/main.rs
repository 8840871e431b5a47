//! The object store over real HTTP and in process.

mod access;
mod browser;
mod crash;
mod harness;
mod limits;
mod multipart;
mod node;
mod objects;
mod quota;
mod sessions;
mod sts;
