//! HTTP to a provider.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use outbound::{Bounds, Reach};
use payprotocol::wechat::merchant::Answer;

use crate::provider::ProviderError;

/// Largest answer.
const MAX_ANSWER: usize = 256 * 1024;

#[derive(Clone)]
pub(super) struct Http {
    client: outbound::Http,
}

impl Http {
    /// `wait`: longest time until a whole answer is there.
    pub(super) fn open(address: &str, wait: Duration) -> anyhow::Result<Self> {
        let bounds = Bounds {
            wait,
            most: MAX_ANSWER,
            reach: Reach::Any,
        };
        let client = outbound::Http::open(address.starts_with("https://"), bounds)?;
        Ok(Self { client })
    }

    /// Sends. Whatever goes wrong, the provider may have done it.
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Answer, ProviderError> {
        let answer = self.client.send(request).await;
        let answer = answer.map_err(|error| ProviderError::Silent(error.to_string()))?;
        Ok(Answer {
            status: answer.status,
            headers: answer.headers,
            body: answer.body.to_vec(),
        })
    }
}
