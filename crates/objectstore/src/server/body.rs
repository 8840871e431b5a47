//! Request bodies that the handler does not read to the end.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// Most bytes that are read and discarded; more than a browser's upload part.
const MAX_DRAINED: u64 = 16 * 1024 * 1024;
/// Time limit for it.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// A request body that is drained to its end, within limits, when the response is ready before the whole body has
/// arrived.
/// Closing the connection while the client still sends resets it, and the client never sees the response: a browser
/// would report a network error instead of expired credentials or a full disk.
pub(super) struct Drained {
    inner: Option<Incoming>,
}

impl Drained {
    pub(super) fn new(inner: Incoming) -> Self {
        Self { inner: Some(inner) }
    }
}

impl Body for Drained {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for Drained {
    fn drop(&mut self) {
        let Some(mut rest) = self.inner.take() else {
            return;
        };
        if rest.is_end_stream() || rest.size_hint().lower() > MAX_DRAINED {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        runtime.spawn(tokio::time::timeout(DRAIN_TIME, async move {
            let mut taken = 0;
            while let Some(Ok(frame)) = rest.frame().await {
                taken += frame.data_ref().map_or(0, |data| data.len() as u64);
                if taken > MAX_DRAINED {
                    return;
                }
            }
        }));
    }
}
