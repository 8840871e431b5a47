//! Profiles, memberships, counters, guided tours, popups, upload settings, upload credentials and content safety.
//!
//! Serves the gRPC services of its package, one for each concept and module; consumes registrations, counts of models and paid orders; publishes the events of its `events.proto`;
//! asks payment for balances and order for counts.

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

use chassis::bus::Subscription;
use chassis::rpc::GuardedServices;
use chassis::{Context, Service};
use proto::personal::v1::PersonalCommandsServer;
use proto::personal::v1::PersonalConsumer;
use proto::personal::v1::account_api_server::AccountApiServer;
use proto::personal::v1::attention_api_server::AttentionApiServer;
use proto::personal::v1::chat_api_server::ChatApiServer;
use proto::personal::v1::chat_console_api_server::ChatConsoleApiServer;
use proto::personal::v1::content_api_server::ContentApiServer;
use proto::personal::v1::feedback_api_server::FeedbackApiServer;
use proto::personal::v1::feedback_console_api_server::FeedbackConsoleApiServer;
use proto::personal::v1::lead_api_server::LeadApiServer;
use proto::personal::v1::lead_console_api_server::LeadConsoleApiServer;
use proto::personal::v1::member_popup_api_server::MemberPopupApiServer;
use proto::personal::v1::message_api_server::MessageApiServer;
use proto::personal::v1::package_api_server::PackageApiServer;
use proto::personal::v1::picture_api_server::PictureApiServer;
use proto::personal::v1::points_api_server::PointsApiServer;
use proto::personal::v1::profile_api_server::ProfileApiServer;
use proto::personal::v1::publication_console_api_server::PublicationConsoleApiServer;
use proto::personal::v1::review_console_api_server::ReviewConsoleApiServer;
use proto::personal::v1::site_api_server::SiteApiServer;
use proto::personal::v1::upload_api_server::UploadApiServer;
use proto::personal::v1::word_console_api_server::WordConsoleApiServer;

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

/// How often announcements with a date are looked for.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(1);

/// Brings the tables up to date.
pub async fn migrate(context: &Context) -> anyhow::Result<()> {
    chassis::db::migrate::<migration::Migrator>(&context.db).await?;
    Ok(())
}

/// Starts the service: schema, subscription, and the calls it answers.
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
    personal.outbox.spawn_relays(&personal.context);
    chassis::rights::spawn(
        &personal.context,
        &personal.outbox,
        rights::Part(personal.clone()),
    );
    let commands = profile::Commands(personal.clone());
    personal.context.bus.serve(PersonalCommandsServer(commands));
    let consumer = PersonalConsumer(events::Consumer(personal.clone()));
    personal
        .context
        .bus
        .subscribe(Subscription::new(personal.outbox.clone(), consumer));
    let services = GuardedServices::new(NAME, &personal.context.principals)
        .with(AccountApiServer::new(personal.clone()))
        .with(AttentionApiServer::new(personal.clone()))
        .with(MemberPopupApiServer::new(personal.clone()))
        .with(MessageApiServer::new(personal.clone()))
        .with(ContentApiServer::new(personal.clone()))
        .with(PackageApiServer::new(personal.clone()))
        .with(ProfileApiServer::new(personal.clone()))
        .with(ChatApiServer::new(personal.clone()))
        .with(FeedbackApiServer::new(personal.clone()))
        .with(LeadApiServer::new(personal.clone()))
        .with(PictureApiServer::new(personal.clone()))
        .with(PointsApiServer::new(personal.clone()))
        .with(SiteApiServer::new(personal.clone()))
        .with(UploadApiServer::new(personal.clone()))
        .with(ChatConsoleApiServer::new(personal.clone()))
        .with(FeedbackConsoleApiServer::new(personal.clone()))
        .with(LeadConsoleApiServer::new(personal.clone()))
        .with(PublicationConsoleApiServer::new(personal.clone()))
        .with(ReviewConsoleApiServer::new(personal.clone()))
        .with(WordConsoleApiServer::new(personal.clone()));
    Ok(services.finish())
}

/// What the tests in `tests/it/units` look at, and nothing else.
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
