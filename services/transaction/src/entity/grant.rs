//! That a user has a model: once a user and listing, however it was got.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

use super::listing::License;

chassis::column_enum! {
    /// Whether its model can be downloaded.
    pub enum State {
        Active = "active",
        /// It is being given back.
        Returning = "returning",
        Returned = "returned",
        /// Taken away.
        Revoked = "revoked",
    }
}

impl State {
    /// Those of which a user has one a listing; a partial index in the schema says the same.
    pub const HAD: [Self; 2] = [Self::Active, Self::Returning];
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Active => &[Self::Returning],
            Self::Returning => &[Self::Active],
            Self::Returned => &[Self::Returning],
            Self::Revoked => &[Self::Active, Self::Returning],
        }
    }
}

chassis::column_enum! {
    /// How it was got.
    pub enum Way {
        Paid = "paid",
        /// By the counts of a membership.
        MemberFree = "memberFree",
        /// One of the five a day.
        Free = "free",
        Package = "package",
        Box = "box",
        Operator = "operator",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "model_grant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id of who has it.
    pub owner: String,
    pub listing_id: String,
    /// Version that was sold at the time.
    pub version: i32,
    /// Empty: no order.
    pub order_id: String,
    pub item_id: String,
    /// Cents that were paid for it.
    pub price: i64,
    pub way: Way,
    pub license: License,
    pub state: State,
    pub got_at: i64,
    /// 0: never.
    pub first_download_at: i64,
    pub downloads: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
