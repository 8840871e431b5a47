//! State shared by all parts of the service.

use std::sync::Arc;
use std::time::Duration;

use chassis::messaging::Outbox;
use chassis::people::People;
use chassis::words::Words;
use chassis::{BusinessError, Context, Grantee, ServiceError};
use proto::personal::v1::Appearance;

use crate::config::Config;

/// Life of signed addresses of files.
const FILE_LIFE: Duration = Duration::from_secs(600);
/// Maximum page size.
pub(crate) const LARGEST_PAGE: i32 = 50;

/// Handle of the service; clones share its state.
#[derive(Clone)]
pub struct Matchup {
    pub(crate) context: Context,
    pub(crate) config: Arc<Config>,
    pub(crate) outbox: Outbox,
    pub(crate) words: Words,
    pub(crate) people: People,
}

impl Matchup {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: Config = context.settings.section(crate::NAME)?;
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            words: Words::new(context.db.clone(), &config.words_file)?,
            people: People::new(context.bus.clone()),
            config: Arc::new(config),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// A signed address of a file for one who may read it; empty on failure.
    pub(crate) fn address(&self, to: &Grantee<'_>, key: &str, name: &str) -> String {
        let made = self
            .context
            .objects
            .presign_get_for(to, key, FILE_LIFE, Some(name), None);
        made.unwrap_or_else(|error| {
            tracing::warn!(%error, "no address for a file");
            String::new()
        })
    }
}

pub(crate) fn conflict(text: &str) -> ServiceError {
    BusinessError::new(proto::code::CONFLICT, text).into()
}

pub(crate) fn invalid(text: impl Into<String>) -> ServiceError {
    BusinessError::invalid(text.into()).into()
}

/// Display name of a user, and whether it is certified.
pub(crate) fn called(person: Option<&Appearance>) -> (String, bool) {
    let Some(person) = person else {
        return ("用户".to_owned(), false);
    };
    let certified = person.check_status == 1;
    let name = [&person.company_name, &person.nickname, &person.real_name];
    let name = name.into_iter().find(|name| !name.is_empty());
    (name.map_or("用户", |name| name).to_owned(), certified)
}

/// The certified name; empty: not certified.
pub(crate) fn certified_name(person: Option<&Appearance>) -> String {
    let person = person.filter(|person| person.check_status == 1);
    let name = person.map(|person| match person.company_name.is_empty() {
        true => person.real_name.clone(),
        false => person.company_name.clone(),
    });
    name.unwrap_or_default()
}

/// Splits a comma-separated list.
pub(crate) fn split(joined: &str) -> Vec<String> {
    let parts = joined.split(',').map(str::trim);
    parts
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The reverse of [`split`]: encloses each part by commas, so that a part can be searched for with its commas.
pub(crate) fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        parts => format!(",{},", parts.join(",")),
    }
}
