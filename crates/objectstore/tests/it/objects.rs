//! The client services use, in process and over HTTP: one suite for both.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use objectstore::sign::sha256_hex;
use objectstore::{ByteRange, ObjectStore, StoreError};
use reqwest::Method;

use crate::harness::{TestStore, answer, noise};

/// Both clients on one store, each in turn.
async fn both(store: &TestStore) -> [(&'static str, Arc<dyn ObjectStore>); 2] {
    let embedded = store.embedded.objects(crate::harness::BUCKET).unwrap();
    [("file:", embedded), ("s3:", store.client().await.store)]
}

#[tokio::test]
async fn a_store_whose_disk_is_gone_does_not_work() {
    let store = TestStore::start().await;
    for (scheme, objects) in both(&store).await {
        objects.ping().await.unwrap();
        let buckets = store.config.root.join("buckets");
        let moved = store.config.root.join("moved");
        std::fs::rename(&buckets, &moved).unwrap();
        assert!(objects.ping().await.is_err(), "{scheme}");
        std::fs::rename(&moved, &buckets).unwrap();
        objects.ping().await.unwrap();
    }
    store.stop().await;
}

#[tokio::test]
async fn what_is_stored_comes_back_whole_in_parts_and_as_a_copy() {
    let store = TestStore::start().await;
    for (scheme, objects) in both(&store).await {
        let content = noise(1, 3_000_001);
        let key = format!("u/1/{scheme}/模型 &+%20 中文名.glb");
        let put = objects
            .put_bytes(&key, Bytes::from(content.clone()), "model/gltf-binary")
            .await
            .unwrap();
        assert_eq!(put.size, 3_000_001);
        assert_eq!(
            put.sha256.as_deref(),
            Some(sha256_hex(&content).as_str()),
            "{scheme}"
        );
        assert_eq!(put.content_type.as_deref(), Some("model/gltf-binary"));
        assert_eq!(objects.head(&key).await.unwrap().unwrap(), put);

        let range = ByteRange {
            start: 1_000_000,
            end: Some(1_000_010),
        };
        assert_eq!(
            objects.get_range(&key, range).await.unwrap(),
            content[1_000_000..1_000_010]
        );
        let tail = ByteRange {
            start: 3_000_000,
            end: None,
        };
        assert_eq!(
            objects.get_range(&key, tail).await.unwrap(),
            content[3_000_000..]
        );
        let beyond = ByteRange {
            start: 3_000_001,
            end: None,
        };
        assert!(matches!(
            objects.get_range(&key, beyond).await,
            Err(StoreError::InvalidRange)
        ));

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.glb");
        assert_eq!(objects.get_to_file(&key, &path).await.unwrap(), put);
        assert_eq!(std::fs::read(&path).unwrap(), content);

        let from_file = format!("u/1/{scheme}/from-file");
        let second = objects.put_file(&from_file, &path, "").await.unwrap();
        assert_eq!(
            (second.sha256, second.etag),
            (put.sha256.clone(), put.etag.clone())
        );

        let copy = format!("u/1/{scheme}/copy");
        let copied = objects.copy(&key, &copy).await.unwrap();
        assert_eq!(
            (copied.sha256, copied.content_type),
            (put.sha256, put.content_type)
        );
        objects.delete(&key).await.unwrap();
        objects.delete(&key).await.unwrap();
        assert_eq!(objects.head(&key).await.unwrap(), None);
        assert!(matches!(
            objects.get_to_file(&key, &path).await,
            Err(StoreError::NoSuchKey(_))
        ));
        // Deleting the original must not affect the copy.
        objects.get_to_file(&copy, &path).await.unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), content);
    }
    store.stop().await;
}

#[tokio::test]
async fn hostile_and_odd_keys() {
    let store = TestStore::start().await;
    let long = format!("u/1/{}", "长".repeat(340));
    for (scheme, objects) in both(&store).await {
        for key in [
            "u/1/../2/x",
            "u/1/./x",
            "..",
            "/etc/passwd",
            "",
            "u/1/a\nb",
            &"x".repeat(1025),
        ] {
            let put = objects.put_bytes(key, Bytes::from_static(b"x"), "").await;
            assert!(
                matches!(put, Err(StoreError::InvalidArgument(_))),
                "{scheme} {key:?}"
            );
            assert!(objects.head(key).await.is_err() && objects.delete(key).await.is_err());
        }
        for key in [
            long.as_str(),
            "u/1/a",
            "u/1/a/b",
            "u/1/a/",
            "u/1/..a",
            "u/1/a//b",
            "u/1/%2e%2e/x",
            "u/1/object.json",
        ] {
            let content = Bytes::from(format!("{scheme}{key}"));
            objects.put_bytes(key, content.clone(), "").await.unwrap();
            let all = ByteRange {
                start: 0,
                end: None,
            };
            assert_eq!(
                objects.get_range(key, all).await.unwrap(),
                content,
                "{scheme} {key}"
            );
        }
        let empty = objects
            .put_bytes("u/1/empty", Bytes::new(), "")
            .await
            .unwrap();
        assert_eq!(empty.size, 0);
        assert_eq!(
            objects
                .get_range(
                    "u/1/empty",
                    ByteRange {
                        start: 0,
                        end: None
                    }
                )
                .await
                .unwrap(),
            Bytes::new()
        );
    }
    // Paths that the client does not normalise are rejected as well.
    let root = store.root();
    root.put("u/1/../2/x", "x").await;
    assert_eq!(root.get("u/2/x").await.status, 404);
    store.stop().await;
}

#[tokio::test]
async fn ten_thousand_keys_are_listed_in_pages_and_removed_by_prefix() {
    let store = TestStore::start().await;
    let [(_, embedded), (_, remote)] = both(&store).await;
    let mut writers = Vec::new();
    for writer in 0..8 {
        let embedded = embedded.clone();
        writers.push(tokio::spawn(async move {
            for n in (writer..10_000).step_by(8) {
                embedded
                    .put_bytes(&format!("u/1/many/{n:05}"), Bytes::from_static(b"x"), "")
                    .await
                    .unwrap();
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    embedded
        .put_bytes("u/1/manyother", Bytes::new(), "")
        .await
        .unwrap();
    for objects in [&embedded, &remote] {
        let mut keys = Vec::new();
        let mut continuation = None;
        let mut pages = 0;
        loop {
            let page = objects
                .list("u/1/many/", continuation.as_deref())
                .await
                .unwrap();
            assert!(page.objects.len() <= 1000);
            keys.extend(page.objects.into_iter().map(|object| object.key));
            pages += 1;
            continuation = page.continuation;
            if continuation.is_none() {
                break;
            }
        }
        let wanted: Vec<String> = (0..10_000).map(|n| format!("u/1/many/{n:05}")).collect();
        assert_eq!((keys == wanted, pages), (true, 10));
    }
    assert!(
        embedded.delete_prefix("").await.is_err()
            && remote.delete_prefix("u/1/many").await.is_err()
    );
    remote.copy("u/1/many/00000", "u/1/few/0").await.unwrap();
    assert_eq!(remote.delete_prefix("u/1/few/").await.unwrap(), 1);
    assert_eq!(embedded.delete_prefix("u/1/many/").await.unwrap(), 10_000);
    let left = embedded.list("", None).await.unwrap();
    assert_eq!(
        left.objects
            .iter()
            .map(|o| o.key.as_str())
            .collect::<Vec<_>>(),
        ["u/1/manyother"]
    );
    store.stop().await;
}

#[tokio::test]
async fn the_listing_survives_a_restart() {
    let folder = crate::harness::folder();
    let config = crate::harness::config(&folder);
    for n in 0..3 {
        // Dropped at the end of each round, so that the next one reads from disk.
        let opened = objectstore::EmbeddedStore::open(config.clone())
            .await
            .unwrap();
        let objects = opened.objects(crate::harness::BUCKET).unwrap();
        assert_eq!(objects.list("", None).await.unwrap().objects.len(), n);
        objects
            .put_bytes(&format!("u/1/{n}"), Bytes::from_static(b"x"), "")
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_reader_gets_one_content_while_the_object_is_replaced() {
    let store = TestStore::start().await;
    let [(_, objects), _] = both(&store).await;
    let (first, second) = (noise(1, 24 << 20), noise(2, 1 << 20));
    objects
        .put_bytes("u/1/x", Bytes::from(first.clone()), "")
        .await
        .unwrap();
    let url = objects
        .presign_get("u/1/x", Duration::from_secs(60), None, None)
        .unwrap();
    let mut response = reqwest::get(url).await.unwrap();
    let mut got = response.chunk().await.unwrap().unwrap().to_vec();
    objects
        .put_bytes("u/1/x", Bytes::from(second.clone()), "")
        .await
        .unwrap();
    objects.delete("u/1/x").await.unwrap();
    while let Some(chunk) = response.chunk().await.unwrap() {
        got.extend_from_slice(&chunk);
    }
    assert!(got == first);
    store.stop().await;
}

#[tokio::test]
async fn conditions_and_ranges_over_http() {
    let store = TestStore::start().await;
    let root = store.root();
    let etag = root
        .put("u/1/x", "0123456789")
        .await
        .expect(200)
        .header("etag")
        .to_owned();
    let get = async |headers: &[(&str, &str)]| {
        root.call(Method::GET, "u/1/x", &[], headers, Vec::new())
            .await
    };
    let part = get(&[("range", "bytes=2-4")]).await.expect(206);
    assert_eq!(
        (part.text().as_str(), part.header("content-range")),
        ("234", "bytes 2-4/10")
    );
    assert_eq!(
        get(&[("range", "bytes=-3")]).await.expect(206).text(),
        "789"
    );
    get(&[("range", "bytes=10-")])
        .await
        .refused(416, "InvalidRange");
    let same = get(&[("if-none-match", &etag)]).await.expect(304);
    assert_eq!(same.header("etag"), etag);
    get(&[("if-match", "\"other\"")])
        .await
        .refused(412, "PreconditionFailed");
    get(&[("if-match", &etag)]).await.expect(200);
    root.call(
        Method::PUT,
        "u/1/x",
        &[],
        &[("if-none-match", "*")],
        b"new".to_vec(),
    )
    .await
    .refused(412, "PreconditionFailed");
    let folded = root
        .list(&[("prefix", "u/"), ("delimiter", "/")])
        .await
        .expect(200);
    assert_eq!(
        crate::harness::elements(&folded.text(), "Prefix"),
        ["u/", "u/1/"]
    );
    store.stop().await;
}

#[tokio::test]
async fn a_full_disk_is_said_plainly_and_harms_nothing() {
    let store = TestStore::start_with(|config| config.min_free_bytes = i64::MAX).await;
    let root = store.root();
    root.put("u/1/x", "x")
        .await
        .refused(507, "InsufficientStorage");
    root.call(Method::POST, "u/1/x", &[("uploads", "")], &[], Vec::new())
        .await
        .refused(507, "InsufficientStorage");
    assert_eq!(root.get("u/1/x").await.status, 404);
    let objects = store.embedded.objects(crate::harness::BUCKET).unwrap();
    let put = objects
        .put_bytes("u/1/x", Bytes::from_static(b"x"), "")
        .await;
    assert!(matches!(put, Err(StoreError::DiskFull)));
    store.stop().await;
}

#[tokio::test]
async fn a_body_too_large_or_too_short_leaves_nothing() {
    let store = TestStore::start_with(|config| config.max_object_bytes = 1000).await;
    let root = store.root();
    root.put("u/1/x", vec![0; 1001])
        .await
        .refused(400, "EntityTooLarge");
    assert_eq!(root.get("u/1/x").await.status, 404);
    // A sender that disconnects in the middle.
    let url = store.embedded.objects(crate::harness::BUCKET).unwrap();
    let url = url.presign_put("u/1/x", Duration::from_secs(60)).unwrap();
    let path = url.strip_prefix(&store.base()).unwrap();
    let mut raw = tokio::net::TcpStream::connect(&store.config.listen)
        .await
        .unwrap();
    let head = format!(
        "PUT {path} HTTP/1.1\r\nhost: {}\r\ncontent-length: 900\r\n\r\nonly this",
        store.config.listen
    );
    tokio::io::AsyncWriteExt::write_all(&mut raw, head.as_bytes())
        .await
        .unwrap();
    drop(raw);
    answer(reqwest::Client::new().put(&url).body("whole"))
        .await
        .expect(200);
    assert_eq!(root.get("u/1/x").await.text(), "whole");
    store.stop().await;
}
