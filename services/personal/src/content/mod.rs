//! Content safety: scans of what users publish.

mod grpc;

use chassis::BusinessError;
use proto::code;

use crate::Personal;

/// Longest text that can be scanned in one call, in characters.
const MAX_SCAN: usize = contentscan::MAX_CHARACTERS;

impl Personal {
    /// Errors: 60102 with the reason when the text may not be published.
    pub(crate) fn scan_text(&self, text: &str) -> Result<(), BusinessError> {
        if text.chars().count() > MAX_SCAN {
            return Err(BusinessError::invalid("内容过长，最多 20000 个字符"));
        }
        match self.scanner.find(text) {
            None => Ok(()),
            Some(finding) => {
                let message = format!("含有不允许发布的词语「{}」", finding.word);
                Err(BusinessError::new(code::TEXT_REFUSED, message))
            }
        }
    }
}
