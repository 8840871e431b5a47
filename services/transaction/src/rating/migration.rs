//! The table of reviews.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, string_len, text};

pub fn change() -> Change {
    Change::new("m20261128_000002_ratings")
        .table("rating", rating())
        .unique_index("rating_author", "rating", &["listing_id", "owner"])
        .index(
            "rating_listing",
            "rating",
            &["listing_id", "hidden", "created_at", "id"],
        )
        .index("rating_owner", "rating", &["owner"])
        .index("rating_time", "rating", &["created_at", "id"])
}

fn rating() -> TableCreateStatement {
    Table::create()
        .table("rating")
        .col(string_len("id", 32).primary_key())
        .col(string_len("listing_id", 32))
        .col(string_len("owner", 64))
        .col(integer("stars").check(Expr::col("stars").between(1, 5)))
        .col(text("content"))
        .col(text("answer"))
        .col(big_integer("answered_at"))
        .col(boolean("hidden"))
        .col(text("hidden_reason"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}
