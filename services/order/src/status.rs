//! The figure that pages know a state of an order by.

pub const TO_BE_PAID: i32 = 0;
pub const PAID: i32 = 1;
pub const CANCELLED: i32 = 2;
pub const EXPIRED: i32 = 3;
/// Not paid and not to be paid any more; the channel has not confirmed it yet.
pub const CLOSING: i32 = 4;
