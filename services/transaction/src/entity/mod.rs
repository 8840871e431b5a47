//! Tables of the mall.

pub mod approval;
pub mod cart;
pub mod cart_item;
pub mod category;
pub mod download;
pub mod favourite;
pub mod folder;
pub mod free_day;
pub mod grant;
pub mod listing;
pub mod modeler;
pub mod modeler_record;
pub mod price_change;
pub mod rating;
pub mod released;
pub mod version;
pub mod version_news;
