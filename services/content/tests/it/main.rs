//! The content service from outside.

mod article;
mod console;
mod page;
mod seeds;
mod support;
