//! A store killed in the middle of a request.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use objectstore::sign::sha256_hex;
use objectstore::{CredentialIssuer, EmbeddedIssuer, EmbeddedStore, StoreConfig, StoreError};
use tempfile::TempDir;

use crate::harness::{BUCKET, Caller, ROOT_SECRET, config, elements, noise};
use crate::multipart::walk;

/// The store as a separate process.
struct Process {
    child: Child,
    base: String,
}

impl Process {
    fn start(folder: &Path, config: &StoreConfig) -> Self {
        let file = folder.join("config.json");
        let config = StoreConfig {
            listen: "127.0.0.1:0".into(),
            ..config.clone()
        };
        std::fs::write(&file, serde_json::to_vec(&config).unwrap()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_objectstore-server"));
        let mut child = command.arg(&file).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("said {line:?}"));
        Self {
            base: format!("http://{address}"),
            child,
        }
    }

    async fn user(&self) -> Caller {
        let issuer = EmbeddedIssuer::new(ROOT_SECRET, BUCKET).unwrap();
        Caller::of(
            &self.base,
            &issuer
                .issue("1", "u/1/", Duration::from_secs(600))
                .await
                .unwrap(),
        )
    }

    /// SIGKILL: no chance to clean up.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn killed_while_completing_then_completed_again() {
    let folder = TempDir::new().unwrap();
    let config = config(&folder);
    let parts: Vec<Vec<u8>> = (0..12).map(|n| noise(n, 1 << 20)).collect();
    let whole = parts.concat();
    let mut process = Process::start(folder.path(), &config);
    // Killed after so many microseconds: before, during and after the completion.
    for (round, wait) in [0u64, 2_000, 6_000, 12_000, 25_000, 50_000]
        .into_iter()
        .enumerate()
    {
        let key = format!("u/1/round-{round}");
        let user = process.user().await;
        let id = user.begin(&key).await;
        let mut done = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            let stored = user
                .part(&key, &id, n as u32 + 1, part.clone())
                .await
                .expect(200);
            done.push((n as u32 + 1, stored.header("etag").to_owned()));
        }
        let completing = tokio::spawn({
            let (user, key, id, done) = (user.clone(), key.clone(), id.clone(), done.clone());
            let url = format!("{}/{BUCKET}/{key}", user.base);
            async move {
                let body = crate::harness::completion(&done);
                let path = format!("/{BUCKET}/{key}");
                let host = user.base.strip_prefix("http://").unwrap().to_owned();
                let to_sign = objectstore::sign::ToSign {
                    method: "POST",
                    host: &host,
                    path: &path,
                    query: &[("uploadId", &id)],
                    headers: &[],
                    payload: &sha256_hex(&body),
                };
                let added = user
                    .signer
                    .sign(&to_sign, time::OffsetDateTime::now_utc())
                    .unwrap();
                let mut request = user.http.post(format!("{url}?uploadId={id}")).body(body);
                for (name, value) in added {
                    request = request.header(name, value);
                }
                // The connection may break: that is intended.
                let _ = request.send().await;
            }
        });
        tokio::time::sleep(Duration::from_micros(wait)).await;
        process.kill();
        completing.await.unwrap();
        process = Process::start(folder.path(), &config);
        let user = process.user().await;
        let listed = user.list_parts(&key, &id, &[]).await;
        if listed.status == 200 {
            assert_eq!(
                elements(&listed.text(), "PartNumber").len(),
                parts.len(),
                "a part was lost"
            );
        }
        let etag = user
            .complete(&key, &id, &done)
            .await
            .expect(200)
            .element("ETag")
            .unwrap();
        assert_eq!(
            user.complete(&key, &id, &done)
                .await
                .expect(200)
                .element("ETag")
                .unwrap(),
            etag
        );
        let got = user.get(&key).await.expect(200);
        assert!(got.body == whole && got.header("x-amz-meta-sha256") == sha256_hex(&whole));
        assert_eq!(got.header("etag"), etag);
    }
    process.kill();
}

#[tokio::test]
async fn killed_while_a_part_arrives_loses_that_part_alone() {
    let folder = TempDir::new().unwrap();
    let config = config(&folder);
    let process = Process::start(folder.path(), &config);
    let user = process.user().await;
    let id = user.begin("u/1/x").await;
    let stored = user
        .part("u/1/x", &id, 1, noise(1, 1 << 20))
        .await
        .expect(200)
        .header("etag")
        .to_owned();
    // Half a part has been sent when the store is killed.
    let issuer = EmbeddedIssuer::new(ROOT_SECRET, BUCKET).unwrap();
    let made = issuer
        .issue("1", "u/1/", Duration::from_secs(600))
        .await
        .unwrap();
    let host = process.base.strip_prefix("http://").unwrap().to_owned();
    let sender = Caller::of(&process.base, &made);
    let path = format!("/{BUCKET}/u/1/x");
    let query = [("partNumber", "2"), ("uploadId", id.as_str())];
    let url = sender
        .signer
        .presign(
            ("PUT", &process.base, &path),
            &query,
            Duration::from_secs(60),
            time::OffsetDateTime::now_utc(),
        )
        .unwrap();
    let mut raw = tokio::net::TcpStream::connect(&host).await.unwrap();
    let target = url.strip_prefix(&process.base).unwrap();
    let head = format!("PUT {target} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 6000000\r\n\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend(noise(2, 3_000_000));
    tokio::io::AsyncWriteExt::write_all(&mut raw, &bytes)
        .await
        .unwrap();
    let temporary = config.root.join("tmp");
    while walk(&temporary).is_empty() {
        tokio::task::yield_now().await;
    }
    process.kill();
    let process = Process::start(folder.path(), &config);
    assert!(walk(&temporary).is_empty());
    let user = process.user().await;
    let listed = user.list_parts("u/1/x", &id, &[]).await.expect(200).text();
    assert_eq!(elements(&listed, "ETag"), [stored.as_str()]);
    let second = user
        .part("u/1/x", &id, 2, noise(2, 1000))
        .await
        .expect(200)
        .header("etag")
        .to_owned();
    user.complete("u/1/x", &id, &[(1, stored), (2, second)])
        .await
        .expect(200);
    assert!(user.get("u/1/x").await.body == [noise(1, 1 << 20), noise(2, 1000)].concat());
    process.kill();
}

/// The two states after a kill that are hardest to hit by timing: the parts linked but no object yet, and the object
/// present but the upload not marked as completed.
#[tokio::test]
async fn every_state_between_two_steps_of_completion_can_be_completed() {
    for state in ["links without an object", "an object without the mark"] {
        let folder = TempDir::new().unwrap();
        let config = config(&folder);
        let process = Process::start(folder.path(), &config);
        let user = process.user().await;
        let id = user.begin("u/1/x").await;
        let etag = user
            .part("u/1/x", &id, 1, noise(1, 100_000))
            .await
            .expect(200)
            .header("etag")
            .to_owned();
        let upload = config
            .root
            .join("buckets")
            .join(BUCKET)
            .join("uploads")
            .join(&id);
        let part = walk(&upload)
            .into_iter()
            .find(|p| !p.ends_with("upload.json"))
            .unwrap();
        let saved = folder.path().join("saved");
        std::fs::hard_link(&part, &saved).unwrap();
        let first = user
            .complete("u/1/x", &id, &[(1, etag.clone())])
            .await
            .expect(200)
            .element("ETag");
        process.kill();
        // Back to the state before completion.
        std::fs::rename(&saved, &part).unwrap();
        std::fs::remove_file(upload.join("completed.json")).unwrap();
        if state == "links without an object" {
            let objects = config.root.join("buckets").join(BUCKET).join("objects");
            let record = walk(&objects)
                .into_iter()
                .find(|p| p.ends_with("object.json"))
                .unwrap();
            std::fs::remove_file(record).unwrap();
        }
        let process = Process::start(folder.path(), &config);
        let user = process.user().await;
        assert_eq!(
            user.complete("u/1/x", &id, &[(1, etag)])
                .await
                .expect(200)
                .element("ETag"),
            first,
            "{state}"
        );
        assert!(user.get("u/1/x").await.body == noise(1, 100_000));
        process.kill();
    }
}

#[tokio::test]
async fn a_directory_has_one_process_at_a_time() {
    let folder = TempDir::new().unwrap();
    let config = config(&folder);
    let process = Process::start(folder.path(), &config);
    // The process responds, so it holds the directory.
    process.user().await.put("u/1/x", "x").await.expect(200);
    assert!(matches!(
        EmbeddedStore::open(config.clone()).await,
        Err(StoreError::InUse(_))
    ));
    process.kill();
    EmbeddedStore::open(config).await.unwrap();
}
