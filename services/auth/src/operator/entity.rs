//! Rows of operators, their sessions, recovery codes and roles.

pub mod operator {
    use sea_orm::entity::prelude::*;

    chassis::column_enum! {
        /// State of an operator.
        pub enum State {
            /// Has a link and has not enrolled.
            Invited = "invited",
            Active = "active",
            Disabled = "disabled",
        }
    }

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "operator")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        /// Lower case.
        #[sea_orm(unique)]
        pub name: String,
        pub state: State,
        /// JSON list of ids of roles.
        pub roles: String,
        /// PHC string; empty until the enrolment.
        pub password_hash: String,
        /// The authenticator's secret, as of `second_factor`.
        pub key_id: String,
        pub wrapped_key: String,
        pub secret: String,
        /// The newest step whose code was used.
        pub last_step: i64,
        pub failures: i32,
        pub failed_at: i64,
        /// Lower-case hex SHA-256 of the enrolment link's token.
        pub link_hash: Option<String>,
        pub link_expires_at: i64,
        pub created_at: i64,
        pub signed_in_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod session {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "operator_session")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub operator_id: String,
        /// Lower-case hex SHA-256 of the token.
        #[sea_orm(unique)]
        pub token_hash: String,
        pub remote_addr: String,
        pub created_at: i64,
        pub expires_at: i64,
        /// Within half a minute of the last call.
        pub last_seen_at: i64,
        /// Until when the second factor is fresh.
        pub fresh_until: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod recovery {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "operator_recovery")]
    pub struct Model {
        /// Lower-case hex SHA-256 of operator and code.
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub operator_id: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub mod role {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "operator_role")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        #[sea_orm(unique)]
        pub title: String,
        /// JSON list.
        pub permissions: String,
        pub created_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}
