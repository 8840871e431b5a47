//! Rows of closures, and which services have answered.

use chassis::db::change::Change;
use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QuerySelect};
use sea_orm_migration::prelude::{Index, Table};
use sea_orm_migration::schema::{big_integer, integer, string_len, string_len_null};

pub mod closure {
    use chassis::db::states::StateMachine;
    use sea_orm::entity::prelude::*;

    chassis::column_enum! {
        /// State of a closure.
        pub enum State {
            /// The grace period is running.
            Waiting = "waiting",
            /// Services are erasing.
            Erasing = "erasing",
            /// All services have erased.
            Finished = "finished",
        }
    }

    impl StateMachine for State {
        type Entity = Entity;
        const COLUMN: Column = Column::State;

        fn predecessors(self) -> &'static [Self] {
            match self {
                Self::Waiting => &[],
                Self::Erasing => &[Self::Waiting],
                Self::Finished => &[Self::Erasing],
            }
        }
    }

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "closure")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        /// None once it is finished.
        #[sea_orm(unique)]
        pub login_id: Option<String>,
        pub pseudonym: String,
        pub state: State,
        pub requested_at: i64,
        /// End of the grace period.
        pub due_at: i64,
        /// Round of erasure requests; 0 during the grace period.
        pub round: i32,
        /// When the sweeper next handles it.
        pub next_at: i64,
        pub finished_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod answer {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "closure_answer")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub closure_id: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub round: i32,
        #[sea_orm(primary_key, auto_increment = false)]
        pub service: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub fn tables() -> Change {
    let closure = Table::create()
        .table("closure")
        .col(string_len("id", 64).primary_key())
        .col(string_len_null("login_id", 32).unique_key())
        .col(string_len("pseudonym", 32))
        .col(string_len("state", 16))
        .col(big_integer("requested_at"))
        .col(big_integer("due_at"))
        .col(integer("round"))
        .col(big_integer("next_at"))
        .col(big_integer("finished_at"))
        .to_owned();
    let answer = Table::create()
        .table("closure_answer")
        .col(string_len("closure_id", 64))
        .col(integer("round"))
        .col(string_len("service", 32))
        .primary_key(
            Index::create()
                .col("closure_id")
                .col("round")
                .col("service"),
        )
        .to_owned();
    Change::new("m20261125_000002_closure")
        .table("closure", closure)
        .index("closure_next", "closure", &["state", "next_at"])
        .table("closure_answer", answer)
}

/// Errors: the account is closed; its rows are about to be deleted.
pub async fn refuse_ending(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<(), ServiceError> {
    // Locked until the end of the transaction: a closure that begins meanwhile waits, and then ends this session too.
    let known = closure::Entity::find()
        .filter(closure::Column::LoginId.eq(login_id))
        .lock_shared()
        .one(connection)
        .await?;
    match known {
        Some(known) if known.state != closure::State::Waiting => {
            Err(BusinessError::new(code::NOT_REGISTERED, "账号已注销").into())
        }
        _ => Ok(()),
    }
}
