//! The schema.

use sea_orm_migration::prelude::*;

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(chassis::db::migration::Streaming),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(chassis::db::migration::Undelivered),
        ]
    }
}
