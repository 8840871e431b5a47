//! The state machine of every order.

use chassis::db::states::StateMachine;

use crate::entity::purchase;

chassis::column_enum! {
    /// Where an order stands.
    pub enum State {
        Pending = "pending",
        Paid = "paid",
        Fulfilled = "fulfilled",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

impl StateMachine for State {
    type Entity = purchase::Entity;
    const COLUMN: purchase::Column = purchase::Column::State;
    const VERSION: Option<purchase::Column> = Some(purchase::Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Pending => &[],
            Self::Paid | Self::Cancelled | Self::Expired => &[Self::Pending],
            Self::Fulfilled => &[Self::Paid],
        }
    }
}

chassis::column_enum! {
    /// What a pending order that nobody can begin to pay any more is about to end as.
    pub enum Closing {
        /// It is open: it can be paid until it expires.
        Open = "",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

impl Closing {
    /// The state it leads to; none for an open order.
    pub fn end(self) -> Option<State> {
        match self {
            Self::Open => None,
            Self::Cancelled => Some(State::Cancelled),
            Self::Expired => Some(State::Expired),
        }
    }
}

/// The figure that pages know a state by.
pub mod status {
    pub const TO_BE_PAID: i32 = 0;
    pub const PAID: i32 = 1;
    pub const CANCELLED: i32 = 2;
    pub const EXPIRED: i32 = 3;
    /// Not paid and not to be paid any more; the channel has not confirmed it yet.
    pub const CLOSING: i32 = 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_stays_terminal() {
        for state in [State::Fulfilled, State::Cancelled, State::Expired] {
            assert!(State::ALL.iter().all(|next| !state.may_become(*next)));
        }
        assert_eq!(State::Paid.predecessors(), [State::Pending]);
        assert_eq!(State::Fulfilled.predecessors(), [State::Paid]);
        assert_eq!(State::of("expired"), Some(State::Expired));
    }

    #[test]
    fn a_closing_order_ends_as_what_its_column_names() {
        for closing in [Closing::Cancelled, Closing::Expired] {
            let end = closing.end().map(State::name);
            assert_eq!(end, Some(closing.name()));
        }
        assert_eq!(Closing::Open.end(), None);
    }
}
