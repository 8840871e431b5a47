//! What the site shows around its pages: guided tours, and what operators publish for all.

mod grpc;
mod guides;
