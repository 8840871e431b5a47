//! Upload benchmark: 300 MB over HTTP the way a browser sends it (parts of 5 MiB, several at a time, unsigned payload),
//! compared with a plain PUT of the same bytes and with a bare server that only writes them to a file.
//! `cargo run --release -p xuanlan-objectstore --example upload_bench [folder]`

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use objectstore::sign::{Signer, ToSign, UNSIGNED_PAYLOAD};
use objectstore::{EmbeddedStore, StoreConfig};
use time::OffsetDateTime;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const MB: usize = 300;
const PART: usize = 5 * 1024 * 1024;
const AT_A_TIME: usize = 4;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let folder = std::env::args()
        .nth(1)
        .map_or_else(std::env::temp_dir, Into::into);
    let folder = tempfile::TempDir::new_in(folder)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let config = StoreConfig {
        root: folder.path().join("store"),
        listen: listener.local_addr()?.to_string(),
        ..Default::default()
    };
    let base = config.public_url();
    let store = EmbeddedStore::open(config.clone()).await?;
    let objects = store.objects(&config.private_bucket)?;
    tokio::spawn(objectstore::server::serve(
        config.clone(),
        listener,
        CancellationToken::new(),
    ));
    let content = Bytes::from(
        (0..MB * 1024 * 1024)
            .map(|n| (n * 7 + n / 251) as u8)
            .collect::<Vec<u8>>(),
    );
    let http = reqwest::Client::new();
    let hour = Duration::from_secs(3600);

    let bare = bare_server(folder.path().join("bare")).await?;
    for round in 1..=3 {
        let start = Instant::now();
        http.put(&bare)
            .body(content.clone())
            .send()
            .await?
            .error_for_status()?;
        report(round, "plain file server, PUT", start);

        let start = Instant::now();
        let url = objects.presign_put("bench/plain", hour)?;
        http.put(url)
            .body(content.clone())
            .send()
            .await?
            .error_for_status()?;
        report(round, "store, one PUT", start);

        let signer = Signer {
            access_key: store.root_key().into(),
            secret_key: store.root_secret().into(),
            session_token: None,
            region: config.region.clone(),
            service: "s3",
        };
        let path = format!("/{}/bench/parts", config.private_bucket);
        let id = post(
            &http,
            &signer,
            &base,
            &path,
            &[("uploads", "")],
            String::new(),
        )
        .await?;
        let id = id
            .split("<UploadId>")
            .nth(1)
            .and_then(|rest| rest.split('<').next())
            .ok_or("no upload id")?
            .to_owned();
        let start = Instant::now();
        let mut parts = tokio::task::JoinSet::new();
        let free = std::sync::Arc::new(tokio::sync::Semaphore::new(AT_A_TIME));
        for (n, offset) in (0..content.len()).step_by(PART).enumerate() {
            let url = objects.presign_part("bench/parts", &id, n as u32 + 1, hour)?;
            let body = content.slice(offset..(offset + PART).min(content.len()));
            let (http, free) = (http.clone(), free.clone());
            parts.spawn(async move {
                let _permit = free.acquire_owned().await?;
                let answer = http.put(url).body(body).send().await?.error_for_status()?;
                let etag = answer
                    .headers()
                    .get("etag")
                    .ok_or("no etag")?
                    .to_str()?
                    .to_owned();
                Ok::<_, Failure>((n + 1, etag))
            });
        }
        let mut done = Vec::new();
        while let Some(part) = parts.join_next().await {
            done.push(part??);
        }
        report(round, "store, parts", start);
        done.sort();
        let lines = done
            .iter()
            .map(|(n, e)| format!("<Part><PartNumber>{n}</PartNumber><ETag>{e}</ETag></Part>"));
        let xml = format!(
            "<CompleteMultipartUpload>{}</CompleteMultipartUpload>",
            lines.collect::<String>()
        );
        let completing = Instant::now();
        post(&http, &signer, &base, &path, &[("uploadId", &id)], xml).await?;
        println!(
            "round {round}: completing took {:.0} ms",
            completing.elapsed().as_secs_f64() * 1000.0
        );
        report(round, "store, parts and completion", start);
    }
    Ok(())
}

fn report(round: u32, what: &str, start: Instant) {
    println!(
        "round {round}: {what}: {:.0} MB/s",
        MB as f64 / start.elapsed().as_secs_f64()
    );
}

async fn post(
    http: &reqwest::Client,
    signer: &Signer,
    base: &str,
    path: &str,
    query: &[(&str, &str)],
    body: String,
) -> Result<String, Failure> {
    let host = objectstore::sign::host_of(base)?;
    let to_sign = ToSign {
        method: "POST",
        host,
        path,
        query,
        headers: &[],
        payload: UNSIGNED_PAYLOAD,
    };
    let url = format!("{base}{path}?{}", objectstore::sign::encode_query(query));
    let mut request = http.post(url).body(body);
    for (name, value) in signer.sign(&to_sign, OffsetDateTime::now_utc())? {
        request = request.header(name, value);
    }
    Ok(request.send().await?.error_for_status()?.text().await?)
}

/// A server that only writes each body to a file.
async fn bare_server(path: std::path::PathBuf) -> Result<String, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let path = path.clone();
            let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
                let path = path.clone();
                async move {
                    let mut file = tokio::fs::File::create(path).await?;
                    let mut body = request.into_body();
                    while let Some(frame) = body.frame().await {
                        if let Ok(data) = frame?.into_data() {
                            file.write_all(&data).await?;
                        }
                    }
                    file.flush().await?;
                    Ok::<_, Failure>(http::Response::new(Empty::<Bytes>::new()))
                }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    Ok(address)
}
