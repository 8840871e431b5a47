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
            Box::new(matchup()),
            Box::new(chassis::garbage::retries()),
            Box::new(chassis::audit::NotReplaced),
        ]
    }
}

fn matchup() -> Change {
    Change::new("m20261202_000001_matchup")
        .table("provider", provider())
        .table("demand", demand())
        .table("demand_file", file())
        .table("offer", offer())
        .table("rating", rating())
        .unique_index("provider_owner", "provider", &["owner"])
        .index(
            "provider_new",
            "provider",
            &["state", "example", "shown_at", "id"],
        )
        .index(
            "provider_wait",
            "provider",
            &["state", "submitted_at", "id"],
        )
        .index("demand_owner", "demand", &["owner", "updated_at", "id"])
        .index(
            "demand_new",
            "demand",
            &["state", "example", "opened_at", "id"],
        )
        .index("demand_wait", "demand", &["state", "submitted_at", "id"])
        .index("demand_until", "demand", &["state", "until", "id"])
        .index("demand_chosen", "demand", &["chosen_owner"])
        .index("file_demand", "demand_file", &["demand_id", "id"])
        .unique_index("offer_once", "offer", &["demand_id", "owner"])
        .index("offer_owner", "offer", &["owner", "updated_at", "id"])
        .index("rating_target", "rating", &["target", "at"])
        .index("rating_owner", "rating", &["owner"])
}

fn id(name: &'static str) -> ColumnDef {
    string_len(name, 32)
}

fn provider() -> TableCreateStatement {
    Table::create()
        .table("provider")
        .col(id("id").primary_key())
        .col(string_len("owner", 64))
        .col(integer("user_type"))
        .col(string_len("state", 16))
        .col(big_integer("revision"))
        .col(string_len("name", 200))
        .col(string_len("skills", 500))
        .col(string_len("industries", 500))
        .col(string_len("region", 40))
        .col(text("introduce"))
        .col(string_len("contact", 400))
        .col(text("suspects"))
        .col(text("reason"))
        .col(boolean("example"))
        .col(big_integer("done"))
        .col(big_integer("rating_count"))
        .col(big_integer("rating_sum"))
        .col(big_integer("rating_mean"))
        .col(big_integer("submitted_at"))
        .col(big_integer("shown_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn demand() -> TableCreateStatement {
    Table::create()
        .table("demand")
        .col(id("id").primary_key())
        .col(string_len("owner", 64))
        .col(string_len("state", 16))
        .col(big_integer("revision"))
        .col(string_len("category", 40))
        .col(string_len("title", 240))
        .col(text("content"))
        .col(string_len("industry", 40))
        .col(big_integer("budget_low"))
        .col(big_integer("budget_high"))
        .col(big_integer("until"))
        .col(string_len("contact", 400))
        .col(text("suspects"))
        .col(text("reason"))
        .col(boolean("example"))
        .col(id("chosen_offer"))
        .col(string_len("chosen_owner", 64))
        .col(big_integer("submitted_at"))
        .col(big_integer("opened_at"))
        .col(big_integer("chosen_at"))
        .col(big_integer("closed_at"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn file() -> TableCreateStatement {
    Table::create()
        .table("demand_file")
        .col(id("id").primary_key())
        .col(id("demand_id"))
        .col(string_len("name", 400))
        .col(string_len("object_key", 255))
        .col(big_integer("bytes"))
        .col(big_integer("created_at"))
        .to_owned()
}

fn offer() -> TableCreateStatement {
    Table::create()
        .table("offer")
        .col(id("id").primary_key())
        .col(id("demand_id"))
        .col(string_len("owner", 64))
        .col(string_len("state", 16))
        .col(string_len("title", 240))
        .col(big_integer("price"))
        .col(integer("days"))
        .col(text("proposal"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn rating() -> TableCreateStatement {
    Table::create()
        .table("rating")
        .col(id("demand_id"))
        .col(string_len("owner", 64))
        .col(string_len("target", 64))
        .col(boolean("of_provider"))
        .col(integer("stars"))
        .col(text("content"))
        .col(string_len("title", 240))
        .col(big_integer("at"))
        .primary_key(Index::create().col("demand_id").col("owner"))
        .to_owned()
}
