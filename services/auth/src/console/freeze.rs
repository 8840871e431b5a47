//! Frozen accounts: sign-in is refused, and open sessions end.

use chassis::db::change::Change;
use chassis::{BusinessError, ServiceError};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect};
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, string_len, text};

use crate::entity::account;

pub mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "account_freeze")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub login_id: String,
        /// 0: without an end.
        pub until: i64,
        pub reason: String,
        pub frozen_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The freeze in force, if any.
pub async fn of(
    connection: &impl ConnectionTrait,
    login_id: &str,
    now_ms: i64,
) -> Result<Option<row::Model>, DbErr> {
    let found = row::Entity::find_by_id(login_id).one(connection).await?;
    Ok(found.filter(|freeze| freeze.until == 0 || freeze.until > now_ms))
}

/// Before an account is frozen: waits for sign-ins in progress, so that their sessions end too; later ones wait and find the
/// account frozen.
pub async fn hold(transaction: &DatabaseTransaction, login_id: &str) -> Result<(), DbErr> {
    let held = account::Entity::find_by_id(login_id).lock_exclusive();
    held.one(transaction).await?;
    Ok(())
}

/// Errors: the account is frozen; names the time left if it is limited. A freeze waits for the end of the transaction.
pub async fn refuse_frozen(
    connection: &impl ConnectionTrait,
    login_id: &str,
    now_ms: i64,
) -> Result<(), ServiceError> {
    let held = account::Entity::find_by_id(login_id).lock_shared();
    held.one(connection).await?;
    let Some(freeze) = of(connection, login_id, now_ms).await? else {
        return Ok(());
    };
    let message = match freeze.until {
        0 => "账号已被冻结，如有疑问请联系客服".to_owned(),
        until => format!(
            "账号已被冻结，{}后可重新登录，如有疑问请联系客服",
            crate::rules::span(until - now_ms)
        ),
    };
    Err(BusinessError::new(code::FROZEN, message).into())
}

pub fn tables() -> Change {
    let freeze = Table::create()
        .table("account_freeze")
        .col(string_len("login_id", 32).primary_key())
        .col(big_integer("until"))
        .col(text("reason"))
        .col(big_integer("frozen_at"))
        .to_owned();
    Change::new("m20261123_000103_freeze")
        .table("account_freeze", freeze)
        .index("account_created", "account", &["created_at", "id"])
        .index("account_nickname", "account", &["nickname"])
}

/// Index for the search by name.
pub fn names() -> Change {
    Change::new("m20261123_000104_account_username").index(
        "account_username",
        "account",
        &["username"],
    )
}
