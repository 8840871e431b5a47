//! The schema. What must never be is refused by the database itself: CHECKs and unique keys.

use chassis::db::migration::{drop_tables, index};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, integer, string_len, string_len_null, text,
};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(Initial),
            Box::new(chassis::db::migration::Streaming),
            Box::new(Operators),
            Box::new(chassis::db::migration::InboxAge),
        ]
    }
}

struct Initial;

impl MigrationName for Initial {
    fn name(&self) -> &str {
        "m20261122_000001_payment"
    }
}

const TABLES: [&str; 8] = [
    "account",
    "ledger_transaction",
    "entry",
    "hold",
    "statement",
    "attempt",
    "settlement",
    "refund",
];

#[async_trait::async_trait]
impl MigrationTrait for Initial {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ledger_tables().into_iter().chain(payment_tables()) {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &TABLES).await
    }
}

/// The log of what operators decide.
struct Operators;

impl MigrationName for Operators {
    fn name(&self) -> &str {
        "m20261122_110000_operators"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Operators {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let log = Table::create()
            .table("operator_log")
            .col(string_len("id", 32).primary_key())
            .col(string_len("operator", 255))
            .col(string_len("action", 16))
            .col(string_len("attempt_id", 32))
            .col(string_len_null("refund_id", 32))
            .col(big_integer("amount"))
            .col(text("reason"))
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(log).await?;
        let by_attempt = index("operator_log_attempt", "operator_log", &["attempt_id"]);
        manager.create_index(by_attempt).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["operator_log"]).await
    }
}

fn ledger_tables() -> Vec<TableCreateStatement> {
    vec![
        Table::create()
            .table("account")
            .col(string_len("id", 160).primary_key())
            .col(string_len("owner", 64))
            .col(string_len("kind", 32))
            .col(string_len("unit", 32))
            .col(big_integer("posted"))
            .col(big_integer("held"))
            .col(boolean("guarded"))
            .col(big_integer("version"))
            .check(Expr::cust("NOT guarded OR posted - held >= 0"))
            .check(Expr::cust("held >= 0"))
            .to_owned(),
        Table::create()
            .table("ledger_transaction")
            .col(string_len("id", 64).primary_key())
            .col(string_len("book", 32))
            .col(string_len("key", 128))
            .col(string_len("input_hash", 64))
            .col(big_integer("created_at"))
            .to_owned(),
        Table::create()
            .table("entry")
            .col(string_len("transaction_id", 64))
            .col(integer("line"))
            .col(string_len("account_id", 160))
            .col(big_integer("amount"))
            .primary_key(Index::create().col("transaction_id").col("line"))
            .check(Expr::cust("amount <> 0"))
            .to_owned(),
        Table::create()
            .table("hold")
            .col(string_len("id", 64).primary_key())
            .col(string_len("account_id", 160))
            .col(big_integer("amount"))
            .col(string_len("state", 16))
            .col(big_integer("created_at"))
            .col(big_integer_null("ended_at"))
            .check(Expr::cust("amount > 0"))
            .to_owned(),
        Table::create()
            .table("statement")
            .col(string_len("id", 64).primary_key())
            .col(string_len("owner", 64))
            .col(integer("transaction_type"))
            .col(integer("function_type"))
            .col(string_len("pay_method", 16))
            .col(big_integer("amount"))
            .col(big_integer_null("balance"))
            .col(string_len("order_no", 32))
            .col(text("description"))
            .col(big_integer("created_at"))
            .to_owned(),
    ]
}

fn payment_tables() -> Vec<TableCreateStatement> {
    vec![
        Table::create()
            .table("attempt")
            .col(string_len("id", 32).primary_key())
            .col(string_len("order_id", 64))
            .col(string_len("owner", 64))
            .col(string_len("channel", 32))
            .col(string_len("coupon_id", 64))
            .col(string_len("state", 16))
            .col(big_integer("payable"))
            .col(text("shares"))
            .col(string_len("order_no", 32))
            .col(text("subject"))
            .col(integer("function_type"))
            .col(integer("transaction_type"))
            .col(big_integer("expires_at"))
            .col(big_integer("captured"))
            .col(big_integer("refunded"))
            .col(string_len("disposition", 16))
            .col(string_len("provider_no", 128))
            .col(text("reason"))
            .col(integer("tries"))
            .col(big_integer("next_check_at"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .check(Expr::cust("refunded >= 0 AND refunded <= captured"))
            .check(Expr::cust("payable >= 0"))
            .to_owned(),
        Table::create()
            .table("settlement")
            .col(string_len("order_id", 64).primary_key())
            .col(string_len("attempt_id", 32))
            .col(big_integer("created_at"))
            .to_owned(),
        Table::create()
            .table("refund")
            .col(string_len("id", 32).primary_key())
            .col(string_len("attempt_id", 32))
            .col(string_len("order_id", 64))
            .col(string_len("owner", 64))
            .col(string_len("channel", 32))
            .col(big_integer("amount"))
            .col(text("reason"))
            .col(string_len("state", 16))
            .col(integer("tries"))
            .col(big_integer("next_check_at"))
            .col(big_integer("created_at"))
            .col(big_integer_null("ended_at"))
            .check(Expr::cust("amount > 0"))
            .to_owned(),
    ]
}

fn indexes() -> Vec<IndexCreateStatement> {
    let mut key = index("ledger_key", "ledger_transaction", &["book", "key"]);
    key.unique();
    vec![
        key,
        index("entry_account", "entry", &["account_id"]),
        index("statement_owner", "statement", &["owner", "created_at"]),
        index("attempt_order", "attempt", &["order_id"]),
        index("attempt_due", "attempt", &["state", "next_check_at"]),
        index("refund_due", "refund", &["state", "next_check_at"]),
        index("refund_attempt", "refund", &["attempt_id"]),
    ]
}
