//! The tables of operators.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, integer, string_len, string_len_null, text};

pub fn tables() -> Change {
    let operator = Table::create()
        .table("operator")
        .col(string_len("id", 64).primary_key())
        .col(string_len("name", 32).unique_key())
        .col(string_len("state", 16))
        .col(text("roles"))
        .col(string_len("password_hash", 256))
        .col(string_len("key_id", 64))
        .col(string_len("wrapped_key", 256))
        .col(string_len("secret", 256))
        .col(big_integer("last_step"))
        .col(integer("failures"))
        .col(big_integer("failed_at"))
        .col(string_len_null("link_hash", 64).unique_key())
        .col(big_integer("link_expires_at"))
        .col(big_integer("created_at"))
        .col(big_integer("signed_in_at"))
        .to_owned();
    let session = Table::create()
        .table("operator_session")
        .col(string_len("id", 64).primary_key())
        .col(string_len("operator_id", 64))
        .col(string_len("token_hash", 64).unique_key())
        .col(string_len("remote_addr", 64))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer("last_seen_at"))
        .col(big_integer("fresh_until"))
        .to_owned();
    let recovery = Table::create()
        .table("operator_recovery")
        .col(string_len("id", 64).primary_key())
        .col(string_len("operator_id", 64))
        .to_owned();
    let role = Table::create()
        .table("operator_role")
        .col(string_len("id", 64).primary_key())
        .col(string_len("title", 64).unique_key())
        .col(text("permissions"))
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m20261123_000101_operators")
        .table("operator", operator)
        .table("operator_session", session)
        .index("operator_session_of", "operator_session", &["operator_id"])
        .table("operator_recovery", recovery)
        .index(
            "operator_recovery_of",
            "operator_recovery",
            &["operator_id"],
        )
        .table("operator_role", role)
}
