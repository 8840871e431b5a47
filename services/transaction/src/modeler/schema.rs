//! Tables of the makers.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, string_len, text};

pub(crate) fn change() -> Change {
    let modeler = Table::create()
        .table("modeler")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("version"))
        .col(integer("uploader_type"))
        .col(string_len("state", 16))
        .col(boolean("frozen"))
        .col(integer("share_bp"))
        .col(text("statement"))
        .col(text("reason"))
        .col(text("frozen_reason"))
        .col(big_integer("applied_at"))
        .col(big_integer("decided_at"))
        .col(string_len("slogan", 160))
        .col(text("introduction"))
        .col(string_len("theme", 16))
        .col(string_len("banner_id", 32))
        .col(string_len("carousel_ids", 320))
        .col(big_integer("updated_at"))
        .to_owned();
    let record = Table::create()
        .table("modeler_record")
        .col(string_len("id", 32).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("action", 16))
        .col(text("reason"))
        .col(big_integer("at"))
        .to_owned();
    Change::new("m20261128_000101_modelers")
        .table("modeler", modeler)
        .table("modeler_record", record)
        .index(
            "modeler_applied",
            "modeler",
            &["state", "applied_at", "login_id"],
        )
        .index("modeler_updated", "modeler", &["updated_at", "login_id"])
        .index("modeler_record_of", "modeler_record", &["login_id", "at"])
        .sql(
            "ALTER TABLE listing ADD COLUMN frozen BOOLEAN NOT NULL DEFAULT FALSE",
            "ALTER TABLE listing DROP COLUMN frozen",
        )
}
