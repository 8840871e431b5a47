//! Request bodies that nobody reads to the end.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// Most bytes taken in for nothing; more than a part of an upload as browsers send them.
const MAX_DRAINED: u64 = 16 * 1024 * 1024;
/// Longest time for it.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// A request body that is taken in to its end, within limits, when the answer is ready before it has come whole.
///
/// Closing the connection on a sender in the middle of a body resets it, and the sender never sees the answer: a browser
/// would report a broken network where the store said that the credentials have expired or the disk is full.
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
