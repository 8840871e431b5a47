//! Connections: accepted, refused with a response when there are too many, served, and what each request holds until its
//! response has been read.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use hyper::body::{Frame, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use s3s::Body;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::admission::{AtWork, Held, Refusal, SESSION_ENDED, UserSlot};
use super::pace::PacedStream;
use super::{Front, error};

/// Message of every refusal because of a limit.
pub(super) const TOO_MANY: &str = "too many connections or requests at once; try again later";

/// Connections that may wait for a place, or be refused with a response, at a time. More are closed without one.
const MOST_WAITING: usize = 256;
/// Time for sending a refusal to a client.
const REFUSAL_TIME: Duration = Duration::from_secs(2);

/// Takes connections in.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) front: Front,
    pub(super) head_wait: Duration,
    pub(super) shutdown: CancellationToken,
}

/// Whose request it is, and that its connection is at work.
pub(super) struct Caller {
    pub(super) peer: IpAddr,
    pub(super) work: AtWork,
}

impl Door {
    /// Accepts until shutdown. Never waits for a connection to end: a client that cannot be served gets a refusal.
    pub(super) async fn accept(self, listener: TcpListener, tracker: &TaskTracker) {
        let waiting = Arc::new(Semaphore::new(MOST_WAITING));
        let refusing = Arc::new(Semaphore::new(MOST_WAITING));
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = self.shutdown.cancelled() => return,
            };
            let (stream, peer) = match accepted {
                Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
                Err(error) => {
                    // Usually out of file descriptors: idle connections end, and others get time to.
                    tracing::warn!(%error, "object store: cannot accept a connection");
                    self.front.admission.relieve();
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let refusing = refusing.clone();
            match self.front.admission.of_address(peer) {
                Ok(address) => {
                    let Ok(waiting) = waiting.clone().try_acquire_owned() else {
                        continue;
                    };
                    let door = self.clone();
                    tracker.spawn(async move {
                        let _address = address;
                        let place = door.front.admission.place().await;
                        drop(waiting);
                        match place {
                            Ok(_place) => door.serve(stream, peer).await,
                            Err(refusal) => door.refuse(stream, refusal, &refusing).await,
                        }
                    });
                }
                Err(refusal) => {
                    let door = self.clone();
                    tracker.spawn(async move { door.refuse(stream, refusal, &refusing).await });
                }
            }
        }
    }

    async fn serve(self, stream: TcpStream, peer: IpAddr) {
        let _ = stream.set_nodelay(true);
        let open = metrics::gauge!("objectstore_connections");
        open.increment(1.0);
        let presence = self.front.admission.presence();
        let service = {
            let (front, presence) = (self.front.clone(), presence.clone());
            service_fn(move |request| {
                let work = presence.work();
                front.clone().answer(request, Caller { peer, work })
            })
        };
        let stream = PacedStream::new(stream, self.front.pace);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.head_wait)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        let result = tokio::select! {
            result = connection.as_mut() => result,
            () = presence.close.cancelled() => Ok(()),
            () = self.shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        open.decrement(1.0);
        if let Err(error) = result {
            // Browsers close connections all the time.
            tracing::debug!(%error, "object store: connection ended");
        }
    }

    /// Sends a client its refusal, whatever it asks.
    async fn refuse(&self, mut stream: TcpStream, refusal: Refusal, refusing: &Arc<Semaphore>) {
        refusal.count();
        let Ok(_refusing) = refusing.try_acquire() else {
            return;
        };
        let body = error::xml("SlowDown", TOO_MANY);
        let origin = self.front.cors.of_strangers();
        let answer = format!(
            "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/xml\r\ncontent-length: {}\r\n\
             connection: close\r\n{origin}\r\n{body}",
            body.len()
        );
        let answered = async {
            stream.write_all(answer.as_bytes()).await?;
            stream.shutdown().await?;
            // Closing with unread bytes would reset the connection, and the client would not see the answer.
            let mut unread = [0; 4096];
            while stream.read(&mut unread).await? > 0 {}
            std::io::Result::Ok(())
        };
        let _ = tokio::time::timeout(REFUSAL_TIME, answered).await;
    }
}

/// What a request holds until its response has been read.
pub(super) struct Finishing {
    _work: AtWork,
    _address: Option<Held<IpAddr>>,
    _user: Option<Held<String>>,
    user: UserSlot,
}

impl Finishing {
    pub(super) fn new(work: AtWork, address: Option<Held<IpAddr>>, user: UserSlot) -> Self {
        Self {
            _work: work,
            _address: address,
            _user: user.take(),
            user,
        }
    }

    /// The response, whose body holds it. One that carries content breaks off when the session has ended.
    pub(super) fn with(self, response: Response<Body>) -> Response<Body> {
        let carries = response.status().is_success();
        response.map(|body| {
            Body::http_body(Finished {
                body,
                carries,
                holding: self,
            })
        })
    }
}

struct Finished {
    body: Body,
    carries: bool,
    holding: Finishing,
}

impl hyper::body::Body for Finished {
    type Data = Bytes;
    type Error = s3s::StdError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.carries && self.holding.user.has_ended() {
            return Poll::Ready(Some(Err(SESSION_ENDED.into())));
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
