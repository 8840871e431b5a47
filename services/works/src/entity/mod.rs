//! The tables.

pub mod bundle;
pub mod category;
pub mod collected;
pub mod comment;
pub mod liked;
pub mod person;
pub mod record;
pub mod report;
pub mod share;
pub mod share_look;
pub mod view;
pub mod work;
