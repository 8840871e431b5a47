//! The figure that pages know a state of an order by.

use crate::entity::purchase::{self, Closing, State};

pub const TO_BE_PAID: i32 = 0;
pub const PAID: i32 = 1;
pub const CANCELLED: i32 = 2;
pub const EXPIRED: i32 = 3;
/// Not paid and not to be paid any more; the channel has not confirmed it yet.
pub const CLOSING: i32 = 4;

impl purchase::Model {
    /// At this time, Unix milliseconds.
    pub(crate) fn status(&self, now: i64) -> i32 {
        let open = self.closing == Closing::Open && self.expires_at > now;
        match self.state {
            State::Paid | State::Fulfilled => PAID,
            State::Cancelled => CANCELLED,
            State::Expired => EXPIRED,
            State::Pending if open => TO_BE_PAID,
            State::Pending => CLOSING,
        }
    }
}
