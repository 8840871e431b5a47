//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, integer, string_len, text, text_null};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(Initial),
            Box::new(Memberships),
            Box::new(chassis::db::migration::Streaming),
            Box::new(packages()),
            Box::new(chassis::db::migration::InboxAge),
        ]
    }
}

struct Initial;

impl MigrationName for Initial {
    fn name(&self) -> &str {
        "m20261121_000001_personal"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Initial {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let profile = Table::create()
            .table("profile")
            .col(string_len("login_id", 64).primary_key())
            .col(string_len("account_number", 32))
            .col(string_len("phone_masked", 32))
            .col(string_len("profession_code", 32))
            .col(text_null("avatar"))
            .col(text_null("nickname"))
            .col(text_null("introduce"))
            .col(big_integer("created_at"))
            .to_owned();
        manager.create_table(profile).await?;
        let statistics = Table::create()
            .table("statistics")
            .col(string_len("login_id", 64).primary_key())
            .col(big_integer("version"))
            .col(big_integer("total_uploads"))
            .col(big_integer("total_single_models"))
            .col(big_integer("total_scene_models"))
            .col(big_integer("total_models"))
            .col(big_integer("total_results"))
            .col(text("results_by_service"))
            .to_owned();
        manager.create_table(statistics).await?;
        let guide = Table::create()
            .table("guide")
            .col(string_len("login_id", 64))
            .col(integer("location"))
            .col(big_integer("read_at"))
            .primary_key(Index::create().col("login_id").col("location"))
            .to_owned();
        manager.create_table(guide).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["guide", "statistics", "profile"] {
            manager
                .drop_table(Table::drop().table(table).to_owned())
                .await?;
        }
        Ok(())
    }
}

struct Memberships;

impl MigrationName for Memberships {
    fn name(&self) -> &str {
        "m20261122_000001_memberships"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Memberships {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let member = Table::create()
            .table("member")
            .col(string_len("login_id", 64).primary_key())
            .col(big_integer("version"))
            .to_owned();
        manager.create_table(member).await?;
        let term = Table::create()
            .table("term")
            .col(string_len("order_id", 64).primary_key())
            .col(string_len("login_id", 64))
            .col(string_len("grade_id", 32))
            .col(text("grade_name"))
            .col(integer("rank"))
            .col(big_integer("storage_gb"))
            .col(big_integer("single_max_mb"))
            .col(big_integer("starts_at"))
            .col(big_integer("ends_at"))
            .to_owned();
        manager.create_table(term).await?;
        let of_user = Index::create()
            .name("term_login")
            .table("term")
            .col("login_id")
            .to_owned();
        manager.create_index(of_user).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["term", "member"] {
            manager
                .drop_table(Table::drop().table(table).to_owned())
                .await?;
        }
        Ok(())
    }
}

fn packages() -> Change {
    let package = Table::create()
        .table("package")
        .col(string_len("order_id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("package_id", 64))
        .col(text("name"))
        .col(big_integer("storage_gb"))
        .col(big_integer("starts_at"))
        .col(big_integer("ends_at"))
        .to_owned();
    Change::new("m20261122_000003_packages")
        .table("package", package)
        .index("package_login", "package", &["login_id"])
}
