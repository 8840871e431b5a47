//! Dead letters seen, delivered again, dropped; and the command `dead` of every service that does so.

mod command;
mod local;

use proto::events::CONSUMERS;
use serde::Deserialize;

use crate::Context;
#[cfg(feature = "servers")]
use crate::bus::amqp::dead::BrokerLetters;
pub use crate::bus::dead::{Backlog, DeadLetter, Unhandled, Verdict};
use local::LocalLetters;

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Says how many each consumer has; with a queue, shows them.
    List {
        /// A consumer (order), its queue (xuanlan.order) or that of its dead letters (xuanlan.order.dead).
        queue: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Gives them to their consumer again: all, or those named. What it has handled already it recognises.
    Replay {
        queue: String,
        /// A message; may be repeated.
        #[arg(long)]
        id: Vec<String>,
    },
    /// Drops the messages named, or all: their events are never handled.
    Drop {
        queue: String,
        /// A message; may be repeated.
        #[arg(long, required_unless_present = "all", conflicts_with = "all")]
        id: Vec<String>,
        #[arg(long)]
        all: bool,
    },
}

/// Does what the command line asks for and prints what came of it. Errors: the broker is away, no such queue, or a message
/// that was named is not there.
pub async fn run(context: &Context, command: Command) -> anyhow::Result<()> {
    command::run(&DeadLetters::open(context)?, command).await
}

/// The dead letters of all consumers of one installation.
pub struct DeadLetters {
    namespace: String,
    kept: Kept,
}

enum Kept {
    /// In the consumers' databases.
    Local(LocalLetters),
    #[cfg(feature = "servers")]
    Broker(BrokerLetters),
}

#[derive(Deserialize)]
struct Names {
    namespace: String,
}

impl DeadLetters {
    pub fn open(context: &Context) -> anyhow::Result<Self> {
        let Names { namespace } = context.settings.section("bus")?;
        let local = Kept::Local(LocalLetters {
            settings: context.settings.clone(),
        });
        #[cfg(feature = "servers")]
        let local = context.bus.broker_letters().map_or(local, Kept::Broker);
        Ok(Self {
            namespace,
            kept: local,
        })
    }

    /// The consumer that a name means: its own, or that of its queue or of the queue of its dead letters.
    pub fn consumer(&self, name: &str) -> Option<&'static str> {
        let name = name.strip_suffix(".dead").unwrap_or(name);
        let queue = format!("{}.", self.namespace);
        let short = name.strip_prefix(&queue).unwrap_or(name);
        let found = CONSUMERS.iter().find(|consumer| consumer.name == short);
        found.map(|consumer| consumer.name)
    }

    /// How many each consumer has, and how many events wait for it.
    pub async fn backlogs(&self) -> anyhow::Result<Vec<Backlog>> {
        match &self.kept {
            Kept::Local(local) => Ok(local.backlogs().await),
            #[cfg(feature = "servers")]
            Kept::Broker(broker) => Ok(broker.backlogs().await?),
        }
    }

    /// Makes an event a dead letter of a consumer: for tests.
    #[cfg(feature = "testing")]
    pub async fn bury(
        &self,
        consumer: &str,
        event: &crate::messaging::Event,
        now_ms: i64,
    ) -> anyhow::Result<()> {
        match &self.kept {
            Kept::Local(local) => local.bury(consumer, event, now_ms).await,
            Kept::Broker(broker) => Ok(broker.bury(consumer, event).await?),
        }
    }

    /// Asks `judge` about each dead letter of a consumer, the oldest first and at most `most` of them, and does as it says.
    /// Answers how many it was asked about.
    pub async fn go_through(
        &self,
        consumer: &str,
        most: u32,
        judge: impl FnMut(&DeadLetter) -> Verdict,
    ) -> anyhow::Result<u32> {
        match &self.kept {
            Kept::Local(local) => local.go_through(consumer, most, judge).await,
            #[cfg(feature = "servers")]
            Kept::Broker(broker) => Ok(broker.go_through(consumer, most, judge).await?),
        }
    }
}
