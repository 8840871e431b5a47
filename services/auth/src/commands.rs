//! The commands that auth handles.

use chassis::ServiceError;
use proto::auth::v1::{AuthCommandsHandler, CertifiedAsReply, CertifiedAsRequest};

use crate::certification::Certifications;

/// Handles the commands of auth.
pub(crate) struct Commands(pub Certifications);

impl AuthCommandsHandler<ServiceError> for Commands {
    async fn certified_as(
        &self,
        request: CertifiedAsRequest,
    ) -> Result<CertifiedAsReply, ServiceError> {
        self.0.certified_as(&request.login_id, &request.name).await
    }
}
