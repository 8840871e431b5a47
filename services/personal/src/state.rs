//! What every part of the service shares.

use std::sync::Arc;

use chassis::Context;
use chassis::messaging::Outbox;
use contentscan::Current;
use facts::Uploads;

use crate::config::PersonalConfig;
use crate::pictures::{Checks, LocalJudge};

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Personal {
    pub(crate) context: Context,
    pub(crate) config: Arc<PersonalConfig>,
    pub(crate) uploads: Arc<Uploads>,
    /// The scanner of texts, by the newest list of words.
    pub(crate) words: Arc<Current>,
    pub(crate) checks: Checks,
    pub(crate) outbox: Outbox,
    /// A command, which ends before its pushes are heard.
    pub(crate) beside: bool,
}

impl Personal {
    /// The service's parts, without anything that runs by itself.
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
            context,
            beside: false,
        })
    }
}
