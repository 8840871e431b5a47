//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, string_len, text};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(chassis::db::migration::Streaming),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(chassis::db::migration::Undelivered),
            Box::new(chassis::words::table()),
            Box::new(chassis::audit::Table),
            Box::new(chassis::rights::tables()),
            Box::new(chassis::garbage::table()),
            Box::new(listings()),
            Box::new(grants()),
            Box::new(crate::favourite::migration::change()),
            Box::new(crate::rating::migration::change()),
            Box::new(crate::modeler::schema::change()),
            Box::new(chassis::garbage::retries()),
            Box::new(chassis::audit::NotReplaced),
            Box::new(news()),
        ]
    }
}

fn listings() -> Change {
    Change::new("m20261126_000001_listings")
        .table("listing", listing())
        .table("listing_version", version())
        .table("released_file", released())
        .table("approval", approval())
        .table("price_change", price_change())
        .table("category", category())
        .index(
            "listing_seller",
            "listing",
            &["seller", "state", "updated_at", "id"],
        )
        .index("listing_state", "listing", &["state", "updated_at", "id"])
        .index("listing_updated", "listing", &["updated_at", "id"])
        .index("listing_category", "listing", &["category_id", "state"])
        .index(
            "version_state",
            "listing_version",
            &["state", "submitted_at", "listing_id"],
        )
        .index("version_ask", "listing_version", &["ask_at"])
        .index("version_file", "listing_version", &["file_id"])
        .index("version_digest", "listing_version", &["sha256"])
        .index("released_owner", "released_file", &["owner"])
        .index("approval_listing", "approval", &["listing_id", "at"])
        .index("price_listing", "price_change", &["listing_id", "at"])
        .index("category_parent", "category", &["parent_id", "position"])
}

fn grants() -> Change {
    Change::new("m20261127_000001_grants")
        .table("cart", cart())
        .table("cart_item", cart_item())
        .table("free_day", free_day())
        .table("model_grant", grant())
        .table("download", download())
        .index("grant_owner", "model_grant", &["owner", "got_at", "id"])
        .index("grant_order", "model_grant", &["order_id", "item_id"])
        .index("grant_listing", "model_grant", &["listing_id"])
        .index("download_grant", "download", &["grant_id", "at"])
        .sql(
            "CREATE UNIQUE INDEX grant_had ON model_grant (owner, listing_id) WHERE state IN ('active', 'returning')",
            "DROP INDEX grant_had",
        )
        .sql(
            "CREATE UNIQUE INDEX grant_item ON model_grant (item_id) WHERE item_id <> ''",
            "DROP INDEX grant_item",
        )
}

fn news() -> Change {
    let news = Table::create()
        .table("version_news")
        .col(string_len("listing_id", 32))
        .col(integer("number"))
        .col(string_len("told_to", 32))
        .col(big_integer("at"))
        .primary_key(Index::create().col("listing_id").col("number"))
        .to_owned();
    Change::new("m20261130_000001_version_news")
        .table("version_news", news)
        .index("version_news_at", "version_news", &["at"])
}

fn cart() -> TableCreateStatement {
    Table::create()
        .table("cart")
        .col(string_len("owner", 64).primary_key())
        .col(big_integer("revision"))
        .to_owned()
}

fn cart_item() -> TableCreateStatement {
    Table::create()
        .table("cart_item")
        .col(string_len("owner", 64))
        .col(string_len("listing_id", 32))
        .col(big_integer("price"))
        .col(big_integer("added_at"))
        .primary_key(Index::create().col("owner").col("listing_id"))
        .to_owned()
}

fn free_day() -> TableCreateStatement {
    let taken = Expr::col("taken");
    let sound = taken
        .clone()
        .gte(0)
        .and(taken.lte(crate::grants::FREE_A_DAY));
    Table::create()
        .table("free_day")
        .col(string_len("owner", 64))
        .col(big_integer("day"))
        .col(integer("taken").check(sound))
        .primary_key(Index::create().col("owner").col("day"))
        .to_owned()
}

fn grant() -> TableCreateStatement {
    Table::create()
        .table("model_grant")
        .col(string_len("id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("listing_id", 32))
        .col(integer("version"))
        .col(string_len("order_id", 64))
        .col(string_len("item_id", 64))
        .col(big_integer("price"))
        .col(string_len("way", 16))
        .col(string_len("license", 16))
        .col(string_len("state", 16))
        .col(big_integer("got_at"))
        .col(big_integer("first_download_at"))
        .col(big_integer("downloads"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn download() -> TableCreateStatement {
    Table::create()
        .table("download")
        .col(string_len("id", 32).primary_key())
        .col(string_len("grant_id", 32))
        .col(integer("version"))
        .col(string_len("format", 16))
        .col(big_integer("at"))
        .to_owned()
}

/// Keys in the object store.
fn key(name: &'static str) -> ColumnDef {
    string_len(name, 1100)
}

fn listing() -> TableCreateStatement {
    Table::create()
        .table("listing")
        .col(string_len("id", 32).primary_key())
        .col(string_len("seller", 64))
        .col(integer("uploader_type"))
        .col(string_len("state", 16))
        .col(big_integer("revision"))
        .col(string_len("name", 200))
        .col(string_len("category_id", 32))
        .col(string_len("label_ids", 255))
        .col(string_len("intro", 400))
        .col(text("description"))
        .col(string_len("license", 16))
        .col(string_len("origin", 16))
        .col(big_integer("price"))
        .col(integer("current_version"))
        .col(integer("newest_version"))
        .col(string_len("format", 16))
        .col(big_integer("triangles"))
        .col(boolean("animation"))
        .col(integer("score"))
        .col(key("thumb_key"))
        .col(key("turntable_key"))
        .col(big_integer("sold"))
        .col(big_integer("favourites"))
        .col(big_integer("rating_sum"))
        .col(big_integer("rating_count"))
        .col(big_integer("listed_at"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn version() -> TableCreateStatement {
    Table::create()
        .table("listing_version")
        .col(string_len("listing_id", 32))
        .col(integer("number"))
        .col(string_len("state", 16))
        .col(string_len("file_id", 32))
        .col(boolean("texts_only"))
        .col(text("notes"))
        .col(string_len("name", 200))
        .col(string_len("category_id", 32))
        .col(string_len("label_ids", 255))
        .col(string_len("intro", 400))
        .col(text("description"))
        .col(string_len("origin", 16))
        .col(string_len("format", 16))
        .col(big_integer("bytes"))
        .col(string_len("sha256", 64))
        .col(big_integer("triangles"))
        .col(boolean("animation"))
        .col(integer("score"))
        .col(key("thumb_key"))
        .col(integer("shown_of"))
        .col(key("source_key"))
        .col(key("proxy_key"))
        .col(text("pictures"))
        .col(text("facts"))
        .col(ColumnDef::new("descriptor").blob().not_null().to_owned())
        .col(text("reason"))
        .col(big_integer("ask_at"))
        .col(big_integer("submitted_at"))
        .col(string_len("claimed_by", 64))
        .col(big_integer("claimed_until"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .primary_key(Index::create().col("listing_id").col("number"))
        .to_owned()
}

fn released() -> TableCreateStatement {
    Table::create()
        .table("released_file")
        .col(string_len("file_id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("name", 200))
        .col(string_len("format", 16))
        .col(big_integer("file_size"))
        .col(string_len("sha256", 64))
        .col(big_integer("triangles"))
        .col(boolean("animation"))
        .col(integer("score"))
        .col(string_len("label_ids", 255))
        .col(key("thumb_key"))
        .col(big_integer("released_at"))
        .to_owned()
}

fn approval() -> TableCreateStatement {
    Table::create()
        .table("approval")
        .col(string_len("id", 32).primary_key())
        .col(string_len("listing_id", 32))
        .col(integer("version"))
        .col(string_len("action", 16))
        .col(text("reason"))
        .col(big_integer("at"))
        .to_owned()
}

fn price_change() -> TableCreateStatement {
    Table::create()
        .table("price_change")
        .col(string_len("id", 32).primary_key())
        .col(string_len("listing_id", 32))
        .col(big_integer("price"))
        .col(big_integer("at"))
        .to_owned()
}

fn category() -> TableCreateStatement {
    Table::create()
        .table("category")
        .col(string_len("id", 32).primary_key())
        .col(string_len("name", 64))
        .col(string_len("parent_id", 32))
        .col(integer("position"))
        .col(boolean("offered"))
        .col(big_integer("updated_at"))
        .to_owned()
}
