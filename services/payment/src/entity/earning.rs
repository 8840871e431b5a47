//! What a seller earned with one thing of an order. Until it matures it can be taken back without asking him.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Pending = "pending",
        /// It is the seller's.
        Matured = "matured",
        /// The buyer got his money back.
        Reversed = "reversed",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Pending => &[],
            Self::Matured => &[Self::Pending],
            Self::Reversed => &[Self::Pending, Self::Matured],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "earning")]
pub struct Model {
    /// The item of the order.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    pub order_id: String,
    pub order_no: String,
    pub title: String,
    /// Cents.
    pub amount: i64,
    /// Cents that the buyer paid.
    pub paid: i64,
    pub state: State,
    /// Unix time in milliseconds.
    pub created_at: i64,
    pub matures_at: i64,
    pub ended_at: Option<i64>,
    /// Tries to make a due one its seller's, and when the next one is: a worker takes the row by moving it on.
    pub tries: i32,
    pub next_check_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
