//! Commands handled by matchup.

use chassis::ServiceError;
use chassis::rights::export;
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::matchup::v1::MatchupCommandsHandler;

use crate::Matchup;
use crate::rights::Part;

/// Handles the commands of matchup.
pub(crate) struct Commands(pub Matchup);

impl MatchupCommandsHandler<ServiceError> for Commands {
    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}
