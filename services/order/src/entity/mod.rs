//! The tables.

pub mod buyer;
pub mod coupon;
pub mod membership;
pub mod purchase;
pub mod purchase_item;
pub mod reservation;
