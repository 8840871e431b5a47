//! An independent client: the AWS SDK for JavaScript, as the browser uses it.

use std::path::Path;

use tokio::process::Command;

use crate::harness::{ROOT_KEY, ROOT_SECRET, TestStore};

#[tokio::test]
async fn the_aws_sdk_for_javascript() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    if !folder.join("node_modules/@aws-sdk/lib-storage").is_dir() {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund"])
            .current_dir(&folder)
            .kill_on_drop(true);
        let installed = npm.status().await.expect("npm is needed for this test");
        assert!(installed.success(), "npm ci failed");
    }
    let store = TestStore::start_with(|config| config.min_part_bytes = 5 * 1024 * 1024).await;
    let (one, two) = (store.credentials("1").await, store.credentials("2").await);
    let environment = serde_json::json!({
        "endpoint": store.base(), "one": one, "two": two,
        "renewed": store.credentials("1").await,
        "root": { "access_key": ROOT_KEY, "secret_key": ROOT_SECRET },
    });
    let mut node = Command::new("node");
    node.args(["--test", "client.test.mjs"])
        .current_dir(&folder)
        .kill_on_drop(true);
    let output = node
        .env("STORE", environment.to_string())
        .output()
        .await
        .expect("node is needed for this test");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    store.stop().await;
}
