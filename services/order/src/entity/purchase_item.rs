//! One thing of an order of goods. What it costs and who sells it is frozen in the order's product.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What has become of it.
    pub enum State {
        Ordered = "ordered",
        Granted = "granted",
        /// The buyer had it by another way when it was paid; its price goes back.
        Had = "had",
        /// The buyer gives it back; its seller has not said whether that is possible.
        Returning = "returning",
        /// It is given back; its price is on the way.
        Returned = "returned",
        Refunded = "refunded",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Version);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Ordered => &[],
            Self::Granted => &[Self::Ordered, Self::Returning],
            Self::Had => &[Self::Ordered],
            Self::Returning => &[Self::Granted],
            // Without a question when an operator decides.
            Self::Returned => &[Self::Granted, Self::Returning],
            Self::Refunded => &[Self::Had, Self::Returned],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "purchase_item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub order_id: String,
    /// At its seller: of a listing, for example.
    pub goods_id: String,
    /// Cents.
    pub price: i64,
    pub state: State,
    /// Unix time in milliseconds.
    pub updated_at: i64,
    /// Rises with every change of its state.
    pub version: i64,
    /// Questions of the sweep to its seller while it is being returned, and when the next one is: a worker takes the row by
    /// moving it on.
    pub tries: i32,
    pub next_check_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
