//! The table of identities.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, string_len_null, text};

pub fn identities() -> Change {
    let table = Table::create()
        .table("identity")
        .col(string_len("id", 32).primary_key())
        .col(string_len("provider", 16))
        .col(string_len("app_id", 64))
        .col(string_len("open_id", 64))
        .col(string_len_null("union_id", 64))
        .col(string_len("login_id", 32))
        .col(string_len("nickname", 64))
        .col(text("avatar"))
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m20261123_000020_identity")
        .table("identity", table)
        .unique_index(
            "identity_open",
            "identity",
            &["provider", "app_id", "open_id"],
        )
        .unique_index("identity_union", "identity", &["provider", "union_id"])
        .unique_index("identity_login", "identity", &["login_id", "provider"])
}
