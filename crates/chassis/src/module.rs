//! A service as a library: what a program needs to run it, alone or beside the others.

use async_trait::async_trait;
use clap::{ArgMatches, Command};

use crate::{Context, Service};

/// One service. A program that has a list of them can start all in one process or any one by itself, without a line
/// that names one ([`crate::process`] is the latter).
#[async_trait]
pub trait Module: Send + Sync {
    /// Its row in services.toml, its subcommand, its section of the configuration, part of its database's name, and
    /// the audience of its principals.
    fn name(&self) -> &'static str;

    /// One line for `--help`.
    fn about(&self) -> &'static str;

    /// The commented defaults of its section.
    fn defaults(&self) -> &'static str;

    /// Brings its tables up to date.
    async fn migrate(&self, context: &Context) -> anyhow::Result<()>;

    /// Migrates, starts its background work, and returns the calls it answers.
    async fn start(&self, context: Context) -> anyhow::Result<Service>;

    /// Adds the subcommands that only this service has, for its operators.
    fn commands(&self, command: Command) -> Command {
        command
    }

    /// Runs one of [`Module::commands`] on the migrated database.
    async fn operate(&self, _context: &Context, _arguments: &ArgMatches) -> anyhow::Result<()> {
        anyhow::bail!("{} has no commands of its own", self.name())
    }
}

/// Puts a crate's own `NAME`, `DEFAULTS`, `migrate` and `start` behind [`trait@Module`], as `pub struct Module`; further
/// methods follow in braces.
#[macro_export]
macro_rules! module {
    ($about:literal, $name:path, $defaults:path, $migrate:path, $start:path $(, { $($own:tt)* })?) => {
        /// The service as a program starts it.
        pub struct Module;

        #[async_trait::async_trait]
        impl $crate::Module for Module {
            fn name(&self) -> &'static str {
                $name
            }

            fn about(&self) -> &'static str {
                $about
            }

            fn defaults(&self) -> &'static str {
                $defaults
            }

            async fn migrate(&self, context: &$crate::Context) -> anyhow::Result<()> {
                $migrate(context).await
            }

            async fn start(&self, context: $crate::Context) -> anyhow::Result<$crate::Service> {
                $start(context).await
            }

            $($($own)*)?
        }
    };
}
