//! One service as a process of its own: the same command line, start, serving and end for each of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgMatches, FromArgMatches};
use serde::Deserialize;

use crate::telemetry::{self, Telemetry};
use crate::{Context, Module, Parts, Settings, Shutdown, dead_letters, ops, rpc};

/// Time that background work may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The part of the command line that every service has.
#[derive(clap::Args)]
struct Arguments {
    /// Configuration file laid over the defaults.
    #[arg(long, env = "XUANLAN_CONFIG", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
    /// Applies the migrations of the service's database and ends.
    Migrate,
    /// Looks after messages that a consumer could not handle.
    #[command(subcommand)]
    Dead(dead_letters::Command),
}

#[derive(Deserialize)]
struct Listen {
    listen: String,
}

/// The command line of a service: `serve`, `migrate`, `dead …`, and the module's own commands.
pub fn command(module: &dyn Module) -> clap::Command {
    let command = clap::Command::new(module.name()).about(module.about());
    module.commands(<Arguments as clap::Args>::augment_args(command))
}

/// Does what a command line of [`command`] asks for.
pub async fn run(module: &dyn Module, arguments: &ArgMatches) -> anyhow::Result<()> {
    let shared = Arguments::from_arg_matches(arguments)?;
    let own = arguments.subcommand_name().is_some() && shared.command.is_none();
    let serves = !own && matches!(shared.command, None | Some(Command::Serve));
    let alone = Alone::open(module, shared.config.as_deref(), serves).await?;
    if own {
        let outcome = operate(module, &alone.context, arguments).await;
        alone.end().await;
        return outcome;
    }
    match shared.command.unwrap_or(Command::Serve) {
        Command::Serve => alone.serve(module).await,
        Command::Migrate => {
            let outcome = module.migrate(&alone.context).await;
            alone.end().await;
            outcome
        }
        Command::Dead(command) => {
            let outcome = dead_letters::run(&alone.context, command).await;
            alone.end().await;
            outcome
        }
    }
}

async fn operate(
    module: &dyn Module,
    context: &Context,
    arguments: &ArgMatches,
) -> anyhow::Result<()> {
    module.migrate(context).await?;
    module.operate(context, arguments).await
}

/// A value for a line of a command's output: a user's text must not begin lines of its own, nor move the cursor.
pub fn one_line(value: &str) -> String {
    value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// A process that holds one service. Its section of the configuration has the service's name.
struct Alone {
    context: Context,
    // Dropped last: sends what is left of the traces.
    telemetry: Telemetry,
}

impl Alone {
    /// Reads the configuration, `file` laid over the service's defaults, and opens the parts that it names. What does not
    /// serve is a command of an operator's, which runs beside those that do.
    async fn open(module: &dyn Module, file: Option<&Path>, serves: bool) -> anyhow::Result<Self> {
        let settings = Settings::load(&[module.defaults()], file)?;
        let telemetry = telemetry::init(&settings, module.name())?;
        let parts = match serves {
            true => Parts::open(settings, Shutdown::new()).await?,
            false => Parts::open_beside(settings, Shutdown::new()).await?,
        };
        Ok(Self {
            context: parts.context(module.name()).await?,
            telemetry,
        })
    }

    /// Starts the service and serves it on its `listen`, with [`ops`] beside it, until SIGTERM or SIGINT; calls in flight
    /// and background work are finished.
    async fn serve(self, module: &dyn Module) -> anyhow::Result<()> {
        let Listen { listen } = self.context.settings.section(self.context.service)?;
        let address = listen.parse()?;
        let shutdown = self.context.shutdown.clone();
        let stop = shutdown.clone();
        tokio::spawn(async move {
            Shutdown::signal().await;
            stop.request();
        });
        let served = async {
            let mut service = module.start(self.context.clone()).await?;
            let (context, metrics) = (self.context.clone(), self.telemetry.metrics_handle());
            service.routes = ops::with_ops(service.routes, context, metrics);
            rpc::serve(service, address, shutdown).await
        };
        let served = served.await;
        self.end().await;
        served
    }

    /// Ends background work.
    async fn end(self) {
        if !self.context.shutdown.finish(PATIENCE).await {
            tracing::warn!("some work did not end in time");
        }
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::Service;

    /// A service that counts pears.
    struct Pears;

    #[derive(clap::Subcommand)]
    enum Own {
        /// Counts them.
        Count {
            #[arg(long)]
            ripe: bool,
        },
    }

    #[async_trait]
    impl Module for Pears {
        fn name(&self) -> &'static str {
            "pears"
        }

        fn about(&self) -> &'static str {
            "Pears"
        }

        fn defaults(&self) -> &'static str {
            "[pears]\nlisten = \"127.0.0.1:0\"\n"
        }

        async fn migrate(&self, _context: &Context) -> anyhow::Result<()> {
            Ok(())
        }

        async fn start(&self, _context: Context) -> anyhow::Result<Service> {
            anyhow::bail!("not in this test")
        }

        fn commands(&self, command: clap::Command) -> clap::Command {
            <Own as clap::Subcommand>::augment_subcommands(command)
        }
    }

    fn parse(words: &[&str]) -> Result<ArgMatches, clap::Error> {
        command(&Pears).try_get_matches_from([&["pears"][..], words].concat())
    }

    #[test]
    fn a_file_is_named_before_or_behind_a_command() {
        command(&Pears).debug_assert();
        for words in [
            &["--config", "/a.toml", "migrate"][..],
            &["migrate", "--config", "/a.toml"],
        ] {
            let shared = Arguments::from_arg_matches(&parse(words).unwrap()).unwrap();
            assert_eq!(shared.config.as_deref(), Some(Path::new("/a.toml")));
            assert!(matches!(shared.command, Some(Command::Migrate)));
        }
    }

    #[test]
    fn commands_of_its_own_stand_beside_those_of_all() {
        let own = parse(&["count", "--ripe", "--config", "/a.toml"]).unwrap();
        let shared = Arguments::from_arg_matches(&own).unwrap();
        assert!(shared.command.is_none() && shared.config.is_some());
        let Own::Count { ripe } = Own::from_arg_matches(&own).unwrap();
        assert!(ripe);
        let none = Arguments::from_arg_matches(&parse(&[]).unwrap()).unwrap();
        assert!(none.command.is_none());
        assert!(parse(&["peel"]).is_err());
    }
}
