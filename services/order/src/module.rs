//! The service as a program starts it.

use chassis::{Context, Service};

/// The order service.
pub struct Module;

#[async_trait::async_trait]
impl chassis::Module for Module {
    fn name(&self) -> &'static str {
        crate::NAME
    }

    fn about(&self) -> &'static str {
        "Order centre: prices, coupons, and one state machine for every order"
    }

    fn defaults(&self) -> &'static str {
        crate::DEFAULTS
    }

    async fn migrate(&self, context: &Context) -> anyhow::Result<()> {
        crate::migrate(context).await
    }

    async fn start(&self, context: Context) -> anyhow::Result<Service> {
        crate::start(context).await
    }
}
