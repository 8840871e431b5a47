//! What every part of the service shares.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use contentscan::Scanner;
use facts::Uploads;

use crate::config::PersonalConfig;

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Personal {
    pub(crate) context: Context,
    pub(crate) config: Arc<PersonalConfig>,
    pub(crate) uploads: Arc<Uploads>,
    pub(crate) scanner: Arc<Scanner>,
    pub(crate) outbox: Outbox,
}

impl Personal {
    pub(crate) fn new(context: Context) -> anyhow::Result<Self> {
        let config: PersonalConfig = context.settings.section("personal")?;
        let uploads: Uploads = context.settings.section("uploads")?;
        let words = match config.words_file.as_str() {
            "" => String::new(),
            path => std::fs::read_to_string(path)?,
        };
        Ok(Self {
            scanner: Arc::new(Scanner::new(&words)),
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            config: Arc::new(config),
            uploads: Arc::new(uploads),
            context,
        })
    }
}
