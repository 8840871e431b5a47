//! The commands that analytics handles.

use chassis::ServiceError;
use chassis::rights::export;
use proto::analytics::v1::AnalyticsCommandsHandler;
use proto::common::v1::{ExportPage, ExportPageRequest};

use crate::Analytics;
use crate::rights::Part;

/// Handles the commands of analytics.
pub(crate) struct Commands(pub Analytics);

impl AnalyticsCommandsHandler<ServiceError> for Commands {
    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part, &self.0.context.db, &request).await
    }
}
