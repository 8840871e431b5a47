//! Tests of the library's inner functions, by its `internals`.

mod seed;
mod texts_contacts;
