//! STOMP over WebSocket.

use chassis::testing::{Shape, eventually, shapes};
use futures::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::support::*;

struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    async fn open(running: &Running) -> Self {
        let address = running.url("/ws").replacen("http", "ws", 1);
        let mut request = address.into_client_request().unwrap();
        let offered = "v12.stomp, v11.stomp".parse().unwrap();
        request
            .headers_mut()
            .insert("sec-websocket-protocol", offered);
        let (stream, answer) = tokio_tungstenite::connect_async(request).await.unwrap();
        assert_eq!(answer.headers()["sec-websocket-protocol"], "v12.stomp");
        Self { stream }
    }

    async fn send(&mut self, frame: &str) {
        let text = format!("{frame}\0");
        // The other side may have closed already; its response is read below.
        let _ = self.stream.send(Message::text(text)).await;
    }

    /// The next frame; `None` when the connection is closed.
    async fn next(&mut self) -> Option<String> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) if text.trim().is_empty() => {}
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    async fn connect(&mut self, token: &str) -> String {
        let frame = format!(
            "CONNECT\naccept-version:1.0,1.1,1.2\nheart-beat:20000,20000\nAuthorization:Bearer {token}\n\n"
        );
        self.send(&frame).await;
        self.next().await.unwrap()
    }

    async fn subscribe(&mut self, login_id: &str) {
        self.send(&format!(
            "SUBSCRIBE\nid:sub-0\nreceipt:r1\ndestination:/queue/{login_id}\n\n"
        ))
        .await;
    }

    /// Expects an ERROR frame and then the end of the connection.
    async fn error(&mut self) -> String {
        let frame = self.next().await.unwrap();
        assert!(frame.starts_with("ERROR\n"), "{frame}");
        assert_eq!(self.next().await, None);
        frame
    }
}

#[tokio::test]
async fn a_user_receives_its_pushes() {
    for shape in shapes() {
        let running = Running::start(shape, Place::InProcess, |_| {}).await;
        let user = running.user("u1");
        let mut socket = Socket::open(&running).await;
        let connected = socket.connect(&user.token).await;
        assert!(
            connected.starts_with("CONNECTED\nversion:1.2\n"),
            "{connected}"
        );
        socket.subscribe("u1").await;
        assert_eq!(socket.next().await.unwrap(), "RECEIPT\nreceipt-id:r1\n\n\0");

        let bus = &running.test.parts.bus;
        bus.push_text("u2", "{\"type\":\"FOREIGN\"}".into());
        bus.push_text("u1", "{\"type\":\"CHECK\",\"tips\":\"检查\"}".into());
        let message = socket.next().await.unwrap();
        assert!(
            message.starts_with("MESSAGE\nsubscription:sub-0\n"),
            "{message}"
        );
        assert!(message.contains("\ndestination:/queue/u1\n"));
        let (_, body) = message.split_once("\n\n").unwrap();
        assert_eq!(body, "{\"type\":\"CHECK\",\"tips\":\"检查\"}\0");

        socket.send("DISCONNECT\nreceipt:bye\n\n").await;
        assert_eq!(
            socket.next().await.unwrap(),
            "RECEIPT\nreceipt-id:bye\n\n\0"
        );
        assert_eq!(socket.next().await, None);
        running.finish().await;
    }
}

#[tokio::test]
async fn only_ones_own_queue_may_be_read() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    for destination in ["u2", "#gateway", "", "u1/", "*"] {
        let mut socket = Socket::open(&running).await;
        socket.connect(&user.token).await;
        socket.subscribe(destination).await;
        let error = socket.error().await;
        assert!(error.contains("this queue is not yours"), "{error}");
    }
    running.finish().await;
}

#[tokio::test]
async fn strangers_and_senders_are_turned_away() {
    let running = Running::embedded().await;
    let user = running.user("u1");
    let mut socket = Socket::open(&running).await;
    let error = socket.connect("guess").await;
    assert!(
        error.starts_with("ERROR\n") && error.contains("token is not valid"),
        "{error}"
    );

    let mut socket = Socket::open(&running).await;
    socket.subscribe("u1").await;
    assert!(socket.error().await.contains("CONNECT is expected first"));

    let mut socket = Socket::open(&running).await;
    socket.connect(&user.token).await;
    socket.send("SEND\ndestination:/queue/u1\n\n{}").await;
    assert!(socket.error().await.contains("not taken here"));

    let mut socket = Socket::open(&running).await;
    socket.connect(&user.token).await;
    socket
        .send(&format!("SUBSCRIBE\nid:{}\n\n", "x".repeat(20_000)))
        .await;
    assert!(socket.error().await.contains("too large"));
    running.finish().await;
}

#[tokio::test]
async fn the_connection_closes_when_its_token_ends() {
    for shape in shapes() {
        let running = Running::start(shape, Place::InProcess, |_| {}).await;
        let (user, other) = (running.user("u1"), running.user("u1"));
        let mut socket = Socket::open(&running).await;
        socket.connect(&user.token).await;
        let mut stays = Socket::open(&running).await;
        stays.connect(&other.token).await;
        stays.subscribe("u1").await;
        stays.next().await.unwrap();

        running.fakes.sign_out(&user.token);
        let notice = json!({
            "type": "REVOKED",
            "loginId": "u1",
            "tokenHashes": [d3sig::token_hash(&user.token)],
        });
        running
            .test
            .parts
            .bus
            .push_text("#gateway", notice.to_string());
        assert!(socket.error().await.contains("not valid any more"));
        running.test.parts.bus.push_text("u1", "{}".into());
        assert!(stays.next().await.unwrap().starts_with("MESSAGE\n"));
        running.finish().await;
    }
}

#[tokio::test]
async fn the_connection_closes_when_its_token_expires() {
    let running = Running::embedded().await;
    let clock = &running.test.parts.clock;
    let token = running.fakes.sign_in("u1", clock.now_ms() + 1000);
    let mut socket = Socket::open(&running).await;
    socket.connect(&token).await;
    clock.advance_ms(1000);
    assert!(socket.error().await.contains("token has expired"));
    running.finish().await;
}

#[tokio::test]
async fn sockets_end_when_the_gateway_does() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |_| {}).await;
    let user = running.user("u1");
    let mut socket = Socket::open(&running).await;
    socket.connect(&user.token).await;
    let url = running.url("/healthz");
    running.finish().await;
    assert_eq!(socket.next().await, None);
    eventually("the port is free", || async {
        reqwest::get(&url).await.is_err().then_some(())
    })
    .await;
}
