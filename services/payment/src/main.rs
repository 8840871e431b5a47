//! The payment service by itself, and its commands for operators.

use chassis::Alone;
use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Arguments {
    /// Configuration file laid over the defaults.
    #[arg(long, env = "XUANLAN_CONFIG", global = true)]
    config: Option<std::path::PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
    /// Gives cloud coins to a user, booked against the platform's promotion account. The same key gives once.
    Grant {
        /// Login id.
        #[arg(long)]
        owner: String,
        /// Cents.
        #[arg(long)]
        cents: i64,
        #[arg(long)]
        key: String,
    },
    /// Checks the ledger's invariants over all rows; ends with 1 when one does not hold.
    Audit,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let arguments = Arguments::parse();
    let file = arguments.config.as_deref();
    let alone = Alone::open(xl_payment::NAME, xl_payment::DEFAULTS, file).await?;
    match arguments.command.unwrap_or(Command::Serve) {
        Command::Serve => alone.serve(xl_payment::start).await,
        Command::Grant { owner, cents, key } => {
            xl_payment::migrate(&alone.context).await?;
            let given = xl_payment::admin::grant(&alone.context, &owner, cents, &key).await?;
            println!("{}", if given { "given" } else { "was given before" });
            alone.end().await;
            Ok(())
        }
        Command::Audit => {
            xl_payment::migrate(&alone.context).await?;
            let findings = xl_payment::ledger::audit::findings(&alone.context.db).await?;
            alone.end().await;
            for finding in &findings {
                println!("{finding}");
            }
            anyhow::ensure!(findings.is_empty(), "the ledger is not sound");
            println!("sound");
            Ok(())
        }
    }
}
