//! An order. Its moves are made in `outcome` (paid, fulfilled) and `closing` (cancelled, expired).

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of an order.
    pub enum State {
        Pending = "pending",
        Paid = "paid",
        Fulfilled = "fulfilled",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Pending => &[],
            Self::Paid | Self::Cancelled | Self::Expired => &[Self::Pending],
            Self::Fulfilled => &[Self::Paid],
        }
    }
}

chassis::column_enum! {
    /// Target state of an order that is being closed.
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

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "purchase")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub order_no: String,
    pub owner: String,
    pub function_module: i32,
    pub order_type: i32,
    pub description: String,
    /// Cents: the price, frozen.
    pub amount: i64,
    /// JSON text of [`crate::product::Product`].
    pub product: String,
    pub state: State,
    pub closing: Closing,
    /// The coupon it was last submitted with.
    pub coupon_id: Option<String>,
    /// Cents this coupon takes off.
    pub coupon_off: i64,
    /// Cents.
    pub payable: i64,
    pub pay_method: Option<String>,
    /// The attempt that settled it.
    pub attempt_id: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
    pub paid_at: Option<i64>,
    pub fulfilled_at: Option<i64>,
    pub ended_at: Option<i64>,
    /// When it was shut: no payment of it can begin since.
    pub shut_at: Option<i64>,
    /// How often payment was asked since.
    pub checks: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

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
