//! What every part of the service shares.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chassis::messaging::Outbox;
use chassis::people::People;
use chassis::words::Words;
use chassis::{Context, Grantee};
use proto::personal::v1::Appearance;
use tokio::sync::Notify;

use crate::config::Config;

/// Life of addresses that pages show pictures by.
const VIEW_LIFE: Duration = Duration::from_secs(3600);

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Mall {
    pub(crate) context: Context,
    pub(crate) config: Arc<Config>,
    pub(crate) outbox: Outbox,
    pub(crate) words: Words,
    people: People,
    /// Wakes the loop that asks process for pictures.
    pub(crate) ask: Arc<Notify>,
    /// Wakes the loop that tells owners of new versions.
    pub(crate) news: Arc<Notify>,
}

impl Mall {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: Config = context.settings.section("transaction")?;
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            words: Words::new(context.db.clone(), &config.words_file)?,
            people: People::new(context.bus.clone()),
            ask: Arc::default(),
            news: Arc::default(),
            config: Arc::new(config),
            context,
        })
    }

    /// How these people appear. Those that personal does not return in time are left out.
    pub(crate) async fn appearances<'a>(
        &self,
        ids: impl Iterator<Item = &'a str>,
    ) -> HashMap<String, Appearance> {
        self.people.appearances(self.now(), ids).await
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// A signed address that a page for everybody may show; empty for an object that is not there.
    pub(crate) fn address(&self, key: &str) -> String {
        self.address_for(None, key)
    }

    /// The same, for the maker of what is not for everybody.
    pub(crate) fn address_for(&self, maker: Option<&Grantee<'_>>, key: &str) -> String {
        if key.is_empty() {
            return String::new();
        }
        let objects = &self.context.objects;
        let address = match maker {
            Some(to) => objects.presign_get_for(to, key, VIEW_LIFE, None, None),
            None => objects.presign_get(key, VIEW_LIFE, None, None),
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
