//! Content safety: scans texts before they are published.

use chassis::{ServiceError, SignedIn};
use proto::personal::v1::{ContentCalls, TextScanRequest};

use crate::Personal;
use crate::words::refused;

impl Personal {
    /// Errors: 60102 with the reason when the text may not be published.
    pub(crate) async fn scan_text(&self, text: &str) -> Result<(), ServiceError> {
        match self.scanner().await?.find(text) {
            None => Ok(()),
            Some(finding) => Err(refused(&finding.word).into()),
        }
    }
}

impl ContentCalls<ServiceError> for Personal {
    async fn text_antispam_scan(
        &self,
        _: &SignedIn,
        request: TextScanRequest,
    ) -> Result<(), ServiceError> {
        self.scan_text(&request.content).await
    }
}
