//! The tables.

pub mod action;
pub mod page_view;
pub mod rollup;
pub mod support_click;
pub mod user_visit;
pub mod visit;
