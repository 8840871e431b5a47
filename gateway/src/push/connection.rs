//! One WebSocket: CONNECT with a token, SUBSCRIBE to the user's own queue, heart-beats, and delivery.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason};
use futures::StreamExt;
use tokio::time::{Instant, sleep_until, timeout};

use super::frame::{self, Frame};
use super::hub::{Line, Message};
use crate::refused::Refused;
use crate::sessions::Session;
use crate::stages::request_id::origin;
use crate::stages::{envelope, token};
use crate::state::Gateway;

/// Largest client frame in bytes: CONNECT with its token is far below.
const FRAME_LIMIT: usize = 16 * 1024;
/// Timeout for CONNECT.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
/// Heart-beat interval we offer and request, in milliseconds.
const BEAT_MS: u64 = 10_000;
const LONGEST_BEAT_MS: u64 = 120_000;
/// Most subscriptions of one connection.
const SUBSCRIPTIONS: usize = 8;
/// How often the session is checked again, in case a revocation was lost.
const RECHECK: Duration = Duration::from_secs(60);
/// Timeout of a write before the connection is closed.
const WRITE_WAIT: Duration = Duration::from_secs(15);

const VERSIONS: [&str; 1] = ["v12.stomp"];

/// `GET /ws`.
pub async fn open(request: HttpRequest, payload: Payload, gateway: Data<Gateway>) -> HttpResponse {
    let origin = origin(&request, &gateway.trusted);
    let limits = gateway.live.get();
    let rate = proto::catalogue::Rate::Normal;
    let now_ms = gateway.now_ms();
    let counted = gateway
        .rate
        .address(&limits.limits, rate, origin.address, now_ms);
    if let Err(refused) = counted.await {
        return refuse(&refused, &origin.request_id);
    }
    if gateway.is_draining() {
        return refuse(&Refused::Unavailable, &origin.request_id);
    }
    match actix_ws::handle_with_protocols(&request, payload, &VERSIONS) {
        Ok((response, session, stream)) => {
            let stream = stream
                .max_frame_size(FRAME_LIMIT)
                .aggregate_continuations()
                .max_continuation_size(FRAME_LIMIT);
            actix_web::rt::spawn(run(gateway, session, stream));
            response
        }
        Err(_) => refuse(
            &Refused::Invalid("此地址只接受 WebSocket 连接".to_owned()),
            &origin.request_id,
        ),
    }
}

fn refuse(refused: &Refused, request_id: &str) -> HttpResponse {
    let answer = refused.answer(request_id);
    envelope::respond(
        answer.http,
        envelope::refusal(&answer),
        request_id,
        answer.retry_after_s,
    )
}

/// Why a connection ends.
enum End {
    /// The client has disconnected, or wants to.
    Quiet,
    /// Sends an ERROR frame with this reason.
    Error(&'static str),
}

/// The socket's write side: every write has a timeout.
struct Socket {
    session: actix_ws::Session,
    stream: AggregatedMessageStream,
}

impl Socket {
    async fn write(&mut self, text: String) -> Result<(), End> {
        match timeout(WRITE_WAIT, self.session.text(text)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Quiet),
        }
    }

    /// The next frames; empty for a heart-beat.
    async fn read(&mut self) -> Result<Vec<Frame>, End> {
        match self.stream.next().await {
            Some(Ok(AggregatedMessage::Text(text))) => parse(&text),
            Some(Ok(AggregatedMessage::Binary(bytes))) => match std::str::from_utf8(&bytes) {
                Ok(text) => parse(text),
                Err(_) => Err(End::Error("frame is not text")),
            },
            Some(Ok(AggregatedMessage::Ping(data))) => match self.session.pong(&data).await {
                Ok(()) => Ok(Vec::new()),
                Err(_) => Err(End::Quiet),
            },
            Some(Ok(AggregatedMessage::Pong(_))) => Ok(Vec::new()),
            Some(Ok(AggregatedMessage::Close(_))) | None => Err(End::Quiet),
            Some(Err(_)) => Err(End::Error("frame is too large or broken")),
        }
    }
}

fn parse(text: &str) -> Result<Vec<Frame>, End> {
    frame::parse(text).map_err(|_| End::Error("frame is not understood"))
}

async fn run(gateway: Data<Gateway>, session: actix_ws::Session, stream: AggregatedMessageStream) {
    let mut socket = Socket { session, stream };
    let end = match timeout(CONNECT_WAIT, connect(&gateway, &mut socket)).await {
        Ok(Ok(mut peer)) => {
            let end = converse(&gateway, &mut socket, &mut peer).await;
            gateway.hub.leave(&peer.session.login_id, peer.line.id);
            end
        }
        Ok(Err(end)) => end,
        Err(_) => End::Error("CONNECT did not come in time"),
    };
    let mut code = CloseCode::Normal;
    if let End::Error(message) = end {
        code = CloseCode::Policy;
        let text = frame::write("ERROR", &[("message", message)], "");
        // A client that no longer reads does not get the reason.
        let _ = socket.write(text).await;
    }
    let reason = CloseReason::from(code);
    let _ = timeout(WRITE_WAIT, socket.session.close(Some(reason))).await;
}

/// An authenticated connection.
struct Peer {
    token: String,
    session: Arc<Session>,
    line: Line,
    /// Ids of its subscriptions, all to the one queue it may read.
    subscriptions: Vec<String>,
    /// Longest interval between our frames; `None`: no heart-beats.
    beat: Option<Duration>,
    /// Longest silence allowed to the client; `None`: unlimited.
    patience: Option<Duration>,
    sent: u64,
}

async fn connect(gateway: &Gateway, socket: &mut Socket) -> Result<Peer, End> {
    let frame = loop {
        let mut frames = socket.read().await?.into_iter();
        if let Some(frame) = frames.next() {
            if frames.next().is_some() {
                return Err(End::Error("nothing may follow CONNECT before its answer"));
            }
            break frame;
        }
    };
    if frame.command != "CONNECT" && frame.command != "STOMP" {
        return Err(End::Error("CONNECT is expected first"));
    }
    let versions = frame.header("accept-version").unwrap_or_default();
    if !versions.split(',').any(|version| version.trim() == "1.2") {
        return Err(End::Error("only version 1.2 is spoken here"));
    }
    let header = frame
        .header("Authorization")
        .or_else(|| frame.header("authorization"));
    let token = token::of_header(header.unwrap_or_default()).to_owned();
    let found = token::check(&gateway.sessions, proto::catalogue::Access::Login, &token).await;
    let session = match found {
        Ok(Some(session)) => session,
        Ok(None) | Err(Refused::SignIn) => return Err(End::Error("token is not valid")),
        Err(_) => return Err(End::Error("token cannot be checked now")),
    };
    let line = gateway.hub.join(&session.login_id, &session.token_hash);
    let line = line.ok_or(End::Error("too many connections"))?;
    let (beat, patience) = beats(frame.header("heart-beat"));
    let mut peer = Peer {
        token,
        session,
        line,
        subscriptions: Vec::new(),
        beat,
        patience,
        sent: 0,
    };
    let offer = format!("{BEAT_MS},{BEAT_MS}");
    let headers = [
        ("version", "1.2"),
        ("heart-beat", offer.as_str()),
        ("server", "xuanlan"),
    ];
    if let Err(end) = socket.write(frame::write("CONNECTED", &headers, "")).await {
        peer.line.messages.close();
        gateway.hub.leave(&peer.session.login_id, peer.line.id);
        return Err(end);
    }
    Ok(peer)
}

/// From the client's `heart-beat: cx,cy`: our sending interval, and the longest silence allowed to the client.
fn beats(header: Option<&str>) -> (Option<Duration>, Option<Duration>) {
    let (sends, wants) = header
        .and_then(|text| text.split_once(','))
        .unwrap_or(("0", "0"));
    let read = |text: &str| text.trim().parse::<u64>().unwrap_or(0).min(LONGEST_BEAT_MS);
    let agreed = |theirs: u64| (theirs > 0).then(|| Duration::from_millis(theirs.max(BEAT_MS)));
    // Twice the agreed interval, to allow for network delays.
    (agreed(read(wants)), agreed(read(sends)).map(|d| d * 2))
}

/// Sends messages and heart-beats and handles subscriptions until the connection ends.
async fn converse(gateway: &Gateway, socket: &mut Socket, peer: &mut Peer) -> End {
    let mut last_read = Instant::now();
    let mut last_write = Instant::now();
    let mut recheck = Instant::now() + RECHECK;
    let never = Instant::now() + Duration::from_secs(365 * 24 * 3600);
    loop {
        let left_ms = peer.session.expires_at_ms - gateway.now_ms();
        let expiry = Instant::now() + Duration::from_millis(left_ms.clamp(0, 86_400_000) as u64);
        let silence = peer.patience.map_or(never, |patience| last_read + patience);
        let beat = peer.beat.map_or(never, |beat| last_write + beat);
        let step = tokio::select! {
            () = peer.line.closed.cancelled() => return closed(gateway, peer),
            message = peer.line.messages.recv() => match message {
                Some(message) => deliver(socket, peer, &message).await,
                None => return closed(gateway, peer),
            },
            frames = socket.read() => {
                last_read = Instant::now();
                match frames {
                    Ok(frames) => answer(socket, peer, frames).await,
                    Err(end) => Err(end),
                }
            }
            () = sleep_until(beat) => socket.write("\n".to_owned()).await.map(|()| true),
            () = sleep_until(silence) => return End::Error("no heart-beat"),
            () = sleep_until(expiry) => {
                if left_ms <= 0 {
                    return End::Error("token has expired");
                }
                Ok(false)
            }
            () = sleep_until(recheck) => {
                recheck = Instant::now() + RECHECK;
                match gateway.sessions.find(&peer.token).await {
                    Ok(None) => return End::Error("token is not valid any more"),
                    // `auth` is unavailable, which says nothing about the token.
                    Ok(Some(_)) | Err(_) => Ok(false),
                }
            }
        };
        match step {
            Ok(true) => last_write = Instant::now(),
            Ok(false) => {}
            Err(end) => return end,
        }
    }
}

fn closed(gateway: &Gateway, peer: &Peer) -> End {
    if gateway.is_draining() {
        return End::Quiet;
    }
    if peer.line.messages.len() >= super::hub::QUEUE {
        return End::Error("too slow");
    }
    End::Error("token is not valid any more")
}

/// Sends a message on each subscription; returns whether anything was written.
async fn deliver(socket: &mut Socket, peer: &mut Peer, message: &Message) -> Result<bool, End> {
    let destination = format!("/queue/{}", peer.session.login_id);
    let length = message.json.len().to_string();
    for subscription in &peer.subscriptions {
        peer.sent += 1;
        let id = format!("{}-{}", peer.line.id, peer.sent);
        let mut headers = vec![
            ("subscription", subscription.as_str()),
            ("message-id", id.as_str()),
            ("destination", destination.as_str()),
            ("content-type", "application/json;charset=utf-8"),
            ("content-length", length.as_str()),
        ];
        if !message.traceparent.is_empty() {
            headers.push(("traceparent", message.traceparent.as_str()));
        }
        socket
            .write(frame::write("MESSAGE", &headers, &message.json))
            .await?;
    }
    Ok(!peer.subscriptions.is_empty())
}

/// Handles frames; returns whether anything was written.
async fn answer(socket: &mut Socket, peer: &mut Peer, frames: Vec<Frame>) -> Result<bool, End> {
    let mut wrote = false;
    for frame in frames {
        match frame.command.as_str() {
            "SUBSCRIBE" => subscribe(peer, &frame)?,
            "UNSUBSCRIBE" => {
                let id = frame.header("id").ok_or(End::Error("id is missing"))?;
                peer.subscriptions.retain(|known| known != id);
            }
            "DISCONNECT" => {
                receipt(socket, &frame).await?;
                return Err(End::Quiet);
            }
            _ => return Err(End::Error("this command is not taken here")),
        }
        wrote |= receipt(socket, &frame).await?;
    }
    Ok(wrote)
}

fn subscribe(peer: &mut Peer, frame: &Frame) -> Result<(), End> {
    let id = frame.header("id").ok_or(End::Error("id is missing"))?;
    let queue = frame
        .header("destination")
        .and_then(|destination| destination.strip_prefix("/queue/"));
    if queue != Some(peer.session.login_id.as_str()) {
        return Err(End::Error("this queue is not yours"));
    }
    if frame.header("ack").is_some_and(|ack| ack != "auto") {
        return Err(End::Error("only ack:auto is spoken here"));
    }
    if peer.subscriptions.iter().any(|known| known == id) {
        return Err(End::Error("this subscription already exists"));
    }
    if peer.subscriptions.len() == SUBSCRIPTIONS {
        return Err(End::Error("too many subscriptions"));
    }
    peer.subscriptions.push(id.to_owned());
    Ok(())
}

async fn receipt(socket: &mut Socket, frame: &Frame) -> Result<bool, End> {
    let Some(receipt) = frame.header("receipt") else {
        return Ok(false);
    };
    let text = frame::write("RECEIPT", &[("receipt-id", receipt)], "");
    socket.write(text).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heart_beats_are_agreed_on() {
        let seconds = Duration::from_secs;
        assert_eq!(beats(None), (None, None));
        assert_eq!(beats(Some("0,0")), (None, None));
        assert_eq!(
            beats(Some("20000,5000")),
            (Some(seconds(10)), Some(seconds(40)))
        );
        assert_eq!(beats(Some("x,y")), (None, None));
        assert_eq!(
            beats(Some("99999999999,1")),
            (Some(seconds(10)), Some(seconds(240)))
        );
    }
}
