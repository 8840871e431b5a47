//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(chassis::db::migration::Streaming),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(chassis::db::migration::Undelivered),
            Box::new(chassis::rights::tables()),
            Box::new(entries()),
        ]
    }
}

fn entries() -> Change {
    let entry = Table::create()
        .table("entry")
        .col(string_len("id", 32).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("state", 16))
        .col(string_len("title", 200))
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m@date@_000001_entry")
        .table("entry", entry)
        .index("entry_owner", "entry", &["owner", "created_at", "id"])
}
