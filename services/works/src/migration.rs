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
            Box::new(works()),
            Box::new(marks()),
            Box::new(comments()),
            Box::new(shares()),
            Box::new(chassis::garbage::retries()),
            Box::new(chassis::audit::NotReplaced),
        ]
    }
}

fn works() -> Change {
    Change::new("m20261129_000001_works")
        .table("work", work())
        .table("bundle", bundle())
        .table("category", category())
        .table("work_record", record())
        .table("person", person())
        .index("work_owner", "work", &["owner", "updated_at", "id"])
        .index("work_state", "work", &["state", "updated_at", "id"])
        .index("work_edit", "work", &["edit_state", "submitted_at", "id"])
        .index("work_new", "work", &["listed", "published_at", "id"])
        .index("work_hot", "work", &["listed", "heat", "id"])
        .index("work_liked", "work", &["listed", "likes", "id"])
        .index(
            "work_category",
            "work",
            &["listed", "category_id", "published_at", "id"],
        )
        .index(
            "work_industry",
            "work",
            &["listed", "industry_id", "published_at", "id"],
        )
        .index(
            "work_author",
            "work",
            &["listed", "owner", "published_at", "id"],
        )
        .index(
            "work_recommended",
            "work",
            &["listed", "recommended_at", "id"],
        )
        .index("work_reports", "work", &["reports", "updated_at", "id"])
        .index("bundle_ask", "bundle", &["ask_at"])
        .index("category_order", "category", &["kind", "position", "id"])
        .index("record_work", "work_record", &["work_id", "at"])
}

fn marks() -> Change {
    Change::new("m20261129_000002_marks")
        .table("liked", mark("liked"))
        .table("collected", mark("collected"))
        .table("view_seen", view())
        .table("report", report())
        .index("liked_work", "liked", &["work_id"])
        .index("collected_work", "collected", &["work_id"])
        .index(
            "collected_time",
            "collected",
            &["owner", "added_at", "work_id"],
        )
        .index("view_until", "view_seen", &["until"])
        .unique_index("report_once", "report", &["thing_id", "owner"])
        .index("report_owner", "report", &["owner"])
}

fn comments() -> Change {
    Change::new("m20261129_000003_comments")
        .table("comment", comment())
        .index(
            "comment_work",
            "comment",
            &["work_id", "root_id", "created_at", "id"],
        )
        .index("comment_owner", "comment", &["owner", "created_at", "id"])
        .index(
            "comment_addressee",
            "comment",
            &["addressee", "created_at", "id"],
        )
        .index("comment_time", "comment", &["created_at", "id"])
        .index("comment_parent", "comment", &["parent_id"])
        .index(
            "comment_reports",
            "comment",
            &["reports", "created_at", "id"],
        )
}

fn shares() -> Change {
    Change::new("m20261130_000001_shares")
        .table("works_share", share())
        .table("share_look", share_look())
        .index("share_owner", "works_share", &["owner", "created_at", "id"])
        .index(
            "share_work",
            "works_share",
            &["work_id", "created_at", "id"],
        )
        .index("share_end", "works_share", &["ends_at"])
        .index("share_revoked", "works_share", &["revoked_at"])
        .index("look_share", "share_look", &["share_id", "at", "id"])
        .index("look_time", "share_look", &["at"])
}

/// Keys in the object store.
fn key(name: &'static str) -> ColumnDef {
    string_len(name, 255)
}

/// A counter that cannot be negative.
fn counter(name: &'static str) -> ColumnDef {
    big_integer(name).check(Expr::col(name).gte(0)).to_owned()
}

fn work() -> TableCreateStatement {
    Table::create()
        .table("work")
        .col(string_len("id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("state", 16))
        .col(string_len("edit_state", 16))
        .col(big_integer("revision"))
        .col(string_len("visibility", 16))
        .col(boolean("listed"))
        .col(boolean("comments_allowed"))
        .col(boolean("download_allowed"))
        .col(string_len("name", 200))
        .col(text("description"))
        .col(string_len("category_id", 32))
        .col(string_len("industry_id", 32))
        .col(string_len("labels", 1000))
        .col(integer("work_type"))
        .col(text("scene"))
        .col(integer("bundle"))
        .col(text("draft"))
        .col(string_len("draft_name", 200))
        .col(integer("newest_bundle"))
        .col(key("poster_key"))
        .col(key("turntable_key"))
        .col(counter("browse"))
        .col(counter("likes"))
        .col(counter("collects"))
        .col(counter("comments"))
        .col(counter("heat"))
        .col(integer("reports"))
        .col(big_integer("recommended_at"))
        .col(text("reason"))
        .col(big_integer("submitted_at"))
        .col(big_integer("published_at"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn bundle() -> TableCreateStatement {
    Table::create()
        .table("bundle")
        .col(string_len("work_id", 32))
        .col(integer("number"))
        .col(string_len("file_id", 64))
        .col(string_len("state", 16))
        .col(text("reason"))
        .col(key("model_key"))
        .col(key("proxy_key"))
        .col(key("poster_key"))
        .col(key("turntable_key"))
        .col(string_len("format", 16))
        .col(big_integer("bytes"))
        .col(big_integer("triangles"))
        .col(boolean("animation"))
        .col(big_integer("ask_at"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("work_id").col("number"))
        .to_owned()
}

fn category() -> TableCreateStatement {
    Table::create()
        .table("category")
        .col(string_len("id", 32).primary_key())
        .col(string_len("kind", 16))
        .col(string_len("name", 80))
        .col(integer("position"))
        .col(boolean("offered"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn record() -> TableCreateStatement {
    Table::create()
        .table("work_record")
        .col(string_len("id", 32).primary_key())
        .col(string_len("work_id", 32))
        .col(string_len("action", 16))
        .col(text("reason"))
        .col(integer("bundle"))
        .col(big_integer("at"))
        .to_owned()
}

fn person() -> TableCreateStatement {
    Table::create()
        .table("person")
        .col(string_len("owner", 64).primary_key())
        .col(big_integer("revision"))
        .to_owned()
}

fn mark(name: &'static str) -> TableCreateStatement {
    Table::create()
        .table(name)
        .col(string_len("owner", 64))
        .col(string_len("work_id", 32))
        .col(big_integer("added_at"))
        .primary_key(Index::create().col("owner").col("work_id"))
        .to_owned()
}

fn view() -> TableCreateStatement {
    Table::create()
        .table("view_seen")
        .col(string_len("work_id", 32))
        .col(string_len("seen_by", 64))
        .col(big_integer("until"))
        .primary_key(Index::create().col("work_id").col("seen_by"))
        .to_owned()
}

fn report() -> TableCreateStatement {
    Table::create()
        .table("report")
        .col(string_len("id", 32).primary_key())
        .col(string_len("thing_id", 32))
        .col(string_len("owner", 64))
        .col(string_len("reason", 16))
        .col(text("content"))
        .col(boolean("open"))
        .col(big_integer("at"))
        .to_owned()
}

fn comment() -> TableCreateStatement {
    Table::create()
        .table("comment")
        .col(string_len("id", 32).primary_key())
        .col(string_len("work_id", 32))
        .col(string_len("root_id", 32))
        .col(string_len("parent_id", 32))
        .col(string_len("owner", 64))
        .col(string_len("addressee", 64))
        .col(text("content"))
        .col(text("pin"))
        .col(integer("bundle"))
        .col(string_len("state", 16))
        .col(text("reason"))
        .col(counter("replies"))
        .col(integer("reports"))
        .col(big_integer("created_at"))
        .col(big_integer("edited_at"))
        .to_owned()
}

fn share() -> TableCreateStatement {
    Table::create()
        .table("works_share")
        .col(string_len("id", 32).primary_key())
        .col(string_len("work_id", 32))
        .col(string_len("owner", 64))
        .col(string_len("password_hash", 255))
        .col(big_integer("ends_at"))
        .col(integer("max_views"))
        .col(integer("views"))
        .col(text("domains"))
        .col(text("options"))
        .col(integer("wrong"))
        .col(big_integer("wrong_until"))
        .col(string_len("preview_hash", 64))
        .col(big_integer("preview_until"))
        .col(big_integer("created_at"))
        .col(big_integer("revoked_at"))
        .to_owned()
}

fn share_look() -> TableCreateStatement {
    Table::create()
        .table("share_look")
        .col(string_len("id", 32).primary_key())
        .col(string_len("share_id", 32))
        .col(big_integer("at"))
        .col(string_len("host", 255))
        .col(integer("seconds"))
        .to_owned()
}
