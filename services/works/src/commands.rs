//! Commands handled by works.

use chassis::ServiceError;
use chassis::rights::export;
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::works::v1::WorksCommandsHandler;

use crate::Works;
use crate::rights::Part;

/// Handles the commands of works.
pub(crate) struct Commands(pub Works);

impl WorksCommandsHandler<ServiceError> for Commands {
    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
