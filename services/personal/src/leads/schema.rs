//! Tables of call requests.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, text};

pub(crate) fn change() -> Change {
    let lead = Table::create()
        .table("lead")
        .col(string_len("id", 64).primary_key())
        .col(string_len("state", 16))
        .col(string_len("company_name", 120))
        .col(string_len("contact_name", 60))
        .col(string_len("phone", 32))
        .col(string_len("visitor_id", 64))
        .col(text("demand"))
        .col(text("note"))
        .col(string_len("operator", 64))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned();
    let day = Table::create()
        .table("lead_day")
        .col(string_len("who", 64).primary_key())
        .col(big_integer("number"))
        .col(big_integer("until"))
        .to_owned();
    Change::new("m20261129_000371_leads")
        .table("lead", lead)
        .sql(
            "CREATE UNIQUE INDEX lead_open_phone ON lead (phone) WHERE state <> 'closed'",
            "DROP INDEX lead_open_phone",
        )
        .sql(
            "CREATE UNIQUE INDEX lead_open_visitor ON lead (visitor_id) WHERE state <> 'closed'",
            "DROP INDEX lead_open_visitor",
        )
        .index("lead_time", "lead", &["state", "created_at", "id"])
        .table("lead_day", day)
        .index("lead_day_until", "lead_day", &["until"])
}
