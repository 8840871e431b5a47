//! The commands that transaction handles.

use chassis::ServiceError;
use chassis::rights::export;
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::transaction::v1::{
    MakerReply, MakerRequest, QuoteReply, QuoteRequest, ReturnReply, ReturnRequest,
    TransactionCommandsHandler,
};

use crate::Mall;
use crate::rights::Part;

/// Handles the commands of transaction.
pub(crate) struct Commands(pub Mall);

impl TransactionCommandsHandler<ServiceError> for Commands {
    async fn quote(&self, request: QuoteRequest) -> Result<QuoteReply, ServiceError> {
        self.0.quote(request).await
    }

    async fn r#return(&self, request: ReturnRequest) -> Result<ReturnReply, ServiceError> {
        self.0.give_back(&request).await
    }

    async fn maker(&self, request: MakerRequest) -> Result<MakerReply, ServiceError> {
        let row = self
            .0
            .modeler(&self.0.context.db, &request.login_id)
            .await?;
        Ok(row.map_or_else(MakerReply::default, |row| MakerReply {
            uploader_type: row.known_type(),
            frozen: row.frozen,
        }))
    }

    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
