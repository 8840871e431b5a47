//! The audit log. The transaction of an operator's act writes one row of the table `audit`, which the database keeps
//! append-only, and one event that carries it to auth, which chains the entries of all services.

use proto::common::v1::AuditEntry;
use proto::events::Internal;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, EntityTrait, Set};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, text};
use serde_json::Value;

use crate::messaging::Outbox;
use crate::{BusinessError, Operator, Origin, ServiceError};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub at: i64,
        pub call: String,
        pub operator_id: String,
        pub operator_name: String,
        pub target: String,
        /// JSON texts.
        pub before: String,
        pub after: String,
        pub reason: String,
        pub request_id: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Most characters of a reason.
const LONGEST_REASON: usize = 500;

/// What was done.
#[derive(Debug, Clone, Default)]
pub struct Deed<'a> {
    /// Whom or what it was done to, for example a login id.
    pub target: &'a str,
    /// The state before and after; never a secret. Null: there is nothing to say.
    pub before: Value,
    pub after: Value,
    /// The field `reason` of the request; empty for calls without one.
    pub reason: &'a str,
}

/// Who did it.
#[derive(Clone, Copy)]
pub struct Author<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub origin: &'a Origin,
}

impl<'a> From<&'a Operator> for Author<'a> {
    fn from(operator: &'a Operator) -> Self {
        Self {
            id: operator.id(),
            name: operator.name(),
            origin: operator,
        }
    }
}

/// Writes the entry of the call that `author` makes into the transaction of its effect. `event` puts it into the service's own
/// `AuditRecorded`. The caller wakes the outbox after its commit.
///
/// Errors: the call demands a reason and there is none; it has no HTTP face.
pub async fn record<'a, E: Internal>(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    service: &str,
    author: impl Into<Author<'a>>,
    deed: Deed<'_>,
    event: impl FnOnce(AuditEntry) -> E,
) -> Result<(), ServiceError> {
    let Author { id, name, origin } = author.into();
    let call = origin.call().ok_or(ServiceError::Forbidden)?;
    let entry = AuditEntry {
        id: crate::ids::new_id(),
        at_ms: outbox.now_ms(),
        service: service.to_owned(),
        call: call.id.clone(),
        permission: call.permission.clone(),
        operator_id: id.to_owned(),
        operator_name: name.to_owned(),
        target: deed.target.chars().take(255).collect(),
        before: written(&deed.before),
        after: written(&deed.after),
        reason: reason(call.reason, deed.reason)?,
        request_id: origin.request_id().to_owned(),
        remote_addr: origin.remote_addr().to_owned(),
    };
    keep(outbox, transaction, entry, event).await
}

/// As [`record`], for an operator's command line (`xuanlan auth operator add`): no operator is signed in there.
pub async fn record_command<E: Internal>(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    service: &str,
    command: &str,
    deed: Deed<'_>,
    event: impl FnOnce(AuditEntry) -> E,
) -> Result<(), ServiceError> {
    let entry = AuditEntry {
        id: crate::ids::new_id(),
        at_ms: outbox.now_ms(),
        service: service.to_owned(),
        call: "command".to_owned(),
        permission: String::new(),
        operator_id: String::new(),
        operator_name: command.to_owned(),
        target: deed.target.chars().take(255).collect(),
        before: written(&deed.before),
        after: written(&deed.after),
        reason: reason(false, deed.reason)?,
        request_id: String::new(),
        remote_addr: String::new(),
    };
    keep(outbox, transaction, entry, event).await
}

async fn keep<E: Internal>(
    outbox: &Outbox,
    transaction: &impl ConnectionTrait,
    entry: AuditEntry,
    event: impl FnOnce(AuditEntry) -> E,
) -> Result<(), ServiceError> {
    metrics::counter!("audit_entries_total", "service" => entry.service.clone()).increment(1);
    let row = row::ActiveModel {
        id: Set(entry.id.clone()),
        at: Set(entry.at_ms),
        call: Set(entry.call.clone()),
        operator_id: Set(entry.operator_id.clone()),
        operator_name: Set(entry.operator_name.clone()),
        target: Set(entry.target.clone()),
        before: Set(entry.before.clone()),
        after: Set(entry.after.clone()),
        reason: Set(entry.reason.clone()),
        request_id: Set(entry.request_id.clone()),
    };
    row::Entity::insert(row)
        .exec_without_returning(transaction)
        .await?;
    let id = entry.id.clone();
    outbox.add(transaction, &id, &event(entry)).await?;
    Ok(())
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// The reason as it is kept, without invisible characters. Errors: it is demanded and missing, or too long.
fn reason(demanded: bool, given: &str) -> Result<String, ServiceError> {
    let given = contentscan::visible(given, true);
    let given = given.trim();
    if demanded && !contentscan::is_visible(given) {
        return Err(BusinessError::invalid("请填写原因").into());
    }
    if given.chars().count() > LONGEST_REASON {
        return Err(BusinessError::invalid("原因不能超过 500 个字").into());
    }
    Ok(given.to_owned())
}

/// The migration of the table `audit`: every service with calls of the console has it.
pub struct Table;

impl MigrationName for Table {
    fn name(&self) -> &str {
        "m20261123_000100_audit"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Table {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = sea_orm_migration::prelude::Table::create()
            .table("audit")
            .col(string_len("id", 64).primary_key())
            .col(big_integer("at"))
            .col(string_len("call", 16))
            .col(string_len("operator_id", 64))
            .col(string_len("operator_name", 64))
            .col(string_len("target", 255))
            .col(text("before"))
            .col(text("after"))
            .col(text("reason"))
            .col(string_len("request_id", 128))
            .to_owned();
        manager.create_table(table).await?;
        append_only(manager, "audit").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        crate::db::tables::drop_tables(manager, &["audit"]).await
    }
}

/// The migration that closes a way past [`append_only`].
pub struct NotReplaced;

impl MigrationName for NotReplaced {
    fn name(&self) -> &str {
        "m20261206_000100_audit_not_replaced"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for NotReplaced {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        refuse_replacement(manager, "audit", &["id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        allow_replacement(manager, "audit").await
    }
}

/// Makes SQLite refuse `INSERT OR REPLACE` of a row that equals one in any of `keys`: it removes that one without firing the
/// trigger that refuses removal. No other database has such a statement.
pub async fn refuse_replacement(
    manager: &SchemaManager<'_>,
    table: &str,
    keys: &[&str],
) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if connection.get_database_backend() != DbBackend::Sqlite {
        return Ok(());
    }
    let same: Vec<String> = keys
        .iter()
        .map(|key| format!("{key} = NEW.{key}"))
        .collect();
    let trigger = format!(
        "CREATE TRIGGER {table}_fixed_REPLACE BEFORE INSERT ON {table} \
         WHEN EXISTS (SELECT 1 FROM {table} WHERE {}) \
         BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END",
        same.join(" OR ")
    );
    connection.execute_unprepared(&trigger).await?;
    Ok(())
}

pub async fn allow_replacement(manager: &SchemaManager<'_>, table: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if connection.get_database_backend() == DbBackend::Sqlite {
        let drop = format!("DROP TRIGGER {table}_fixed_REPLACE");
        connection.execute_unprepared(&drop).await?;
    }
    Ok(())
}

/// Makes the database refuse whatever would change or remove a row of a table.
pub async fn append_only(manager: &SchemaManager<'_>, table: &str) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if connection.get_database_backend() == DbBackend::Postgres {
        let function = "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS \
                        $$ BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME; END $$";
        connection.execute_unprepared(function).await?;
        let trigger = format!(
            "CREATE TRIGGER {table}_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} \
             FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        );
        connection.execute_unprepared(&trigger).await?;
        return Ok(());
    }
    for what in ["UPDATE", "DELETE"] {
        let trigger = format!(
            "CREATE TRIGGER {table}_fixed_{what} BEFORE {what} ON {table} \
             BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
        );
        connection.execute_unprepared(&trigger).await?;
    }
    Ok(())
}
