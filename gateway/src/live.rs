//! Settings that are reloaded while the gateway runs.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use chassis::Settings;

use crate::config::GatewayConfig;
use crate::keys::ClientKeys;
use crate::stages::rate::Limits;

/// Source for reloading the configuration while the gateway runs.
#[derive(Clone)]
pub struct ConfigSource {
    /// Watched for changes.
    pub file: Option<PathBuf>,
    /// Reads all settings like at process start.
    pub load: Arc<dyn Fn() -> anyhow::Result<Settings> + Send + Sync>,
}

/// The settings that can change while the gateway runs.
#[derive(Debug)]
pub struct LiveConfig {
    pub keys: ClientKeys,
    pub limits: Limits,
}

impl LiveConfig {
    pub fn read(settings: &Settings) -> anyhow::Result<Self> {
        let config: GatewayConfig = settings.section("gateway")?;
        Ok(Self {
            keys: ClientKeys::read(&config.client, settings)?,
            limits: Limits::new(&config.rate),
        })
    }
}

/// The current [`LiveConfig`].
#[derive(Debug)]
pub struct Live {
    current: RwLock<Arc<LiveConfig>>,
}

impl Live {
    pub fn new(config: LiveConfig) -> Self {
        Self {
            current: RwLock::new(Arc::new(config)),
        }
    }

    pub fn get(&self) -> Arc<LiveConfig> {
        match self.current.read() {
            Ok(current) => current.clone(),
            // Only ever replaced as a whole, so a poisoned lock still holds a valid value.
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    pub fn set(&self, config: LiveConfig) {
        let config = Arc::new(config);
        match self.current.write() {
            Ok(mut current) => *current = config,
            Err(poisoned) => *poisoned.into_inner() = config,
        }
    }
}
