//! Strangers and slow clients: what they may hold, over real sockets with small limits.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::harness::{PATIENCE, TestStore, head, noise, rest};

/// A connection from another address of this machine than all others.
async fn stranger(store: &TestStore) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let address: SocketAddr = store.config.listen.parse().unwrap();
    socket.connect(address).await.unwrap()
}

async fn neighbour(store: &TestStore) -> TcpStream {
    TcpStream::connect(&store.config.listen).await.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn assert_slow_down(answer: &[u8]) {
    let answer = text(answer);
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert!(answer.contains("<Code>SlowDown</Code>"), "{answer}");
    assert!(
        answer.to_lowercase().contains("connection: close"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_stranger_with_idle_connections_shuts_out_only_itself() {
    let store = TestStore::start_with(|config| config.max_connections_per_address = 8).await;
    let mut idle = Vec::new();
    for _ in 0..8 {
        idle.push(stranger(&store).await);
    }
    for _ in 0..20 {
        let mut refused = stranger(&store).await;
        // Even to a request that was sent before the answer came.
        let _ = refused
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            .await;
        assert_slow_down(&rest(&mut refused).await);
    }
    store.root().put("u/1/x", "x").await.expect(200);
    store.stop().await;
}

#[tokio::test]
async fn when_all_connections_are_taken_idle_ones_make_room_and_working_ones_do_not() {
    let store = TestStore::start_with(|config| {
        config.max_connections = 4;
        config.head_wait_seconds = 600;
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..4 {
        idle.push(stranger(&store).await);
    }
    store.root().put("u/1/x", "x").await.expect(200);
    drop(idle);
    let root = store.root();
    let mut working = Vec::new();
    for number in 0..4 {
        let mut stream = stranger(&store).await;
        let wire = head(
            &root,
            "PUT",
            &format!("u/1/{number}"),
            &[("content-length", "9")],
        );
        stream
            .write_all(format!("{wire}12345").as_bytes())
            .await
            .unwrap();
        working.push(stream);
    }
    // Until all four are known to be at work a newcomer may still get a place.
    let refused = tokio::time::timeout(PATIENCE, async {
        loop {
            let mut stream = neighbour(&store).await;
            let hopeful = head(&root, "GET", "u/1/x", &[("connection", "close")]);
            let _ = stream.write_all(hopeful.as_bytes()).await;
            let answer = rest(&mut stream).await;
            if answer.starts_with(b"HTTP/1.1 503") {
                return answer;
            }
        }
    });
    assert_slow_down(&refused.await.unwrap());
    for mut stream in working {
        stream.write_all(b"6789").await.unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(text(&answer), "HTTP/1.1 200 OK");
    }
    store.stop().await;
}

#[tokio::test]
async fn a_head_that_does_not_come_ends_the_connection() {
    let store = TestStore::start_with(|config| config.head_wait_seconds = 1).await;
    let mut silent = neighbour(&store).await;
    let mut halfway = neighbour(&store).await;
    halfway.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
    rest(&mut silent).await;
    rest(&mut halfway).await;
    // Also between two requests.
    let mut again = neighbour(&store).await;
    again
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        .await
        .unwrap();
    assert!(text(&rest(&mut again).await).starts_with("HTTP/1.1 200"));
    store.stop().await;
}

#[tokio::test]
async fn a_body_that_trickles_in_is_refused() {
    let store = TestStore::start_with(|config| {
        config.stall_seconds = 1;
        config.min_bytes_per_second = 1_000_000;
    })
    .await;
    let user = store.user("1").await;
    let (mut from_store, mut to_store) = neighbour(&store).await.into_split();
    let wire = head(&user, "PUT", "u/1/slow", &[("content-length", "1000000")]);
    to_store.write_all(wire.as_bytes()).await.unwrap();
    let trickle = tokio::spawn(async move {
        while to_store.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let mut answer = Vec::new();
    let read = from_store.read_to_end(&mut answer);
    let _ = tokio::time::timeout(PATIENCE, read).await.expect("it ends");
    let answer = text(&answer);
    assert!(answer.contains("<Code>RequestTimeout</Code>"), "{answer}");
    tokio::time::timeout(PATIENCE, trickle)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(user.get("u/1/slow").await.status, 404);
    // A client at full speed is not touched by the same limits.
    user.put("u/1/quick", noise(1, 4_000_000)).await.expect(200);
    assert_eq!(
        user.get("u/1/quick").await.expect(200).body.len(),
        4_000_000
    );
    store.stop().await;
}

#[tokio::test]
async fn a_response_that_is_hardly_read_is_given_up() {
    const SIZE: usize = 24 * 1024 * 1024;
    let store = TestStore::start_with(|config| {
        config.stall_seconds = 1;
        config.min_bytes_per_second = 1_000_000;
    })
    .await;
    let user = store.user("1").await;
    user.put("u/1/large", noise(1, SIZE)).await.expect(200);
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 * 1024).unwrap();
    let mut reader = socket
        .connect(store.config.listen.parse().unwrap())
        .await
        .unwrap();
    reader
        .write_all(head(&user, "GET", "u/1/large", &[]).as_bytes())
        .await
        .unwrap();
    let began = Instant::now();
    let mut byte = [0; 1];
    // Twice the stall is the most that a client can have earned.
    while began.elapsed() < Duration::from_secs(6) {
        if !matches!(reader.read(&mut byte).await, Ok(1)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let got = rest(&mut reader).await.len();
    assert!(got < SIZE, "{got} bytes: the store waited for the reader");
    store.stop().await;
}

#[tokio::test]
async fn one_users_requests_leave_the_others_room() {
    let store = TestStore::start_with(|config| config.max_requests_per_user = 1).await;
    let (one, two) = (store.user("1").await, store.user("2").await);
    let mut upload = neighbour(&store).await;
    let wire = head(&one, "PUT", "u/1/x", &[("content-length", "9")]);
    upload
        .write_all(format!("{wire}12345").as_bytes())
        .await
        .unwrap();
    let refused = tokio::time::timeout(PATIENCE, async {
        loop {
            let answer = one.list(&[("prefix", "u/1/")]).await;
            if answer.status != 200 {
                return answer;
            }
        }
    });
    let refused = refused.await.unwrap();
    assert_eq!(refused.header("connection"), "close");
    refused.refused(503, "SlowDown");
    // Other keys of the same user are the same user.
    store
        .user("1")
        .await
        .get("u/1/y")
        .await
        .refused(503, "SlowDown");
    two.put("u/2/x", "x").await.expect(200);
    upload.write_all(b"6789").await.unwrap();
    let mut answer = [0; 15];
    upload.read_exact(&mut answer).await.unwrap();
    assert_eq!(text(&answer), "HTTP/1.1 200 OK");
    let free = tokio::time::timeout(PATIENCE, async {
        while one.get("u/1/x").await.status != 200 {}
    });
    free.await.unwrap();
    store.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_the_forwarded_address_is_limited() {
    let store = TestStore::start_with(|config| {
        config.trusted_proxies = vec!["127.0.0.1".into()];
        config.max_connections_per_address = 1;
    })
    .await;
    let root = store.root();
    let mut upload = neighbour(&store).await;
    let from = |address: &'static str| ("x-forwarded-for", address);
    let wire = head(
        &root,
        "PUT",
        "u/1/x",
        &[("content-length", "9"), from("192.0.2.1")],
    );
    upload
        .write_all(format!("{wire}12345").as_bytes())
        .await
        .unwrap();
    let ask = async |address: &'static str| {
        let mut stream = neighbour(&store).await;
        let wire = head(
            &root,
            "GET",
            "u/1/none",
            &[("connection", "close"), from(address)],
        );
        stream.write_all(wire.as_bytes()).await.unwrap();
        rest(&mut stream).await
    };
    let refused = tokio::time::timeout(PATIENCE, async {
        loop {
            let answer = ask("192.0.2.1").await;
            if !answer.starts_with(b"HTTP/1.1 404") {
                return answer;
            }
        }
    });
    assert_slow_down(&refused.await.unwrap());
    assert!(ask("192.0.2.2").await.starts_with(b"HTTP/1.1 404"));
    upload.write_all(b"6789").await.unwrap();
    let mut answer = [0; 15];
    upload.read_exact(&mut answer).await.unwrap();
    assert_eq!(text(&answer), "HTTP/1.1 200 OK");
    store.stop().await;
}
