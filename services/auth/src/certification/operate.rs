//! The commands `xuanlan auth certification …`.

use std::path::PathBuf;

use anyhow::bail;
use chassis::Context;
use chassis::messaging::Outbox;
use chassis::process::one_line;
use clap::{ArgGroup, Args, Subcommand};
use proto::auth::v1::CertificationQueueRequest;
use sea_orm::entity::prelude::*;
use sea_orm::{QuerySelect, Set};

use super::{Certifications, Decision, wrapped};
use crate::console::actor::Actor;
use crate::entity::certification;
use crate::operator::totp;
use crate::security::factor;

/// Rows shown, or encrypted anew, at once.
const PAGE: i32 = 100;

#[derive(Subcommand)]
pub enum CertificationCommand {
    /// List undecided records.
    List {
        /// Decided records too.
        #[arg(long)]
        all: bool,
    },
    /// Claim a record for 15 minutes.
    Claim {
        id: String,
        /// Name of the operator.
        #[arg(long)]
        by: String,
        /// Release the claim.
        #[arg(long)]
        release: bool,
    },
    /// Show what was stated, in clear; the access is logged.
    Show {
        id: String,
        /// Name of the operator.
        #[arg(long)]
        by: String,
    },
    /// Write one of the pictures to a file, with your name over it; the access is logged.
    Picture {
        id: String,
        /// front, back or license.
        part: String,
        /// Name of the operator.
        #[arg(long)]
        by: String,
        #[arg(long)]
        out: PathBuf,
    },
    /// Decide.
    Decide(Decide),
    /// Encrypt the key of each record under the current master key, so that former ones can be removed.
    Rewrap,
}

#[derive(Args)]
#[command(group(ArgGroup::new("decision").required(true)))]
pub struct Decide {
    id: String,
    #[arg(long, group = "decision")]
    approve: bool,
    /// Reason shown to the owner.
    #[arg(long, group = "decision", value_name = "REASON")]
    reject: Option<String>,
    /// Reason for the audit log; default of a refusal: the reason shown to the owner.
    #[arg(long, default_value = "")]
    reason: String,
    /// Name of the operator.
    #[arg(long)]
    by: String,
}

/// Name of the command in the log.
const COMMAND: &str = "certification";

/// Runs one of the commands.
pub async fn operate(context: &Context, command: CertificationCommand) -> anyhow::Result<()> {
    let outbox = Outbox::new(context.db.clone(), context.clock.clone());
    let certifications = Certifications::new(context, &outbox)?;
    match command {
        CertificationCommand::List { all } => list(&certifications, all).await,
        CertificationCommand::Claim { id, by, release } => {
            let actor = Actor::command(COMMAND, &by)?;
            certifications.claim(&id, release, &actor).await?;
            Ok(())
        }
        CertificationCommand::Show { id, by } => {
            let actor = Actor::command(COMMAND, &by)?;
            for (name, value) in certifications.look(&id, &actor).await? {
                println!("{name}\t{}", one_line(&value));
            }
            Ok(())
        }
        CertificationCommand::Picture { id, part, by, out } => {
            let actor = Actor::command(COMMAND, &by)?;
            let picture = certifications.picture(&id, &part, &actor).await?;
            std::fs::write(&out, picture)?;
            println!("{}", out.display());
            Ok(())
        }
        CertificationCommand::Decide(form) => decide(&certifications, form).await,
        CertificationCommand::Rewrap => {
            let renewed = certifications.rewrap().await?;
            println!("{renewed} records have their key under the current master key");
            Ok(())
        }
    }
}

async fn decide(certifications: &Certifications, form: Decide) -> anyhow::Result<()> {
    let (decision, reason) = match (form.approve, form.reject) {
        (true, None) => (Decision::Approve, form.reason),
        (false, Some(cause)) if form.reason.is_empty() => (Decision::Reject(cause.clone()), cause),
        (false, Some(cause)) => (Decision::Reject(cause), form.reason),
        _ => bail!("--approve or --reject REASON"),
    };
    let actor = Actor::command(COMMAND, &form.by)?;
    certifications
        .decide(&form.id, &decision, &reason, &actor)
        .await?;
    println!("{} decided", form.id);
    Ok(())
}

async fn list(certifications: &Certifications, all: bool) -> anyhow::Result<()> {
    let mut form = CertificationQueueRequest {
        state: if all { "all" } else { "" }.to_owned(),
        size: PAGE,
        ..Default::default()
    };
    loop {
        let page = certifications.queue(&form).await?;
        for row in &page.items {
            let fields = [
                &row.id,
                &row.login_id,
                &row.kind,
                &row.state,
                &row.name,
                &row.number,
                &row.cause,
            ];
            println!(
                "{}",
                fields.map(|field: &String| one_line(field)).join("\t")
            );
        }
        if page.next.is_empty() {
            return Ok(());
        }
        form.after = page.next;
    }
}

impl Certifications {
    /// Encrypts the key of each record, and of each second factor of users and operators, under the current master key; returns how
    /// many were under another.
    pub async fn rewrap(&self) -> anyhow::Result<u64> {
        let mut renewed = 0;
        loop {
            let rows = certification::Entity::find_any()
                .filter(certification::Column::KeyId.ne(self.vault.current_id()))
                .limit(u64::from(PAGE.unsigned_abs()))
                .all(&self.context.db)
                .await?;
            if rows.is_empty() {
                let (vault, db) = (&self.vault, &self.context.db);
                renewed += factor::rewrap(vault, db).await?;
                return Ok(renewed + totp::rewrap(vault, db).await?);
            }
            for row in rows {
                let Some(new) = self.vault.renewed(&wrapped(&row), &row.login_id, &row.id)? else {
                    continue;
                };
                certification::Entity::update_any()
                    .set(certification::ActiveModel {
                        key_id: Set(new.key_id),
                        wrapped_key: Set(new.wrapped_key),
                        ..Default::default()
                    })
                    .filter(certification::Column::Id.eq(&row.id))
                    .filter(certification::Column::KeyId.eq(&row.key_id))
                    .exec(&self.context.db)
                    .await?;
                renewed += 1;
            }
        }
    }
}
