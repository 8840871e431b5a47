//! The tables of favourites.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len};

pub fn change() -> Change {
    Change::new("m20261128_000001_favourites")
        .table("folder", folder())
        .table("favourite", favourite())
        .index(
            "favourite_owner",
            "favourite",
            &["owner", "added_at", "listing_id"],
        )
        .index("favourite_listing", "favourite", &["listing_id"])
}

fn folder() -> TableCreateStatement {
    Table::create()
        .table("folder")
        .col(string_len("owner", 64))
        .col(string_len("id", 32))
        .col(string_len("name", 80))
        .col(big_integer("revision"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("owner").col("id"))
        .to_owned()
}

fn favourite() -> TableCreateStatement {
    Table::create()
        .table("favourite")
        .col(string_len("owner", 64))
        .col(string_len("folder_id", 32))
        .col(string_len("listing_id", 32))
        .col(big_integer("added_at"))
        .primary_key(
            Index::create()
                .col("owner")
                .col("folder_id")
                .col("listing_id"),
        )
        .to_owned()
}
