//! What browsers need.

use std::time::Duration;

use bytes::Bytes;
use reqwest::Method;

use crate::harness::{BUCKET, TestStore, answer};

#[tokio::test]
async fn a_download_keeps_its_chinese_name_and_runs_nothing() {
    let store = TestStore::start().await;
    let objects = store.embedded.objects(BUCKET).unwrap();
    objects
        .put_bytes("u/1/a.html", Bytes::from_static(b"<script>"), "text/html")
        .await
        .unwrap();
    let minute = Duration::from_secs(60);
    let name = "厂房 “一号”\u{3000}最终版.glb";
    let url = objects
        .presign_get("u/1/a.html", minute, Some(name), Some("model/gltf-binary"))
        .unwrap();
    let got = answer(
        reqwest::Client::new()
            .get(url)
            .header("origin", "http://page.example"),
    )
    .await
    .expect(200);
    let disposition = got.header("content-disposition");
    let encoded = disposition.split("filename*=UTF-8''").nth(1).unwrap();
    assert_eq!(
        percent_encoding::percent_decode_str(encoded)
            .decode_utf8()
            .unwrap(),
        name
    );
    assert!(disposition.starts_with("attachment; filename=\""));
    assert_eq!(got.header("content-type"), "model/gltf-binary");
    assert_eq!(got.header("x-content-type-options"), "nosniff");
    assert!(got.header("content-security-policy").contains("sandbox"));
    assert_eq!(got.header("access-control-allow-origin"), "*");
    for exposed in ["ETag", "Content-Range", "x-amz-meta-sha256"] {
        assert!(
            got.header("access-control-expose-headers")
                .contains(exposed)
        );
    }
    store.stop().await;
}

#[tokio::test]
async fn preflight_and_errors_carry_cors_and_health_needs_no_key() {
    let store =
        TestStore::start_with(|config| config.cors_origins = vec!["http://page.example".into()])
            .await;
    let http = reqwest::Client::new();
    let url = format!("{}/{BUCKET}/u/1/x", store.base());
    let ask = |origin: &'static str| {
        let request = http.request(Method::OPTIONS, &url).header("origin", origin);
        request
            .header("access-control-request-method", "PUT")
            .header("access-control-request-headers", "x-amz-date")
    };
    let good = answer(ask("http://page.example")).await.expect(204);
    assert_eq!(
        good.header("access-control-allow-origin"),
        "http://page.example"
    );
    assert_eq!(good.header("access-control-allow-headers"), "x-amz-date");
    assert!(good.header("access-control-allow-methods").contains("PUT"));
    assert_eq!(
        answer(ask("http://other.example"))
            .await
            .expect(403)
            .header("access-control-allow-origin"),
        ""
    );
    let refused = answer(http.get(&url).header("origin", "http://page.example"))
        .await
        .expect(403);
    assert_eq!(
        refused.header("access-control-allow-origin"),
        "http://page.example"
    );
    assert_eq!(
        answer(http.get(format!("{}/healthz", store.base())))
            .await
            .expect(200)
            .text(),
        "ok"
    );
    store.stop().await;
}

#[tokio::test]
async fn a_sender_in_the_middle_of_a_part_gets_the_refusal() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let store = TestStore::start().await;
    let listen = &store.config.listen;
    let mut raw = tokio::net::TcpStream::connect(listen).await.unwrap();
    let part = vec![7u8; 6 * 1024 * 1024];
    let path = format!("/{BUCKET}/u/1/x");
    // Twice on one connection: it also stays usable.
    for _ in 0..2 {
        let head = format!(
            "PUT {path} HTTP/1.1\r\nhost: {listen}\r\ncontent-length: {}\r\n\r\n",
            part.len()
        );
        raw.write_all(head.as_bytes()).await.unwrap();
        raw.write_all(&part).await.unwrap();
        let mut answer = vec![0; 4096];
        let read = raw.read(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }
    store.stop().await;
}
