//! The object store over real HTTP and in process.

mod access;
mod browser;
mod crash;
mod harness;
mod multipart;
mod node;
mod objects;
mod sts;
