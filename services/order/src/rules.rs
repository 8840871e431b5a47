//! The state machine of every order.

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Pending,
    Paid,
    Fulfilled,
    Cancelled,
    Expired,
}

impl State {
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::Paid,
        Self::Fulfilled,
        Self::Cancelled,
        Self::Expired,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Fulfilled => "fulfilled",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    pub fn may_become(self, next: Self) -> bool {
        match self {
            Self::Pending => matches!(next, Self::Paid | Self::Cancelled | Self::Expired),
            Self::Paid => next == Self::Fulfilled,
            Self::Fulfilled | Self::Cancelled | Self::Expired => false,
        }
    }

    /// The states from which this one is reached.
    pub fn before(self) -> Vec<&'static str> {
        Self::ALL
            .into_iter()
            .filter(|state| state.may_become(self))
            .map(Self::name)
            .collect()
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
        assert_eq!(State::Paid.before(), ["pending"]);
        assert_eq!(State::Fulfilled.before(), ["paid"]);
        assert_eq!(State::of("expired"), Some(State::Expired));
    }
}
