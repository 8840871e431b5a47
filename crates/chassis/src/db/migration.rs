//! Bringing a service's tables up to date, and the tables every service has: outbox and inbox. A service puts
//! [`Messaging`] first in its list of migrations, and [`Streaming`], [`InboxAge`] and [`Undelivered`] after it.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, TransactionTrait};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, big_pk_auto, binary, integer, string_len, text,
};
use sea_orm_migration::{IntoSchemaManagerConnection, MigratorTraitSelf};

use super::change::Change;
use super::tables::{drop_tables, index};
use crate::limit;

/// Any number, the same in every process: a service has a database of its own, so only its instances meet here.
const LOCK: &str = "SELECT pg_advisory_xact_lock(72110203)";
/// Longest time for all steps together, waiting for another instance included.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// A service's migrations, and those that a later version of it has applied here: after a downgrade the database holds
/// migrations that this binary does not know, and SeaORM would refuse to start.
struct AppliedMigrations {
    own: fn() -> Vec<Box<dyn MigrationTrait>>,
    later: Vec<String>,
}

impl MigratorTraitSelf for AppliedMigrations {
    fn migrations(&self) -> Vec<Box<dyn MigrationTrait>> {
        let mut all = (self.own)();
        for name in &self.later {
            all.push(Box::new(LaterMigration(name.clone())));
        }
        all
    }
}

/// A migration of which only the name is known. It is there already, so it never runs.
struct LaterMigration(String);

impl MigrationName for LaterMigration {
    fn name(&self) -> &str {
        &self.0
    }
}

#[async_trait::async_trait]
impl MigrationTrait for LaterMigration {
    async fn up(&self, _: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Custom(format!("{} is not known", self.0)))
    }
}

async fn apply<'c, M, C>(connection: &'c C) -> Result<(), DbErr>
where
    M: MigratorTrait,
    C: ConnectionTrait,
    &'c C: IntoSchemaManagerConnection<'c>,
{
    let own = M::migrations();
    let applied = M::get_migration_models(connection).await?;
    let later: Vec<String> = applied
        .into_iter()
        .map(|row| row.version)
        .filter(|version| own.iter().all(|migration| migration.name() != version))
        .collect();
    if !later.is_empty() {
        tracing::info!(?later, "a later version has been here");
    }
    let all = AppliedMigrations {
        own: M::migrations,
        later,
    };
    all.up(connection, None).await
}

/// Applies what is missing; what a later version has added stays. Of several instances that start together on one server one applies, the others wait: two
/// that create the same table at once would fail.
pub async fn migrate<M: MigratorTrait>(db: &DatabaseConnection) -> Result<(), DbErr> {
    if db.get_database_backend() != DbBackend::Postgres {
        return apply::<M, _>(db).await;
    }
    let migrated = limit::within("migrations", LIMIT, async {
        let transaction = db.begin().await?;
        // A step may rewrite a table, and the others wait meanwhile.
        let patient = format!("SET LOCAL statement_timeout = {}", LIMIT.as_millis());
        transaction.execute_unprepared(&patient).await?;
        transaction.execute_unprepared(LOCK).await?;
        apply::<M, _>(&transaction).await?;
        transaction.commit().await
    });
    migrated
        .await
        .unwrap_or_else(|error| Err(DbErr::Custom(error.to_string())))
}

/// The one row of the lease of the relay to topics.
pub(crate) const STREAM_LEASE: &str = "outbox";

/// What a relay to topics needs: a mark of each event that left, the order in which events were written, and the lease of
/// the one relay that leads.
pub struct Streaming;

impl MigrationName for Streaming {
    fn name(&self) -> &str {
        "m20261122_100000_streaming"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Streaming {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let add = "ALTER TABLE outbox ADD COLUMN streamed_at BIGINT";
        connection.execute_unprepared(add).await?;
        // SQLite numbers its rows by itself.
        let mut written = "event_key";
        if manager.get_database_backend() != DbBackend::Sqlite {
            let add = "ALTER TABLE outbox ADD COLUMN position BIGSERIAL";
            connection.execute_unprepared(add).await?;
            written = "position";
        }
        let waiting = format!(
            "CREATE INDEX outbox_unstreamed ON outbox ({written}) WHERE streamed_at IS NULL"
        );
        connection.execute_unprepared(&waiting).await?;
        let mut lease = Table::create();
        lease
            .table("stream_lease")
            .col(string_len("name", 32).primary_key())
            .col(string_len("holder", 64))
            .col(big_integer("expires_at"));
        manager.create_table(lease).await?;
        let free = format!("INSERT INTO stream_lease VALUES ('{STREAM_LEASE}', '', 0)");
        connection.execute_unprepared(&free).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        drop_tables(manager, &["stream_lease"]).await?;
        connection
            .execute_unprepared("DROP INDEX outbox_unstreamed")
            .await?;
        let columns = match manager.get_database_backend() {
            DbBackend::Sqlite => &["streamed_at"][..],
            _ => &["streamed_at", "position"],
        };
        for column in columns {
            let drop = format!("ALTER TABLE outbox DROP COLUMN {column}");
            connection.execute_unprepared(&drop).await?;
        }
        Ok(())
    }
}

/// Finds the marks of the inbox that are old enough to be forgotten.
pub struct InboxAge;

impl MigrationName for InboxAge {
    fn name(&self) -> &str {
        "m20261123_000000_inbox_age"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for InboxAge {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_index(index("inbox_received", "inbox", &["received_at"]))
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .drop_index(
                Index::drop()
                    .name("inbox_received")
                    .table("inbox")
                    .to_owned(),
            )
            .await
    }
}

/// The table of events that a consumer within this process could not take ([`crate::messaging::undelivered`]).
pub struct Undelivered;

impl Undelivered {
    fn change() -> Change {
        let undelivered = Table::create()
            .table("undelivered")
            .col(big_pk_auto("position"))
            .col(string_len("consumer", 128))
            .col(string_len("event_id", 64))
            .col(string_len("event_key", 128))
            .col(string_len("aggregate", 128))
            .col(big_integer("version"))
            .col(binary("body"))
            .col(string_len("traceparent", 64))
            .col(big_integer("created_at"))
            .col(integer("tries"))
            .col(big_integer("due_at"))
            .col(big_integer_null("given_up_at"))
            .col(text("reason"))
            .to_owned();
        Change::new(Self::NAME)
            .table("undelivered", undelivered)
            .unique_index(
                "undelivered_event",
                "undelivered",
                &["consumer", "event_id"],
            )
            .index(
                "undelivered_aggregate",
                "undelivered",
                &["consumer", "aggregate"],
            )
    }

    const NAME: &str = "m20261124_000000_undelivered";
}

impl MigrationName for Undelivered {
    fn name(&self) -> &str {
        Self::NAME
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Undelivered {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Self::change().up(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        Self::change().down(manager).await
    }
}

/// Outbox and inbox.
pub struct Messaging;

impl MigrationName for Messaging {
    fn name(&self) -> &str {
        "m20261101_000000_messaging"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Messaging {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut outbox = Table::create();
        outbox
            .table(Alias::new("outbox"))
            .col(
                ColumnDef::new(Alias::new("id"))
                    .string_len(64)
                    .not_null()
                    .primary_key(),
            )
            .col(
                ColumnDef::new(Alias::new("event_key"))
                    .string_len(128)
                    .not_null(),
            )
            .col(
                ColumnDef::new(Alias::new("aggregate"))
                    .string_len(128)
                    .not_null(),
            )
            .col(
                ColumnDef::new(Alias::new("version"))
                    .big_integer()
                    .not_null(),
            )
            .col(ColumnDef::new(Alias::new("body")).binary().not_null())
            .col(
                ColumnDef::new(Alias::new("traceparent"))
                    .string_len(64)
                    .not_null(),
            )
            .col(
                ColumnDef::new(Alias::new("created_at"))
                    .big_integer()
                    .not_null(),
            )
            .col(ColumnDef::new(Alias::new("sent_at")).big_integer());
        manager.create_table(outbox).await?;
        let unsent = Index::create()
            .name("outbox_unsent")
            .table(Alias::new("outbox"))
            .col(Alias::new("sent_at"))
            .col(Alias::new("created_at"))
            .to_owned();
        manager.create_index(unsent).await?;
        let mut inbox = Table::create();
        inbox
            .table(Alias::new("inbox"))
            .col(
                ColumnDef::new(Alias::new("consumer"))
                    .string_len(128)
                    .not_null(),
            )
            .col(
                ColumnDef::new(Alias::new("message_id"))
                    .string_len(64)
                    .not_null(),
            )
            .col(
                ColumnDef::new(Alias::new("received_at"))
                    .big_integer()
                    .not_null(),
            )
            .primary_key(
                Index::create()
                    .col(Alias::new("consumer"))
                    .col(Alias::new("message_id")),
            );
        manager.create_table(inbox).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["inbox", "outbox"] {
            manager
                .drop_table(Table::drop().table(Alias::new(table)).to_owned())
                .await?;
        }
        Ok(())
    }
}
