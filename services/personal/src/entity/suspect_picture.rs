//! A picture that the automatic checks could not decide, and the reviewer's decision.

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
    /// Lower-case hex SHA-256 of the upload: the decision applies to these bytes.
    pub sha256: String,
    /// Key of the copy shown to reviewers; users cannot overwrite it.
    pub object_key: String,
    pub fingerprint: String,
    /// Why it is in review.
    pub cause: String,
    pub state: State,
    pub created_at: i64,
    pub decided_at: Option<i64>,
    pub decided_by: String,
    /// Reason given by the reviewer.
    pub decision: String,
    /// Operator who has claimed it, until `claimed_until`.
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
