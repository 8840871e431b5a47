//! The schema. What must never be is refused by the database itself: CHECKs and unique keys.

use chassis::db::change::Change;
use chassis::db::tables::{drop_tables, index};
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
            Box::new(chassis::db::migration::Undelivered),
            Box::new(owed()),
            Box::new(chassis::rights::tables()),
            Box::new(earnings()),
            Box::new(chassis::audit::Table),
            Box::new(withdrawals()),
            Box::new(counts()),
            Box::new(order_versions()),
            Box::new(ended_notices()),
            Box::new(income_queue()),
            Box::new(chassis::audit::NotReplaced),
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

/// What sellers earn with each thing that is sold.
fn earnings() -> Change {
    let earning = Table::create()
        .table("earning")
        .col(string_len("id", 64).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("order_id", 64))
        .col(string_len("order_no", 32))
        .col(text("title"))
        .col(big_integer("amount"))
        .col(big_integer("paid"))
        .col(string_len("state", 16))
        .col(big_integer("created_at"))
        .col(big_integer("matures_at"))
        .col(big_integer_null("ended_at"))
        .check(Expr::cust("amount > 0 AND amount <= paid"))
        .to_owned();
    Change::new("m20261123_200000_earnings")
        .table("earning", earning)
        .index("earning_due", "earning", &["state", "matures_at"])
        .index("earning_owner", "earning", &["owner", "created_at"])
}

/// Bank cards, and what is withdrawn to them.
fn withdrawals() -> Change {
    let card = Table::create()
        .table("bank_card")
        .col(string_len("id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("key_id", 32))
        .col(text("wrapped_key"))
        .col(text("details"))
        .col(string_len("number_index", 64))
        .col(string_len("bank_name", 64))
        .col(string_len("last4", 4))
        .col(string_len("holder", 255))
        .col(string_len("branch", 255))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned();
    let withdrawal = Table::create()
        .table("withdrawal")
        .col(string_len("id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("request_no", 64))
        .col(string_len("card_id", 32))
        .col(string_len("bank_name", 64))
        .col(string_len("last4", 4))
        .col(string_len("holder", 255))
        .col(big_integer("amount"))
        .col(big_integer("fee"))
        .col(boolean("needs_two"))
        .col(string_len("state", 16))
        .col(string_len("checked_id", 64))
        .col(string_len("checked_by", 64))
        .col(string_len("approved_id", 64))
        .col(string_len("approved_by", 64))
        .col(string_len("paid_id", 64))
        .col(string_len("paid_by", 64))
        .col(text("reason"))
        .col(string_len("reference", 64))
        .col(big_integer("requested_at"))
        .col(big_integer("updated_at"))
        .col(big_integer_null("ended_at"))
        .col(big_integer("version"))
        .check(Expr::cust("fee >= 0 AND fee < amount"))
        .to_owned();
    Change::new("m20261124_080000_withdrawals")
        .table("bank_card", card)
        .unique_index("bank_card_once", "bank_card", &["owner", "number_index"])
        .index("bank_card_key", "bank_card", &["key_id"])
        .table("withdrawal", withdrawal)
        .unique_index("withdrawal_once", "withdrawal", &["owner", "request_no"])
        .index("withdrawal_queue", "withdrawal", &["state", "requested_at"])
        .index("withdrawal_owner", "withdrawal", &["owner", "requested_at"])
        .index("withdrawal_card", "withdrawal", &["card_id"])
}

/// Free counts that attempts took.
fn counts() -> Change {
    Change::new("m20261124_130000_counts").sql(
        "ALTER TABLE attempt ADD COLUMN counts BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE attempt DROP COLUMN counts",
    )
}

/// The version of the events about an order's payment.
fn order_versions() -> Change {
    let order_version = Table::create()
        .table("order_version")
        .col(string_len("order_id", 64).primary_key())
        .col(big_integer("version"))
        .to_owned();
    Change::new("m20261128_000001_order_versions").table("order_version", order_version)
}

/// Which notice an operator has ended.
fn ended_notices() -> Change {
    Change::new("m20261204_000001_ended_notices").sql(
        "ALTER TABLE operator_log ADD COLUMN misfit_id VARCHAR(32)",
        "ALTER TABLE operator_log DROP COLUMN misfit_id",
    )
}

/// Incomes that mature are taken by one replica, and tried again later and later.
fn income_queue() -> Change {
    Change::new("m20261204_000002_income_queue")
        .sql(
            "ALTER TABLE earning ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE earning DROP COLUMN tries",
        )
        .sql(
            "ALTER TABLE earning ADD COLUMN next_check_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE earning DROP COLUMN next_check_at",
        )
}

/// What an operator has to review: notices that fit nothing, refunds that a channel does not make; and attempts that are to be
/// closed before their time.
fn owed() -> Change {
    let misfit = Table::create()
        .table("misfit")
        .col(string_len("id", 32).primary_key())
        .col(string_len("channel", 32))
        .col(string_len("number", 64))
        .col(text("why"))
        .col(text("body"))
        .col(big_integer("created_at"))
        .col(big_integer_null("ended_at"))
        .col(string_len("ended_by", 255))
        .col(text("note"))
        .to_owned();
    Change::new("m20261122_200000_owed")
        .table("misfit", misfit)
        .index("misfit_open", "misfit", &["ended_at", "created_at"])
        .index("misfit_number", "misfit", &["number"])
        .index(
            "attempt_queue",
            "attempt",
            &["channel", "state", "next_check_at"],
        )
        .index(
            "refund_queue",
            "refund",
            &["channel", "state", "next_check_at"],
        )
        .index("attempt_resting", "attempt", &["disposition", "updated_at"])
        .sql(
            "ALTER TABLE attempt ADD COLUMN closing BOOLEAN NOT NULL DEFAULT FALSE",
            "ALTER TABLE attempt DROP COLUMN closing",
        )
        .sql(
            "ALTER TABLE refund ADD COLUMN told TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE refund DROP COLUMN told",
        )
        .sql(
            "ALTER TABLE refund ADD COLUMN ended_by VARCHAR(255) NOT NULL DEFAULT ''",
            "ALTER TABLE refund DROP COLUMN ended_by",
        )
        .sql(
            "ALTER TABLE refund ADD COLUMN note TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE refund DROP COLUMN note",
        )
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
