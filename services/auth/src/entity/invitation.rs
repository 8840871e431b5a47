//! Who invited whom.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        /// The invitee has no upload yet that passed its check-up.
        Pending = "pending",
        /// Due for a reward, but looks like a farm: an operator decides.
        Held = "held",
        Qualified = "qualified",
        /// An operator has refused the reward.
        Refused = "refused",
    }
}

impl chassis::db::states::StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Pending => &[],
            Self::Held => &[Self::Pending],
            Self::Qualified => &[Self::Pending, Self::Held],
            Self::Refused => &[Self::Pending, Self::Held],
        }
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "invitation")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub inviter: String,
    /// A user is invited only once.
    #[sea_orm(unique)]
    pub invitee: String,
    pub state: State,
    /// Signs of a farm, worded for operators; empty: none.
    pub suspicion: String,
    /// Cents, set when it is qualified; the inviter's are 0 beyond the month's limit.
    pub inviter_cents: i64,
    pub invitee_cents: i64,
    pub inviter_paid_at: Option<i64>,
    pub invitee_paid_at: Option<i64>,
    pub created_at: i64,
    pub qualified_at: Option<i64>,
    /// The operator who released or refused it.
    pub decided_by: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
