//! auth as a process of its own, and its operator's commands.

use std::path::PathBuf;

use chassis::{Alone, Context};
use clap::{Args, Parser, Subcommand};
use xl_auth::admin::{self, AccountSpec};

#[derive(Parser)]
#[command(
    name = "xuanlan-auth",
    about = "Accounts, sessions, SMS codes and the slider of Xuanlan"
)]
struct Cli {
    /// Configuration file laid over the defaults.
    #[arg(long, global = true, env = "XUANLAN_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serve gRPC (also without a command).
    Serve,
    /// Apply the migrations of the database and end.
    Migrate,
    /// Look after messages that a consumer could not handle.
    #[command(subcommand)]
    Dead(chassis::dead_letters::Command),
    /// Look after accounts.
    #[command(subcommand)]
    Account(AccountCommand),
}

#[derive(Subcommand)]
enum AccountCommand {
    /// Add an account; nothing happens when the phone number has one.
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
    #[arg(long)]
    operator: bool,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let cli = Cli::parse();
    let alone = Alone::open("auth", xl_auth::DEFAULTS, cli.config.as_deref()).await?;
    match cli.command {
        None | Some(Command::Serve) => alone.serve(xl_auth::start).await,
        Some(Command::Migrate) => {
            let outcome = xl_auth::migrate(&alone.context).await;
            alone.end().await;
            outcome
        }
        Some(Command::Dead(command)) => alone.dead(command).await,
        Some(Command::Account(command)) => {
            let outcome = account(&alone.context, command).await;
            alone.end().await;
            outcome
        }
    }
}

async fn account(context: &Context, command: AccountCommand) -> anyhow::Result<()> {
    xl_auth::migrate(context).await?;
    match command {
        AccountCommand::Add(add) => {
            let spec = AccountSpec {
                phone: add.phone,
                password: add.password,
                email: add.email,
                profession: add.profession,
                is_operator: add.operator,
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
