//! A load generator for `scripts/bench`: signed calls to a gateway, or plain requests to any server.
//!
//! `load call BASE PHONE PASSWORD` signs all requests in advance, each with its own nonce, and repeats one call (token,
//! transcoding, gRPC, service). `load plain URL` sends a GET, `load beacon URL` the begin of a visit, each of another visitor.
//! `load hello PORT` is the upstream for measuring nginx. Loopback only, bounded in time and count. Prints one JSON object.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};
use clap::{Parser, Subcommand};
use gateway::client::SignedClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
    /// Connections.
    #[arg(long, default_value_t = 32, global = true)]
    connections: usize,
    /// Seconds to measure.
    #[arg(long, default_value_t = 8, global = true)]
    seconds: u64,
    /// Requests per second over all connections; 0: as many as possible.
    #[arg(long, default_value_t = 0, global = true)]
    rate: u64,
    /// Most requests signed beforehand.
    #[arg(long, default_value_t = 400_000, global = true)]
    limit: usize,
}

impl Arguments {
    /// Requests prepared in advance.
    fn count(&self) -> usize {
        match self.rate {
            0 => self.limit,
            rate => (rate * (self.seconds + 1)) as usize,
        }
    }
}

#[derive(Subcommand)]
enum What {
    Call {
        base: String,
        phone: String,
        password: String,
        /// The call; its form contains only the user's id.
        #[arg(long, default_value = "/api-personal/laozi/v3/personalInfo/queryInfo")]
        path: String,
    },
    Plain {
        url: String,
    },
    Beacon {
        url: String,
    },
    Hello {
        port: u16,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    match &arguments.what {
        What::Hello { port } => hello(*port).await,
        What::Plain { url } => {
            let (host, path) = split(url)?;
            let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n").into_bytes();
            run(&arguments, &host, Arc::new(vec![request]), true).await
        }
        What::Beacon { url } => {
            let (host, path) = split(url)?;
            let requests = (0..arguments.count())
                .map(|number| beacon(&host, &path, number))
                .collect();
            run(&arguments, &host, Arc::new(requests), false).await
        }
        What::Call {
            base,
            phone,
            password,
            path,
        } => {
            let (host, _) = split(base)?;
            let requests = sign_all(&arguments, base, &host, (phone, password), path).await?;
            run(&arguments, &host, Arc::new(requests), false).await
        }
    }
}

fn split(url: &str) -> anyhow::Result<(String, String)> {
    let rest = url.strip_prefix("http://").context("an http:// address")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    ensure!(host.starts_with("127.0.0.1"), "loopback only");
    Ok((host.to_owned(), format!("/{path}")))
}

/// The begin of a visit, by its own browser.
fn beacon(host: &str, path: &str, number: usize) -> Vec<u8> {
    let visit = serde_json::json!({
        "cookie": format!("{number:032x}"), "dap": "", "entranceUrl": "http://127.0.0.1/pricePage",
        "source": "direct", "sourceUrl": "", "isJson": true,
    });
    let body = visit.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    format!("{head}{body}").into_bytes()
}

async fn sign_all(
    arguments: &Arguments,
    base: &str,
    host: &str,
    (phone, password): (&str, &str),
    path: &str,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let client = SignedClient::connect(base).await?;
    let form = [("username", phone), ("password", password)];
    let answer = client.call("/api-auth/oauth/user/token", &form).await?;
    ensure!(answer.resp_code == 60000, "sign-in: {}", answer.resp_msg);
    let session: serde_json::Value =
        serde_json::from_str(answer.datas.as_str().unwrap_or_default())?;
    let text = |name: &str| session[name].as_str().unwrap_or_default().to_owned();
    let client = client.signed_in(&text("access_token"), &text("loginId"));
    let count = arguments.count();
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let mut pairs = vec![("userId".to_owned(), client.user_id.clone())];
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64;
        let d = client.sign("POST", path, &[], &pairs, now)?;
        pairs.push(("D".to_owned(), d));
        let body = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&pairs)
            .finish();
        requests.push(
            format!(
                "POST {path} HTTP/1.1\r\nhost: {host}\r\nclient-id: {}\r\nclient-secret: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
                client.client_id,
                client.secret,
                client.token,
                body.len(),
            )
            .into_bytes(),
        );
    }
    Ok(requests)
}

async fn run(
    arguments: &Arguments,
    host: &str,
    requests: Arc<Vec<Vec<u8>>>,
    again: bool,
) -> anyhow::Result<()> {
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let end = began + Duration::from_secs(arguments.seconds);
    let pause = (arguments.rate > 0)
        .then(|| Duration::from_secs_f64(arguments.connections as f64 / arguments.rate as f64));
    let mut tasks = Vec::new();
    for number in 0..arguments.connections {
        let (requests, next, host) = (requests.clone(), next.clone(), host.to_owned());
        let first = pause.map(|p| began + p.mul_f64(number as f64 / arguments.connections as f64));
        tasks.push(tokio::spawn(async move {
            let mut stream = TcpStream::connect(&host).await?;
            stream.set_nodelay(true)?;
            let mut buffer = Vec::with_capacity(16 * 1024);
            let mut latencies: Vec<u32> = Vec::new();
            let mut due = first;
            while Instant::now() < end {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(request) = requests.get(if again { 0 } else { index }) else {
                    break;
                };
                // Measured from the time the request was due: a stalled server does not hide the requests that had to
                // wait.
                let start = match (&mut due, pause) {
                    (Some(at), Some(pause)) => {
                        tokio::time::sleep_until((*at).into()).await;
                        let start = *at;
                        *at += pause;
                        start
                    }
                    _ => Instant::now(),
                };
                stream.write_all(request).await?;
                exchange(&mut stream, &mut buffer, !again).await?;
                latencies.push(start.elapsed().as_micros().min(u128::from(u32::MAX)) as u32);
            }
            anyhow::Ok(latencies)
        }));
    }
    let mut latencies = Vec::new();
    for task in tasks {
        latencies.extend(task.await??);
    }
    let seconds = began.elapsed().as_secs_f64();
    latencies.sort_unstable();
    ensure!(!latencies.is_empty(), "no answers");
    let at =
        |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    let report = serde_json::json!({
        "requests": latencies.len(),
        "seconds": seconds,
        "perSecond": latencies.len() as f64 / seconds,
        "p50Ms": at(0.5),
        "p99Ms": at(0.99),
    });
    println!("{report}");
    Ok(())
}

/// Reads one response; it must have status 200, and for a call an envelope with success.
async fn exchange(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
    envelope: bool,
) -> anyhow::Result<()> {
    buffer.clear();
    loop {
        if stream.read_buf(buffer).await? == 0 {
            bail!("connection closed");
        }
        let Some(head) = buffer.windows(4).position(|w| w == b"\r\n\r\n") else {
            continue;
        };
        let text = std::str::from_utf8(&buffer[..head])?.to_ascii_lowercase();
        ensure!(text.starts_with("http/1.1 200"), "{text}");
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"));
        let length: usize = length.context("content-length")?.trim().parse()?;
        let body = head + 4;
        while buffer.len() < body + length {
            if stream.read_buf(buffer).await? == 0 {
                bail!("connection closed");
            }
        }
        if envelope {
            let good = buffer[body..].windows(5).any(|w| w == b"60000");
            ensure!(good, "{}", String::from_utf8_lossy(&buffer[body..]));
        }
        return Ok(());
    }
}

/// Responds to every request with the same short text, over keep-alive connections.
async fn hello(port: u16) -> anyhow::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (mut stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            stream.set_nodelay(true)?;
            let mut buffer = Vec::with_capacity(4096);
            loop {
                buffer.clear();
                while !buffer.windows(4).any(|w| w == b"\r\n\r\n") {
                    if stream.read_buf(&mut buffer).await? == 0 {
                        return anyhow::Ok(());
                    }
                }
                let answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 17\r\n\r\n{\"hello\":\"world\"}";
                stream.write_all(answer).await?;
            }
        });
    }
}
