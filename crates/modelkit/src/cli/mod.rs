//! The command line.
use std::ffi::OsString;

pub fn main(_args: impl IntoIterator<Item = OsString>) -> i32 {
    2
}
