//! The tables of auth.

use chassis::db::migration::{InboxAge, Messaging, Streaming, drop_tables, index};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, integer, string_len, string_len_null,
};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(Messaging),
            Box::new(Accounts),
            Box::new(Streaming),
            Box::new(InboxAge),
        ]
    }
}

struct Accounts;

impl MigrationName for Accounts {
    fn name(&self) -> &str {
        "m20261121_000001_accounts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Accounts {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [account(), session(), sms_code(), sms_gate(), failure()] {
            manager.create_table(table).await?;
        }
        for index in [
            index("session_login", "session", &["login_id", "created_at"]),
            index("session_expiry", "session", &["expires_at"]),
            index("sms_code_phone", "sms_code", &["phone", "created_at"]),
            index(
                "sms_code_address",
                "sms_code",
                &["remote_addr", "created_at"],
            ),
            index("sms_code_age", "sms_code", &["created_at"]),
            index("sms_gate_age", "sms_gate", &["passed_at"]),
            index("failure_login", "password_failure", &["login_id", "at"]),
            index(
                "failure_address",
                "password_failure",
                &["remote_addr", "at"],
            ),
            index("failure_age", "password_failure", &["at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(
            manager,
            &[
                "password_failure",
                "sms_gate",
                "sms_code",
                "session",
                "account",
            ],
        )
        .await
    }
}

fn account() -> TableCreateStatement {
    Table::create()
        .table("account")
        .col(string_len("id", 32).primary_key())
        .col(string_len("phone", 16).unique_key())
        .col(string_len_null("email", 64).unique_key())
        .col(string_len("username", 64))
        .col(string_len("account_number", 16).unique_key())
        .col(string_len_null("nickname", 64))
        .col(string_len_null("avatar", 512))
        .col(string_len("profession_code", 32))
        .col(string_len("password_hash", 256))
        .col(integer("uploader_type"))
        .col(boolean("is_operator"))
        .col(big_integer("version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(string_len("token_hash", 64).unique_key())
        .col(string_len("remote_addr", 64))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer("last_seen_at"))
        .to_owned()
}

fn sms_code() -> TableCreateStatement {
    Table::create()
        .table("sms_code")
        .col(string_len("id", 64).primary_key())
        .col(string_len("phone", 16))
        .col(string_len("purpose", 16))
        .col(string_len("code_hash", 64))
        .col(string_len("remote_addr", 64))
        .col(integer("tries"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("ended_at"))
        .to_owned()
}

fn sms_gate() -> TableCreateStatement {
    Table::create()
        .table("sms_gate")
        .col(string_len("name", 96).primary_key())
        .col(big_integer("passed_at"))
        .to_owned()
}

fn failure() -> TableCreateStatement {
    Table::create()
        .table("password_failure")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(string_len("remote_addr", 64))
        .col(big_integer("at"))
        .to_owned()
}
