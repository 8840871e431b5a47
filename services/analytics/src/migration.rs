//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, big_integer_null, integer, string_len};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(chassis::db::migration::Streaming),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(chassis::db::migration::Undelivered),
            Box::new(visits()),
            Box::new(chassis::audit::Table),
            Box::new(console()),
            Box::new(chassis::rights::tables()),
            Box::new(claims()),
            Box::new(chassis::audit::NotReplaced),
        ]
    }
}

/// Index to find the lines of a closed account.
fn claims() -> Change {
    Change::new("m20261125_000003_claims").index("action_log_claim", "action_log", &["user_claim"])
}

/// Indexes for the operators' queries of the action log.
fn console() -> Change {
    Change::new("m20261124_000001_console")
        .index("action_log_tag", "action_log", &["tag", "at", "id"])
        .index("action_log_visitor", "action_log", &["visitor", "at", "id"])
}

fn visits() -> Change {
    Change::new("m20261123_010000_visits")
        .table("visit", visit())
        .table("page_view", page_view())
        .table("support_click", support_click())
        .table("action_log", action_log())
        .table("user_visit", user_visit())
        .table("rollup", rollup())
        .index("visit_began", "visit", &["began_at"])
        .index("visit_open", "visit", &["ended_at", "seen_at"])
        .index("page_view_at", "page_view", &["at"])
        .index("support_click_at", "support_click", &["at"])
        .index("action_log_at", "action_log", &["at"])
        .index("user_visit_at", "user_visit", &["at"])
        .index("rollup_metric", "rollup", &["period", "metric", "start"])
}

fn visit() -> TableCreateStatement {
    Table::create()
        .table("visit")
        .col(string_len("id", 32).primary_key())
        .col(string_len("visitor", 64))
        .col(string_len("source", 16))
        .col(string_len("source_host", 255))
        .col(string_len("entrance", 255))
        .col(string_len("dap", 64))
        .col(string_len("network", 64))
        .col(big_integer("began_at"))
        .col(big_integer("seen_at"))
        .col(big_integer_null("ended_at"))
        .col(integer("pages"))
        .to_owned()
}

fn page_view() -> TableCreateStatement {
    Table::create()
        .table("page_view")
        .col(string_len("id", 32).primary_key())
        .col(string_len("visit", 32))
        .col(string_len("path", 255))
        .col(big_integer("at"))
        .to_owned()
}

fn support_click() -> TableCreateStatement {
    Table::create()
        .table("support_click")
        .col(string_len("id", 32).primary_key())
        .col(string_len("visitor", 64))
        .col(string_len("item", 64))
        .col(string_len("path", 255))
        .col(big_integer("at"))
        .to_owned()
}

fn action_log() -> TableCreateStatement {
    Table::create()
        .table("action_log")
        .col(string_len("id", 32).primary_key())
        .col(string_len("source", 64))
        .col(string_len("visitor", 64))
        .col(string_len("user_claim", 64))
        .col(string_len("template", 64))
        .col(string_len("tag", 64))
        .col(string_len("location", 255))
        .col(string_len("node", 64))
        .col(big_integer("at"))
        .to_owned()
}

fn user_visit() -> TableCreateStatement {
    Table::create()
        .table("user_visit")
        .col(string_len("id", 32).primary_key())
        .col(string_len("visitor", 64))
        .col(big_integer("start_time"))
        .col(big_integer("end_time"))
        .col(string_len("button_name", 64))
        .col(string_len("event_type", 64))
        .col(string_len("operation_type", 64))
        .col(string_len("process_type", 64))
        .col(string_len("website_module", 64))
        .col(string_len("task_id", 64))
        .col(big_integer("at"))
        .to_owned()
}

fn rollup() -> TableCreateStatement {
    Table::create()
        .table("rollup")
        .col(string_len("period", 8))
        .col(big_integer("start"))
        .col(string_len("metric", 32))
        .col(string_len("name", 255))
        .col(big_integer("count"))
        .primary_key(
            Index::create()
                .col("period")
                .col("start")
                .col("metric")
                .col("name"),
        )
        .to_owned()
}
