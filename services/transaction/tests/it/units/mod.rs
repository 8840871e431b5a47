//! Tests of the library's inner functions, by its `internals`.

mod cart;
mod grants_free;
mod listing_texts;
mod modeler_orders;
mod review_likeness;
mod search_find;
mod search_makers;
mod search_similar;
mod search_vocabulary;
mod search_words;
