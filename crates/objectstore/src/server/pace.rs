//! Clients that are too slow: the least rate of request bodies and of responses. A request body also ends with the session of
//! its sender.
//!
//! Only the time that the store waits for the client counts, so a slow disk or a long computation is no stall.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::admission::UserSlot;

/// Most bytes that are read and discarded; more than a browser's upload part.
const MAX_DRAINED: u64 = 16 * 1024 * 1024;
/// Time limit for it.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// The least rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub bytes_per_second: u64,
    pub stall: Duration,
}

/// Time that a client may still keep the store waiting: it begins with `stall`, every byte adds to it, up to twice
/// `stall`, and waiting uses it up.
struct Allowance {
    pace: Pace,
    left: Duration,
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Allowance {
    fn new(pace: Pace) -> Self {
        Self {
            pace,
            left: pace.stall,
            waiting: None,
        }
    }

    /// Bytes were moved: the wait is over.
    fn moved(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let earned = bytes as f64 / self.pace.bytes_per_second as f64;
        let most = self.pace.stall * 2;
        self.left = (self.left + Duration::from_secs_f64(earned)).min(most);
    }

    /// The store waits; ready when the allowance is used up.
    fn poll_spent(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let left = self.left;
        let (_, timer) = self
            .waiting
            .get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(left))));
        timer.as_mut().poll(context)
    }
}

/// Why a body was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenUp {
    Slow,
    SessionEnded,
}

/// A body that broke off.
#[derive(Debug, thiserror::Error)]
pub(super) enum BodyError {
    #[error(transparent)]
    Http(#[from] hyper::Error),
    #[error("the body arrived too slowly")]
    Slow,
    #[error("the session has ended")]
    SessionEnded,
}

/// A request body that must arrive at the least rate, and that is drained to its end, within limits, when the response
/// is ready before the whole body has arrived.
/// Closing the connection while the client still sends resets it, and the client never sees the response: a browser
/// would report a network error instead of expired credentials or a full disk.
pub(super) struct PacedBody {
    inner: Option<Incoming>,
    allowance: Allowance,
    drains: bool,
    user: UserSlot,
    given_up: Arc<OnceLock<GivenUp>>,
}

impl PacedBody {
    /// `drains`: not for a client that waits for `100 Continue`, it has sent nothing yet. `given_up` is set when the
    /// body was given up.
    pub(super) fn new(
        inner: Incoming,
        pace: Pace,
        drains: bool,
        user: UserSlot,
        given_up: Arc<OnceLock<GivenUp>>,
    ) -> Self {
        Self {
            inner: Some(inner),
            allowance: Allowance::new(pace),
            drains,
            user,
            given_up,
        }
    }
}

impl Body for PacedBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if self.user.has_ended() {
            // What is still arriving is drained, so that the client sees why.
            let _ = self.given_up.set(GivenUp::SessionEnded);
            return Poll::Ready(Some(Err(BodyError::SessionEnded)));
        }
        let Some(inner) = &mut self.inner else {
            return Poll::Ready(None);
        };
        match Pin::new(inner).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                self.allowance.moved(bytes);
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(other) => Poll::Ready(other.map(|end| end.map_err(BodyError::Http))),
            Poll::Pending => {
                ready!(self.allowance.poll_spent(context));
                self.inner = None;
                let _ = self.given_up.set(GivenUp::Slow);
                Poll::Ready(Some(Err(BodyError::Slow)))
            }
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

impl Drop for PacedBody {
    fn drop(&mut self) {
        let Some(mut rest) = self.inner.take() else {
            return;
        };
        if !self.drains || rest.is_end_stream() || rest.size_hint().lower() > MAX_DRAINED {
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

/// A connection whose client must take what is written to it at the least rate.
pub(super) struct PacedStream<S> {
    inner: S,
    allowance: Allowance,
}

impl<S> PacedStream<S> {
    pub(super) fn new(inner: S, pace: Pace) -> Self {
        Self {
            inner,
            allowance: Allowance::new(pace),
        }
    }

    fn paced(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(result) => {
                self.allowance.moved(*result.as_ref().unwrap_or(&0));
                Poll::Ready(result)
            }
            Poll::Pending => {
                ready!(self.allowance.poll_spent(context));
                metrics::counter!("objectstore_refused_total", "reason" => "slow").increment(1);
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.paced(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, pieces);
        self.paced(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for at most `time`; whether the allowance was used up.
    async fn waits(allowance: &mut Allowance, time: Duration) -> bool {
        let spent = std::future::poll_fn(|context| allowance.poll_spent(context));
        tokio::time::timeout(time, spent).await.is_ok()
    }

    #[tokio::test]
    async fn bytes_earn_time_and_waiting_uses_it_up() {
        let mut allowance = Allowance::new(Pace {
            bytes_per_second: 1000,
            stall: Duration::from_secs(1),
        });
        // However much was sent before, a silent client has no more than twice the stall.
        allowance.moved(1_000_000);
        assert_eq!(allowance.left, Duration::from_secs(2));
        // One that trickles uses it up, although it is never silent for long.
        let began = Instant::now();
        while !waits(&mut allowance, Duration::from_millis(50)).await {
            allowance.moved(1);
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "it goes on for ever"
            );
        }
        assert!(began.elapsed() >= Duration::from_secs(2));
        allowance.moved(500);
        assert_eq!(allowance.left, Duration::from_millis(500));
    }
}
