//! When the slider is demanded.

use std::time::Duration;

use chassis::Cache;
use chassis::cache::CacheError;

use crate::config::{RiskConfig, SliderRule, SmsConfig};
use crate::guesses::Guesses;
use crate::sms::Recent;
use crate::store::subscriber;

/// Wrong passwords of an account after which the slider is demanded.
const ACCOUNT_FAILURES: u64 = 2;
/// The same of an address, for all accounts.
const ADDRESS_FAILURES: u64 = 10;
/// Codes an address gets per hour without the slider, each for another number.
const FREE_CODES: usize = 3;

/// Whether signing in by password demands the slider.
pub fn password_needs_slider(rule: SliderRule, guesses: &Guesses) -> bool {
    rule == SliderRule::Always
        || guesses.account >= ACCOUNT_FAILURES
        || guesses.address >= ADDRESS_FAILURES
}

/// Whether sending a code demands the slider.
pub fn sms_needs_slider(rule: SliderRule, config: &SmsConfig, recent: &Recent) -> bool {
    rule == SliderRule::Always
        || recent.number_hour() >= 1
        || recent.address_hour() >= FREE_CODES
        || recent.all_hour() >= config.all_slider_hour
}

/// Lookups of unknown names from one address: counted for an hour from the first one.
pub struct Lookups {
    cache: Cache,
    key: String,
    most: i64,
}

const LOOKUP_WINDOW: Duration = Duration::from_secs(3600);

impl Lookups {
    pub fn new(cache: &Cache, config: &RiskConfig, remote_addr: &str) -> Self {
        Self {
            cache: cache.scoped("auth:lookups"),
            key: subscriber(remote_addr),
            most: config.unknown_names_hour,
        }
    }

    /// Whether the address has used up its lookups without the slider.
    pub async fn are_many(&self) -> Result<bool, CacheError> {
        let closed = format!("closed:{}", self.key);
        Ok(self.cache.get(&closed).await?.is_some())
    }

    /// Counts a lookup.
    pub async fn note(&self) -> Result<(), CacheError> {
        let count = self.cache.count(&self.key, LOOKUP_WINDOW).await?;
        if count >= self.most {
            let closed = format!("closed:{}", self.key);
            self.cache.put_new(&closed, b"1", LOOKUP_WINDOW).await?;
        }
        Ok(())
    }
}
