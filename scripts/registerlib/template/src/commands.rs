//! Commands handled by the service.

use chassis::ServiceError;
use chassis::rights::export;
use proto::@name@::v1::@Name@CommandsHandler;
use proto::common::v1::{ExportPage, ExportPageRequest};

use crate::@Name@;
use crate::rights::Part;

/// Handles the commands of other services.
pub(crate) struct Commands(pub @Name@);

impl @Name@CommandsHandler<ServiceError> for Commands {
    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part, &self.0.context.db, &request).await
    }
}
