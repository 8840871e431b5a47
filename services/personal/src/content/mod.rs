//! Content safety: scans of what users are about to publish.

use chassis::{BusinessError, ServiceError, SignedIn};
use proto::personal::v1::{ContentCalls, TextScanRequest};

use crate::Personal;
use crate::words::refused;

/// Longest text that can be scanned in one call, in characters.
const MAX_SCAN: usize = contentscan::MAX_CHARACTERS;

impl Personal {
    /// Errors: 60102 with the reason when the text may not be published.
    pub(crate) async fn scan_text(&self, text: &str) -> Result<(), ServiceError> {
        if text.chars().count() > MAX_SCAN {
            return Err(BusinessError::invalid("内容过长，最多 20000 个字符").into());
        }
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
