//! The service as a program starts it.

use chassis::{Context, Service};

/// The personal service.
pub struct Module;

#[async_trait::async_trait]
impl chassis::Module for Module {
    fn name(&self) -> &'static str {
        crate::NAME
    }

    fn about(&self) -> &'static str {
        "Profiles, memberships, counters, upload settings and content safety"
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
