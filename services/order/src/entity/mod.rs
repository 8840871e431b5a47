//! The tables.

pub mod coupon;
pub mod membership;
pub mod purchase;
pub mod reservation;
