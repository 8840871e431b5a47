//! State shared by all parts of the service.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use contentscan::Current;
use facts::Uploads;

use tokio::sync::Notify;

use crate::config::PersonalConfig;
use crate::pictures::{Checks, LocalJudge};

/// Handle of the service; clones share its state.
#[derive(Clone)]
pub struct Personal {
    pub(crate) context: Context,
    pub(crate) config: Arc<PersonalConfig>,
    pub(crate) uploads: Arc<Uploads>,
    /// Text scanner, built from the newest word list.
    pub(crate) words: Arc<Current>,
    pub(crate) checks: Checks,
    pub(crate) outbox: Outbox,
    /// Wakes the task that reports ended sessions to the object store.
    pub(crate) ended: Arc<Notify>,
    /// Whether this is a command, which ends before its pushes are delivered.
    pub(crate) beside: bool,
}

impl Personal {
    /// Creates the service without its background tasks.
    pub fn new(context: Context) -> anyhow::Result<Self> {
        let config: PersonalConfig = context.settings.section("personal")?;
        let uploads: Uploads = context.settings.section("uploads")?;
        let words = match config.words_file.as_str() {
            "" => String::new(),
            path => std::fs::read_to_string(path)?,
        };
        Ok(Self {
            words: Arc::new(Current::new(words)),
            checks: Checks::new(&config.pictures, Arc::new(LocalJudge)),
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            config: Arc::new(config),
            uploads: Arc::new(uploads),
            ended: Arc::default(),
            context,
            beside: false,
        })
    }
}
