//! A picture that the checks could not decide, and what a reviewer decided.

use sea_orm::entity::prelude::*;

chassis::column_enum! {
    pub enum State {
        Waiting = "waiting",
        Passed = "passed",
        Refused = "refused",
    }
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "suspect_picture")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub login_id: String,
    /// Lower-case hex SHA-256 of what was uploaded: the decision holds for these bytes.
    pub sha256: String,
    /// Of the copy that the reviewer sees; users cannot write there.
    pub object_key: String,
    pub fingerprint: String,
    /// Why it waits.
    pub cause: String,
    pub state: State,
    pub created_at: i64,
    pub decided_at: Option<i64>,
    pub decided_by: String,
    /// Why, as the reviewer said.
    pub decision: String,
    /// Operator who has it, until then.
    pub claimed_by: String,
    pub claimed_until: i64,
}

chassis::owned!(LoginId);

impl chassis::db::states::StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Waiting => &[],
            Self::Passed | Self::Refused => &[Self::Waiting],
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
