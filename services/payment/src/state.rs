//! What every part of the service shares.

use std::collections::HashMap;
use std::sync::Arc;

use chassis::messaging::Outbox;
use chassis::vault::{self, Vault};
use chassis::{BusinessError, Context, ServiceError, db};
use proto::code;
use proto::events::Streamed;
use sea_orm::{DatabaseTransaction, DbErr};

use crate::channel::GuardedProvider;
use crate::config::PaymentConfig;
use crate::entity::account::Kind;
use crate::entity::order_version;
use crate::provider::Provider;

/// The channel that pays from cloud coins; also used when the payable amount is zero.
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
pub(crate) enum Source {
    /// From an account of the payer in our own ledger.
    Balance(Kind),
    /// By a provider outside.
    Provider(Arc<GuardedProvider>),
}

/// Handle of the service; clones share it.
#[derive(Clone)]
pub struct Payment {
    pub(crate) context: Context,
    pub(crate) config: Arc<PaymentConfig>,
    pub(crate) outbox: Outbox,
    providers: Arc<HashMap<&'static str, Arc<GuardedProvider>>>,
    vault: Option<Arc<Vault>>,
}

impl Payment {
    /// Writes an event about the payment of an order, the last thing of its transaction but the commit: the row that counts the
    /// version is locked after the accounts.
    pub(crate) async fn publish<E: Streamed>(
        &self,
        transaction: &DatabaseTransaction,
        order_id: &str,
        event: &E,
    ) -> Result<(), DbErr> {
        let row = order_version::Model {
            order_id: order_id.to_owned(),
            version: 1,
        };
        let column = order_version::Column::Version;
        let version = db::count_version(row, column, transaction).await?;
        self.outbox
            .add_streamed(transaction, order_id, version, event)
            .await
    }

    pub(crate) fn new(context: Context, providers: Vec<Arc<dyn Provider>>) -> anyhow::Result<Self> {
        let config: PaymentConfig = context.settings.section("payment")?;
        let provider = |provider: Arc<dyn Provider>| {
            let (name, clock) = (provider.name(), context.clock.clone());
            let provider = GuardedProvider::new(provider, config.channel_at_once, clock);
            (name, Arc::new(provider))
        };
        let providers = providers.into_iter().map(provider).collect();
        let cards = &config.cards;
        let keys = vault::Keys {
            section: "payment.cards",
            file: "cards",
            key_id: &cards.key_id,
            key: &cards.key,
            previous_keys: &cards.previous_keys,
            index_key: &cards.index_key,
        };
        let vault = Vault::open(&context.settings, &keys)?.map(Arc::new);
        if vault.is_none() {
            tracing::warn!("payment.cards.key is not set: bank cards and withdrawals are not open");
        }
        Ok(Self {
            outbox: Outbox::new(context.db.clone(), context.clock.clone()),
            config: Arc::new(config),
            providers: Arc::new(providers),
            vault,
            context,
        })
    }

    pub(crate) fn now(&self) -> i64 {
        self.context.clock.now_ms()
    }

    /// What bank cards are encrypted with. Errors: 60404 where cards are not open.
    pub(crate) fn vault(&self) -> Result<&Vault, ServiceError> {
        self.vault.as_deref().ok_or_else(|| {
            BusinessError::new(code::NOT_OPEN, "收入提现尚未开放，请稍后再试").into()
        })
    }

    pub(crate) fn providers(&self) -> impl Iterator<Item = &Arc<GuardedProvider>> {
        self.providers.values()
    }

    pub(crate) fn provider(&self, channel: &str) -> Option<Arc<GuardedProvider>> {
        self.providers.get(channel).cloned()
    }

    /// Errors: 60404 for a channel that is not open here.
    pub(crate) fn source(&self, channel: &str) -> Result<Source, ServiceError> {
        if let Some(kind) = balance_of(channel) {
            return Ok(Source::Balance(kind));
        }
        self.provider(channel).map(Source::Provider).ok_or_else(|| {
            BusinessError::new(code::NOT_OPEN, "该支付方式尚未开放，请选择其他支付方式").into()
        })
    }
}
