//! State shared by all parts of the service.

use std::sync::Arc;
use std::time::Duration;

use chassis::messaging::Outbox;
use chassis::passwords::Passwords;
use chassis::people::People;
use chassis::words::Words;
use chassis::{BusinessError, Context, Grantee, ServiceError};
use tokio::sync::Notify;

use crate::config::Config;
use crate::counts::Counts;

/// Life of signed addresses on pages.
const VIEW_LIFE: Duration = Duration::from_secs(600);
/// Limits of share passwords hashed concurrently, and waiting for it.
const PASSWORDS: usize = 1;
const PASSWORDS_IN_LINE: usize = 50;

/// Handle of the service; clones share its state.
#[derive(Clone)]
pub struct Works {
    pub(crate) context: Context,
    pub(crate) config: Arc<Config>,
    pub(crate) outbox: Outbox,
    pub(crate) words: Words,
    pub(crate) people: People,
    pub(crate) counts: Counts,
    /// Hashes and verifies share passwords.
    pub(crate) passwords: Passwords,
    /// Wakes the task that asks process for bundles.
    pub(crate) ask: Arc<Notify>,
}

impl Works {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: Config = context.settings.section(crate::NAME)?;
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            words: Words::new(context.db.clone(), &config.words_file)?,
            people: People::new(context.bus.clone()),
            counts: Counts::default(),
            passwords: Passwords::new(PASSWORDS, PASSWORDS_IN_LINE)?,
            ask: Arc::default(),
            config: Arc::new(config),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// A signed address for pages of everybody; empty if there is no object.
    pub(crate) fn address(&self, key: &str) -> String {
        self.address_for(None, key, None)
    }

    /// The same, for the author of what is not for everybody, or for a download under a file name.
    pub(crate) fn address_for(
        &self,
        author: Option<&Grantee<'_>>,
        key: &str,
        file_name: Option<&str>,
    ) -> String {
        if key.is_empty() {
            return String::new();
        }
        let objects = &self.context.objects;
        let address = match author {
            Some(to) => objects.presign_get_for(to, key, VIEW_LIFE, file_name, None),
            None => objects.presign_get(key, VIEW_LIFE, file_name, None),
        };
        match address {
            Ok(address) => address,
            Err(error) => {
                tracing::warn!(%error, "no address for an object");
                String::new()
            }
        }
    }
}

pub(crate) fn conflict(text: &str) -> ServiceError {
    BusinessError::new(proto::code::CONFLICT, text).into()
}

/// Splits a comma-separated list.
pub(crate) fn split(joined: &str) -> Vec<String> {
    let parts = joined.split(',').map(str::trim);
    parts
        .filter(|one| !one.is_empty())
        .map(str::to_owned)
        .collect()
}
