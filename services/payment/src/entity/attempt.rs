//! One try to pay an order through one channel.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of an attempt.
    pub enum State {
        /// Written down; the channel knows nothing of it.
        Created = "created",
        /// The channel was asked, or is about to be.
        Submitted = "submitted",
        /// The channel's answer was lost: it is asked until it answers.
        Unknown = "unknown",
        /// The money is here.
        Succeeded = "succeeded",
        /// Nothing was taken: refused by the channel or the balance.
        Failed = "failed",
        /// Nothing was taken: given up before.
        Closed = "closed",
        /// The channel says something that does not fit what was asked: an operator has to review it.
        Conflicted = "conflicted",
    }
}

impl State {
    /// Without an outcome yet.
    pub const OPEN: [Self; 3] = [Self::Created, Self::Submitted, Self::Unknown];
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    /// A closed or failed attempt stays so, even when its money comes late: that money is given back. Only an operator ends a
    /// conflict, and never as failed.
    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Created => &[],
            Self::Submitted => &[Self::Created, Self::Unknown],
            Self::Unknown => &[Self::Submitted],
            Self::Succeeded | Self::Closed => &[
                Self::Created,
                Self::Submitted,
                Self::Unknown,
                Self::Conflicted,
            ],
            Self::Failed | Self::Conflicted => &Self::OPEN,
        }
    }
}

chassis::column_enum! {
    /// What becomes of the captured money.
    pub enum Disposition {
        /// In escrow: not decided yet.
        Escrow = "",
        /// The order took it.
        Released = "released",
        /// It goes back to the payer.
        Returned = "returned",
    }
}

impl StateMachine for Disposition {
    type Entity = Entity;
    const COLUMN: Column = Column::Disposition;

    /// Only the first decision counts.
    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Escrow => &[],
            Self::Released | Self::Returned => &[Self::Escrow],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel, serde::Serialize)]
#[sea_orm(table_name = "attempt")]
pub struct Model {
    /// At most 32 characters; the number the channel knows it by.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub order_id: String,
    pub owner: String,
    pub channel: String,
    pub coupon_id: String,
    pub state: State,
    /// Cents; 0 until the order has returned it.
    pub payable: i64,
    /// JSON text: who gets the money once the order takes it.
    pub shares: String,
    pub order_no: String,
    pub subject: String,
    pub function_type: i32,
    pub transaction_type: i32,
    /// Unix time in milliseconds at which the order's window ends; 0 until the order has returned it.
    pub expires_at: i64,
    /// Cents that came.
    pub captured: i64,
    /// Cents given back or on the way back; never more than `captured`.
    pub refunded: i64,
    /// Free counts that were taken; 0 when they are unlimited.
    pub counts: i64,
    /// What became of the captured money.
    pub disposition: Disposition,
    /// The channel's own number; empty without one.
    pub provider_no: String,
    /// Why it failed or is conflicted.
    pub reason: String,
    /// Whether it is to be closed at its channel: its order was shut, or settled by another attempt.
    pub closing: bool,
    pub tries: i32,
    /// Unix time in milliseconds.
    pub next_check_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
