//! What the program reports beside S3.

use std::net::SocketAddr;
use std::path::Path;

use chassis::{Settings, Shutdown};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The whole answer to a GET over HTTP/1.1.
async fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

fn settings(folder: &Path, least_free: i64) -> Settings {
    let file = folder.join("settings.toml");
    let root = folder.join("objects");
    let text = format!(
        "[ops]\nlisten = \"127.0.0.1:0\"\n\
         [objectstore]\nlisten = \"127.0.0.1:0\"\nroot = {root:?}\nmin_free_bytes = {least_free}\nmin_free_files = 0\n"
    );
    std::fs::write(&file, text).unwrap();
    Settings::load(&[], Some(&file)).unwrap()
}

/// `/readyz` and `/metrics` of a store that keeps so many bytes free.
async fn told(folder: &Path, least_free: i64, metrics: &PrometheusHandle) -> (String, String) {
    let shutdown = Shutdown::new();
    let settings = settings(folder, least_free);
    let started = store::start(&settings, Some(metrics.clone()), &shutdown).await;
    let running = started.unwrap();
    let ops = running.ops.unwrap();
    let ready = get(ops, "/readyz").await;
    let figures = get(ops, "/metrics").await;
    assert!(
        get(running.address, "/healthz")
            .await
            .starts_with("HTTP/1.1 200")
    );
    shutdown.request();
    running.server.await.unwrap().unwrap();
    (ready, figures)
}

#[tokio::test]
async fn a_full_disk_shows_and_the_store_stays_ready() {
    let metrics = PrometheusBuilder::new().install_recorder().unwrap();
    for (least_free, room) in [(0, true), (i64::MAX, false)] {
        let folder = tempfile::TempDir::new().unwrap();
        let (ready, figures) = told(folder.path(), least_free, &metrics).await;
        // What is stored can be read and deleted.
        assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
        assert!(ready.contains(r#""ready":true"#), "{ready}");
        assert!(ready.contains(&format!(r#""disk":{room}"#)), "{ready}");
        let gauge = format!("\nobjectstore_disk_full {}\n", u8::from(!room));
        assert!(figures.contains(&gauge), "{figures}");
    }
}
