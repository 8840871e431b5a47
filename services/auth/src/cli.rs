//! The service as a program starts it, and its commands for operators.

use chassis::Context;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use crate::admin::{self, AccountSpec};
use crate::certification::operate::{CertificationCommand, operate};
use crate::invitation::operate::{self as invitations, InvitationCommand};
use crate::operator;
use crate::operator::command::{AuditCommand, OperatorCommand};

#[derive(Subcommand)]
enum Command {
    /// Manage accounts.
    #[command(subcommand)]
    Account(AccountCommand),
    /// Decide who is certified.
    #[command(subcommand)]
    Certification(CertificationCommand),
    /// Decide about rewards of invitations that are held.
    #[command(subcommand)]
    Invitation(InvitationCommand),
    /// Manage operators of the console.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Verify the audit log.
    #[command(subcommand)]
    Audit(AuditCommand),
}

#[derive(Subcommand)]
enum AccountCommand {
    /// Add an account; a no-op when the phone number has one.
    Add(AddAccount),
    /// Give an account an e-mail address to sign in with.
    SetEmail {
        #[arg(long)]
        phone: String,
        #[arg(long)]
        email: String,
    },
    /// Set a new password and end every session of the account.
    SetPassword {
        #[arg(long)]
        phone: String,
        #[arg(long, env = "XUANLAN_PASSWORD")]
        password: String,
    },
}

#[derive(Args)]
struct AddAccount {
    #[arg(long)]
    phone: String,
    #[arg(long, env = "XUANLAN_PASSWORD")]
    password: String,
    #[arg(long)]
    email: Option<String>,
    /// appdeveloper, modeler, designer or other.
    #[arg(long, default_value = "other")]
    profession: String,
}

chassis::module!(
    "Accounts, sessions, SMS codes and the slider",
    crate::NAME,
    crate::DEFAULTS,
    crate::migrate,
    crate::start,
    {
        fn commands(&self, command: clap::Command) -> clap::Command {
            Command::augment_subcommands(command)
        }

        async fn operate(&self, context: &Context, arguments: &ArgMatches) -> anyhow::Result<()> {
            match Command::from_arg_matches(arguments)? {
                Command::Account(command) => account(context, command).await,
                Command::Certification(command) => operate(context, command).await,
                Command::Invitation(command) => invitations::operate(context, command).await,
                Command::Operator(command) => operator::command::operate(context, command).await,
                Command::Audit(command) => operator::command::audit(context, command).await,
            }
        }
    }
);

async fn account(context: &Context, command: AccountCommand) -> anyhow::Result<()> {
    match command {
        AccountCommand::Add(add) => {
            let spec = AccountSpec {
                phone: add.phone,
                password: add.password,
                email: add.email,
                profession: add.profession,
            };
            let added = admin::add_account(context, &spec).await?;
            let word = if added.is_new { "added" } else { "exists" };
            println!("{} {word}", added.login_id);
        }
        AccountCommand::SetEmail { phone, email } => {
            admin::set_email(context, &phone, &email).await?;
            println!("{phone} {email}");
        }
        AccountCommand::SetPassword { phone, password } => {
            admin::set_password(context, &phone, &password).await?;
            println!("{phone} has a new password");
        }
    }
    Ok(())
}
