//! Tables of publications.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, integer, string_len, text};

pub(crate) fn change() -> Change {
    let publication = Table::create()
        .table("publication")
        .col(string_len("id", 64).primary_key())
        .col(text("kind"))
        .col(text("state"))
        .col(text("content"))
        .col(big_integer("starts_at"))
        .col(big_integer("ends_at"))
        .col(integer("position"))
        .col(big_integer("version"))
        .col(big_integer("announced_at"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned();
    let revision = Table::create()
        .table("publication_revision")
        .col(string_len("publication_id", 64))
        .col(big_integer("version"))
        .col(text("content"))
        .col(big_integer("starts_at"))
        .col(big_integer("ends_at"))
        .col(integer("position"))
        .col(string_len("saved_by", 64))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("publication_id").col("version"))
        .to_owned();
    let closed = Table::create()
        .table("member_popup_closed")
        .col(string_len("login_id", 64))
        .col(string_len("popup_id", 64))
        .col(big_integer("closed_at"))
        .primary_key(Index::create().col("login_id").col("popup_id"))
        .to_owned();
    Change::new("m20261124_000011_publications")
        .table("publication", publication)
        .index("publication_kind", "publication", &["kind", "state"])
        .table("publication_revision", revision)
        .table("member_popup_closed", closed)
}

/// Which revision is published, and when each one was.
pub(crate) fn history() -> Change {
    Change::new("m20261125_000001_publication_history")
        .sql(
            "ALTER TABLE publication ADD COLUMN published_version BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE publication DROP COLUMN published_version",
        )
        .sql(
            "ALTER TABLE publication_revision ADD COLUMN published_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE publication_revision DROP COLUMN published_at",
        )
        .sql(
            "ALTER TABLE publication_revision ADD COLUMN restored_from BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE publication_revision DROP COLUMN restored_from",
        )
        .sql(
            "UPDATE publication SET version = COALESCE((SELECT MAX(r.version) FROM publication_revision r \
             WHERE r.publication_id = publication.id), version)",
            "SELECT 1",
        )
        .sql(
            "UPDATE publication SET published_version = COALESCE((SELECT MAX(r.version) \
             FROM publication_revision r WHERE r.publication_id = publication.id \
             AND r.content = publication.content), 0)",
            "SELECT 1",
        )
        .index("publication_created", "publication", &["created_at", "id"])
}

/// What open pages were told of it.
pub(crate) fn announced() -> Change {
    Change::new("m20261130_000002_announced_version").sql(
        "ALTER TABLE publication ADD COLUMN announced_version BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE publication DROP COLUMN announced_version",
    )
}
