//! Profiles, memberships, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves the gRPC services of its package, one per concept and module; consumes registrations, counts of models and paid orders;
//! publishes the events of its `events.proto`; asks payment for balances and order for counts.

mod account;
mod attention;
mod certification;
mod chat;
pub mod config;
pub mod console;
mod content;
mod entity;
mod events;
mod feedback;
mod leads;
mod membership;
mod message;
mod migration;
pub mod operate;
mod packages;
mod pictures;
mod points;
mod profile;
pub mod publication;
mod push;
pub mod review;
pub mod rights;
mod site;
mod state;
mod uploads;
mod words;

use std::time::Duration;

use chassis::{Context, Service, Start};
use proto::personal::v1::{
    AccountCallsServer, AttentionCallsServer, ChatCallsServer, ChatConsoleCallsServer,
    ContentCallsServer, FeedbackCallsServer, FeedbackConsoleCallsServer, LeadCallsServer,
    LeadConsoleCallsServer, MemberPopupCallsServer, MessageCallsServer, PackageCallsServer,
    PersonalCommandsServer, PersonalConsumer, PictureCallsServer, PointsCallsServer,
    ProfileCallsServer, PublicationConsoleCallsServer, ReviewConsoleCallsServer, SiteCallsServer,
    UploadCallsServer, WordConsoleCallsServer,
};

pub use migration::Migrator;
pub use state::Personal;
pub use words::NewWord;

/// The commented defaults of the sections `[personal]` and `[uploads]`.
pub const DEFAULTS: &str = concat!(
    include_str!("default.toml"),
    include_str!("../../../crates/facts/src/uploads.toml")
);

/// Name of the service: audience of its principals, name of its queue, part of its database's name.
pub const NAME: &str = "personal";

chassis::module!(
    "Profiles, memberships, counters, upload settings and content safety",
    NAME,
    DEFAULTS,
    migrate,
    start,
    {
        fn commands(&self, command: clap::Command) -> clap::Command {
            <operate::Command as clap::Subcommand>::augment_subcommands(command)
        }

        async fn operate(
            &self,
            context: &Context,
            arguments: &clap::ArgMatches,
        ) -> anyhow::Result<()> {
            let command = <operate::Command as clap::FromArgMatches>::from_arg_matches(arguments)?;
            operate::operate(&Personal::new(context.clone())?, command).await
        }
    }
);

/// Polling period for scheduled announcements.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);

/// Brings the tables up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service: schema, background tasks, events, commands and calls.
pub async fn start(context: Context) -> anyhow::Result<Service> {
    migrate(&context).await?;
    let personal = Personal::new(context)?;
    personal.seed_publications().await?;
    let announcing = personal.clone();
    personal
        .context
        .shutdown
        .every(ANNOUNCE_EVERY, "announcements", move || {
            let personal = announcing.clone();
            async move { personal.announce().await }
        });
    personal.spawn_sweep();
    personal.spawn_newcomers();
    personal.spawn_leads();
    personal.spawn_revoking();
    Start::of(&personal.context, &personal.outbox)
        .events(PersonalConsumer(events::Consumer(personal.clone())))
        .commands(PersonalCommandsServer(profile::Commands(personal.clone())))
        .rights(rights::Part(personal.clone()))
        .calls(AccountCallsServer(personal.clone()))
        .calls(AttentionCallsServer(personal.clone()))
        .calls(MemberPopupCallsServer(personal.clone()))
        .calls(MessageCallsServer(personal.clone()))
        .calls(ContentCallsServer(personal.clone()))
        .calls(PackageCallsServer(personal.clone()))
        .calls(ProfileCallsServer(personal.clone()))
        .calls(ChatCallsServer(personal.clone()))
        .calls(FeedbackCallsServer(personal.clone()))
        .calls(LeadCallsServer(personal.clone()))
        .calls(PictureCallsServer(personal.clone()))
        .calls(PointsCallsServer(personal.clone()))
        .calls(SiteCallsServer(personal.clone()))
        .calls(UploadCallsServer(personal.clone()))
        .calls(ChatConsoleCallsServer(personal.clone()))
        .calls(FeedbackConsoleCallsServer(personal.clone()))
        .calls(LeadConsoleCallsServer(personal.clone()))
        .calls(PublicationConsoleCallsServer(personal.clone()))
        .calls(ReviewConsoleCallsServer(personal.clone()))
        .calls(WordConsoleCallsServer(personal))
        .finish()
}

/// For the tests in `tests/it/units` only.
#[doc(hidden)]
pub mod internals {
    pub use crate::entity::term;
    pub use crate::feedback::annex::kind_of;
    pub use crate::leads::phone;
    pub use crate::membership::terms::{DAY_MS, arrange, months_after, standing};
    pub use crate::message::matchup::{KINDS, words};
    pub use crate::pictures::address::own_key;
    pub use crate::pictures::judge::{Verdict, leads_away};
    pub use crate::pictures::sweep::public_key_in;
    pub use crate::profile::nicknames::{PRESETS, any};
}
