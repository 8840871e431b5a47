//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, integer, integer_null, string_len, text, text_null,
};

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
            Box::new(chassis::db::migration::Undelivered),
            Box::new(certification()),
            Box::new(profile_copies()),
            Box::new(safety()),
            Box::new(support()),
            Box::new(crate::message::schema::change()),
            Box::new(crate::publication::schema::change()),
            Box::new(chassis::audit::Table),
            Box::new(crate::publication::schema::history()),
            Box::new(reviews()),
            Box::new(conversations()),
            Box::new(objects()),
            Box::new(newcomers()),
            Box::new(chassis::rights::tables()),
            Box::new(crate::message::schema::events()),
            Box::new(purchases()),
            Box::new(modeler_badges()),
            Box::new(crate::leads::schema::change()),
            Box::new(counts()),
            Box::new(ended_sessions()),
            Box::new(chassis::audit::NotReplaced),
            Box::new(usernames()),
            Box::new(crate::publication::schema::announced()),
            Box::new(crate::message::schema::follows_told()),
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

/// Free counts of a term, as its grade granted them when it was bought.
fn counts() -> Change {
    Change::new("m20261124_130000_counts")
        .sql(
            "ALTER TABLE term ADD COLUMN mall_counts BIGINT",
            "ALTER TABLE term DROP COLUMN mall_counts",
        )
        .sql(
            "ALTER TABLE term ADD COLUMN lightweight_counts BIGINT",
            "ALTER TABLE term DROP COLUMN lightweight_counts",
        )
        .sql(
            "ALTER TABLE term ADD COLUMN conversion_counts BIGINT",
            "ALTER TABLE term DROP COLUMN conversion_counts",
        )
        .sql(
            "ALTER TABLE term ADD COLUMN offline_counts BIGINT",
            "ALTER TABLE term DROP COLUMN offline_counts",
        )
}

fn certification() -> Change {
    let certification = Table::create()
        .table("certification")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("version"))
        .col(integer("check_status"))
        .col(text("cause"))
        .col(text("company_name"))
        .col(text("real_name_masked"))
        .to_owned();
    Change::new("m20261123_000010_certification").table("certification", certification)
}

/// Versions of a profile: of the user's own changes, and of the fields copied from auth.
fn profile_copies() -> Change {
    Change::new("m20261123_000011_profile_versions")
        .sql(
            "ALTER TABLE profile ADD COLUMN version BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE profile DROP COLUMN version",
        )
        .sql(
            "ALTER TABLE profile ADD COLUMN username VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE profile DROP COLUMN username",
        )
        .sql(
            "ALTER TABLE profile ADD COLUMN email_masked VARCHAR(128) NOT NULL DEFAULT ''",
            "ALTER TABLE profile DROP COLUMN email_masked",
        )
        .sql(
            "ALTER TABLE profile ADD COLUMN account_version BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE profile DROP COLUMN account_version",
        )
}

/// Word lists, banned pictures, and the review queue.
fn safety() -> Change {
    let word = Table::create()
        .table("word")
        .col(string_len("id", 64).primary_key())
        .col(string_len("word", 64).unique_key())
        .col(text("action"))
        .col(string_len("replacement", 64))
        .col(text("note"))
        .col(string_len("created_by", 64))
        .col(big_integer("created_at"))
        .to_owned();
    let list = Table::create()
        .table("word_list")
        .col(string_len("id", 64).primary_key())
        .col(big_integer("version"))
        .to_owned();
    let suspect_text = Table::create()
        .table("suspect_text")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("place", 32))
        .col(text("content"))
        .col(text("words"))
        .col(text("state"))
        .col(big_integer("created_at"))
        .col(big_integer_null("decided_at"))
        .col(string_len("decided_by", 64))
        .to_owned();
    let suspect_picture = Table::create()
        .table("suspect_picture")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("sha256", 64))
        .col(text("object_key"))
        .col(string_len("fingerprint", 64))
        .col(text("cause"))
        .col(text("state"))
        .col(big_integer("created_at"))
        .col(big_integer_null("decided_at"))
        .col(string_len("decided_by", 64))
        .to_owned();
    let picture_rule = Table::create()
        .table("picture_rule")
        .col(string_len("id", 64).primary_key())
        .col(string_len("fingerprint", 64).unique_key())
        .col(text("note"))
        .col(string_len("created_by", 64))
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m20261124_000003_safety")
        .table("word", word)
        .table("word_list", list)
        .table("suspect_text", suspect_text)
        .index("suspect_text_state", "suspect_text", &["state", "id"])
        .table("suspect_picture", suspect_picture)
        .unique_index(
            "suspect_picture_content",
            "suspect_picture",
            &["login_id", "sha256"],
        )
        .index("suspect_picture_state", "suspect_picture", &["state", "id"])
        .table("picture_rule", picture_rule)
}

/// Feedback, support chat, and points.
fn support() -> Change {
    let feedback = Table::create()
        .table("feedback")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(integer("kind"))
        .col(text("content"))
        .col(text("pictures"))
        .col(text("annex_key"))
        .col(text("annex_name"))
        .col(text("state"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned();
    let reply = Table::create()
        .table("feedback_reply")
        .col(string_len("id", 64).primary_key())
        .col(string_len("feedback_id", 64))
        .col(string_len("operator", 64))
        .col(text("content"))
        .col(big_integer("created_at"))
        .to_owned();
    let chat = Table::create()
        .table("chat")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("waiting_since"))
        .col(big_integer("last_at"))
        .col(big_integer("unread"))
        .to_owned();
    let line = Table::create()
        .table("chat_line")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("client_id", 64))
        .col(string_len("operator", 64))
        .col(text("content"))
        .col(big_integer("created_at"))
        .to_owned();
    let integral = Table::create()
        .table("integral_entry")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(big_integer("amount"))
        .col(string_len("kind", 32))
        .col(string_len("source", 128).unique_key())
        .col(text("description"))
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m20261124_000004_support")
        .table("feedback", feedback)
        .index("feedback_login", "feedback", &["login_id", "id"])
        .index("feedback_state", "feedback", &["state", "id"])
        .table("feedback_reply", reply)
        .index(
            "feedback_reply_of",
            "feedback_reply",
            &["feedback_id", "id"],
        )
        .table("chat", chat)
        .index("chat_waiting", "chat", &["waiting_since"])
        .table("chat_line", line)
        .unique_index("chat_line_client", "chat_line", &["login_id", "client_id"])
        .index("chat_line_login", "chat_line", &["login_id", "id"])
        .table("integral_entry", integral)
        .index("integral_login", "integral_entry", &["login_id", "id"])
}

/// Claims of review cases, and the reasons of decisions.
fn reviews() -> Change {
    Change::new("m20261125_000002_reviews")
        .sql(
            "ALTER TABLE suspect_text ADD COLUMN decision TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE suspect_text DROP COLUMN decision",
        )
        .sql(
            "ALTER TABLE suspect_text ADD COLUMN claimed_by VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE suspect_text DROP COLUMN claimed_by",
        )
        .sql(
            "ALTER TABLE suspect_text ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE suspect_text DROP COLUMN claimed_until",
        )
        .sql(
            "ALTER TABLE suspect_picture ADD COLUMN decision TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE suspect_picture DROP COLUMN decision",
        )
        .sql(
            "ALTER TABLE suspect_picture ADD COLUMN claimed_by VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE suspect_picture DROP COLUMN claimed_by",
        )
        .sql(
            "ALTER TABLE suspect_picture ADD COLUMN claimed_until BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE suspect_picture DROP COLUMN claimed_until",
        )
        .index("suspect_text_login", "suspect_text", &["login_id", "id"])
}

/// Conversations are open until an operator closes them; existing ones become open.
fn conversations() -> Change {
    Change::new("m20261125_000003_conversations")
        .sql(
            "ALTER TABLE chat ADD COLUMN open_since BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE chat DROP COLUMN open_since",
        )
        .sql("UPDATE chat SET open_since = last_at", "SELECT 1")
        .index("chat_open", "chat", &["open_since", "last_at"])
}

/// Objects due for removal.
fn objects() -> Change {
    let due = Table::create()
        .table("object_due")
        .col(string_len("object_key", 255).primary_key())
        .col(big_integer("due_at"))
        .to_owned();
    Change::new("m20261125_000004_objects")
        .table("object_due", due)
        .index("object_due_at", "object_due", &["due_at"])
}

/// Nickname and picture of users who registered by WeChat or QQ.
fn newcomers() -> Change {
    let newcomer = Table::create()
        .table("newcomer")
        .col(string_len("login_id", 64).primary_key())
        .col(text("nickname"))
        .col(text("picture"))
        .col(big_integer("created_at"))
        .col(big_integer("due_at"))
        .to_owned();
    Change::new("m20261126_000001_newcomers")
        .table("newcomer", newcomer)
        .index("newcomer_due", "newcomer", &["due_at"])
}

/// Number of mall models a user has bought.
fn purchases() -> Change {
    Change::new("m20261127_000002_purchases")
        .sql(
            "ALTER TABLE statistics ADD COLUMN purchases_version BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE statistics DROP COLUMN purchases_version",
        )
        .sql(
            "ALTER TABLE statistics ADD COLUMN total_purchased_models BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE statistics DROP COLUMN total_purchased_models",
        )
}

/// Maker status of a user in the mall.
fn modeler_badges() -> Change {
    let badge = Table::create()
        .table("modeler_badge")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("version"))
        .col(integer("uploader_type"))
        .col(integer_null("review_status"))
        .to_owned();
    Change::new("m20261128_000101_modeler_badges").table("modeler_badge", badge)
}

/// Sessions that the object store has yet to hear of.
fn usernames() -> Change {
    Change::new("m20261207_000001_usernames")
        .sql(
            "ALTER TABLE profile ADD COLUMN username_key VARCHAR(64)",
            "ALTER TABLE profile DROP COLUMN username_key",
        )
        .sql(
            "UPDATE profile SET username_key = LOWER(username) WHERE login_id IN \
             (SELECT MIN(login_id) FROM profile WHERE username <> '' GROUP BY LOWER(username))",
            "SELECT 1",
        )
        .sql(
            "CREATE UNIQUE INDEX profile_username_key ON profile (username_key)",
            "DROP INDEX profile_username_key",
        )
}

fn ended_sessions() -> Change {
    let ended = Table::create()
        .table("ended_session")
        .col(string_len("session_id", 64).primary_key())
        .col(big_integer("ended_at"))
        .to_owned();
    Change::new("m20261130_000001_ended_sessions").table("ended_session", ended)
}
