//! The commands `xuanlan auth operator …` and `xuanlan auth audit …`.

use anyhow::{Context as _, bail};
use chassis::Context;
use chassis::audit::{self, Deed};
use chassis::db::begin_write;
use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use clap::Subcommand;
use proto::auth::v1::AuditRecorded;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::entity::operator::{Column, Entity, State};
use super::{ADMIN, Operators, name};
use crate::certification::vault;
use crate::config::AuthConfig;
use crate::console::chain;

#[derive(Subcommand)]
pub enum OperatorCommand {
    /// Adds an operator of the console and prints the link, for one use within 24 hours, by which he enrols.
    Add {
        /// 2 to 32 letters, digits, dots, hyphens.
        name: String,
        /// Id of a role; may be repeated.
        #[arg(long, default_value = ADMIN)]
        role: Vec<String>,
    },
    /// Prints a new link for an operator who lost the password, or both app and recovery codes; what he had is void, and his
    /// sessions end.
    Reset { name: String },
}

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Computes the chain of all that operators did again, and names the first entry that does not fit.
    Verify {
        /// Number and hash of an entry, as this command or the log of auth stated them before: reveals a database that was
        /// replaced as a whole.
        #[arg(long, value_name = "NUMBER:HASH")]
        known: Option<String>,
    },
    /// Seals a log of before there was a seal. A log that lost its seal later was forged, and is not to be sealed.
    Seal {
        /// How many entries, the first ones, have hashes without a key and are accepted as they are.
        #[arg(long, value_name = "NUMBER")]
        unkeyed: i64,
    },
}

#[derive(Deserialize, Default)]
struct GatewayConfig {
    #[serde(default)]
    console: ConsoleConfig,
}

#[derive(Deserialize, Default)]
struct ConsoleConfig {
    #[serde(default)]
    listen: String,
    #[serde(default)]
    public_address: String,
}

impl ConsoleConfig {
    fn address(&self) -> Option<String> {
        match (self.public_address.as_str(), self.listen.as_str()) {
            ("", "") => None,
            ("", listen) => Some(format!("http://{listen}")),
            (address, _) => Some(address.trim_end_matches('/').to_owned()),
        }
    }
}

impl Operators {
    pub fn open(context: &Context) -> anyhow::Result<Self> {
        let config: AuthConfig = context.settings.section("auth")?;
        Ok(Self {
            context: context.clone(),
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            passwords: Passwords::new(config.password.concurrent, config.password.waiting)?,
            vault: vault::load(&context.settings, &config.certification)?.into(),
        })
    }

    /// Adds an operator from the command line; returns the token of the enrolment link.
    pub async fn add_by_command(&self, given: &str, roles: &[String]) -> anyhow::Result<String> {
        let name = name(given)?;
        let transaction = begin_write(&self.context.db).await?;
        self.must_exist(&transaction, roles).await?;
        let link = self.invite(&transaction, &name, roles).await?;
        let deed = Deed {
            target: &link.operator_id,
            after: json!({"name": name, "roles": roles}),
            ..Deed::default()
        };
        self.commanded(transaction, "operator add", deed).await?;
        Ok(link.token)
    }

    /// As the console's reset, from the command line, for the only administrator.
    pub async fn reset_by_command(&self, given: &str) -> anyhow::Result<String> {
        let name = name(given)?;
        let transaction = begin_write(&self.context.db).await?;
        let found = Entity::find().filter(Column::Name.eq(&name));
        let operator = found.one(&transaction).await?;
        let operator = operator.with_context(|| format!("no operator {name}"))?;
        if operator.state == State::Disabled {
            bail!("{name} is disabled: another operator enables the account in the console");
        }
        let link = self.invite_again(&transaction, &operator).await?;
        let deed = Deed {
            target: &operator.id,
            before: json!({"state": operator.state.name()}),
            after: json!({"state": State::Invited.name()}),
            ..Deed::default()
        };
        self.commanded(transaction, "operator reset", deed).await?;
        Ok(link.token)
    }

    pub async fn seal_by_command(&self, unkeyed: i64) -> anyhow::Result<()> {
        let transaction = begin_write(&self.context.db).await?;
        chain::seal(&self.vault, &transaction, unkeyed).await?;
        let deed = Deed {
            after: json!({"unkeyed": unkeyed}),
            ..Deed::default()
        };
        self.commanded(transaction, "audit seal", deed).await
    }

    /// Commits an act of the command line with its audit entry.
    async fn commanded(
        &self,
        transaction: DatabaseTransaction,
        command: &str,
        deed: Deed<'_>,
    ) -> anyhow::Result<()> {
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record_command(
            &self.outbox,
            &transaction,
            crate::NAME,
            command,
            deed,
            event,
        )
        .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

pub async fn operate(context: &Context, command: OperatorCommand) -> anyhow::Result<()> {
    let operators = Operators::open(context)?;
    // The first operator may be added before the service has ever been started.
    chain::begin(&operators.vault, &context.db).await?;
    let token = match command {
        OperatorCommand::Add { name, role } => operators.add_by_command(&name, &role).await?,
        OperatorCommand::Reset { name } => operators.reset_by_command(&name).await?,
    };
    let gateway: GatewayConfig = context.settings.section("gateway").unwrap_or_default();
    let page = format!("/console.html#/enrol/{token}");
    match gateway.console.address() {
        Some(address) => println!("{address}{page}"),
        None => println!("{page}\n(at the address of the operators' console)"),
    }
    Ok(())
}

pub async fn audit(context: &Context, command: AuditCommand) -> anyhow::Result<()> {
    let operators = Operators::open(context)?;
    match command {
        AuditCommand::Verify { known } => verify(context, &operators, known).await,
        AuditCommand::Seal { unkeyed } => operators.seal_by_command(unkeyed).await,
    }
}

async fn verify(
    context: &Context,
    operators: &Operators,
    known: Option<String>,
) -> anyhow::Result<()> {
    let known = known.as_deref().map(entry).transpose()?;
    let verdict = chain::verify(&operators.vault, &context.db, known, operators.now_ms()).await?;
    if let Some((number, problem)) = verdict.broken {
        match number {
            0 => bail!("the chain is broken: {problem}"),
            number => bail!("the chain is broken at entry {number}: {problem}"),
        }
    }
    println!("{} entries, the chain is whole", verdict.entries);
    if verdict.unkeyed > 0 {
        println!(
            "{} of them, the first ones, have hashes without a key",
            verdict.unkeyed
        );
    }
    println!("last entry: {}:{}", verdict.entries, verdict.hash);
    Ok(())
}

/// Number and hash of an entry.
fn entry(text: &str) -> anyhow::Result<(i64, &str)> {
    let (number, hash) = text.split_once(':').context("NUMBER:HASH")?;
    Ok((number.parse().context("NUMBER:HASH")?, hash))
}
