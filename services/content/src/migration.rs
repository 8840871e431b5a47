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
            Box::new(chassis::audit::Table),
            Box::new(articles()),
            Box::new(chassis::audit::NotReplaced),
        ]
    }
}

fn articles() -> Change {
    Change::new("m20261201_000001_articles")
        .table("article", article())
        .table("revision", revision())
        .table("category", category())
        .table("redirect", redirect())
        .table("preview", preview())
        .sql(
            "CREATE UNIQUE INDEX article_slug ON article (kind, slug)",
            "DROP INDEX article_slug",
        )
        .sql(
            "CREATE UNIQUE INDEX category_slug ON category (kind, slug)",
            "DROP INDEX category_slug",
        )
        .index(
            "article_dated",
            "article",
            &["kind", "state", "published_at", "id"],
        )
        .index("article_ordered", "article", &["kind", "position", "id"])
        .index("article_category", "article", &["category_id", "position"])
        .index("article_updated", "article", &["updated_at", "id"])
        .index("article_due", "article", &["state", "published_at"])
        .index("redirect_saved", "redirect", &["saved_at", "source"])
        .index("preview_expires", "preview", &["expires_at"])
}

fn article() -> TableCreateStatement {
    Table::create()
        .table("article")
        .col(string_len("id", 16).primary_key())
        .col(string_len("kind", 16))
        .col(string_len("slug", 64))
        .col(string_len("state", 16))
        .col(big_integer("version"))
        .col(string_len("category_id", 16))
        .col(integer("position"))
        .col(string_len("title", 200))
        .col(string_len("summary", 500))
        .col(string_len("date", 10))
        .col(text("cover"))
        .col(integer("steps"))
        .col(text("search"))
        .col(big_integer("published_revision"))
        .col(big_integer("latest_revision"))
        .col(big_integer("published_at"))
        .col(big_integer("shown_changed_at"))
        .col(integer("seed_revision"))
        .col(boolean("edited"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn revision() -> TableCreateStatement {
    Table::create()
        .table("revision")
        .col(string_len("article_id", 16))
        .col(big_integer("number"))
        .col(string_len("title", 200))
        .col(text("draft"))
        .col(string_len("saved_by", 64))
        .col(big_integer("saved_at"))
        .col(big_integer("published_at"))
        .col(big_integer("restored_from"))
        .primary_key(Index::create().col("article_id").col("number"))
        .to_owned()
}

fn category() -> TableCreateStatement {
    Table::create()
        .table("category")
        .col(string_len("id", 16).primary_key())
        .col(string_len("kind", 16))
        .col(string_len("slug", 64))
        .col(string_len("parent_id", 16))
        .col(string_len("title", 200))
        .col(string_len("summary", 500))
        .col(integer("position"))
        .col(boolean("edited"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn redirect() -> TableCreateStatement {
    Table::create()
        .table("redirect")
        .col(string_len("source", 500).primary_key())
        .col(string_len("target", 500))
        .col(string_len("saved_by", 64))
        .col(big_integer("saved_at"))
        .to_owned()
}

fn preview() -> TableCreateStatement {
    Table::create()
        .table("preview")
        .col(string_len("ticket_hash", 64).primary_key())
        .col(string_len("article_id", 16))
        .col(big_integer("revision"))
        .col(big_integer("expires_at"))
        .to_owned()
}
