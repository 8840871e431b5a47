//! A coupon of a user.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;

chassis::column_enum! {
    /// State of a coupon.
    pub enum State {
        Available = "available",
        /// An order has it; another cannot use it.
        Reserved = "reserved",
        Consumed = "consumed",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Available | Self::Consumed => &[Self::Reserved],
            // The same order may reserve it again.
            Self::Reserved => &[Self::Available, Self::Reserved],
        }
    }
}

/// What it takes off, see [`crate::pricing`]; the page's copy of the rule is `frontend/src/shop/pricing.ts`, and both are tested with
/// `coupon_vectors.json`. The contract's number is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "i32", db_type = "Integer")]
pub enum Kind {
    /// Its face value.
    #[sea_orm(num_value = 1)]
    FaceValue = 1,
    /// A part of the price.
    #[sea_orm(num_value = 2)]
    Discount = 2,
}

impl Kind {
    /// Whether an order with it can be paid with cloud coins only (`frontend/src/features/payment/methods.ts`).
    pub(crate) fn coins_only(self) -> bool {
        self == Self::FaceValue
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "coupon")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub owner: String,
    /// What it was made from; a user has one of each.
    pub template: String,
    /// 1 of the platform, 0 another's.
    pub sys_type: i32,
    pub kind: Kind,
    /// Cents.
    pub face_value: i64,
    /// Percent that is paid.
    pub discount_value: i64,
    pub name: String,
    pub label: String,
    /// Cents.
    pub min_amount: i64,
    /// Function type of the orders it can be used on.
    pub function_module: i32,
    pub state: State,
    /// The order that has reserved or consumed it.
    pub order_id: Option<String>,
    /// Unix time in milliseconds at which a reservation that was not paid ends.
    pub release_at: Option<i64>,
    pub received_at: i64,
    pub expires_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
