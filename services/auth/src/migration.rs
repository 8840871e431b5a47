//! The tables of auth.

use chassis::db::change::Change;
use chassis::db::migration::{InboxAge, Messaging, Streaming, Undelivered};
use chassis::db::tables::{drop_tables, index};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, boolean, integer, string_len, string_len_null, text,
};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(Messaging),
            Box::new(Accounts),
            Box::new(Streaming),
            Box::new(InboxAge),
            Box::new(Undelivered),
            Box::new(devices()),
            Box::new(certifications()),
            Box::new(crate::identity::identities()),
            Box::new(invitations()),
            Box::new(account_security()),
            Box::new(chassis::audit::Table),
            Box::new(crate::operator::tables::tables()),
            Box::new(crate::console::chain::Chain),
            Box::new(crate::console::freeze::tables()),
            Box::new(crate::console::freeze::names()),
            Box::new(lists_of_operators()),
            Box::new(chassis::rights::tables()),
            Box::new(crate::closure::tables()),
            Box::new(chassis::garbage::table()),
            Box::new(crate::export::tables()),
            Box::new(modelers()),
            Box::new(chassis::garbage::retries()),
            Box::new(codes_of_owners()),
            Box::new(lanes_of_codes()),
            Box::new(chassis::audit::NotReplaced),
            Box::new(crate::console::chain::Sealed),
            Box::new(first_uploads()),
        ]
    }
}

fn first_uploads() -> Change {
    Change::new("m20261207_000001_first_uploads").sql(
        "ALTER TABLE account ADD COLUMN first_upload_at BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE account DROP COLUMN first_upload_at",
    )
}

fn invitations() -> Change {
    let code = Table::create()
        .table("invite_code")
        .col(string_len("login_id", 32).primary_key())
        .col(string_len("code", 16).unique_key())
        .col(big_integer("version"))
        .col(big_integer("created_at"))
        .to_owned();
    let invitation = Table::create()
        .table("invitation")
        .col(string_len("id", 64).primary_key())
        .col(string_len("inviter", 32))
        .col(string_len("invitee", 32).unique_key())
        .col(text("state"))
        .col(text("suspicion"))
        .col(big_integer("inviter_cents"))
        .col(big_integer("invitee_cents"))
        .col(big_integer_null("inviter_paid_at"))
        .col(big_integer_null("invitee_paid_at"))
        .col(big_integer("created_at"))
        .col(big_integer_null("qualified_at"))
        .col(string_len("decided_by", 64))
        .to_owned();
    Change::new("m20261124_000005_invitations")
        .table("invite_code", code)
        .table("invitation", invitation)
        .index("invitation_inviter", "invitation", &["inviter", "id"])
        .index("invitation_state", "invitation", &["state", "id"])
}

fn devices() -> Change {
    let table = Table::create()
        .table("known_device")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(big_integer("last_seen_at"))
        .to_owned();
    Change::new("m20261122_000002_devices")
        .table("known_device", table)
        .index(
            "known_device_login",
            "known_device",
            &["login_id", "last_seen_at"],
        )
        .index("known_device_age", "known_device", &["last_seen_at"])
        .sql(
            "ALTER TABLE password_failure ADD COLUMN device VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE password_failure DROP COLUMN device",
        )
}

/// Who has requested a code. `of_owner` stays for replicas of the version before, which write it.
fn lanes_of_codes() -> Change {
    Change::new("m20261205_000001_lanes_of_codes").sql(
        "ALTER TABLE sms_code ADD COLUMN lane VARCHAR(16) NOT NULL DEFAULT 'stranger'",
        "ALTER TABLE sms_code DROP COLUMN lane",
    )
}

/// Codes that an owner has requested, counted apart.
fn codes_of_owners() -> Change {
    Change::new("m20261204_000001_codes_of_owners").sql(
        "ALTER TABLE sms_code ADD COLUMN of_owner BOOLEAN NOT NULL DEFAULT FALSE",
        "ALTER TABLE sms_code DROP COLUMN of_owner",
    )
}

/// Version of the maker's row whose type the account copies.
fn modelers() -> Change {
    Change::new("m20261128_000101_modelers").sql(
        "ALTER TABLE account ADD COLUMN modeler_version BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE account DROP COLUMN modeler_version",
    )
}

fn lists_of_operators() -> Change {
    Change::new("m20261124_000010_lists_of_operators")
        .index(
            "certification_asked",
            "certification",
            &["submitted_at", "id"],
        )
        .index("invitation_created", "invitation", &["created_at", "id"])
}

fn certifications() -> Change {
    let certification = Table::create()
        .table("certification")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(text("kind"))
        .col(text("state"))
        .col(string_len("key_id", 32))
        .col(text("wrapped_key"))
        .col(text("details"))
        .col(string_len("number_index", 64))
        .col(text("name_shown"))
        .col(text("number_shown"))
        .col(text("cause"))
        .col(text("claimed_by"))
        .col(big_integer("claimed_until"))
        .col(text("decided_by"))
        .col(big_integer("created_at"))
        .col(big_integer("submitted_at"))
        .col(big_integer_null("decided_at"))
        .col(big_integer_null("pictures_due"))
        .to_owned();
    let number = Table::create()
        .table("certified_number")
        .col(string_len("number_index", 64).primary_key())
        .col(big_integer("seen_at"))
        .to_owned();
    let of_account = &["login_id", "submitted_at"];
    Change::new("m20261123_000010_certification")
        .table("certification", certification)
        .table("certified_number", number)
        .index("certification_login", "certification", of_account)
        .index(
            "certification_queue",
            "certification",
            &["state", "submitted_at"],
        )
        .index("certification_number", "certification", &["number_index"])
        .index("certification_due", "certification", &["pictures_due"])
        .index("certification_key", "certification", &["key_id"])
}

/// Details of sessions, the record of sign-ins, mail codes and the second factor.
fn account_security() -> Change {
    let sign_in = Table::create()
        .table("sign_in")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(big_integer("at"))
        .col(string_len("method", 16))
        .col(string_len("outcome", 16))
        .col(string_len("kind", 16))
        .col(string_len("device", 128))
        .col(string_len("remote_addr", 64))
        .col(boolean("new_device"))
        .to_owned();
    let mail_code = Table::create()
        .table("mail_code")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(string_len("email", 64))
        .col(string_len("code_hash", 64))
        .col(integer("tries"))
        .col(big_integer("expires_at"))
        .to_owned();
    let second_factor = Table::create()
        .table("second_factor")
        .col(string_len("login_id", 32).primary_key())
        .col(string_len("key_id", 64))
        .col(string_len("wrapped_key", 256))
        .col(string_len("secret", 256))
        .col(big_integer("created_at"))
        .col(big_integer_null("confirmed_at"))
        .col(big_integer("last_step"))
        .col(integer("failures"))
        .col(big_integer("failed_at"))
        .to_owned();
    let recovery_code = Table::create()
        .table("recovery_code")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .to_owned();
    Change::new("m20261123_000011_account_security")
        .table("sign_in", sign_in)
        .index("sign_in_login", "sign_in", &["login_id", "at"])
        .index("sign_in_age", "sign_in", &["at"])
        .table("mail_code", mail_code)
        .index("mail_code_login", "mail_code", &["login_id"])
        .index("mail_code_age", "mail_code", &["expires_at"])
        .table("second_factor", second_factor)
        .table("recovery_code", recovery_code)
        .index("recovery_code_login", "recovery_code", &["login_id"])
        .sql(
            "ALTER TABLE session ADD COLUMN kind VARCHAR(16) NOT NULL DEFAULT 'other'",
            "ALTER TABLE session DROP COLUMN kind",
        )
        .sql(
            "ALTER TABLE session ADD COLUMN method VARCHAR(16) NOT NULL DEFAULT 'unknown'",
            "ALTER TABLE session DROP COLUMN method",
        )
        .sql(
            "ALTER TABLE session ADD COLUMN user_agent VARCHAR(256) NOT NULL DEFAULT ''",
            "ALTER TABLE session DROP COLUMN user_agent",
        )
        .sql(
            "ALTER TABLE session ADD COLUMN device VARCHAR(64) NOT NULL DEFAULT ''",
            "ALTER TABLE session DROP COLUMN device",
        )
        .sql(
            "ALTER TABLE session ADD COLUMN confirmed_until BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE session DROP COLUMN confirmed_until",
        )
        .sql(
            "ALTER TABLE account ADD COLUMN interest VARCHAR(128)",
            "ALTER TABLE account DROP COLUMN interest",
        )
        .sql(
            "ALTER TABLE account ADD COLUMN register_purpose VARCHAR(32)",
            "ALTER TABLE account DROP COLUMN register_purpose",
        )
        .sql(
            "ALTER TABLE account ADD COLUMN email_verified_at BIGINT",
            "ALTER TABLE account DROP COLUMN email_verified_at",
        )
        .sql(
            "ALTER TABLE account ADD COLUMN profile_version BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE account DROP COLUMN profile_version",
        )
}

struct Accounts;

impl MigrationName for Accounts {
    fn name(&self) -> &str {
        "m20261121_000001_accounts"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Accounts {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [account(), session(), sms_code(), sms_gate(), failure()] {
            manager.create_table(table).await?;
        }
        for index in [
            index("session_login", "session", &["login_id", "created_at"]),
            index("session_expiry", "session", &["expires_at"]),
            index("sms_code_phone", "sms_code", &["phone", "created_at"]),
            index(
                "sms_code_address",
                "sms_code",
                &["remote_addr", "created_at"],
            ),
            index("sms_code_age", "sms_code", &["created_at"]),
            index("sms_gate_age", "sms_gate", &["passed_at"]),
            index("failure_login", "password_failure", &["login_id", "at"]),
            index(
                "failure_address",
                "password_failure",
                &["remote_addr", "at"],
            ),
            index("failure_age", "password_failure", &["at"]),
        ] {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(
            manager,
            &[
                "password_failure",
                "sms_gate",
                "sms_code",
                "session",
                "account",
            ],
        )
        .await
    }
}

fn account() -> TableCreateStatement {
    Table::create()
        .table("account")
        .col(string_len("id", 32).primary_key())
        .col(string_len("phone", 16).unique_key())
        .col(string_len_null("email", 64).unique_key())
        .col(string_len("username", 64))
        .col(string_len("account_number", 16).unique_key())
        .col(string_len_null("nickname", 64))
        .col(string_len_null("avatar", 512))
        .col(string_len("profession_code", 32))
        .col(string_len("password_hash", 256))
        .col(integer("uploader_type"))
        .col(boolean("is_operator"))
        .col(big_integer("version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(string_len("token_hash", 64).unique_key())
        .col(string_len("remote_addr", 64))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer("last_seen_at"))
        .to_owned()
}

fn sms_code() -> TableCreateStatement {
    Table::create()
        .table("sms_code")
        .col(string_len("id", 64).primary_key())
        .col(string_len("phone", 16))
        .col(string_len("purpose", 16))
        .col(string_len("code_hash", 64))
        .col(string_len("remote_addr", 64))
        .col(integer("tries"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("ended_at"))
        .to_owned()
}

fn sms_gate() -> TableCreateStatement {
    Table::create()
        .table("sms_gate")
        .col(string_len("name", 96).primary_key())
        .col(big_integer("passed_at"))
        .to_owned()
}

fn failure() -> TableCreateStatement {
    Table::create()
        .table("password_failure")
        .col(string_len("id", 64).primary_key())
        .col(string_len("login_id", 32))
        .col(string_len("remote_addr", 64))
        .col(big_integer("at"))
        .to_owned()
}
