//! Income that is to be paid to a bank card. While it is open, its amount is held under its id.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Requested = "requested",
        /// One of two operators has approved it.
        Checked = "checked",
        Approved = "approved",
        /// An operator is paying it at the bank.
        Paying = "paying",
        Paid = "paid",
        Refused = "refused",
        /// The bank did not pay.
        Failed = "failed",
        /// Its owner took it back.
        Cancelled = "cancelled",
    }
}

impl State {
    pub const OPEN: [Self; 4] = [Self::Requested, Self::Checked, Self::Approved, Self::Paying];
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Requested => &[],
            Self::Checked | Self::Cancelled => &[Self::Requested],
            // Back from paying: nothing was sent to the bank.
            Self::Approved => &[Self::Requested, Self::Checked, Self::Paying],
            Self::Paying => &[Self::Approved],
            Self::Paid | Self::Failed => &[Self::Paying],
            Self::Refused => &[Self::Requested, Self::Checked, Self::Approved],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "withdrawal")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    /// The owner's own number of it.
    pub request_no: String,
    pub card_id: String,
    pub bank_name: String,
    pub last4: String,
    /// Masked.
    pub holder: String,
    /// Cents, the fee included.
    pub amount: i64,
    pub fee: i64,
    /// Whether two operators have to approve it.
    pub needs_two: bool,
    pub state: State,
    /// Operators by id and name: who approved it first of two, who approved it, who pays or paid it.
    pub checked_id: String,
    pub checked_by: String,
    pub approved_id: String,
    pub approved_by: String,
    pub paid_id: String,
    pub paid_by: String,
    /// Why it was refused or failed.
    pub reason: String,
    /// The bank's number of the transfer.
    pub reference: String,
    /// Unix time in milliseconds.
    pub requested_at: i64,
    pub updated_at: i64,
    pub ended_at: Option<i64>,
    pub version: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
