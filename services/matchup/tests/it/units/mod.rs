//! Tests of the library's private functions, through `internals`.

mod seed;
mod texts_contacts;
