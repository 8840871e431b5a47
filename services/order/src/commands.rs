//! The commands that order handles.

use chassis::ServiceError;
use chassis::rights::export;
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::order::v1::{
    BeginReply, BeginRequest, CountsReply, CountsRequest, OrderCommandsHandler,
};

use crate::Orders;
use crate::rights::Part;

/// Handles the commands of order.
pub(crate) struct Commands(pub Orders);

impl OrderCommandsHandler<ServiceError> for Commands {
    async fn begin(&self, request: BeginRequest) -> Result<BeginReply, ServiceError> {
        self.0.begin(&request).await
    }

    async fn counts(&self, request: CountsRequest) -> Result<CountsReply, ServiceError> {
        self.0.counts(&request.owner).await
    }

    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
