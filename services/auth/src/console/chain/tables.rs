//! The tables of the chain.

use chassis::audit::{allow_replacement, append_only, refuse_replacement};
use chassis::db::tables::drop_tables;
use sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, text};

/// The migration of the chain.
pub struct Chain;

impl MigrationName for Chain {
    fn name(&self) -> &str {
        "m20261123_000102_audit_chain"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Chain {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let chain = Table::create()
            .table("audit_chain")
            .col(big_integer("number").primary_key())
            .col(string_len("id", 64).unique_key())
            .col(big_integer("at"))
            .col(string_len("service", 32))
            .col(string_len("call", 16))
            .col(string_len("permission", 64))
            .col(string_len("operator_id", 64))
            .col(string_len("operator_name", 64))
            .col(string_len("target", 255))
            .col(text("before"))
            .col(text("after"))
            .col(text("reason"))
            .col(string_len("request_id", 128))
            .col(string_len("remote_addr", 64))
            .col(string_len("hash", 64))
            .to_owned();
        manager.create_table(chain).await?;
        let head = Table::create()
            .table("audit_head")
            .col(big_integer("id").primary_key())
            .col(big_integer("number"))
            .col(string_len("hash", 64))
            .to_owned();
        manager.create_table(head).await?;
        for (name, column) in [
            ("audit_chain_operator", "operator_name"),
            ("audit_chain_target", "target"),
            ("audit_chain_call", "call"),
        ] {
            let columns = &[column, "number"];
            let index = chassis::db::tables::index(name, "audit_chain", columns);
            manager.create_index(index).await?;
        }
        let first = "INSERT INTO audit_head (id, number, hash) VALUES (1, 0, '')";
        manager.get_connection().execute_unprepared(first).await?;
        append_only(manager, "audit_chain").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["audit_head", "audit_chain"]).await
    }
}

/// The migration of the columns that came with the key.
pub struct Sealed;

impl MigrationName for Sealed {
    fn name(&self) -> &str {
        "m20261206_000101_audit_sealed"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Sealed {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [
            "keyed_from BIGINT NOT NULL DEFAULT 0",
            "seal VARCHAR(64) NOT NULL DEFAULT ''",
        ] {
            let change = format!("ALTER TABLE audit_head ADD COLUMN {column}");
            manager.get_connection().execute_unprepared(&change).await?;
        }
        let connection = manager.get_connection();
        let only_with_seal = match connection.get_database_backend() {
            DbBackend::Postgres => {
                "CREATE TRIGGER audit_head_sealed BEFORE UPDATE ON audit_head FOR EACH ROW \
                 WHEN (NEW.seal = OLD.seal AND NEW.number <> OLD.number) EXECUTE FUNCTION refuse_change()"
            }
            _ => {
                "CREATE TRIGGER audit_head_sealed BEFORE UPDATE ON audit_head \
                 WHEN NEW.seal = OLD.seal AND NEW.number <> OLD.number \
                 BEGIN SELECT RAISE(ABORT, 'the head is moved with its seal only'); END"
            }
        };
        // During an upgrade a process of the version before, which knows of no seal, leaves its entries to others.
        connection.execute_unprepared(only_with_seal).await?;
        refuse_replacement(manager, "audit_chain", &["number", "id"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        allow_replacement(manager, "audit_chain").await?;
        let connection = manager.get_connection();
        let drop = match connection.get_database_backend() {
            DbBackend::Postgres => "DROP TRIGGER audit_head_sealed ON audit_head",
            _ => "DROP TRIGGER audit_head_sealed",
        };
        connection.execute_unprepared(drop).await?;
        for column in ["keyed_from", "seal"] {
            let change = format!("ALTER TABLE audit_head DROP COLUMN {column}");
            manager.get_connection().execute_unprepared(&change).await?;
        }
        Ok(())
    }
}
