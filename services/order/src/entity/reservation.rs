//! The terms an attempt got when it began: the price it may pay, and the coupon it uses.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// What became of a reservation.
    pub enum State {
        /// Its attempt may pay.
        Live = "live",
        /// Its attempt has paid.
        Consumed = "consumed",
        /// Its attempt pays nothing any more.
        Released = "released",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Live => &[],
            Self::Consumed | Self::Released => &[Self::Live],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "reservation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub attempt_id: String,
    pub order_id: String,
    pub channel: String,
    pub coupon_id: Option<String>,
    /// Cents.
    pub payable: i64,
    /// Cents.
    pub coupon_off: i64,
    pub state: State,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
