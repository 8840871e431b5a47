//! What every part of the service shares.

use std::collections::HashMap;
use std::sync::Arc;

use chassis::messaging::Outbox;
use chassis::{BusinessError, Context, ServiceError};
use proto::code;

use crate::config::PaymentConfig;
use crate::ledger::Kind;
use crate::provider::Provider;

/// The channel that pays from cloud coins, and what nothing remains to be paid of.
pub const CLOUD_COIN: &str = "cloudCoin";

/// The channel that pays from what the payer has earned.
pub const INCOME_BALANCE: &str = "incomeBalance";

/// The account of the payer that a channel takes from; none for one outside.
pub(crate) fn balance_of(channel: &str) -> Option<Kind> {
    match channel {
        CLOUD_COIN => Some(Kind::Coin),
        INCOME_BALANCE => Some(Kind::Income),
        _ => None,
    }
}

/// How a channel gets at the money.
#[derive(Clone)]
pub(crate) enum Way {
    /// From an account of the payer in our own ledger.
    Balance(Kind),
    /// By somebody outside.
    Provider(Arc<dyn Provider>),
}

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Payment {
    pub(crate) context: Context,
    pub(crate) config: Arc<PaymentConfig>,
    pub(crate) outbox: Outbox,
    providers: Arc<HashMap<&'static str, Arc<dyn Provider>>>,
}

impl Payment {
    pub(crate) fn new(context: Context, providers: Vec<Arc<dyn Provider>>) -> anyhow::Result<Self> {
        let config: PaymentConfig = context.settings.section("payment")?;
        let providers = providers.into_iter().map(|p| (p.name(), p)).collect();
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            config: Arc::new(config),
            providers: Arc::new(providers),
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// Errors: 60404 for a channel that is not open here.
    pub(crate) fn way(&self, channel: &str) -> Result<Way, ServiceError> {
        if let Some(kind) = balance_of(channel) {
            return Ok(Way::Balance(kind));
        }
        let provider = self.providers.get(channel).cloned();
        provider.map(Way::Provider).ok_or_else(|| {
            BusinessError::new(code::NOT_OPEN, "该支付方式尚未开放，请选择其他支付方式").into()
        })
    }
}
