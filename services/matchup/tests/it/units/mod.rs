//! Tests of the library's private functions, through `internals`.

mod seed;
