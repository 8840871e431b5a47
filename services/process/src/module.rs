//! The service as a program starts it.

use chassis::{Context, Service};

/// The process service.
pub struct Module;

#[async_trait::async_trait]
impl chassis::Module for Module {
    fn name(&self) -> &'static str {
        crate::NAME
    }

    fn about(&self) -> &'static str {
        "Source files, check-ups, and the jobs that make something of them"
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
