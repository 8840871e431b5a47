//! The commands that order handles.

use chassis::ServiceError;
use proto::order::v1::{
    BeginReply, BeginRequest, CountsReply, CountsRequest, OrderCommandsHandler,
};

use crate::Orders;

/// Handles the commands of order.
pub(crate) struct Commands(pub Orders);

impl OrderCommandsHandler<ServiceError> for Commands {
    async fn begin(&self, request: BeginRequest) -> Result<BeginReply, ServiceError> {
        self.0.begin(&request).await
    }

    async fn counts(&self, request: CountsRequest) -> Result<CountsReply, ServiceError> {
        self.0.counts(&request.owner).await
    }
}
