//! Tables of messages and follows.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, text};

pub(crate) fn change() -> Change {
    let message = Table::create()
        .table("message")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("event", 191))
        .col(string_len("group_name", 32))
        .col(string_len("kind", 32))
        .col(text("params"))
        .col(text("link"))
        .col(big_integer("read_at"))
        .col(big_integer("created_at"))
        .to_owned();
    let seen = Table::create()
        .table("announcement_seen")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("seen_at"))
        .to_owned();
    let attention = Table::create()
        .table("attention")
        .col(string_len("login_id", 64))
        .col(string_len("target_id", 64))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("login_id").col("target_id"))
        .to_owned();
    Change::new("m20261124_000010_messages")
        .table("message", message)
        .unique_index("message_event", "message", &["login_id", "event"])
        .index("message_login", "message", &["login_id", "created_at"])
        .index("message_unread", "message", &["login_id", "read_at"])
        .table("announcement_seen", seen)
        .table("attention", attention)
        .index("attention_fans", "attention", &["target_id", "created_at"])
}

/// Index for finding the messages that name a closed account.
pub(crate) fn events() -> Change {
    Change::new("m20261125_000003_message_events").index("message_of_event", "message", &["event"])
}

/// Follows that were told; those of before count as told.
pub(crate) fn follows_told() -> Change {
    let told = Table::create()
        .table("follow_told")
        .col(string_len("login_id", 64))
        .col(string_len("target_id", 64))
        .primary_key(Index::create().col("login_id").col("target_id"))
        .to_owned();
    Change::new("m20261130_000002_follows_told")
        .table("follow_told", told)
        .index("follow_told_target", "follow_told", &["target_id"])
        .sql(
            "INSERT INTO follow_told (login_id, target_id) SELECT login_id, target_id FROM attention",
            "SELECT 1",
        )
}
